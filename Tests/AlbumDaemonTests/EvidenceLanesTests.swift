import Authorization
import EventLoop
import Glibc
import Linux
import LoopTesting
import Synchronization
import Testing
import VarlinkTransport

@testable import AlbumDaemon

@Suite("Threads that find out who connects", .timeLimit(.minutes(30)))
struct EvidenceLanesTests {
  init() {
    LoopThread.start()
  }

  /// Answers when it is told to.
  private final class Slow: EvidenceReader {
    private typealias Done = @Sendable (Result<ReadEvidence, UnidentifiedPeer>) -> Void
    private let asked = Mutex<[Done]>([])
    var count: Int { asked.withLock { $0.count } }

    func read(
      _ process: PeerCredentials, done: @escaping @Sendable (Result<ReadEvidence, UnidentifiedPeer>) -> Void
    ) {
      asked.withLock { $0.append(done) }
    }

    func answer(_ index: Int) {
      let done = asked.withLock { $0[index] }
      done(.failure(UnidentifiedPeer(reason: "\(index)")))
    }
  }

  /// One of several users: all peers of a test are of one process.
  @EventLoopActor
  private final class Users {
    var next: UInt32 = 1
  }

  /// This process, at the other end of a socket.
  private func peer() throws -> PeerCredentials {
    var pair: [CInt] = [0, 0]
    try #require(socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &pair) == 0)
    defer { for descriptor in pair { close(descriptor) } }
    return try PeerCredentials(of: pair[0], earliest: 0)
  }

  @Test("a user's are read two at a time, in order, and another user's beside them")
  @EventLoopActor
  func turns() async throws {
    let slow = Slow()
    let users = Users()
    let lanes = EvidenceLanes(slow, accountable: { _ in users.next }, patience: .seconds(600))
    var told: [String] = []
    func read() throws {
      lanes.read(try peer()) { result in
        if case .failure(let error) = result { told.append(error.reason) }
      }
    }
    for _ in 0..<5 { try read() }
    #expect(slow.count == 2)
    users.next = 2
    try read()
    #expect(slow.count == 3 && told.isEmpty)
    slow.answer(1)
    while told.isEmpty { await EventLoopActor.giveWay() }
    #expect(slow.count == 4)
    for index in [0, 3, 2] { slow.answer(index) }
    while told.count < 4 { await EventLoopActor.giveWay() }
    for index in slow.count - 2..<slow.count { slow.answer(index) }
    while told.count < 6 { await EventLoopActor.giveWay() }
    #expect(slow.count == 6)
  }

  @Test("of all users together there are so many, and users take turns")
  @EventLoopActor
  func allUsers() async throws {
    let slow = Slow()
    let users = Users()
    let lanes = EvidenceLanes(slow, accountable: { _ in users.next }, patience: .seconds(600))
    var order: [UInt32] = []
    let count = UInt32(EvidenceLanes.mostOfAll)
    for user in 1...count {
      users.next = user
      for _ in 0..<2 { lanes.read(try peer()) { _ in order.append(user) } }
    }
    users.next = count + 1
    lanes.read(try peer()) { _ in order.append(count + 1) }
    #expect(slow.count == EvidenceLanes.mostOfAll)
    var answered = 0
    while order.count < Int(2 * count + 1) {
      while answered < slow.count {
        slow.answer(answered)
        answered += 1
      }
      await EventLoopActor.giveWay()
    }
    // Half of them were begun before others waited, two of a user's.
    #expect(order.firstIndex(of: count + 1) ?? .max <= Int(count + count / 2))
  }

  @Test("those that never answer do not keep the next waiting for long")
  @EventLoopActor
  func hanging() async throws {
    let slow = Slow()
    let lanes = EvidenceLanes(slow, accountable: { $0 }, patience: .milliseconds(1))
    var told = 0
    for _ in 0..<5 { lanes.read(try peer()) { _ in told += 1 } }
    #expect(slow.count == 2)
    while slow.count < 5 { await EventLoopActor.giveWay() }
    // And are told when they do.
    for index in 0..<5 { slow.answer(index) }
    while told < 5 { await EventLoopActor.giveWay() }
  }
}
