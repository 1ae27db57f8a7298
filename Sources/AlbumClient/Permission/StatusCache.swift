internal import AlbumAPI
internal import Synchronization

/// The statuses of an app as the daemon told them last, to be read without asking anybody.
///
/// Nothing is known before the daemon has told it, and nothing while nobody is there to tell of changes: what is here
/// is never older than the last change that was told.
final class StatusCache: Sendable {
  private struct State {
    var task: Task<Void, Never>?
    var known: [AccessLevel: AuthorizationStatus] = [:]
  }

  private let socket: DaemonSocket
  private let state = Mutex(State())

  init(_ socket: DaemonSocket) {
    self.socket = socket
  }

  deinit {
    state.withLock { $0.task?.cancel() }
  }

  /// The status of a level, if it is known. Who asks first has it watched from then on, and is told nothing yet.
  subscript(level: AccessLevel) -> AuthorizationStatus? {
    let (known, isWatched) = state.withLock { ($0.known[level], $0.task != nil) }
    if !isWatched { watch() }
    return known
  }

  /// What a level comes to: who may read may add, whatever is said of adding alone (S2).
  func effective(_ level: AccessLevel) -> AuthorizationStatus? {
    guard let status = self[level] else { return nil }
    guard level == .addOnly, !status.isUsable else { return status }
    guard let reading = self[.readWrite] else { return nil }
    return reading.isUsable ? .authorized : status
  }

  private func watch() {
    let socket = socket
    // Without a thread it stays unknown, and the next who asks tries again.
    guard let lane = try? FeedLane(socket, { StatusFeed(socket, stop: $0) }) else { return }
    state.withLock { state in
      guard state.task == nil else { return }
      state.task = Task.detached { [weak self] in
        while let event = try? await lane.next() { self?.take(event) }
      }
    }
  }

  private func take(_ event: StatusFeed.Event) {
    state.withLock { state in
      switch event {
      case .told(let told): state.known[told.accessLevel] = told.status
      case .unknown: state.known = [:]
      }
    }
  }
}
