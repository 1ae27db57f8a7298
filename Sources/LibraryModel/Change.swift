/// One entry of the journal: what happened to one asset or album (S25).
///
/// It says all that a delivery says, so that it can be told long after its asset has gone.
package struct Change: Hashable, Sendable {
  /// What it happened to.
  package enum Subject: Hashable, Sendable {
    /// An asset.
    case asset(AssetID)
    /// An album.
    case album(AlbumID)
  }

  /// What happened.
  package enum Operation: Hashable, Sendable {
    /// It is new, or it is back.
    case inserted
    /// It has gone.
    case removed
    /// It stays where it is; `content` says whether its bytes changed, or only what is known about it.
    case changed(content: Bool)
    /// It left an album for another, or an album got another parent.
    case moved(content: Bool)

    /// Whether there are other bytes to read than before.
    package var changesContent: Bool {
      switch self {
      case .changed(let content), .moved(let content): content
      case .inserted, .removed: true
      }
    }
  }

  /// The subject as it is afterwards.
  package enum Snapshot: Hashable, Sendable {
    /// An asset; its albums are ``Change/albumsAfter``. Beside the change, of which each step on its way to subscribers has a
    /// copy: of what is said here, none is made.
    indirect case asset(
      name: FileName, mediaType: MediaType, byteCount: Int64, created: Int64, modified: Int64,
      description: AssetDescription? = nil, sidecars: Int = 0, flags: AssetFlags = [],
      edit: EditState = .none,
      hasRaw: Bool = false
    )
    /// An album; its parent is in ``Change/albumsAfter``.
    case album(name: FileName, root: RootID)
  }

  /// What it happened to.
  package var subject: Subject
  /// What happened.
  package var operation: Operation
  /// The albums the asset was in, or the album's parent, if any. In order.
  package var albumsBefore: [AlbumID]
  /// The same afterwards.
  package var albumsAfter: [AlbumID]
  /// How it is afterwards; `nil` when it has gone.
  package var snapshot: Snapshot?
  /// Whether all that is said of an asset is as it was, but for the albums that it is in: who sees neither those that it
  /// left nor those that it came into sees no change. Of an album: whether only its key photo is another, or the order in
  /// it, and not what a limited app sees of that.
  package var isOfAlbumsAlone: Bool
  /// The smart albums that held an asset before (S93).
  package var smartBefore: SmartAlbums
  /// Whether the asset was hidden before (S91).
  package var wasHidden: Bool

  /// A change.
  ///
  /// - Parameter smartBefore: as afterwards when nil; of what has gone, any of them.
  package init(
    _ subject: Subject, _ operation: Operation, albumsBefore: [AlbumID], albumsAfter: [AlbumID],
    snapshot: Snapshot?, isOfAlbumsAlone: Bool = false, smartBefore: SmartAlbums? = nil,
    wasHidden: Bool = false
  ) {
    self.smartBefore = smartBefore ?? Self.usualSmartBefore(snapshot)
    self.wasHidden = wasHidden
    self.isOfAlbumsAlone = isOfAlbumsAlone
    self.subject = subject
    self.operation = operation
    self.albumsBefore = albumsBefore
    self.albumsAfter = albumsAfter
    self.snapshot = snapshot
  }
}

extension Change {
  /// The smart albums that hold an asset afterwards.
  package var smartAfter: SmartAlbums { snapshot.map { SmartAlbums($0) } ?? [] }

  /// Those that held an asset before where that is not said: as afterwards; of what has gone, any of them.
  package static func usualSmartBefore(_ snapshot: Snapshot?) -> SmartAlbums {
    snapshot.map { SmartAlbums($0) } ?? .every
  }
}

/// An entry with its place in the journal.
package struct PlacedChange: Hashable, Sendable {
  /// Where it stands: one more than the entry before it.
  package let place: Place
  /// What happened.
  package let entry: JournalEntry

  /// An entry at its place.
  package init(place: Place, entry: JournalEntry) {
    self.place = place
    self.entry = entry
  }

  /// What happened to the library; `nil` when it is about something else.
  package var change: Change? {
    switch entry {
    case .change(let change): change
    case .view, .reset: nil
    }
  }

  /// Whether it is about a viewer.
  package var isOfView: Bool {
    if case .view = entry { true } else { false }
  }

  /// What happened to a viewer.
  package var viewChange: ViewChange? {
    switch entry {
    case .change, .reset: nil
    case .view(let change): change
    }
  }
}

extension Change.Snapshot {
  /// An asset as it is.
  package init(_ asset: Asset) {
    self = .asset(
      name: asset.filename, mediaType: asset.mediaType, byteCount: asset.byteCount, created: asset.created,
      modified: asset.modified, description: asset.description, sidecars: asset.sidecars,
      flags: asset.flags.told, edit: asset.edit, hasRaw: asset.hasRaw)
  }

  /// Whether it is a hidden asset.
  package var isHidden: Bool {
    if case .asset(_, _, _, _, _, _, _, let flags, _, _) = self { flags.contains(.hidden) } else { false }
  }
}

extension Change {
  /// An asset is new.
  init(inserted asset: Asset) {
    let snapshot = Snapshot(asset)
    self.init(
      .asset(asset.id), .inserted, albumsBefore: [], albumsAfter: asset.albums, snapshot: snapshot)
  }

  /// What came of an asset; `nil` if nothing that anyone is told.
  static func asset(before: Asset?, after: Asset?, content: Bool) -> Change? {
    // Of what is new, all is said by what it is.
    guard let before else { return after.map(Change.init(inserted:)) }
    guard before != after || content else { return nil }
    let albumsBefore = before.albums
    let albumsAfter = after?.albums ?? []
    let operation: Operation
    if let after {
      // A move leaves something: gaining or losing one of several links is a change of the asset (S25).
      let hasMoved =
        albumsBefore != albumsAfter && !before.links(beyond: after).isEmpty
        && !after.links(beyond: before).isEmpty
      operation = hasMoved ? .moved(content: content) : .changed(content: content)
    } else {
      operation = .removed
    }
    return Change(
      .asset(before.id), operation, albumsBefore: albumsBefore, albumsAfter: albumsAfter,
      snapshot: after.map(Snapshot.init),
      isOfAlbumsAlone: !content && Snapshot(before) == after.map(Snapshot.init)
        && before.contentHash == after?.contentHash,
      smartBefore: SmartAlbums(before.mediaType, before.subtypes, before.flags),
      wasHidden: before.isHidden)
  }
}
