internal import Linux

/// A thread for something else that waits.
actor WorkLane {
  private let thread: CallThread

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  init() throws(SystemError) {
    thread = try CallThread()
  }

  private func run<Result: Sendable>(
    _ body: @Sendable () throws(AlbumError) -> Result
  ) throws(AlbumError) -> Result { try body() }

  /// Does it on a thread that is there for nothing else.
  ///
  /// - Parameter subject: for the error.
  /// - Throws: what it throws, and `outOfResources`.
  static func once<Result: Sendable>(
    about subject: String, _ body: @Sendable () throws(AlbumError) -> Result
  ) async throws(AlbumError) -> Result {
    let lane: WorkLane
    do throws(SystemError) { lane = try WorkLane() } catch {
      throw AlbumError(outOfResources: error, place: subject)
    }
    return try await lane.run(body)
  }
}
