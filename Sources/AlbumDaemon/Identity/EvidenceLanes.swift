internal import Authorization
internal import EventLoop
internal import VarlinkTransport

/// Has the evidence about processes read, of each user's by so few threads at a time that what their files cost to read
/// keeps nobody else from the processor.
///
/// One that never answers, such as a root directory that is a file system of its own, holds its place for a moment only:
/// how many there can be of those is bounded by the user's connections.
@EventLoopActor
final class EvidenceLanes {
  private struct Lane {
    /// Those that are being read, by number.
    var running: Set<Int> = []
    var waiting: [@EventLoopActor () -> Void] = []
    var timer: Timer?
  }

  private let reader: any EvidenceReader
  private let accountable: @EventLoopActor (UInt32) -> UInt32
  private let patience: Duration
  private var lanes: [UInt32: Lane] = [:]
  private var last = 0

  /// How many of a user's are read at a time.
  static let most = 2

  /// - Parameters:
  ///   - accountable: whose threads a user's are.
  ///   - patience: how long one keeps others of its user waiting.
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
      reader.read(process) { read in
        Task { @EventLoopActor in
          self.ended(number, of: user)
          done(read)
        }
      }
    }
    goOn(user)
  }

  private func ended(_ number: Int, of user: UInt32) {
    lanes[user]?.running.remove(number)
    goOn(user)
  }

  private func goOn(_ user: UInt32) {
    while let lane = lanes[user], !lane.waiting.isEmpty, lane.running.count < Self.most {
      lanes[user]?.waiting.removeFirst()()
    }
    guard let lane = lanes[user] else { return }
    if lane.waiting.isEmpty {
      lane.timer?.disarm()
      if lane.running.isEmpty { lanes[user] = nil }
    } else {
      if lane.timer == nil { lanes[user]?.timer = Timer { [unowned self] in giveUp(user) } }
      lanes[user]?.timer?.armUnlessArmed(after: patience)
    }
  }

  /// Those that are being read are waited for no longer.
  private func giveUp(_ user: UInt32) {
    lanes[user]?.running = []
    goOn(user)
  }
}
