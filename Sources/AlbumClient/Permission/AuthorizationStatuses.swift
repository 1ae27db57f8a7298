public import AlbumAPI

/// The app's statuses as they are, and every change of them (S29): first the current one of each level. PhotoKit has
/// none: there, an app whose access was taken away is started anew.
///
/// Goes on by itself when the daemon restarts, and then tells what is different now. Cancel the task that iterates, or
/// leave the loop.
public struct AuthorizationStatuses: AsyncSequence, Sendable {
  /// A level, its status, and when it is limited how much is selected.
  public typealias Element = AuthorizationInterface.Monitor.Reply
  private let lanes: CallLanes

  init(_ lanes: CallLanes) {
    self.lanes = lanes
  }

  /// Begins with the current statuses.
  public func makeAsyncIterator() -> Iterator { Iterator(lanes) }

  /// One reader of the statuses, with a connection of its own.
  public struct Iterator: AsyncIteratorProtocol {
    private let lanes: CallLanes
    private var lane: FeedLane<StatusFeed>?
    private var told: [AccessLevel: Element] = [:]

    init(_ lanes: CallLanes) {
      self.lanes = lanes
    }

    /// Waits for the next status; nil once the task is cancelled.
    ///
    /// - Throws: ``AlbumError`` `outOfResources`: it has a thread.
    public mutating func next() async throws -> Element? {
      let socket = lanes.socket
      let lane = try lane ?? FeedLane(socket) { StatusFeed(socket, stop: $0) }
      self.lane = lane
      while let event = try await lane.next() {
        // After a restart of the daemon they come again: what stayed as it was is no news.
        guard case .told(let status) = event, told[status.accessLevel] != status else { continue }
        told[status.accessLevel] = status
        return status
      }
      return nil
    }
  }
}

extension PhotoLibrary {
  /// What this app may do, now and from now on. See ``AuthorizationStatuses``.
  public var authorizationStatuses: AuthorizationStatuses { AuthorizationStatuses(lanes) }
}
