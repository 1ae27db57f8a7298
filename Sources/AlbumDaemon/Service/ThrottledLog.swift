internal import EventLoop
internal import Logging

/// Lines that peers can bring about as often as they like: a few of each user's in an interval, then one that says
/// how many more there were (as journald does for a service, `RateLimitBurst=` of journald.conf(5)). They must not
/// fill the log, nor push out what it holds of others.
@EventLoopActor
final class ThrottledLog {
  private let log: Logger
  private let level: Logger.Level
  private let event: LogEventKind?
  /// What happened, of which there were more: `peers were refused`.
  private let what: String
  private var throttle = LineThrottle()
  private lazy var timer = Timer { [unowned self] in endInterval() }

  private static let interval = Duration.seconds(30)

  /// - Parameters:
  ///   - what: what happens, in the plural.
  ///   - event: the name of such lines for good.
  init(log: Logger, level: Logger.Level, _ what: String, event: LogEventKind? = nil) {
    self.log = log
    self.level = level
    self.what = what
    self.event = event
  }

  /// Something happened for which that user is to answer.
  func note(_ line: String, uid: UInt32, metadata: Logger.Metadata = [:]) {
    timer.armUnlessArmed(after: Self.interval)
    if throttle.admits(uid) { write(line, uid, metadata) }
  }

  /// Says what was left out so far: when the interval is over, and at the end of the daemon.
  func endInterval() {
    timer.disarm()
    for (uid, count) in throttle.endInterval() {
      let whose = uid == nil ? " of more users" : ""
      write("more \(what)\(whose), which is not told of each: \(count)", uid, [:])
    }
  }

  private func write(_ line: String, _ uid: UInt32?, _ metadata: Logger.Metadata) {
    var fields = metadata
    if let uid { fields["uid"] = "\(uid)" }
    log.log(level: level, "\(line)", metadata: event?.metadata(fields) ?? fields)
  }
}

/// How many lines were told in an interval, and how many not. Without IO.
struct LineThrottle {
  /// Lines of one user.
  static let perUser = 10
  /// Lines of all together: one who may start user namespaces has many ids (subuid(5)).
  static let inAll = 50

  private var told: [UInt32: Int] = [:]
  private var toldInAll = 0
  private var untold: [UInt32: Int] = [:]
  private var untoldOfOthers = 0

  /// Something happened for which a user is to answer.
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
    defer { self = LineThrottle() }
    let users = untold.sorted { $0.key < $1.key }.map { (uid: UInt32?($0.key), count: $0.value) }
    return users + (untoldOfOthers > 0 ? [(nil, untoldOfOthers)] : [])
  }
}
