internal import EventLoop
internal import LibraryModel
internal import Linux
internal import Synchronization

/// How long an edit may be at work, however many steps it has; then its root is taken for one that hangs. That a step waits
/// for its turn on the root's thread is not its file system's fault, which answers others: whether it does is the thread's
/// to say (``RootDisk``).
///
/// It waits before each of its steps, for as long as the thread is at something else. So that an edit of many steps keeps the
/// others of its root from theirs for a bounded time, it begins none when it has taken ``whole``.
@EventLoopActor
final class EditDeadline {
  /// How long an edit may take before it begins another step, with all its waiting: ten times what it may be at work.
  static let whole = Duration.seconds(30)
  /// That of the edit that the task carries out.
  @TaskLocal static var present: EditDeadline?

  private nonisolated let time: Mutex<EditTime>
  private let passed: @EventLoopActor () -> Void
  private lazy var timer = Timer { [unowned self] in look() }
  /// What its last step has looked at, in ``BeneathRoot/lookedAt``.
  var lookedAt: [Location] = []

  /// The edit begins.
  ///
  /// - Parameters:
  ///   - whole: how long it may take before it begins another step, with all its waiting.
  ///   - passed: called once, later, unless it ends before.
  init(whole: Duration = EditDeadline.whole, _ passed: @escaping @EventLoopActor () -> Void) {
    let limit = RootDisk.patience.microseconds
    time = Mutex(EditTime(limit: limit, whole: whole.microseconds, Clock.monotonic))
    self.passed = passed
    timer.arm(after: RootDisk.patience)
  }

  // Whichever thread is the last to know of it, as one that hung may be: the timer is the loop's.
  isolated deinit {}

  /// A step waits for its turn.
  nonisolated func wait() { time.withLock { $0.wait(Clock.monotonic) } }

  /// It has its turn, or will have none.
  nonisolated func goOn() { time.withLock { $0.goOn(Clock.monotonic) } }

  /// Asked before each of many steps: whether the edit of the task has taken too long for another one.
  ///
  /// - Throws: `busy`.
  static func check(_ subject: String) throws(LibraryFileError) {
    guard present?.time.withLock({ $0.isOver(Clock.monotonic) }) ?? false else { return }
    throw LibraryFileError(.busy, subject: subject)
  }

  /// The edit is done.
  func end() { timer.disarm() }

  private func look() {
    let left = time.withLock { $0.left(Clock.monotonic) }
    if left == 0 { passed() } else { timer.arm(after: .microseconds(left)) }
  }
}
