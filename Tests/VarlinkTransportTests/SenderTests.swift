import Glibc
import Linux
import Testing
import TestSupport
import VarlinkTransport

@Suite("Who sent a message", .serialized)
struct SenderTests {
  /// Everything that is there: each message and its sender.
  private func readAll(_ reader: inout MessageReader, from socket: CInt) throws -> [(String, MessageSender)] {
    var found: [(String, MessageSender)] = []
    while true {
      if let message = try reader.next({ bytes, arrival in
        (String(decoding: bytes, as: UTF8.self), arrival.sender)
      }) {
        found.append(message)
      } else if try reader.fill(from: socket) != .read {
        return found
      }
    }
  }

  /// Another process that writes to a socket.
  private func write(_ format: String, to socket: CInt) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, socket, STDOUT_FILENO)
    var child = pid_t()
    let result = StartOfProcesses.alone {
      let texts: [String] = ["printf", format]
      let arguments = texts.map { strdup($0) } + [nil]
      defer { for argument in arguments { free(argument) } }
      return arguments.withUnsafeBufferPointer { buffer in
        buffer.baseAddress.map { posix_spawn(&child, "/usr/bin/printf", &actions, nil, $0, nil) } ?? EINVAL
      }
    }
    try #require(result == 0)
    var status: CInt = 0
    guard waitpid(child, &status, 0) == child, status == 0 else { throw SystemError("waitpid") }
    return child
  }

  @Test("S36: each message tells the process that sent it, and one of two pieces tells that")
  func senders() throws {
    let pair = try Pair()
    try UnixSocket.tellSenders(pair.far.number)
    var writer = MessageWriter()
    try writer.send(Array("one\0half".utf8), to: pair.near.number)
    let other = try write("two\\0three\\0four", to: pair.near.number)
    try writer.send(Array("\0five\0".utf8), to: pair.near.number)
    var reader = MessageReader(limit: 1000, descriptors: .left)
    let found = try readAll(&reader, from: pair.far.number)
    func sender(_ pid: pid_t) -> MessageSender {
      .process(SenderCredentials(pid: pid, uid: getuid(), gid: getgid()))
    }
    #expect(found.map(\.0) == ["one", "halftwo", "three", "four", "five"])
    #expect(found.map(\.1) == [sender(getpid()), .several, sender(other), .several, sender(getpid())])
  }

  @Test(
    "S36: with senders told, descriptors are told of before they are received, and belong to their message")
  func descriptors() throws {
    let pair = try Pair()
    try UnixSocket.tellSenders(pair.far.number)
    var writer = MessageWriter()
    try writer.send(Array("none\0".utf8), to: pair.near.number)
    let batch = DescriptorBatch()
    _ = batch.append(try OwnedDescriptor(dup(pair.far.number), call: "dup"))
    try writer.send(Array("one\0more".utf8), descriptors: batch, to: pair.near.number)
    var reader = MessageReader(limit: 1000, descriptors: .left)
    func next() throws -> String? {
      try reader.next { bytes, arrival in
        "\(String(decoding: bytes, as: UTF8.self)) \(arrival.descriptorCount)"
      }
    }
    // Somebody else receives them. The kernel may tell of those that come with the next byte but one.
    var received: [Int] = []
    func fill() throws {
      guard case .descriptors(let count) = try reader.fill(from: pair.far.number) else { return }
      #expect(try reader.fill(from: pair.far.number) == .descriptors(byteCount: count))
      var bytes = [UInt8](repeating: 0, count: count)
      try #require(recv(pair.far.number, &bytes, count, 0) == count)
      received.append(count)
      reader.received(descriptors: count == 4 ? 1 : 0)
    }
    try fill()
    #expect(try next() == "none 0")
    #expect(try next() == nil)
    try fill()
    #expect(received.last == 4)
    #expect(try next() == "one 1")
    #expect(try reader.fill(from: pair.far.number) == .read)
    try writer.send([0], to: pair.near.number)
    #expect(try reader.fill(from: pair.far.number) == .read)
    #expect(try next() == "more 0")
  }

  @Test("S36: what was sent before its connection was accepted tells its sender as well")
  func beforeAccepting() throws {
    let directory = try TemporaryDirectory()
    let listener = try UnixSocket.listen(at: "\(directory.path)/s")
    try UnixSocket.tellSenders(listener.number)
    let near = try UnixSocket.connect(to: "\(directory.path)/s")
    var writer = MessageWriter()
    try writer.send(Array("early\0".utf8), to: near.number)
    guard let far = try UnixSocket.accept(from: listener.number) else { throw SystemError("accept4") }
    var reader = MessageReader(limit: 1000, descriptors: .left)
    let found = try readAll(&reader, from: far.number)
    #expect(found.map(\.1) == [.process(SenderCredentials(pid: getpid(), uid: getuid(), gid: getgid()))])
  }

  @Test("S36: a kernel that keeps no process has it pinned by its number, and says so")
  func latePinning() throws {
    let pair = try Pair()
    let kept = try PeerCredentials(of: pair.far.number, earliest: 1)
    #expect(kept.pinning == nil || kept.pinning?.earliest == 1)
    let late = try PeerCredentials(of: pair.far.number, earliest: 5, asksKernel: false)
    let pinning = try #require(late.pinning)
    #expect(late.isAlive && late.pid == getpid() && pinning.earliest == 5 && pinning.latest > 5)
  }

  @Test(
    "S36: who may have begun after the connection is in doubt, unless numbers cannot have come round since",
    arguments: [
      // In microseconds: looked at before, pinned, begun at; ticks have 10 ms.
      (1_000_000, 1_050_000, 0, false), (1_000_000, 1_050_000, 980_000, false),
      (1_000_000, 1_050_000, 990_000, false), (1_000_000, 1_050_000, 1_000_000, true),
      (1_000_000, 1_050_000, 1_040_000, true), (1_000_000, 1_050_000, 995_000, false),
      (1_000_000, 1_010_000, 1_000_000, false), (1_000_000, 900_000, 1_000_000, false),
      (0, 1_000_000, 500_000, true), (995_000, 1_050_000, 990_000, true),
    ])
  func doubt(earliest: UInt64, latest: UInt64, began: UInt64, isDoubtful: Bool) {
    let pinning = LatePinning(earliest: earliest, latest: latest)
    #expect(pinning.mayBeAnother(startedAt: began / 10_000, ticks: 100) == isDoubtful)
  }
}
