internal import CLinux
internal import CSystemd
internal import Glibc
internal import Linux
internal import Synchronization

/// The loop of libsystemd (sd-event(3)) as the executor of the daemon's one actor.
///
/// `run` belongs to one thread: it lets the jobs of ``EventLoopActor`` and the callbacks of event
/// sources take turns, and sleeps in epoll_wait(2) when there is neither. Nothing wakes it without a
/// cause.
public final class EventLoop: SerialExecutor, @unchecked Sendable {
  // Unchecked: `event`, `exitCode` and the times are touched by the loop's thread alone, from `run` on and before it
  // by the thread that sets up; `owner` and `runner` are atomic; `jobs` guards itself.

  /// The process's loop.
  public static let shared = EventLoop()

  /// The executor of the loop's tasks where they are on no actor.
  let tasks = LoopTaskExecutor()

  /// What the handlers of one turn put off.
  let endOfTurn = EndOfTurn()

  /// The sd_event object, for the sources of this module.
  let event: OpaquePointer
  private let jobs: JobQueue
  private var exitCode: CInt?
  /// When it last woke because something came, CLOCK_BOOTTIME in microseconds.
  private(set) var sleptUntil = Clock.sinceBoot
  private var calledSince = Clock.sinceBoot
  /// The thread that the loop belongs to, and, only while it is in ``run()``, the same again. A thread finds
  /// itself in `runner` only if it put itself there.
  private let owner: Atomic<pthread_t>
  private let runner = Atomic<pthread_t>(0)

  private init() {
    var event: OpaquePointer?
    let result = sd_event_new(&event)
    guard result >= 0, let event else {
      // Not an error that is thrown: an actor's executor is a constant, made at its first use. Nothing of the daemon exists
      // yet, and without descriptors for epoll(7) nothing could.
      fatalError("cannot create an event loop: \(SystemError("sd_event_new", code: -result))")
    }
    self.event = event
    Self.haveClocks(event)
    owner = Atomic(pthread_self())
    jobs = JobQueue()
    jobs.wake(on: event)
  }

  /// The loop opens a descriptor for each clock when its first timer is armed (timerfd_create(2)). It is had now: later,
  /// peers may hold all that there are.
  private static func haveClocks(_ event: OpaquePointer) {
    for clock in [CLOCK_MONOTONIC, CLOCK_REALTIME] {
      var source: OpaquePointer?
      let result = sd_event_add_time(event, &source, clock, .max, 0, nil, nil)
      guard result >= 0, let source else {
        // As above: a part of the loop, made with it, before there are peers who could hold what is missing.
        fatalError("cannot have a clock: \(SystemError("sd_event_add_time", code: -result))")
      }
      // Kept for as long as the process lives.
      sd_event_source_set_enabled(source, CInt(SD_EVENT_OFF))
    }
  }

  /// Runs callbacks and jobs on the calling thread until ``exit(_:)``.
  ///
  /// - Returns: the code given to `exit`.
  public func run() -> CInt {
    owner.store(pthread_self(), ordering: .relaxed)
    runner.store(pthread_self(), ordering: .relaxed)
    defer { runner.store(0, ordering: .relaxed) }
    exitCode = nil
    while true {
      jobs.drain(on: self)
      if let exitCode { return exitCode }
      let result = turn()
      if result < 0, -result != EINTR {
        // No source is to blame: their handlers' errors stay with them. A loop that cannot wait can only spin, and serves
        // nobody; the service manager starts another, and what was told to anybody is kept.
        fatalError("the event loop broke: \(SystemError("sd_event_run", code: -result))")
      }
    }
  }

  /// sd_event_run(3), in its three steps.
  private func turn() -> CInt {
    var result = sd_event_prepare(event)
    if result == 0 {
      let before = (linux_voluntary_switches(), linux_times_continued())
      result = sd_event_wait(event, jobs.isEmpty ? UInt64.max : 0)
      // It slept if it gave its processor away: time that passes otherwise was taken from it. Nothing was ready then, and
      // what came has woken it at once, unless it was stopped meanwhile.
      if linux_voluntary_switches() != before.0, linux_times_continued() == before.1 { sleptUntil = woke }
    }
    return result > 0 ? sd_event_dispatch(event) : result
  }

  /// When the present iteration woke; an earlier one, if a signal has interrupted it.
  private var woke: UInt64 {
    var microseconds: UInt64 = 0
    sd_event_now(event, CLOCK_BOOTTIME, &microseconds)
    return microseconds
  }

  /// What the handlers that run now were called for was not ready before this moment, CLOCK_BOOTTIME in microseconds:
  /// the loop slept until then, or had looked and it was not there. Set by who calls them.
  @EventLoopActor
  public internal(set) var readySince: UInt64 {
    get { calledSince }
    set { calledSince = newValue }
  }

  /// Ends ``run()`` once the present callback or job is done.
  @EventLoopActor
  public func exit(_ code: CInt) {
    exitCode = code
  }

  /// The loop's time, CLOCK_MONOTONIC in microseconds: when the present iteration woke.
  @EventLoopActor
  public var now: UInt64 {
    var microseconds: UInt64 = 0
    sd_event_now(event, CLOCK_MONOTONIC, &microseconds)
    return microseconds
  }

  /// Lets systemd's watchdog kill a daemon that hangs where the service manager asks for that (`WatchdogSec=`,
  /// sd_event_set_watchdog(3)).
  @EventLoopActor
  public func keepWatchdogFed() {
    sd_event_set_watchdog(event, 1)
  }

  // MARK: SerialExecutor

  /// Takes a job from any thread.
  public func enqueue(_ job: consuming ExecutorJob) {
    push(UnownedJob(job), isOfTask: false)
  }

  fileprivate func push(_ job: UnownedJob, isOfTask: Bool) {
    // Before `run` even the owner must leave a signal: another thread may be about to take over.
    jobs.push(job, isOfTask: isOfTask, fromLoop: runner.load(ordering: .relaxed) == pthread_self())
  }

  /// The reference that actors hold.
  public func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    UnownedSerialExecutor(ordinary: self)
  }

  /// Traps unless called on the loop's thread.
  public func checkIsolated() {
    precondition(isOnLoop, "not on the event loop's thread")
  }

  /// Whether the caller is on the loop's thread, as in a callback of a source.
  public func isIsolatingCurrentContext() -> Bool? {
    isOnLoop
  }

  private var isOnLoop: Bool { owner.load(ordering: .relaxed) == pthread_self() }
}

/// Where the loop's tasks are between leaving the actor and coming back (SE-0417): a continuation that is resumed
/// goes there first. Without a preference that is the pool of Swift's runtime, whose threads look around once a
/// second for as long as the process lives.
final class LoopTaskExecutor: TaskExecutor {
  /// Takes a job from any thread.
  func enqueue(_ job: consuming ExecutorJob) {
    EventLoop.shared.push(UnownedJob(job), isOfTask: true)
  }
}
