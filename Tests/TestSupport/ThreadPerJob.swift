internal import Linux

/// Every job gets a new thread, so that it may wait in system calls: Swift's pool has as many as there are
/// processors. A test without suspension is one job.
public final class ThreadPerJob: TaskExecutor {
  /// One for as many tasks as one likes.
  public init() {}

  /// Runs a job on a new thread.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    ThreadReserve.shared.run { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
