internal import EventLoop
internal import Linux

/// The time, and a bell, for what is done some days after a deletion; a test brings its own days.
@EventLoopActor
protocol DeletionClock: AnyObject {
  /// Seconds since 1970.
  var now: Int64 { get }
  /// Whether it is going to ring.
  var isWaiting: Bool { get }
  /// Rings once, so much later and never before this returns; what it was to ring for before is forgotten.
  func wait(seconds: Int64, _ ring: @escaping @EventLoopActor () -> Void)
  /// Does not ring any more.
  func stopWaiting()
}

/// The system's clock, and a timer of the loop. Days have a minute to spare.
@EventLoopActor
final class SystemDeletionClock: DeletionClock {
  private var ring: @EventLoopActor () -> Void = {}
  private lazy var timer = Timer { [unowned self] in ring() }

  nonisolated init() {}

  var now: Int64 { RealTime.seconds }
  var isWaiting: Bool { timer.isArmed }

  func wait(seconds: Int64, _ ring: @escaping @EventLoopActor () -> Void) {
    self.ring = ring
    timer.arm(after: .seconds(seconds), accuracy: .seconds(min(60, max(1, seconds / 10))))
  }

  func stopWaiting() { timer.disarm() }
}
