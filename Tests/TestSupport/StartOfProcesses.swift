internal import Dispatch

/// When tests start processes: one at a time, and none while something is open that must not be inherited.
///
/// A child has everything that is open here until it comes to execve(2), which posix_spawn(3) waits for. A file that
/// is being written it holds open for writing, so that starting it fails with ETXTBSY; and where a close(2) waits,
/// the child's may be the last, and its parent waits for it.
public enum StartOfProcesses {
  /// Whether this task prevents it.
  @TaskLocal public static var isPrevented = false

  private static let turn = DispatchSemaphore(value: 1)

  /// Starts a process, or does something short while none is started.
  public static func alone<Result>(_ body: () throws -> Result) rethrows -> Result {
    turn.wait()
    defer { turn.signal() }
    return try body()
  }

  /// Does something while no process is started. It needs none of Swift's pool, of which every thread may wait for
  /// its end in ``alone(_:)``.
  public static func prevented(_ body: () async throws -> Void) async rethrows {
    try await withTaskExecutorPreference(ThreadPerJob()) {
      take()
      defer { turn.signal() }
      try await $isPrevented.withValue(true) { try await body() }
    }
  }

  /// Waits on the thread, which is the job's own.
  private static func take() { turn.wait() }
}
