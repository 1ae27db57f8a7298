internal import CSystemd
internal import Glibc
internal import Linux

/// One deadline (sd_event_add_time(3)); armed and disarmed at will.
@EventLoopActor
public final class Timer {
  private var source: EventSource?
  private let handler: @EventLoopActor () -> Void
  private let clock: clockid_t

  /// A disarmed timer on the monotonic clock, which stands still while the machine sleeps.
  public init(_ handler: @escaping @EventLoopActor () -> Void) {
    self.handler = handler
    clock = CLOCK_MONOTONIC
  }

  private init(clock: clockid_t, _ handler: @escaping @EventLoopActor () -> Void) {
    self.handler = handler
    self.clock = clock
  }

  /// A disarmed timer on the clock of days. When that is set, or the machine has slept, the kernel looks at its
  /// deadline anew (timerfd_settime(2), TFD_TIMER_ABSTIME): nothing has to wake up to look.
  public static func ofDays(_ handler: @escaping @EventLoopActor () -> Void) -> Timer {
    Timer(clock: CLOCK_REALTIME, handler)
  }

  /// Calls the handler once, `delay` from now; an earlier deadline of this timer is forgotten.
  ///
  /// - Parameter accuracy: how much later is as good; lets the kernel wake for several at once. That of the first
  ///   time counts.
  public func arm(after delay: Duration, accuracy: Duration = .milliseconds(1)) {
    precondition(clock == CLOCK_MONOTONIC, "a delay is no time of day")
    arm(at: Clock.monotonic + delay.microseconds, accuracy)
  }

  /// Calls the handler once, when the clock of days shows that time, or at once when it is past.
  ///
  /// - Parameters:
  ///   - time: microseconds since 1970; of a timer that is ``ofDays(_:)``.
  ///   - accuracy: how much later is as good, as for ``arm(after:accuracy:)``.
  public func arm(atRealtime time: Int64, accuracy: Duration = .milliseconds(1)) {
    precondition(clock == CLOCK_REALTIME, "another clock")
    arm(at: UInt64(clamping: time), accuracy)
  }

  private func arm(at deadline: UInt64, _ accuracy: Duration) {
    if let source {
      sd_event_source_set_time(source.pointer, deadline)
      sd_event_source_set_enabled(source.pointer, CInt(SD_EVENT_ONESHOT))
      return
    }
    do {
      source = try EventSource(owner: self, call: "sd_event_add_time") {
        sd_event_add_time(
          EventLoop.shared.event, $0, clock, deadline, max(1, accuracy.microseconds),
          dispatchTimer, $1)
      }
    } catch {
      // Only memory can lack here: the loop has its clocks. A deadline that is never kept would hang its user.
      fatalError("cannot arm a timer: \(error)")
    }
  }

  /// The same, unless there is a deadline already.
  public func armUnlessArmed(after delay: Duration, accuracy: Duration = .milliseconds(1)) {
    if !isArmed { arm(after: delay, accuracy: accuracy) }
  }

  /// Whether there is a deadline to come.
  public var isArmed: Bool {
    source.map { sd_event_source_get_enabled($0.pointer, nil) > 0 } ?? false
  }

  /// Forgets the deadline.
  public func disarm() {
    guard let source else { return }
    sd_event_source_set_enabled(source.pointer, CInt(SD_EVENT_OFF))
  }

  fileprivate func fire() {
    handler()
  }
}

private func dispatchTimer(_: OpaquePointer?, _: UInt64, context: UnsafeMutableRawPointer?) -> CInt {
  guard let context else { return 0 }
  let timer = Unmanaged<Timer>.fromOpaque(context).takeUnretainedValue()
  EventLoopActor.assumeIsolated(with: timer) { $0.fire() }
  return 0
}
