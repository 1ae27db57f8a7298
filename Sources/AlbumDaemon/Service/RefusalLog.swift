internal import EventLoop
internal import Logging

/// The lines about refused peers: a few of each user's in an interval, then one that says how many more there were
/// (as journald does for a service, `RateLimitBurst=` of journald.conf(5)). A peer can be refused as often as it
/// likes, and must not fill the log, nor push out what it holds of others.
@EventLoopActor
final class RefusalLog {
  private let log: Logger
  private var throttle = RefusalThrottle()
  private lazy var timer = Timer { [unowned self] in endInterval() }

  private static let interval = Duration.seconds(30)

  init(log: Logger) {
    self.log = log
  }

  func note(uid: UInt32, reason: String) {
    timer.armUnlessArmed(after: Self.interval)
    if throttle.admits(uid) { write("A peer was refused: \(reason)", uid) }
  }

  /// Says what was left out so far: when the interval is over, and at the end of the daemon.
  func endInterval() {
    timer.disarm()
    for (uid, count) in throttle.endInterval() {
      let whose = uid == nil ? "of more users " : ""
      write("\(count) more peers \(whose)were refused, which is not told of each", uid)
    }
  }

  private func write(_ line: String, _ uid: UInt32?) {
    let fields: Logger.Metadata = uid.map { ["uid": "\($0)"] } ?? [:]
    log.notice("\(line)", metadata: LogEventKind.refusedPeer.metadata(fields))
  }
}

/// How many refusals were told in an interval, and how many not. Without IO.
struct RefusalThrottle {
  /// Lines of one user.
  static let perUser = 10
  /// Lines of all together: one who may start user namespaces has many ids (subuid(5)).
  static let inAll = 50

  private var told: [UInt32: Int] = [:]
  private var toldInAll = 0
  private var untold: [UInt32: Int] = [:]
  private var untoldOfOthers = 0

  /// A peer was refused.
  ///
  /// - Returns: whether that is to be told.
  mutating func admits(_ uid: UInt32) -> Bool {
    if toldInAll < Self.inAll, told[uid, default: 0] < Self.perUser {
      told[uid, default: 0] += 1
      toldInAll += 1
      return true
    }
    // Counted by user only where one was told of, so that there are no more of them.
    if told[uid] == nil { untoldOfOthers += 1 } else { untold[uid, default: 0] += 1 }
    return false
  }

  /// Begins the next interval.
  ///
  /// - Returns: how many were not told, by user; those of users of whom none was, together, as `nil`.
  mutating func endInterval() -> [(uid: UInt32?, count: Int)] {
    defer { self = RefusalThrottle() }
    let users = untold.sorted { $0.key < $1.key }.map { (uid: UInt32?($0.key), count: $0.value) }
    return users + (untoldOfOthers > 0 ? [(nil, untoldOfOthers)] : [])
  }
}
