internal import Synchronization

/// The connections of a library and their threads, made when they are needed.
final class CallLanes: Sendable {
  /// What a kept connection is for: replies come in the order of the calls, so a long fetch would keep a
  /// question for the status waiting.
  enum Purpose: Hashable {
    case questions
    case fetches
    /// What somebody looks at: it does not wait for a fetch of a million.
    case pages
    /// One of several: a picture takes longer to make than a reply.
    case previews(Int)
  }

  let socket: DaemonSocket
  /// Who reads a file has a thread, and open files: a process may not have very many.
  let reading = Turnstile(16)
  private let kept = Mutex<[Purpose: CallLane]>([:])

  init(_ socket: DaemonSocket) {
    self.socket = socket
  }

  /// A call that can be made twice without harm.
  func repeatable<Result: Sendable & ~Copyable>(
    _ purpose: Purpose, _ body: @Sendable (AlbumConnection) throws(AlbumError) -> Result
  ) async throws(AlbumError) -> Result {
    try await lane(purpose).repeatable(body)
  }

  /// Calls that are made once: they change something, or wait for a person. Cancelling the task ends them.
  func once<Result: Sendable>(
    _ body: @Sendable (AlbumConnection) throws(AlbumError) -> Result
  ) async throws -> Result {
    let lane = try CallLane(socket)
    let hangup = Hangup()
    do {
      return try await withTaskCancellationHandler {
        try await lane.once(hangup, body)
      } onCancel: {
        hangup.hangUp()
      }
    } catch {
      try Task.checkCancellation()
      throw error
    }
  }

  /// A fetch of any objects.
  func fetch<Fetch: PhotoFetch>(_ fetch: Fetch) async throws(AlbumError) -> FetchResult<Fetch.Object> {
    try await repeatable(.fetches) { connection throws(AlbumError) in try fetch.fetch(on: connection) }
  }

  /// A feed of changes, with a thread.
  ///
  /// - Throws: `outOfResources`.
  func changes(
    since token: PersistentChangeToken?, endsWhenExpired: Bool
  ) throws(AlbumError) -> FeedLane<ChangeFeed> {
    try FeedLane(socket) { ChangeFeed(self, since: token, endsWhenExpired: endsWhenExpired, stop: $0) }
  }

  private func lane(_ purpose: Purpose) throws(AlbumError) -> CallLane {
    let result = kept.withLock { kept -> Result<CallLane, AlbumError> in
      if let lane = kept[purpose] { return .success(lane) }
      do throws(AlbumError) {
        let lane = try CallLane(socket)
        kept[purpose] = lane
        return .success(lane)
      } catch { return .failure(error) }
    }
    return try result.get()
  }
}
