internal import Linux

/// Tells one thing after another, on a thread that waits for them.
protocol WaitingFeed: SendableMetatype {
  /// What it tells.
  associatedtype Element: Sendable
  /// Waits for the next; nil when it was stopped.
  func next() throws(AlbumError) -> Element?
}

/// A feed with its thread.
actor FeedLane<Feed: WaitingFeed> {
  private let stop: WakeSignal
  private let thread: CallThread
  private let feed: Feed

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  /// - Parameter make: the feed, which ends when its signal wakes.
  /// - Throws: `outOfResources`.
  init(_ socket: DaemonSocket, _ make: (WakeSignal) -> sending Feed) throws(AlbumError) {
    do throws(SystemError) {
      stop = try WakeSignal()
      thread = try CallThread()
    } catch { throw AlbumError(outOfResources: error, place: socket.path) }
    feed = make(stop)
  }

  /// The next; nil when the task is cancelled, and ever after.
  nonisolated func next() async throws -> Feed.Element? {
    try await withTaskCancellationHandler {
      try await wait()
    } onCancel: {
      stop.wake()
    }
  }

  private func wait() throws(AlbumError) -> Feed.Element? { try feed.next() }
}
