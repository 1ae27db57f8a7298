import EventLoop
import Linux
import LoopTesting
import TestSupport
import Testing
import VarlinkTransport

@testable import VarlinkServer

@Suite("Calls that are served in slices", .timeLimit(.minutes(30)))
struct SlicesTests {
  init() {
    LoopThread.start()
  }

  @EventLoopActor
  private final class Users: Admission {
    var next: UInt32 = 0
    func admit(_ peer: PeerCredentials, _ done: @escaping @EventLoopActor (AnyObject?) -> Void) {
      Task { done(nil) }
    }
    func judge(_ call: ServerCall) -> Verdict { .serve }
    func accountable(_ uid: UInt32) -> UInt32 { next }
    func hasReserve(_ uid: UInt32) -> Bool { false }
    nonisolated init() {}
  }

  /// What was done in slices, by whom.
  @EventLoopActor
  private final class Record {
    var order: [UInt32] = []
    nonisolated init() {}
  }

  /// So many calls of a user that are served.
  @EventLoopActor
  private func calls(
    of user: UInt32, _ count: Int, _ service: TestService, _ users: Users
  ) async throws -> (peers: [Peer], calls: [ServerCall]) {
    let first = service.kept.count
    users.next = user
    let peers = try (0..<count).map { _ in try service.connect() }
    let call = Peer.call("Keep", "{}")
    for peer in peers { #expect(peer.write(call) == call.count) }
    await service.until { service.kept.count == first + count }
    return (peers, Array(service.kept[first...]))
  }

  @Test("a slice of one user waits for one of each other user, however many calls those have")
  @EventLoopActor
  func oneOfEach() async throws {
    let users = Users()
    let service = TestService(admission: users)
    let many = try await calls(of: 1, 60, service, users)
    let one = try await calls(of: 2, 1, service, users)
    let record = Record()
    func work(_ call: ServerCall, _ user: UInt32) {
      Task.onLoop {
        for _ in 0..<40 {
          await call.giveWay()
          record.order.append(user)
        }
        call.fail(CancellationError())
      }
    }
    for call in many.calls { work(call, 1) }
    work(one.calls[0], 2)
    await service.until { record.order.count == 61 * 40 }
    let places = record.order.indices.filter { record.order[$0] == 2 }
    // One, and perhaps another before the first of its own.
    #expect(zip(places, places.dropFirst()).allSatisfy { $1 - $0 <= 4 })
    #expect(places.last ?? .max < 40 * 4)
  }

  @Test("a slice that waits for something itself is waited for by no other call")
  @EventLoopActor
  func overdue() async throws {
    let users = Users()
    let service = TestService(admission: users)
    let both = try await calls(of: 1, 3, service, users)
    let (gate, open) = AsyncStream<Void>.makeStream()
    let record = Record()
    Task.onLoop {
      await both.calls[0].giveWay()
      for await _ in gate {}
      both.calls[0].fail(CancellationError())
    }
    for index in 1...2 {
      Task.onLoop {
        for _ in 0..<3 {
          await both.calls[index].giveWay()
          record.order.append(UInt32(index))
        }
        both.calls[index].fail(CancellationError())
      }
    }
    await service.until { record.order.count == 6 }
    #expect(!both.calls[0].isOver)
    open.finish()
    await service.until { both.calls[0].isOver }
  }

  @Test("R6: what a call does between two pauses is time of its user's")
  @EventLoopActor
  func spent() async throws {
    let users = Users()
    let service = TestService(admission: users)
    let one = try await calls(of: 1, 1, service, users)
    let call = one.calls[0]
    let end = call.spending {
      let begun = Clock.monotonic
      while Clock.monotonic < begun + 2 * TimeShare.tolerance {}
      return begun + 2 * TimeShare.tolerance
    }
    #expect(call.connection.user.share.rest(at: end) != nil)
    call.fail(CancellationError())
  }
}
