internal import Authorization
internal import EventLoop
internal import Glibc
internal import Linux
internal import VarlinkTransport

/// Has the evidence about processes read, of each user's by so few threads at a time, and of all users' by so few more, that
/// what their files cost to read keeps nobody from the processor. Users take turns.
///
/// One that never answers, such as a root directory that is a file system of its own, holds its place for a moment only:
/// how many there can be of those is bounded by the user's connections.
@EventLoopActor
final class EvidenceLanes {
  private struct Lane {
    /// Those that are being read, by number.
    var running: Set<Int> = []
    var waiting = FirstInFirstOut<@EventLoopActor () -> Void>()
    /// Whether it waits for its turn.
    var isReady = false
  }

  private let reader: any EvidenceReader
  private let accountable: @EventLoopActor (UInt32) -> UInt32
  private let patience: Duration
  private var lanes: [UInt32: Lane] = [:]
  /// Users who may have one more read.
  private var ready = FirstInFirstOut<UInt32>()
  private var runningCount = 0
  private var waitingCount = 0
  private var last = 0
  /// Armed while somebody waits.
  private lazy var timer = Timer { [unowned self] in giveUp() }

  /// How many of a user's are read at a time.
  static let most = 2
  /// How many of all users' are: the thread that serves everybody has to share the processors with no more.
  static let mostOfAll = max(4, 2 * sysconf(CInt(_SC_NPROCESSORS_ONLN)))

  /// - Parameters:
  ///   - accountable: whose threads a user's are.
  ///   - patience: how long one keeps others waiting.
  init(
    _ reader: any EvidenceReader, accountable: @escaping @EventLoopActor (UInt32) -> UInt32,
    patience: Duration = .milliseconds(500)
  ) {
    self.reader = reader
    self.accountable = accountable
    self.patience = patience
  }

  /// Has it read when it is its turn.
  ///
  /// - Parameter done: called once, after this has returned.
  func read(
    _ process: PeerCredentials,
    done: @escaping @EventLoopActor (Result<ReadEvidence, UnidentifiedPeer>) -> Void
  ) {
    let user = accountable(process.uid)
    lanes[user, default: Lane()].waiting.append { [self] in
      last += 1
      let number = last
      lanes[user]?.running.insert(number)
      runningCount += 1
      reader.read(process) { read in
        Task { @EventLoopActor in
          self.ended(number, of: user)
          done(read)
        }
      }
    }
    waitingCount += 1
    getReady(user)
    goOn()
  }

  private func ended(_ number: Int, of user: UInt32) {
    if lanes[user]?.running.remove(number) != nil { runningCount -= 1 }
    getReady(user)
    goOn()
  }

  private func getReady(_ user: UInt32) {
    guard let lane = lanes[user] else { return }
    if lane.waiting.isEmpty {
      if lane.running.isEmpty { lanes[user] = nil }
    } else if !lane.isReady, lane.running.count < Self.most {
      lanes[user]?.isReady = true
      ready.append(user)
    }
  }

  private func goOn() {
    while runningCount < Self.mostOfAll, let user = ready.popFirst() {
      lanes[user]?.isReady = false
      if let begin = lanes[user]?.waiting.popFirst() {
        waitingCount -= 1
        begin()
      }
      getReady(user)
    }
    if waitingCount > 0 { timer.armUnlessArmed(after: patience) } else { timer.disarm() }
  }

  /// Those that are being read are waited for no longer.
  private func giveUp() {
    runningCount = 0
    for user in lanes.keys {
      lanes[user]?.running = []
      getReady(user)
    }
    goOn()
  }
}
