import EventLoop
import Glibc
import Linux
import LoopTesting
import Testing
import TestSupport
import VarlinkServer
import VarlinkTransport

@Suite("What a peer can make the service hold is bounded", .timeLimit(.minutes(10)))
struct LimitTests {
  init() {
    LoopThread.start()
  }

  @Test("a user has so many connections; one that ends makes room")
  func quota() async throws {
    let service = await TestService { $0.connectionsPerUser = 2 }
    let first = try await service.connect()
    let second = try await service.connect()
    let third = try await service.connect()
    #expect(await third.rest() == [])
    #expect(await service.server.statistics.refused == 1)
    first.close()
    await service.until { service.server.connectionCount == 1 }
    let fourth = try await service.connect()
    #expect(await fourth.call("Echo", #"{"text":"4"}"#) == #"{"parameters":{"text":"4"}}"#)
    #expect(await second.call("Echo", #"{"text":"2"}"#) == #"{"parameters":{"text":"2"}}"#)
  }

  @Test("all users together have so many connections; one that ends makes room")
  func quotaOfAll() async throws {
    let service = await TestService { $0.connections = 1 }
    let first = try await service.connect()
    let second = try await service.connect()
    #expect(await second.rest() == [])
    #expect(await service.refusals == ["there are as many connections as may be: 1"])
    first.close()
    await service.until { service.server.connectionCount == 0 }
    let third = try await service.connect()
    #expect(await third.call("Echo", #"{"text":"3"}"#) == #"{"parameters":{"text":"3"}}"#)
  }

  @Test("a connection whose call is still worked on counts until the work is done")
  func quotaOfUnfinishedWork() async throws {
    let service = await TestService { $0.connectionsPerUser = 1 }
    let first = try await service.connect()
    await first.writeAll(Peer.call("Keep"))
    await service.until { service.kept.count == 1 }
    first.close()
    await service.until { service.server.connectionCount == 0 }
    let refused = try await service.connect()
    #expect(await refused.rest() == [])
    #expect(await service.server.statistics.refused == 1)
    await EventLoopActor.run { service.kept = [] }
    let second = try await service.connect()
    #expect(await second.call("Echo", #"{"text":"2"}"#) == #"{"parameters":{"text":"2"}}"#)
  }

  @Test(
    "a descriptor whose close(2) waits delays nobody, and counts until it is closed", .startingNoProcess,
    arguments: ["a call that does not name it", "an unfinished call"])
  @EventLoopActor
  func lingering(with message: String) async throws {
    let service = TestService { $0.connectionsPerUser = 2 }
    let sender = try service.connect()
    let other = try service.connect()
    let lingering = try LingeringSocket()
    let isCall = message == "a call that does not name it"
    try lingering.send(with: isCall ? Peer.call("Echo", #"{"text":""}"#) : [0x7B], to: sender)
    if isCall { #expect(await sender.messages(1).first?.contains("error") == true) }
    #expect(await other.call("Echo", #"{"text":"1"}"#) == #"{"parameters":{"text":"1"}}"#)
    sender.close()
    await service.until { service.server.connectionCount == 1 }
    #expect(await other.call("Echo", #"{"text":"2"}"#) == #"{"parameters":{"text":"2"}}"#)
    let refused = try service.connect()
    #expect(await refused.rest() == [])
    lingering.end()
    while try await service.connect().call("Echo", #"{"text":"3"}"#) == "closed" {}
  }

  @Test("a message of whose descriptors the kernel dropped some is told of, and not as the peer's fault")
  func descriptorsLost() async throws {
    let service = await TestService()
    let (peer, far) = try Peer.pair(of: service)
    // SO_PASSPIDFD (Linux 6.5): one more descriptor than there is room for.
    var isOn: CInt = 1
    guard setsockopt(far.number, SOL_SOCKET, 76, &isOn, socklen_t(MemoryLayout<CInt>.size)) == 0 else {
      return
    }
    await EventLoopActor.run { service.server.serve(connection: far.take()) }
    let batch = DescriptorBatch()
    for _ in 0..<253 { _ = batch.append(OwnedDescriptor(owning: dup(peer.number))) }
    var writer = MessageWriter()
    try writer.send(Peer.call("Echo", #"{"text":""}"#), descriptors: batch, to: peer.number)
    #expect(await peer.rest() == [])
    #expect(await service.refusals.count == 1)
    let statistics = await service.server.statistics
    #expect(statistics.refused == 1 && statistics.violations == 0)
  }

  @Test("a peer that takes long to be found out about delays nobody, and counts")
  func slowAdmission() async throws {
    let service = await TestService { $0.connectionsPerUser = 2 }
    let admitted = Admitted()
    await EventLoopActor.run {
      service.server.admission = { _, done in admitted.done = done }
    }
    let slow = try await service.connect()
    await slow.writeAll(Peer.call("Echo", #"{"text":"slow"}"#))
    await EventLoopActor.run { service.server.admission = nil }
    let other = try await service.connect()
    #expect(await other.call("Echo", #"{"text":"1"}"#) == #"{"parameters":{"text":"1"}}"#)
    #expect(await service.echoes == 1)
    #expect(await service.server.connectionCount == 1)
    let refused = try await service.connect()
    #expect(await refused.rest() == [])
    await EventLoopActor.run { admitted.done?(nil) }
    #expect(await slow.messages(1) == [#"{"parameters":{"text":"slow"}}"#])
  }

  @Test("what was sent and never received is closed without delaying others", .startingNoProcess)
  @EventLoopActor
  func lingeringUnreceived() async throws {
    let service = TestService { $0.connectionsPerUser = 1 }
    let first = try service.connect()
    // Refused before it is read: the descriptor waits in its socket.
    let (second, far) = try Peer.pair(of: service)
    let lingering = try LingeringSocket()
    try lingering.send(with: [0x7B], to: second)
    service.server.serve(connection: far.take())
    #expect(await second.rest() == [])
    #expect(await first.call("Echo", #"{"text":"1"}"#) == #"{"parameters":{"text":"1"}}"#)
    lingering.end()
  }

  @Test(
    "connections that are refused do not pile up, however long what was sent with them lingers",
    .startingNoProcess)
  @EventLoopActor
  func lingeringRefused() async throws {
    let service = TestService {
      $0.connectionsPerUser = 1
      $0.unclosedConnections = 2
    }
    let path = "/tmp/albumd-test-\(getpid())-\(UInt64.random(in: 0 ... .max))"
    defer { unlink(path) }
    try service.server.serve(listener: try UnixSocket.listen(at: path))
    let first = Peer(try UnixSocket.connect(to: path), of: service)
    #expect(await first.call("Echo", #"{"text":"1"}"#) == #"{"parameters":{"text":"1"}}"#)
    let lingering = try (0..<6).map { _ in try LingeringSocket() }
    var most = 0
    // All of them wait when the loop looks next.
    for socket in lingering {
      let refused = Peer(try UnixSocket.connect(to: path), of: service)
      try socket.send(with: [0x7B], to: refused)
    }
    await service.until {
      most = max(most, service.server.unclosedCount)
      return service.server.statistics.refused == lingering.count && service.server.unclosedCount == 0
    }
    #expect(most <= 2)
    #expect(await first.call("Echo", #"{"text":"2"}"#) == #"{"parameters":{"text":"2"}}"#)
    lingering.forEach { $0.end() }
    service.server.close()
  }

  @Test("a closed connection's socket is closed, whoever keeps its call")
  func socketOfKeptCall() async throws {
    let service = await TestService()
    let peer = try await service.connect()
    await peer.writeAll(Peer.call("Keep"))
    await service.until { service.kept.count == 1 }
    await EventLoopActor.run { service.server.close() }
    #expect(peer.ends())
    #expect(await service.kept.count == 1)
  }

  @Test("a peer that does not read is not read from: its replies stay bounded, and none is lost")
  func backPressure() async throws {
    let service = await TestService()
    let peer = try await service.connect()
    let text = String(repeating: "x", count: 100_000)
    let call = Peer.call("Echo", #"{"text":"\#(text)"}"#)
    var rest = (0..<40).flatMap { _ in call }[...]
    var idleTurns = 0
    while idleTurns < 100 {
      let count = peer.write(rest.prefix(1 << 16))
      rest = rest.dropFirst(count)
      idleTurns = count == 0 ? idleTurns + 1 : 0
      await TestService.turn()
    }
    // 256 KiB and one reply in memory, and what the socket's buffer holds.
    #expect(await service.echoes < 10)
    async let written: Void = peer.writeAll(Array(rest))
    let replies = await peer.messages(40)
    await written
    #expect(replies.count == 40 && replies.allSatisfy { $0.utf8.count == 100_000 + 26 })
  }

  @Test("a stream that its peer never reads ends, before it fills the memory")
  func unreadStream() async throws {
    let service = await TestService()
    let peer = try await service.connect()
    await peer.writeAll(Peer.call("Stream", #"{"count":10000,"size":65536}"#, #","more":true"#))
    await service.until { service.server.connectionCount == 0 }
    #expect(await service.streamed < 100)
    #expect(await service.refusals.count == 1)
  }

  @Test("a peer that floods has a bounded share of every turn of the loop")
  func fairness() async throws {
    let service = await TestService()
    let peer = try await service.connect()
    // Smaller than a socket's buffer: all of it waits when the first is served.
    let flood = (0..<2500).flatMap { _ in Peer.call("Echo", #"{"text":""}"#, #","oneway":true"#) }
    #expect(peer.write(flood) == flood.count)
    let largest = await service.largestShare(until: 2500)
    #expect(largest <= 64)
  }

  @Test("a call whose peer vanishes is cancelled")
  func cancellation() async throws {
    let service = await TestService()
    let peer = try await service.connect()
    await peer.writeAll(Peer.call("Sleep"))
    await service.until { service.server.statistics.calls == 1 }
    peer.close()
    await service.until { service.cancelled == 1 }
    #expect(await service.server.connectionCount == 0)
  }

  @Test("a half-closed peer that waits for an answer costs no turns of the loop")
  func quietHalfClose() async throws {
    let service = await TestService()
    let peer = try await service.connect()
    await peer.writeAll(Peer.call("Keep"))
    await service.until { service.kept.count == 1 }
    peer.closeWriting()
    #expect(try await isAloneInSomeTurn(), "nothing else is ready in every turn")
    await EventLoopActor.run { service.kept.removeFirst().reply(Nothing()) }
    #expect(await peer.rest() == [#"{"parameters":{}}"#])
  }

  /// Whether what becomes ready is handled alone, in one turn out of many: other tests share the loop.
  @EventLoopActor
  private func isAloneInSomeTurn() async throws -> Bool {
    let bell = try Pipe()
    var (turns, isAlone) = (0, false)
    let source = try IOSource(bell.reading, .readable) { _ in
      _ = bell.take()
      turns += 1
      isAlone = isAlone || !EventLoop.shared.isTurnShared
    }
    for turn in 1...1000 where !isAlone {
      try #require(bell.put(1))
      while turns < turn { await EventLoopActor.giveWay() }
    }
    source.cancel()
    return isAlone
  }

  @Test("a listening socket that was handed over in blocking mode never blocks the loop")
  func blockingListener() async throws {
    let service = await TestService()
    let path = "/tmp/albumd-test-\(getpid())-\(UInt64.random(in: 0 ... .max))"
    defer { unlink(path) }
    try await EventLoopActor.run {
      let listener = try UnixSocket.listen(at: path)
      _ = fcntl(listener.number, F_SETFL, 0)
      try service.server.serve(listener: listener)
    }
    for text in ["1", "2"] {
      let peer = Peer(try UnixSocket.connect(to: path), of: service)
      #expect(await peer.call("Echo", #"{"text":"\#(text)"}"#) == #"{"parameters":{"text":"\#(text)"}}"#)
    }
    await EventLoopActor.run { service.server.close() }
  }
}

private struct Nothing: Encodable {}

/// What lets a peer in whom the server waits for.
@EventLoopActor
private final class Admitted {
  var done: (@EventLoopActor (AnyObject?) -> Void)?
  nonisolated init() {}
}
