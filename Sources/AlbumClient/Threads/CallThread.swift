internal import Glibc
internal import Linux
internal import Synchronization

/// A thread that runs the jobs of one actor, which may wait in system calls there: Swift's own threads are
/// as many as there are processors, and one that waits is missed by the whole program.
///
/// It ends when its executor goes.
final class CallThread: SerialExecutor {
  private let jobs: ThreadJobs

  /// Starts the thread.
  ///
  /// - Throws: ``Linux/SystemError``: EAGAIN when the user has too many threads.
  init() throws(SystemError) {
    let jobs = ThreadJobs(signal: try WakeSignal())
    self.jobs = jobs
    guard runDetached({ jobs.work() }) else { throw SystemError("pthread_create", code: EAGAIN) }
  }

  deinit {
    jobs.close()
  }

  func enqueue(_ job: consuming ExecutorJob) {
    jobs.append(.init(job: UnownedJob(job), executor: self))
  }
}

/// What waits for a thread.
private final class ThreadJobs: Sendable {
  /// A job keeps its executor, which may lose its last other owner while the job runs.
  struct Item {
    let job: UnownedJob
    let executor: CallThread
  }

  private struct State {
    var items: [Item] = []
    var isClosed = false
  }

  private let state = Mutex(State())
  private let signal: WakeSignal

  init(signal: WakeSignal) {
    self.signal = signal
  }

  func append(_ item: Item) {
    state.withLock { $0.items.append(item) }
    signal.wake()
  }

  /// No more will come.
  func close() {
    state.withLock { $0.isClosed = true }
    signal.wake()
  }

  /// Runs everything that comes, until it is closed.
  func work() {
    while true {
      signal.wait()
      let isClosed = runAll()
      if isClosed { return }
    }
  }

  private func runAll() -> Bool {
    let (items, isClosed) = state.withLock { state in
      defer { state.items = [] }
      return (state.items, state.isClosed)
    }
    for item in items { item.job.runSynchronously(on: item.executor.asUnownedSerialExecutor()) }
    return isClosed
  }
}
