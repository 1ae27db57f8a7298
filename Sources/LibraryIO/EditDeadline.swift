internal import EventLoop
internal import LibraryModel
internal import Linux
internal import Synchronization

/// How long an edit may be at work, however many steps it has; then its root is taken for one that hangs. That a step waits
/// for its turn on the root's thread is not its file system's fault, which answers others: whether it does is the thread's
/// to say (``RootDisk``).
@EventLoopActor
final class EditDeadline {
  /// That of the edit that the task carries out.
  @TaskLocal static var present: EditDeadline?

  private nonisolated let time: Mutex<EditTime>
  private let passed: @EventLoopActor () -> Void
  private lazy var timer = Timer { [unowned self] in look() }
  /// What its last step has looked at, in ``BeneathRoot/lookedAt``.
  var lookedAt: [Location] = []

  /// The edit begins.
  ///
  /// - Parameter passed: called once, later, unless it ends before.
  init(_ passed: @escaping @EventLoopActor () -> Void) {
    time = Mutex(EditTime(limit: RootDisk.patience.microseconds, Clock.monotonic))
    self.passed = passed
    timer.arm(after: RootDisk.patience)
  }

  // Whichever thread is the last to know of it, as one that hung may be: the timer is the loop's.
  isolated deinit {}

  /// A step waits for its turn.
  nonisolated func wait() { time.withLock { $0.wait(Clock.monotonic) } }

  /// It has its turn, or will have none.
  nonisolated func goOn() { time.withLock { $0.goOn(Clock.monotonic) } }

  /// The edit is done.
  func end() { timer.disarm() }

  private func look() {
    let left = time.withLock { $0.left(Clock.monotonic) }
    if left == 0 { passed() } else { timer.arm(after: .microseconds(left)) }
  }
}
