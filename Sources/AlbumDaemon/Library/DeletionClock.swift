internal import EventLoop
internal import Linux

/// The time, and a bell, for what is done some days after a deletion; a test brings its own days.
@EventLoopActor
protocol DeletionClock: AnyObject {
  /// Seconds since 1970.
  var now: Int64 { get }
  /// Called when it is time.
  var onTime: @EventLoopActor () -> Void { get set }
  /// Whether it is going to be called.
  var isWaiting: Bool { get }
  /// Calls it once, so much later; an earlier call that was to come does not.
  func wait(seconds: Int64)
  /// Does not call it any more.
  func stopWaiting()
}

extension DeletionClock {
  /// At most this long is waited at a time, since the clock of the days may be set, and stands still for the
  /// timer while the machine sleeps.
  static var longestWait: Int64 { 86_400 }

  /// Something was deleted. What was deleted before is due before.
  func begin() {
    if !isWaiting { wait(seconds: Self.longestWait) }
  }
}

/// The system's clock, and a timer of the loop. Days have a minute to spare.
@EventLoopActor
final class SystemDeletionClock: DeletionClock {
  var onTime: @EventLoopActor () -> Void = {}
  private lazy var timer = Timer { [unowned self] in onTime() }

  nonisolated init() {}

  var now: Int64 { RealTime.seconds }
  var isWaiting: Bool { timer.isArmed }
  func wait(seconds: Int64) { timer.arm(after: .seconds(seconds), accuracy: .seconds(60)) }
  func stopWaiting() { timer.disarm() }
}
