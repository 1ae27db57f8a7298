import EventLoop
import Glibc
import Linux
import LoopTesting
import Testing
import Varlink

@testable import VarlinkServer
@testable import VarlinkTransport

/// Descriptors on their way count against the user that sends them (unix(7)), which is the service's: one peer that reads
/// none must not take the room of all.
@Suite("Descriptors that nobody reads are bounded", .timeLimit(.minutes(30)))
struct UnreadDescriptorsTests {
  init() {
    LoopThread.start()
  }

  private let keep = Peer.call("Keep")
  private let reply = #"{"parameters":{}}"#

  /// Has a call answered with a descriptor.
  ///
  /// - Returns: what keeps the descriptor open until it is sent.
  @EventLoopActor
  @discardableResult
  private func open(_ peer: Peer, _ service: TestService) async throws -> Weak {
    await peer.writeAll(keep)
    await service.until { service.kept.count == 1 }
    return try answer(service)
  }

  @EventLoopActor
  @discardableResult
  private func answer(_ service: TestService, while stillDue: StillDue? = nil) throws -> Weak {
    let batch = DescriptorBatch()
    _ = batch.append(try OwnedDescriptor(dup(STDERR_FILENO), call: "dup"))
    service.kept.removeFirst().reply(TestInterface.Keep.Reply(), descriptors: batch, while: stillDue)
    return Weak(batch)
  }

  private struct Weak {
    weak var batch: DescriptorBatch?
    init(_ batch: DescriptorBatch) { self.batch = batch }
  }

  @Test("who reads none gets so many, the next reply and call wait; others are served, and nothing is lost")
  @EventLoopActor
  func waiting() async throws {
    let service = TestService { $0.unreadDescriptors = 2 }
    let (peer, other) = (try service.connect(), try service.connect())
    await peer.writeAll(keep)
    await service.until { service.kept.count == 1 }
    let connection = try #require(service.kept.first).connection
    try answer(service)
    for _ in 2...3 { try await open(peer, service) }
    #expect(peer.write(keep) == keep.count)
    for _ in 1...10 {
      try await open(other, service)
      #expect(await other.messages(1) == [reply])
    }
    #expect(service.kept.isEmpty && service.server.statistics.calls == 13)
    #expect(connection.stream.writer.unread?.count == 2)
    #expect(await peer.messages(3) == [reply, reply, reply])
    await service.until { service.kept.count == 1 }
    #expect(service.refusals.isEmpty && service.server.connectionCount == 2)
  }

  @Test("who has gone while a reply waits is forgotten, and what waits with it")
  @EventLoopActor
  func gone() async throws {
    let service = TestService { $0.unreadDescriptors = 1 }
    for callsMore in [false, true] {
      let peer = try service.connect()
      try await open(peer, service)
      let waiting = try await open(peer, service)
      #expect(waiting.batch != nil)
      if callsMore { #expect(peer.write(keep + keep) == 2 * keep.count) }
      peer.close()
      await service.until { service.server.connectionCount == 0 && waiting.batch == nil }
      #expect(service.kept.isEmpty)
    }
  }

  @Test(
    "S29: a reply that waits is sent as long as its caller may have it, and an error in its place else",
    arguments: [true, false])
  @EventLoopActor
  func stillDue(isDue: Bool) async throws {
    let service = TestService { $0.unreadDescriptors = 1 }
    let peer = try service.connect()
    try await open(peer, service)
    await peer.writeAll(keep)
    await service.until { service.kept.count == 1 }
    let waiting = try answer(
      service,
      while: StillDue(about: ["app"]) {
        guard isDue else { throw InvalidParameter(parameter: "id") }
      })
    service.server.lookAgainAtReplies()
    #expect((waiting.batch != nil) == isDue)
    let refusal = #"{"error":"org.varlink.service.InvalidParameter","parameters":{"parameter":"id"}}"#
    #expect(await peer.messages(2) == [reply, isDue ? reply : refusal])
    // What was sent is not looked at again, and the next call is served.
    await service.until { service.server.holding.isEmpty }
    try await open(peer, service)
    #expect(await peer.messages(1) == [reply])
    #expect(service.refusals.isEmpty && waiting.batch == nil)
  }

  @Test(
    "S29: of the replies that wait those are looked at which depend on what has changed, and all by a new configuration"
  )
  @EventLoopActor
  func lookedAt() async throws {
    let service = TestService { $0.unreadDescriptors = 1 }
    let peers = try (1...3).map { _ in try service.connect() }
    let asked = Asked()
    for (number, peer) in peers.enumerated() {
      try await open(peer, service)
      await peer.writeAll(keep)
      await service.until { service.kept.count == 1 }
      // Two of one app, and two of one photo.
      let (app, photo) = (number < 2 ? "app" : "other", number == 0 ? 1 : 2)
      let due = StillDue(about: [app, photo]) { asked.of.append(number) }
      try answer(service, while: due)
    }
    func look(about topic: AnyHashable) -> [Int] {
      asked.of = []
      service.server.lookAgainAtReplies(about: topic)
      return asked.of.sorted()
    }
    #expect(look(about: "app") == [0, 1])
    #expect(look(about: "other") == [2])
    #expect(look(about: 1) == [0] && look(about: 2) == [1, 2])
    #expect(look(about: "app of another user") == [])
    asked.of = []
    service.server.lookAgainAtReplies()
    #expect(asked.of.sorted() == [0, 1, 2])
    // What was sent is not asked about, nor what has ended, and nothing of them is kept.
    #expect(await peers[0].messages(2) == [reply, reply])
    await service.until { look(about: "app") == [1] }
    peers[1].close()
    await service.until { look(about: "app") == [] }
    #expect(look(about: 2) == [2] && service.server.holdsReplies)
    #expect(await peers[2].messages(2) == [reply, reply])
    await service.until { service.server.holding.isEmpty }
  }

  @EventLoopActor
  private final class Asked {
    var of: [Int] = []
  }

  @Test("S29: the error in the place of a reply does not wait for its peer as long as that would have")
  @EventLoopActor
  func refusedSoon() async throws {
    let service = TestService { $0.unreadDescriptors = 1 }
    let peer = try service.connect()
    try await open(peer, service)
    await peer.writeAll(keep)
    await service.until { service.kept.count == 1 }
    let connection = try #require(service.kept.first).connection
    try answer(service, while: StillDue(about: ["app"]) { throw InvalidParameter(parameter: "id") })
    // What has waited for long is tried seldom.
    await service.until { connection.retry?.isFirst == false }
    service.server.lookAgainAtReplies()
    #expect(connection.retry?.isFirst == true)
    // Nothing was read.
    await service.until { connection.isDrained }
    #expect(connection.retry?.isAwaited == false && !connection.isClosed)
  }

  @Test("of calls that come together no more are answered than may be unread, and one: what waits is open")
  @EventLoopActor
  func together() async throws {
    let service = TestService { $0.unreadDescriptors = 2 }
    let peers = [try service.connect(), try service.connect()]
    let answers = Answers()
    service.answering = { call in
      let batch = DescriptorBatch()
      _ = try? batch.append(OwnedDescriptor(dup(STDERR_FILENO), call: "dup"))
      answers.all.append(Weak(batch))
      call.reply(TestInterface.Keep.Reply(), descriptors: batch)
      answers.mostOpen = max(answers.mostOpen, answers.all.count { $0.batch != nil })
    }
    // Both are there before the loop looks.
    for peer in peers {
      #expect(peer.write(Array(repeating: keep, count: 10).joined()) == 10 * keep.count)
    }
    for peer in peers { #expect(await peer.messages(10) == Array(repeating: reply, count: 10)) }
    #expect(answers.all.count == 20 && answers.mostOpen <= 2 * (2 + 1))
  }

  @EventLoopActor
  private final class Answers {
    var all: [Weak] = []
    var mostOpen = 0
  }

  @Test("a connection that has ended counts until its descriptors are read")
  @EventLoopActor
  func parted() async throws {
    let service = TestService {
      $0.unreadDescriptors = 1
      $0.connectionsPerUser = 1
    }
    let peer = try service.connect()
    try await open(peer, service)
    peer.closeWriting()
    await service.until { service.server.connectionCount == 0 }
    let refused = try service.connect()
    #expect(await refused.rest() == [])
    #expect(await peer.rest() == [reply])
    await service.until { service.server.user(getuid()) == nil }
    let next = try service.connect()
    #expect(await next.call("Echo", #"{"text":"2"}"#) == #"{"parameters":{"text":"2"}}"#)
  }

  @Test("what the kernel has no room for is sent when it has, and the connection goes on")
  @EventLoopActor
  func tooMany() async throws {
    let service = TestService()
    let peer = try service.connect()
    await peer.writeAll(keep)
    await service.until { service.kept.count == 1 }
    let connection = try #require(service.kept.first).connection
    let give = connection.stream.writer.gate.give
    var refusals = 0
    connection.stream.writer.gate.give = {
      refusals += 1
      if refusals > 3 { return give($0, $1, $2, $3, $4) }
      errno = ETOOMANYREFS
      return -1
    }
    try answer(service)
    #expect(await peer.messages(1) == [reply])
    #expect(refusals == 4)
    #expect(await peer.call("Echo", #"{"text":"2"}"#) == #"{"parameters":{"text":"2"}}"#)
  }

  @Test("what is tried again is so after pauses that grow to a second, and no further")
  @EventLoopActor
  func pauses() {
    let retry = Retry.forPeer {}
    for number in 0..<100 {
      #expect(retry.delay == (number < 10 ? .milliseconds(1 << number) : .seconds(1)))
      retry.tryNow()
    }
    retry.later()
    retry.end()
    #expect(!retry.isAwaited && retry.isFirst)
  }

  @Test(
    "all connections together leave half of what the kernel allows unread, or one each",
    arguments: [(65536, 4096, 8), (1 << 20, 4096, 8), (65536, 16384, 2), (1024, 4096, 1), (0, 1, 1)])
  func share(openFiles: Int, connections: Int, most: Int) {
    #expect(VarlinkServer.Limits.unreadDescriptors(openFiles: openFiles, connections: connections) == most)
  }

  @Test(
    "where few descriptors may be open there are as many connections as these are enough for, half of them of one user",
    arguments: [
      (65536, 4096, 128, 8192), (1 << 20, 4096, 128, 16_384), (4096, 512, 128, 512), (1024, 128, 64, 128),
      (256, 32, 16, 32), (64, 4, 2, 16), (0, 4, 2, 16),
    ])
  func fitting(openFiles: Int, connections: Int, ofUser: Int, unclosed: Int) {
    var limits = VarlinkServer.Limits()
    limits.fit(openFiles: openFiles)
    #expect((limits.connections, limits.connectionsPerUser) == (connections, ofUser))
    #expect(limits.unclosedConnections == unclosed)
    #expect(
      limits.unreadDescriptors >= 1
        && limits.unreadDescriptors * connections <= max(openFiles / 2, connections))
  }

  @Test("what is configured is not raised")
  func fewConfigured() {
    var limits = VarlinkServer.Limits()
    (limits.connections, limits.connectionsPerUser, limits.unclosedConnections) = (100, 90, 80)
    limits.fit(openFiles: 65536)
    #expect((limits.connections, limits.connectionsPerUser, limits.unclosedConnections) == (100, 90, 80))
  }
}
