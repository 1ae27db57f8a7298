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

  /// When a job has its turn: each kind before the next.
  enum Turn: Int, CaseIterable {
    /// Also in the middle of a long job: the loop waits for it, or an edit, meanwhile nobody is told anything.
    case urgent
    /// Also in the middle of a long job: somebody else asks for it.
    case asked
    /// It ends what was begun, and is open until then.
    case begun
    /// The daemon does it of its own accord.
    case own

    /// Whether it counts against ``mostAsked``, and is done in the middle of a long job.
    var isAsked: Bool { self == .urgent || self == .asked }
  }

  private struct Waiting {
    let job: Job
    let isAsked: Bool
  }

  private struct State {
    /// Those of each ``Turn``.
    var jobs = Turn.allCases.map { _ in [Waiting]() }
    /// How many that somebody asked for are not done.
    var askedCount = 0
    var isRunning = false
    var isStopped = false
    /// Since when it has got no further, by the monotonic clock in microseconds; nil while it waits for work.
    var since: UInt64?
    /// Whether anybody waits for it.
    var answers = SlowAnswers()

    var isIdle: Bool { jobs.allSatisfy(\.isEmpty) }

    var askedWaiting: Int {
      Turn.allCases.reduce(0) { $0 + ($1.isAsked ? jobs[$1.rawValue].count : 0) }
    }

    mutating func takeNext(where isWanted: (Turn) -> Bool) -> Waiting? {
      guard let turn = Turn.allCases.first(where: { isWanted($0) && !jobs[$0.rawValue].isEmpty }) else {
        return nil
      }
      return jobs[turn.rawValue].removeFirst()
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
  /// How many jobs may wait that somebody asks for: a file system that does not answer gathers no more of them. What the
  /// daemon does of its own accord has bounds of its own.
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

  /// Has something done, after what was given before of the same kind.
  ///
  /// - Returns: whether it is done; false where somebody asks for it, and so many are asked for already.
  @discardableResult
  func submit(_ turn: Turn, _ job: @escaping Job) -> Bool {
    let isAsked = turn.isAsked
    let (isTaken, starts) = state.withLock { state in
      guard !state.isStopped else { return (true, false) }
      guard !isAsked || state.askedCount < Self.mostAsked else { return (false, false) }
      if isAsked { state.askedCount += 1 }
      state.jobs[turn.rawValue].append(Waiting(job: job, isAsked: isAsked))
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
    guard submit(.urgent, { answer.give(job($0)) }) else { return nil }
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
    let dropped = state.withLock { state in
      let dropped = state.jobs
      state.askedCount -= dropped.joined().count(where: \.isAsked)
      for index in dropped.indices { state.jobs[index] = [] }
      return dropped
    }
    _ = dropped
  }

  /// Ends it, when it is done with its present job.
  func stop() {
    state.withLock { $0.isStopped = true }
    dropWaiting()
    sem_post(signal)
  }

  // MARK: Getting on

  /// It got further: of a long job, the thread itself says so now and then. What somebody waits for is done meanwhile, but
  /// not what comes while it is: the long job goes on as well.
  func progress() {
    let count = state.withLock { state in
      state.noteProgress()
      return state.askedWaiting
    }
    for _ in 0..<count {
      guard let next = state.withLock({ $0.takeNext(where: \.isAsked) }) else { return }
      run(next)
      state.withLock { $0.noteProgress() }
    }
  }

  /// Since when it has got no further; nil while it waits for work.
  var since: UInt64? { state.withLock { $0.since } }

  // MARK: The thread

  private func next() -> Waiting? {
    state.withLock { state in
      let next = state.takeNext { _ in true }
      state.since = next == nil ? nil : Clock.monotonic
      return next
    }
  }

  private func run(_ next: Waiting) {
    next.job(BeneathRoot(volumes, closer: closer))
    if next.isAsked { state.withLock { $0.askedCount -= 1 } }
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
