import Glibc
import Linux
import Testing
import Varlink
import VarlinkTransport

@Suite("A client that waits") struct ClientConnectionTests {
  @Test("calls go out while the service is held up by replies that nobody has received yet")
  func pipelining() async throws {
    let pair = try Pair()
    // In each direction many times what the kernel keeps for a socket.
    let (count, size) = (20, 200_000)
    let service = pair.near.take()
    // On a thread, and at once: this one waits for it, and Swift's pool may have no other.
    let (isServed, served) = AsyncStream<Bool>.makeStream()
    ThreadReserve.shared.run { served.yield(Self.serve(count, size, on: service)) }
    let client = ClientConnection(socket: pair.far)
    let text = String(repeating: "x", count: size)
    for _ in 0..<count {
      try client.send(Call(method: "org.example.test.Echo", parameters: ["text": .string(text)]))
    }
    #expect(client.holdsBytes)
    for number in 0..<count {
      #expect(try client.receive().reply.parameters["number"] == .integer(Int64(number)))
    }
    #expect(await isServed.first { _ in true } == true)
  }

  @Test(
    "a service that streams without an end while it takes no call is given up, before it fills the memory")
  func streaming() async throws {
    let pair = try Pair()
    let service = pair.near.take()
    let (served, continuation) = AsyncStream<Int>.makeStream()
    ThreadReserve.shared.run {
      continuation.yield(Self.stream(on: service))
      continuation.finish()
    }
    var client: ClientConnection? = ClientConnection(socket: pair.far)
    try client?.send(Call(method: "org.example.test.Stream", parameters: [:], wantsMore: true))
    // More than the kernel keeps for a socket.
    let text = String(repeating: "x", count: 4 << 20)
    #expect {
      try client?.send(Call(method: "org.example.test.Echo", parameters: ["text": .string(text)]))
    } throws: {
      guard case .violation? = $0 as? ConnectionError else { return false }
      return true
    }
    client = nil
    for await count in served { #expect(count < Self.mostReplies) }
  }

  /// Two times what a client keeps of small ones.
  private static let mostReplies = 1 << 17

  /// Reads nothing, and answers until the client has gone, or took all.
  ///
  /// - Returns: how many replies it took.
  private static func stream(on number: CInt) -> Int {
    let socket = OwnedDescriptor(owning: number)
    let reply = Array(#"{"parameters":{},"continues":true}"#.utf8) + [0]
    let replies = Array(repeatElement(reply, count: 1000).joined())
    var writer = MessageWriter()
    var count = 0
    do {
      while count < mostReplies {
        try writer.send(replies, to: socket.number)
        while !writer.isEmpty {
          guard isReady(socket.number, POLLOUT) else { return count }
          try writer.flush(to: socket.number)
        }
        count += 1000
      }
    } catch {}
    return count
  }

  /// Reads no call before its reply to the one before was taken. Gives up when that takes too long.
  private static func serve(_ count: Int, _ size: Int, on number: CInt) -> Bool {
    let socket = OwnedDescriptor(owning: number)
    let filler = String(repeating: "y", count: size)
    var reader = MessageReader(limit: 2 * size, descriptors: .received)
    var writer = MessageWriter()
    do {
      for index in 0..<count {
        while try reader.next({ _, _ in true }) == nil {
          guard isReady(socket.number, POLLIN), try reader.fill(from: socket.number) != .endOfStream else {
            return false
          }
        }
        let reply = #"{"parameters":{"number":\#(index),"text":"\#(filler)"}}"#
        try writer.send(Array(reply.utf8) + [0], to: socket.number)
        while !writer.isEmpty {
          guard isReady(socket.number, POLLOUT) else { return false }
          try writer.flush(to: socket.number)
        }
      }
      return true
    } catch { return false }
  }

  private static func isReady(_ number: CInt, _ events: CInt) -> Bool {
    var request = pollfd(fd: number, events: Int16(events), revents: 0)
    return poll(&request, 1, 600_000) == 1
  }
}
