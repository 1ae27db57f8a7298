import EventLoop
import Glibc
import Linux
import LoopTesting
import TestSupport
import Testing
import Varlink
import VarlinkTransport

@testable import VarlinkServer

@Suite("Users share the service, whatever each of them does", .timeLimit(.minutes(30)))
struct SharingTests {
  init() {
    LoopThread.start()
  }

  /// One of several users, by who asks: all peers of a test are of one process.
  @EventLoopActor
  private final class Users: Admission {
    var next: UInt32 = 0
    func admit(_ peer: PeerCredentials, _ done: @escaping @EventLoopActor (AnyObject?) -> Void) {
      Task { done(nil) }
    }
    func judge(_ call: ServerCall) -> Verdict { .serve }
    func accountable(_ uid: UInt32) -> UInt32 { next }
    func hasReserve(_ uid: UInt32) -> Bool { next == 0 }
    nonisolated init() {}
  }

  @Test("one call of a user waits for a batch of each other user, however many connections those have")
  @EventLoopActor
  func turns() async throws {
    let users = Users()
    let service = TestService(admission: users)
    users.next = 1
    let flooding = try (0..<60).map { _ in try service.connect() }
    users.next = 2
    let waiting = try service.connect()
    while service.server.connectionCount < 61 { await EventLoopActor.giveWay() }
    let flood = (0..<400).flatMap { _ in Peer.call("Echo", #"{"text":""}"#, #","oneway":true"#) }
    for peer in flooding { #expect(peer.write(flood) == flood.count) }
    let call = Peer.call("Echo", #"{"text":"2"}"#)
    #expect(waiting.write(call) == call.count)
    #expect(await waiting.messages(1) == [#"{"parameters":{"text":"2"}}"#])
    await service.until { service.echoes == 60 * 400 + 1 }
    // Some batches of the 24,000, not all that waited: the kernel may tell of them in several parts, as other tests
    // share the loop.
    #expect(service.places["2"] ?? .max <= 2400)
  }

  @Test("who floods rests while another asks, and is served all the same; alone, it never rests")
  @EventLoopActor
  func rest() async throws {
    let users = Users()
    let service = TestService(admission: users)
    users.next = 1
    let flooding = try (0..<8).map { _ in try service.connect() }
    while service.server.connectionCount < 8 { await EventLoopActor.giveWay() }
    let flood = (0..<400).flatMap { _ in Peer.call("Echo", #"{"text":""}"#, #","oneway":true"#) }
    let user = try #require(service.server.user(1))
    for peer in flooding { #expect(peer.write(flood) == flood.count) }
    while service.echoes < 8 * 400 {
      try #require(!user.isResting)
      await EventLoopActor.giveWay()
    }
    users.next = 2
    let other = try service.connect()
    let call = Peer.call("Echo", #"{"text":"2"}"#)
    #expect(other.write(call) == call.count)
    #expect(await other.messages(1) == [#"{"parameters":{"text":"2"}}"#])
    // More and more, until it has had its share: a millisecond of work, of which one round makes several.
    var written = 8 * 400
    for _ in 0..<1000 where !user.isResting {
      for peer in flooding {
        await peer.writeAll(flood)
        written += 400
      }
      #expect(other.write(call) == call.count)
      #expect(await other.messages(1) == [#"{"parameters":{"text":"2"}}"#])
    }
    #expect(user.isResting)
    await service.until { service.echoes >= written }
  }

  @Test("who rests and has gone does not rest for ever: what it had sent is served, and its connections end")
  @EventLoopActor
  func goneWhileResting() async throws {
    let users = Users()
    let service = TestService(admission: users)
    users.next = 2
    let other = try service.connect()
    users.next = 1
    let flooding = try (0..<60).map { _ in try service.connect() }
    while service.server.connectionCount < 61 { await EventLoopActor.giveWay() }
    let user = try #require(service.server.user(1))
    let flood = (0..<400).flatMap { _ in Peer.call("Echo", #"{"text":""}"#, #","oneway":true"#) }
    let call = Peer.call("Echo", #"{"text":"2"}"#)
    for peer in flooding { #expect(peer.write(flood) == flood.count) }
    for _ in 0..<1000 where !user.isResting {
      #expect(other.write(call) == call.count)
      #expect(await other.messages(1) == [#"{"parameters":{"text":"2"}}"#])
    }
    #expect(user.isResting)
    for peer in flooding { shutdown(peer.number, CInt(SHUT_RDWR)) }
    // The other one asks all the time: the one that has gone gets its share nevertheless.
    for _ in 0..<100_000 where service.server.connectionCount > 1 {
      #expect(other.write(call) == call.count)
      #expect(await other.messages(1) == [#"{"parameters":{"text":"2"}}"#])
    }
    #expect(service.server.connectionCount == 1)
    #expect(service.echoes >= 60 * 400)
  }

  @Test("room is kept for those who have a reserve, when all others have taken theirs")
  @EventLoopActor
  func reserve() async throws {
    let users = Users()
    let service = TestService(admission: users) { $0.connections = 8 }
    var peers: [Peer] = []
    for user in 1...8 {
      users.next = UInt32(user)
      peers.append(try service.connect())
    }
    #expect(service.server.statistics.refused == 2)
    users.next = 0
    let owner = try service.connect()
    #expect(await owner.call("Echo", #"{"text":"0"}"#) == #"{"parameters":{"text":"0"}}"#)
  }

  @Test("users who answer to one another have the connections of one")
  @EventLoopActor
  func accountable() async throws {
    let users = Users()
    let service = TestService(admission: users) { $0.connectionsPerUser = 1 }
    users.next = 5
    let peers = try (0..<2).map { _ in try service.connect() }
    #expect(service.server.statistics.refused == 1)
    users.next = 6
    let other = try service.connect()
    #expect(service.server.statistics.refused == 1, "who has the same id and answers to another has room")
    withExtendedLifetime((peers, other)) {}
  }

  @Test("a user's unfinished messages and unread replies have so many bytes together")
  @EventLoopActor
  func heldBytes() async throws {
    let service = TestService { $0.heldBytesPerUser = 300_000 }
    let peers = try (0..<10).map { _ in try service.connect() }
    for peer in peers { #expect(peer.write([UInt8](repeating: 0x20, count: 60_000)) == 60_000) }
    func hasAll() -> Bool { service.server.user(getuid())?.heldBytes ?? 0 >= 600_000 }
    await service.until { !service.refusals.isEmpty || hasAll() }
    #expect(!service.refusals.isEmpty)
    #expect(service.refusals.allSatisfy { $0.contains("300000 bytes") })
    #expect(service.server.connectionCount > 0)
  }

  @Test(
    "all users together have so many bytes: where that is exceeded, who holds more than an equal share holds no more"
  )
  @EventLoopActor
  func heldByAll() async throws {
    let users = Users()
    let service = TestService(admission: users) { $0.heldBytes = 600_000 }
    let part = [UInt8](repeating: 0x20, count: 60_000)
    users.next = 100
    let modest = try service.connect()
    #expect(modest.write(part.prefix(10_000)) == 10_000)
    var peers: [Peer] = []
    for user: UInt32 in 1...40 {
      users.next = user
      peers.append(try service.connect())
    }
    for peer in peers { _ = peer.write(part) }
    await service.until { service.refusals.count >= 20 }
    #expect(service.refusals.allSatisfy { $0.contains("bytes") })
    #expect(service.server.user(100)?.connections == 1, "whoever holds little goes on")
    #expect(modest.write(part.prefix(1)) == 1)
  }

  @Test("what is asked for is counted for as long as it is served: a user has so many bytes of calls")
  @EventLoopActor
  func heldCalls() async throws {
    let service = TestService { $0.heldBytesPerUser = 300_000 }
    // Twenty times nothing, as an empty array: a call that stays, of some length.
    let parameters = "{" + String(repeating: " ", count: 60_000) + "}"
    let peers = try (0..<10).map { _ in try service.connect() }
    for (index, peer) in peers.enumerated() {
      let call = Peer.call("Keep", parameters)
      #expect(peer.write(call) == call.count)
      // One after the other: none is being read any more when the next comes.
      await service.until { service.kept.count + service.refusals.count == index + 1 }
    }
    #expect(service.kept.count < 5 && service.refusals.allSatisfy { $0.contains("300000 bytes") })
    // What is over is no longer counted.
    for call in service.kept { call.reply(TestInterface.Keep.Reply()) }
    service.kept = []
    let peer = try service.connect()
    #expect(peer.write(Peer.call("Keep", parameters)) > 60_000)
    await service.until { service.kept.count == 1 }
  }

  @Test("replies that nobody reads are bounded, the first of each connection too; a single one may be long")
  @EventLoopActor
  func heldReplies() async throws {
    let service = TestService {
      $0.heldBytesPerUser = 400_000
      $0.unreadReplyBytes = 10 << 20
      $0.unreadStreamBytes = 10 << 20
    }
    let alone = try service.connect()
    let long = Peer.call("Stream", #"{"count":0,"size":2000000}"#, #","more":true"#)
    #expect(alone.write(long) == long.count)
    #expect(await alone.messages(1).first?.utf8.count ?? 0 > 2_000_000, "longer than the bound, and read")
    let part = Peer.call("Stream", #"{"count":0,"size":500000}"#, #","more":true"#)
    let peers = try (0..<10).map { _ in try service.connect() }
    for peer in peers { #expect(peer.write(part) == part.count) }
    // The kernel takes some of each; of the rest of two, three at most there is room.
    await service.until { service.refusals.count >= 5 }
    #expect(service.refusals.allSatisfy { $0.contains("800000 bytes unread") }, "\(service.refusals)")
    #expect(await alone.call("Echo", #"{"text":"own"}"#) == #"{"parameters":{"text":"own"}}"#)
    #expect(service.refusals.count < 10)
  }

  @Test("what another process writes to a connection counts only when the service says so")
  @EventLoopActor
  func otherSender() async throws {
    struct NotYou: Error {}
    let admission = TestAdmission()
    let service = TestService(admission: admission)
    let peer = try service.connect()
    #expect(await peer.call("Echo", #"{"text":"own"}"#) == #"{"parameters":{"text":"own"}}"#)
    #expect(admission.judged.isEmpty)
    admission.refusal = NotYou()
    try writeFromChild(Peer.call("Echo", #"{"text":"other"}"#), to: peer.number)
    #expect(await peer.messages(1).first?.contains("error") == true)
    admission.refusal = nil
    try writeFromChild(Peer.call("Echo", #"{"text":"other"}"#), to: peer.number)
    #expect(await peer.messages(1) == [#"{"parameters":{"text":"other"}}"#])
    // A message of two writers is nobody's.
    let call = Peer.call("Echo", #"{"text":"both"}"#)
    #expect(peer.write(call.prefix(5)) == 5)
    await TestService.turn()
    try writeFromChild(Array(call.dropFirst(5)), to: peer.number)
    #expect(await peer.messages(1) == [#"{"parameters":{"text":"both"}}"#])
    #expect(admission.judged.last == .several)
  }

  /// Has another process write.
  private func writeFromChild(_ bytes: [UInt8], to socket: CInt) throws {
    let text = String(decoding: bytes.dropLast(), as: UTF8.self)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, socket, 1)
    let program = bytes.last == 0 ? #"printf '%s\0' "$0""# : #"printf '%s' "$0""#
    var arguments: [UnsafeMutablePointer<CChar>?] = [
      strdup("sh"), strdup("-c"), strdup(program), strdup(text), nil,
    ]
    defer { arguments.forEach { free($0) } }
    var child: pid_t = 0
    try #require(posix_spawn(&child, "/bin/sh", &actions, nil, &arguments, environ) == 0)
    var status: CInt = 0
    while waitpid(child, &status, 0) < 0 && errno == EINTR {}
    #expect(status == 0)
  }
}
