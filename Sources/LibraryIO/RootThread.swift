internal import CLinux
internal import Glibc
internal import LibraryModel
internal import Linux
internal import Synchronization

/// The thread on which one root is touched whose file system may not answer. It lives while there is work, and a few
/// seconds longer.
///
/// Jobs are values in and values out: each has a ``BeneathRoot`` that is the thread's own, and keeps nothing open.
final class RootThread: Sendable {
  /// Something to be done with the file system.
  typealias Job = @Sendable (BeneathRoot) -> Void

  /// When a job has its turn: what is urgent first, then in turn what somebody asks for and what the daemon does, of which what
  /// was begun comes first.
  enum Turn {
    /// Also in the middle of a long job: the loop waits for it.
    case loop
    /// Also in the middle of a long job: a step of the edit that is under way, for which all others wait.
    case edit
    /// Also in the middle of a long job: this user asks for it, and takes turns with others.
    case asked(UInt32)
    /// It ends what was begun, and is open until then.
    case begun
    /// The daemon does it of its own accord.
    case own

    /// Against whose ``RootThread/mostAsked`` it counts; nil where it is never refused.
    var user: UInt32? {
      switch self {
      case .loop: noUser
      case .asked(let user): user
      case .edit, .begun, .own: nil
      }
    }
  }

  private struct Waiting {
    let job: Job
    let user: UInt32?
  }

  private struct State {
    /// What is done in the middle of a long job as well: all of this, and then one of those.
    var urgent: [Waiting] = []
    var asked = UserTurns<Waiting>()
    var begun: [Waiting] = []
    var own: [Waiting] = []
    var ownIsNext = false
    /// How many are not done of those that may be refused, of each user.
    var counts: [UInt32: Int] = [:]
    var isRunning = false
    var isStopped = false
    /// Since when it has got no further, by the monotonic clock in microseconds; nil while it waits for work.
    var since: UInt64?
    /// Whether anybody waits for it.
    var answers = SlowAnswers()

    var isIdle: Bool { urgent.isEmpty && asked.isEmpty && begun.isEmpty && own.isEmpty }

    mutating func append(_ new: Waiting, _ turn: Turn) {
      switch turn {
      case .loop, .edit: urgent.append(new)
      case .asked(let user): asked.append(new, of: user)
      case .begun: begun.append(new)
      case .own: own.append(new)
      }
    }

    mutating func takeUrgent() -> Waiting? { urgent.isEmpty ? nil : urgent.removeFirst() }

    private mutating func takeOwn() -> Waiting? {
      begun.isEmpty ? (own.isEmpty ? nil : own.removeFirst()) : begun.removeFirst()
    }

    /// Who asks all the time keeps the daemon from nothing: it has every second turn.
    mutating func takeNext() -> Waiting? {
      if let job = takeUrgent() { return job }
      if ownIsNext, let job = takeOwn() {
        ownIsNext = false
        return job
      }
      if let job = asked.popFirst() {
        ownIsNext = true
        return job
      }
      return takeOwn()
    }

    mutating func takeAll() -> [Waiting] {
      let all = urgent + asked.all + begun + own
      for job in all { isOver(job) }
      (urgent, asked, begun, own) = ([], UserTurns(), [], [])
      return all
    }

    mutating func isOver(_ job: Waiting) {
      guard let user = job.user, let count = counts[user] else { return }
      counts[user] = count > 1 ? count - 1 : nil
    }

    mutating func noteProgress() { if since != nil { since = Clock.monotonic } }
  }

  private let state = Mutex(State())
  private let volumes: Volumes
  /// Closes what is opened here.
  let closer = Closer()
  /// Makes copies, which takes as long as it takes.
  let copies = SharedThread()
  /// Posted once for each job. Unsafe only in that it is a pointer: sem_post(3) and sem_clockwait(3) may be called from
  /// any thread.
  private nonisolated(unsafe) let signal = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  /// For how long at most the loop waits for an answer that it cannot go on without, in microseconds.
  private static let patience: UInt64 = 100_000
  /// How many jobs of each user may wait: a file system that does not answer gathers no more of them. What the daemon does
  /// of its own accord has bounds of its own.
  static let mostAsked = 128
  /// How long it is kept without work.
  private static let idle: UInt64 = 5_000_000

  /// - Parameter volumes: those of the loop, which any thread may ask.
  init(_ volumes: Volumes) {
    self.volumes = volumes
    sem_init(signal, 0, 0)
  }

  deinit {
    sem_destroy(signal)
    signal.deallocate()
  }

  // MARK: Work

  /// Has something done, after what was given before of the same kind, and for the same user.
  ///
  /// - Returns: whether it is done; false where so many wait already of whose it is.
  @discardableResult
  func submit(_ turn: Turn, _ job: @escaping Job) -> Bool {
    let waiting = Waiting(job: job, user: turn.user)
    let (isTaken, starts) = state.withLock { state in
      guard !state.isStopped else { return (true, false) }
      if let user = turn.user {
        guard state.counts[user, default: 0] < Self.mostAsked else { return (false, false) }
        state.counts[user, default: 0] += 1
      }
      state.append(waiting, turn)
      defer { state.isRunning = true }
      if !state.isRunning { state.since = Clock.monotonic }
      return (true, !state.isRunning)
    }
    guard isTaken else { return false }
    sem_post(signal)
    if starts { ThreadReserve.shared.run { [self] in work() } }
    return true
  }

  /// Asks for what the loop cannot go on without, and waits for the answer; not for long, and where a file system does
  /// not answer, not again for a while (``SlowAnswers``).
  ///
  /// - Returns: nil when there is none.
  func ask<Value: Sendable>(_ job: @escaping @Sendable (BeneathRoot) -> Value) -> Value? {
    let now = Clock.monotonic
    let mayAnswer = state.withLock { state in
      state.answers.mayWait(now) && state.since.map { now < $0 + Self.patience } ?? true
    }
    guard mayAnswer else { return nil }
    let answer = Answer<Value>()
    guard submit(.loop, { answer.give(job($0)) }) else { return nil }
    if let value = answer.take(until: now + Self.patience) { return value }
    state.withLock { $0.answers.noteLate(Clock.monotonic) }
    return nil
  }

  /// It has answered: who needs something at once may ask again.
  func noteAnswer() { state.withLock { $0.answers = SlowAnswers() } }

  /// Something long was done there: if it was late once, it may be waited for at once; late again, it rests for longer.
  func mayBeAskedAgain() { state.withLock { $0.answers.noteAnswered(Clock.monotonic) } }

  /// Drops what was not begun.
  func dropWaiting() {
    // Let go of where nothing is locked: with a job goes what it has.
    let dropped = state.withLock { $0.takeAll() }
    _ = dropped
  }

  /// Ends it, when it is done with its present job.
  func stop() {
    state.withLock { $0.isStopped = true }
    dropWaiting()
    sem_post(signal)
  }

  // MARK: Getting on

  /// It got further, as the thread itself says in the middle of a job.
  func noteProgress() { state.withLock { $0.noteProgress() } }

  /// The same of a long job, now and then. What is urgent is done meanwhile, and one thing that somebody asks for, but not what
  /// comes while it is: the long job goes on as well.
  func progress() {
    let urgent = state.withLock { state in
      state.noteProgress()
      return state.urgent.count
    }
    for _ in 0..<urgent {
      guard let next = state.withLock({ $0.takeUrgent() }) else { break }
      runMeanwhile(next)
    }
    if let next = state.withLock({ $0.asked.popFirst() }) { runMeanwhile(next) }
  }

  private func runMeanwhile(_ next: Waiting) {
    run(next)
    noteProgress()
  }

  /// Since when it has got no further; nil while it waits for work.
  var since: UInt64? { state.withLock { $0.since } }

  // MARK: The thread

  private func next() -> Waiting? {
    state.withLock { state in
      let next = state.takeNext()
      state.since = next == nil ? nil : Clock.monotonic
      return next
    }
  }

  private func run(_ next: Waiting) {
    next.job(BeneathRoot(volumes, closer: closer))
    if next.user != nil { state.withLock { $0.isOver(next) } }
  }

  private func work() {
    while true {
      while let next = next() { run(next) }
      // Each job has posted once; those that were done by then are looked for in vain.
      if linux_wait_until(signal, Clock.monotonic + Self.idle) != 0, errno == ETIMEDOUT || isStopped {
        let ends = state.withLock { state in
          guard state.isIdle else { return false }
          state.isRunning = false
          return true
        }
        if ends { return }
      }
      if isStopped, state.withLock(\.isIdle) { return }
    }
  }

  private var isStopped: Bool { state.withLock { $0.isStopped } }
}
