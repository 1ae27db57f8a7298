internal import NIOCore
internal import NIOPosix

/// Where the page's tasks run: on the threads that wait for connections (SE-0417).
///
/// The pool of Swift's runtime is libdispatch's, which wakes up every second for the rest of the process's life once it
/// was used (``Linux/SerialThread``); so every task of this program is one of ``Swift/Task/onLoops(_:)``, or begun by one.
final class LoopTasks: TaskExecutor {
  static let shared = LoopTasks()
  static let loops = MultiThreadedEventLoopGroup.singleton

  /// Takes a job from any thread.
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let executor = asUnownedTaskExecutor()
    Self.loops.any().execute { job.runSynchronously(on: executor) }
  }

  /// Waits so long, by a timer of a loop's: that of `Task.sleep` is libdispatch's.
  ///
  /// - Throws: when the task is cancelled meanwhile.
  static func wait(_ time: TimeAmount) async throws {
    let timer = loops.any().scheduleTask(in: time) {}
    try await withTaskCancellationHandler {
      try await timer.futureResult.get()
    } onCancel: {
      timer.cancel()
    }
  }
}

extension Task where Failure == Never {
  /// A task that runs where connections are waited for.
  @discardableResult
  static func onLoops(_ operation: sending @escaping () async -> Success) -> Task {
    Task(executorPreference: LoopTasks.shared, operation: operation)
  }
}
