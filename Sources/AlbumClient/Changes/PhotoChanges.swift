/// Changes of the library as they happen, from a place on: first what was missed, then whatever comes.
/// PhotoKit: `PHPersistentChangeFetchResult`; **differs**: it does not end, so that nothing is to be asked
/// again. Cancel the task that iterates, or leave the loop.
///
/// Goes on by itself when the daemon restarts. Where access is taken away that is a change (S70), and so is access
/// that comes back: then everything is to be fetched anew. Each change comes once and in order (S26). While nobody asks for the next one, it waits at the daemon, at no
/// cost (S28).
public struct PhotoChanges: AsyncSequence, Sendable {
  /// A change.
  public typealias Element = PhotoChange
  private let lanes: CallLanes
  private let token: PersistentChangeToken?
  private let endsWhenExpired: Bool

  init(_ lanes: CallLanes, since token: PersistentChangeToken?, endsWhenExpired: Bool) {
    self.lanes = lanes
    self.token = token
    self.endsWhenExpired = endsWhenExpired
  }

  /// Begins at the sequence's token.
  public func makeAsyncIterator() -> Iterator {
    Iterator(lanes, token, endsWhenExpired)
  }

  /// One reader of the changes, with connections of its own.
  public struct Iterator: AsyncIteratorProtocol {
    private let lanes: CallLanes
    private let token: PersistentChangeToken?
    private let endsWhenExpired: Bool
    private var lane: FeedLane<ChangeFeed>?

    init(_ lanes: CallLanes, _ token: PersistentChangeToken?, _ endsWhenExpired: Bool) {
      self.lanes = lanes
      self.token = token
      self.endsWhenExpired = endsWhenExpired
    }

    /// Waits for the next change; nil once the task is cancelled.
    ///
    /// - Throws: ``AlbumError`` `tokenExpired` (PhotoKit: 3105): fetch anew, and go on from that token.
    public mutating func next() async throws -> PhotoChange? {
      let lane = try lane ?? lanes.changes(since: token, endsWhenExpired: endsWhenExpired)
      self.lane = lane
      return try await lane.next()
    }
  }
}
