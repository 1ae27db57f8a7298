/// Names an app of a user that is, or was, limited: somebody whose view the journal keeps.
package struct ViewerID: RawRepresentable, Hashable, Comparable, Sendable {
  /// Counts up from 1.
  package let rawValue: Int64
  /// An id as stored.
  package init(rawValue: Int64) {
    self.rawValue = rawValue
  }
  /// By age.
  package static func < (left: ViewerID, right: ViewerID) -> Bool { left.rawValue < right.rawValue }
}

/// A viewer, and its view as of the end of the journal.
package struct Viewer: Hashable, Sendable {
  /// Its name in the journal.
  package let id: ViewerID
  /// What it sees.
  package var view: LibraryView

  /// A viewer.
  package init(id: ViewerID, view: LibraryView) {
    self.id = id
    self.view = view
  }
}

/// One entry of the journal about what a viewer sees (S22), as a ``Change`` is about what there is. It too
/// says all that a delivery says.
package struct ViewChange: Hashable, Sendable {
  /// What happened.
  package enum Step: Hashable, Sendable {
    /// A single asset was selected, or is not any more. It comes into sight, or goes out of it, unless it is
    /// seen through an album as well, or hidden.
    case asset(AssetID, isSelected: Bool)
    /// A whole album was selected, or is not any more. What is in it, and seen through nothing else, follows
    /// as ``sight(_:isSeen:)``.
    case album(AlbumID, isSelected: Bool)
    /// An asset came into sight, or went out of it, by a step about an album.
    case sight(AssetID, isSeen: Bool)
    /// The app created an album (S19).
    case created(AlbumID)
    /// An album became a shared one, or is not any more (S19). ``sight(_:isSeen:)`` follows likewise.
    case hidden(AlbumID, isHidden: Bool)
    /// The view is another, in more than steps can tell: fetch anew.
    case reset
  }

  /// Whose view.
  package let viewer: ViewerID
  /// What happened.
  package let step: Step
  /// The albums of the asset, or the album's parent, if any.
  package let holders: [AlbumID]
  /// The asset or album as it was then; `nil` for one that was not in the library.
  package let snapshot: Change.Snapshot?

  /// An entry.
  package init(_ viewer: ViewerID, _ step: Step, holders: [AlbumID] = [], snapshot: Change.Snapshot? = nil) {
    self.viewer = viewer
    self.step = step
    self.holders = holders
    self.snapshot = snapshot
  }

  /// The asset or album that it is about; `nil` for a reset.
  package var subject: Change.Subject? {
    switch step {
    case .asset(let id, _), .sight(let id, _): .asset(id)
    case .album(let id, _), .created(let id), .hidden(let id, _): .album(id)
    case .reset: nil
    }
  }

  /// What comes into sight, as it would be told if it were new.
  var insertion: Change? {
    subject.map { Change($0, .inserted, albumsBefore: [], albumsAfter: holders, snapshot: snapshot) }
  }
}

/// An entry of the journal.
package enum JournalEntry: Hashable, Sendable {
  /// About the library: concerns whoever sees it.
  case change(Change)
  /// About what one viewer sees: concerns only that one.
  case view(ViewChange)
  /// Nobody was told what came before: whoever stands there must fetch anew (S27).
  case reset
}
