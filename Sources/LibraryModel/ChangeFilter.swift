/// What a subscription is about (S24), and what its caller may see (S16).
///
/// Two subscriptions with equal filters are told the same, so that a delivery is encoded once for both.
public struct ChangeFilter: Hashable, Sendable {
  /// What it is about.
  public enum Subject: Hashable, Sendable {
    /// Assets of these albums and these assets; all assets when both are `nil`.
    case assets(albums: Set<AlbumID>?, ids: Set<AssetID>?)
    /// The list of albums.
    case albums
  }

  /// What it is about.
  public let subject: Subject
  /// What the caller may see.
  public let view: LibraryView

  /// A filter.
  public init(_ subject: Subject, view: LibraryView) {
    self.subject = subject
    self.view = view
  }

  /// What a change is to whoever looks through the filter.
  public enum Effect: Hashable, Sendable {
    /// Nothing.
    case none
    /// It is seen now and was not before.
    case inserted
    /// It was seen before and is not now.
    case removed
    /// It is seen and changed; whether its content did.
    case changed(content: Bool)
    /// It is seen, in other albums than before.
    case moved
  }

  /// What a change is to whoever looks through this.
  public func effect(of change: Change) -> Effect {
    let before = change.operation != .inserted && covers(change.subject, in: change.albumsBefore)
    let after = change.operation != .removed && covers(change.subject, in: change.albumsAfter)
    switch (before, after) {
    case (false, false): return .none
    case (false, true): return .inserted
    case (true, false): return .removed
    case (true, true): return lasting(change)
    }
  }

  private func lasting(_ change: Change) -> Effect {
    switch change.operation {
    // Seen before and after what says it is new or gone cannot be.
    case .inserted, .removed: .none
    case .changed(let content): .changed(content: content)
    case .moved(let content):
      change.albumsBefore.filter(view.sees) == change.albumsAfter.filter(view.sees)
        ? .changed(content: content) : .moved
    }
  }

  private func covers(_ subject: Change.Subject, in albums: [AlbumID]) -> Bool {
    switch (self.subject, subject) {
    case (.albums, .album(let id)): view.sees(id)
    case (.assets(let wantedAlbums, let ids), .asset(let id)):
      isWanted(id, albums, wantedAlbums, ids) && view.sees(id, in: albums)
    case (.albums, .asset), (.assets, .album): false
    }
  }

  private func isWanted(
    _ id: AssetID, _ albums: [AlbumID], _ wantedAlbums: Set<AlbumID>?, _ ids: Set<AssetID>?
  ) -> Bool {
    if wantedAlbums == nil && ids == nil { return true }
    return ids?.contains(id) ?? false
      || wantedAlbums.map { wanted in albums.contains { wanted.contains($0) } } ?? false
  }
}
