/// What is tried again later, since nothing tells when it would succeed: for the first time after a while, then after twice as
/// long, and so on up to a bound.
@EventLoopActor
package final class Retry {
  /// After how long it is tried the next time.
  package private(set) var delay: Duration
  private let first: Duration
  private let last: Duration
  private let attempt: @EventLoopActor () -> Void
  private lazy var timer = Timer { [unowned self] in tryNow() }

  /// Nothing that is awaited yet.
  ///
  /// - Parameters:
  ///   - first: how long the first time is waited.
  ///   - last: how long at most.
  package init(after first: Duration, atMost last: Duration, _ attempt: @escaping @EventLoopActor () -> Void)
  {
    (self.first, self.last, delay) = (first, last, first)
    self.attempt = attempt
  }

  /// The same for what is tried as often for as long as it lasts.
  package convenience init(every interval: Duration, _ attempt: @escaping @EventLoopActor () -> Void) {
    self.init(after: interval, atMost: interval, attempt)
  }

  /// Whether it is to be tried.
  package var isAwaited: Bool { timer.isArmed }

  /// Whether it waits as long as the first time.
  package var isFirst: Bool { delay == first }

  /// Tries it once more, unless that is to come anyway.
  package func later() { timer.armUnlessArmed(after: delay) }

  /// Tries it after the first while: there is another reason to, however often it was tried for one before.
  package func soon() {
    guard delay > first || !isAwaited else { return }
    delay = first
    timer.arm(after: first)
  }

  /// There is no reason any more; the next one is the first.
  package func reset() { delay = first }

  /// Tries it now.
  package func tryNow() {
    delay = min(delay * 2, last)
    attempt()
  }

  /// Tries it no more.
  package func stop() { timer.disarm() }

  /// It has succeeded, or is wanted no longer; the next one is the first.
  package func end() {
    stop()
    reset()
  }
}
