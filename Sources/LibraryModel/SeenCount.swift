/// How much of what is selected for somebody they see (S16): counted once, and from then on by what the journal tells, so that a
/// change costs nothing that grows with the selection. It may be counted some at a time: what happens in between is told of what was
/// looked at, and what was not is looked at as it is then.
package struct SeenCount: Hashable, Sendable {
  /// Whose view it is, where the journal tells how that changes.
  package let viewer: ViewerID?
  /// What they see, as of the last entry that was passed; without the assets that were not looked at yet.
  package private(set) var view: LibraryView
  /// How many of the assets that are selected on their own.
  package private(set) var assets: Int
  /// How many of the albums that are selected; nil where they are to be counted again.
  package var albums: Int?
  /// Those of the assets that are to be looked at still; the last is next.
  private var rest: [AssetID] = []

  /// Whether all of them were looked at.
  package var isWhole: Bool { rest.isEmpty }

  /// Begins to count: nothing was looked at.
  package init(beginning viewer: ViewerID, _ view: LibraryView) {
    self.viewer = viewer
    self.view = LibraryView(
      assets: [], albums: view.albums, hiddenAlbums: view.hiddenAlbums, ownAlbums: view.ownAlbums)
    assets = 0
    rest = Array(view.assets)
  }

  /// Looks at some more, when the last entry of the journal was passed.
  ///
  /// - Parameters:
  ///   - most: so many at most.
  ///   - now: all that is seen.
  ///   - count: how many of these are seen.
  package mutating func countNext(
    _ most: Int, in now: LibraryView, _ count: ([AssetID]) throws -> Int
  ) rethrows {
    // What is not selected any more is passed over, and what was selected anew was told.
    let next = rest.suffix(most).filter { now.assets.contains($0) && !view.assets.contains($0) }
    if !next.isEmpty { assets += try count(next) }
    rest.removeLast(min(most, rest.count))
    for id in next { view.apply(.asset(id, isSelected: true)) }
  }

  /// What was counted.
  package init(of viewer: ViewerID?, _ view: LibraryView, assets: Int, albums: Int? = nil) {
    self.viewer = viewer
    self.view = view
    self.assets = assets
    self.albums = albums
  }

  /// Goes on past the next entry of the journal.
  ///
  /// - Returns: whether that tells what has become of the count; otherwise all of it is to be counted again.
  package mutating func pass(_ entry: JournalEntry) -> Bool {
    switch entry {
    case .change(let change):
      pass(change)
      return true
    case .view(let change): return change.viewer == viewer ? pass(change) : true
    case .reset: return false
    }
  }

  private mutating func pass(_ change: Change) {
    switch change.subject {
    case .asset(let id):
      guard view.assets.contains(id) else { return }
      let wasSeen =
        change.operation != .inserted && !change.wasHidden && !view.hidesAny(of: change.albumsBefore)
      let isSeen = change.operation != .removed && shows(change.snapshot, in: change.albumsAfter)
      assets += (isSeen ? 1 : 0) - (wasSeen ? 1 : 0)
    case .album(let id):
      if view.albums.contains(id) { albums = nil }
    }
  }

  private mutating func pass(_ change: ViewChange) -> Bool {
    switch change.step {
    case .asset(let id, let isSelected):
      // What was not looked at does not count yet.
      guard view.assets.contains(id) != isSelected else { return true }
      if shows(change.snapshot, in: change.holders) { assets += isSelected ? 1 : -1 }
    case .album: albums = nil
    case .sight, .created: break
    // What is in the album is not told of where it was seen through nothing else, or is not now.
    case .hidden, .reset: return false
    }
    view.apply(change.step)
    return true
  }

  private func shows(_ snapshot: Change.Snapshot?, in albums: [AlbumID]) -> Bool {
    snapshot.map { !$0.isHidden } ?? false && !view.hidesAny(of: albums)
  }
}
