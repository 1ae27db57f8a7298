internal import Linux

/// A thread for something else that waits.
actor WorkLane {
  private let thread: CallThread

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  init() throws(SystemError) {
    thread = try CallThread()
  }

  func run<Result: Sendable>(_ body: @Sendable () -> Result) -> Result { body() }
}
