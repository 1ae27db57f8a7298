import EventLoop
import Glibc
import Linux
import LoopTesting
import TestSupport
import Testing
import Varlink
import VarlinkTransport

@testable import VarlinkServer

@Suite("What long messages ask for is done in turns, as of short ones", .timeLimit(.minutes(30)))
struct LongMessageTests {
  init() {
    LoopThread.start()
  }

  /// A call that is read elsewhere, for its length.
  private static let long = Peer.call("Keep", "{" + String(repeating: " ", count: 20_000) + "}")

  /// Works for so many microseconds, and says when that ended.
  @discardableResult
  private static func work(_ microseconds: UInt64) -> UInt64 {
    let begun = Clock.monotonic
    var now = begun
    while now < begun + microseconds { now = Clock.monotonic }
    return now
  }

  /// So many long calls that were read, and of which the loop has heard at once.
  @EventLoopActor
  private func read(_ count: Int, _ service: TestService) async throws -> [Peer] {
    let peers = try (0..<count).map { _ in try service.connect() }
    while service.server.connectionCount < count { await EventLoopActor.giveWay() }
    let user = try #require(service.server.user(getuid()))
    // Nothing is read until all are there to be read.
    let held = Held()
    user.thread.async { held.wait() }
    for peer in peers { #expect(peer.write(Self.long) == Self.long.count) }
    await service.until { user.heldBytes >= count * (Self.long.count - 1) }
    held.go()
    user.thread.finish()
    return peers
  }

  /// The most calls that were served in one turn of the loop, until so many are.
  @EventLoopActor
  private func mostInOneTurn(_ service: TestService, until count: Int) async -> Int {
    await withCheckedContinuation { continuation in
      measure(service, until: count, before: service.kept.count, most: 0) {
        continuation.resume(returning: $0)
      }
    }
  }

  /// A task that is made on the loop runs in its next turn.
  @EventLoopActor
  private func measure(
    _ service: TestService, until count: Int, before: Int, most: Int,
    done: @escaping @EventLoopActor (Int) -> Void
  ) {
    let now = service.kept.count
    let most = max(most, now - before)
    if now >= count { return done(most) }
    Task { measure(service, until: count, before: now, most: most, done: done) }
  }

  @Test("R6: of a user's long messages that were read together, each call waits for its turn")
  @EventLoopActor
  func turns() async throws {
    let service = TestService()
    // Longer than the loop goes on without looking who else has come.
    service.beforeKeeping = { Self.work(1000) }
    let peers = try await read(12, service)
    #expect(service.kept.isEmpty)
    #expect(await mostInOneTurn(service, until: peers.count) == 1)
  }

  @Test("R6: what a long message asks for counts as its user's time")
  @EventLoopActor
  func share() async throws {
    let service = TestService()
    var end: UInt64 = 0
    service.beforeKeeping = { end = Self.work(10_000) }
    let peers = try await read(1, service)
    let user = try #require(service.server.user(getuid()))
    await service.until { service.kept.count == 1 }
    await EventLoopActor.giveWay()
    let rest = try #require(user.share.rest(at: end), "it has had its share when it ends")
    #expect(rest >= end + 9000)
    withExtendedLifetime(peers) {}
  }

  @Test("a connection's calls are served in their order, long and short")
  @EventLoopActor
  func order() async throws {
    let service = TestService()
    let peer = try service.connect()
    func echo(_ text: String, _ spaces: Int) -> [UInt8] {
      Peer.call("Echo", #"{"text":"\#(text)"\#(String(repeating: " ", count: spaces))}"#)
    }
    let calls = echo("1", 0) + echo("2", 20_000) + echo("3", 0) + echo("4", 40_000) + echo("5", 0)
    await peer.writeAll(calls)
    let replies = await peer.messages(5)
    #expect(replies == (1...5).map { #"{"parameters":{"text":"\#($0)"}}"# })
  }

  @Test("who has gone before its turn is not served, and nothing of its call is held")
  @EventLoopActor
  func gone() async throws {
    let service = TestService()
    let peers = try await read(4, service)
    let user = try #require(service.server.user(getuid()))
    // The first turn of the loop tells that they were read, the next would serve them.
    for peer in peers { shutdown(peer.number, CInt(SHUT_RDWR)) }
    await service.until { service.server.connectionCount == 0 }
    for call in service.kept { #expect(call.isOver) }
    #expect(user.heldBytes == 0)
  }

  @Test("a call that was judged later waits for its turn as well")
  @EventLoopActor
  func judgedLater() async throws {
    let admission = Later()
    let service = TestService(admission: admission)
    service.beforeKeeping = { Self.work(1000) }
    let peers = try (0..<12).map { _ in try service.connect() }
    while service.server.connectionCount < peers.count { await EventLoopActor.giveWay() }
    let call = Peer.call("Keep", "{}")
    for peer in peers { #expect(peer.write(call) == call.count) }
    await service.until { admission.waiting.count == peers.count }
    for call in admission.waiting { call.judged(nil) }
    #expect(service.kept.isEmpty)
    #expect(await mostInOneTurn(service, until: peers.count) == 1)
  }

  @Test("of the verdicts of a call the first counts, and none of a call that waits for none")
  @EventLoopActor
  func judgedOnce() async throws {
    let admission = Later()
    let service = TestService(admission: admission)
    let peer = try service.connect()
    await peer.writeAll(Peer.call("Keep", "{}"))
    await service.until { !admission.waiting.isEmpty }
    let call = try #require(admission.waiting.first)
    call.judged(nil)
    call.judged(ExpectedMore())
    await service.until { !service.kept.isEmpty }
    call.judged(nil)
    call.judged(ExpectedMore())
    await EventLoopActor.giveWay()
    #expect(service.kept.count == 1)
    #expect(!call.isOver)
  }

  /// Judges nobody before the test does.
  @EventLoopActor
  private final class Later: Admission {
    var waiting: [ServerCall] = []
    func admit(_ peer: PeerCredentials, _ done: @escaping @EventLoopActor (AnyObject?) -> Void) {
      Task { done(nil) }
    }
    func judge(_ call: ServerCall) -> Verdict {
      waiting.append(call)
      return .wait
    }
    func accountable(_ uid: UInt32) -> UInt32 { uid }
    func hasReserve(_ uid: UInt32) -> Bool { false }
    nonisolated init() {}
  }

  /// Something that waits until the test lets it go.
  private final class Held: @unchecked Sendable {
    private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
    init() { sem_init(semaphore, 0, 0) }
    deinit {
      sem_destroy(semaphore)
      semaphore.deallocate()
    }
    func wait() { while sem_wait(semaphore) != 0 {} }
    func go() { sem_post(semaphore) }
  }
}
