internal import EventLoop
internal import Linux

/// Tries something again that nothing tells of, after ``GrowingPauses``.
@EventLoopActor
final class Retry {
  private let attempt: @EventLoopActor () -> Void
  private var pauses = GrowingPauses()
  private lazy var timer = Timer { [unowned self] in attempt() }

  /// - Parameter attempt: asks for another one where it fails.
  init(_ attempt: @escaping @EventLoopActor () -> Void) {
    self.attempt = attempt
  }

  /// Has it tried after the next pause, once.
  func later() {
    guard !timer.isArmed else { return }
    timer.arm(after: pauses.next())
  }

  /// It has succeeded, or is wanted no longer.
  func end() {
    timer.disarm()
    pauses = GrowingPauses()
  }
}

/// A millisecond, then twice as long each time, and a second at most: a peer that never reads costs a look in a second, and one
/// that does waits no longer than it has made others wait.
struct GrowingPauses {
  private var pause = Duration.milliseconds(1)

  static let longest = Duration.seconds(1)

  /// The next one.
  mutating func next() -> Duration {
    defer { pause = min(pause * 2, Self.longest) }
    return pause
  }
}
