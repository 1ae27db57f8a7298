/// What one caller may see of the library (S16, S19).
package struct LibraryView: Hashable, Sendable {
  /// Whether nothing is kept from it; otherwise it sees ``assets``, and whatever is in ``albums``.
  package let seesEverything: Bool
  /// The single assets that are selected.
  package private(set) var assets: Set<AssetID>
  /// The albums that are selected as a whole: also what is added to them later (S17).
  package private(set) var albums: Set<AlbumID>
  /// Albums whose assets are not seen through anything: those that are shared, for a limited app.
  package private(set) var hiddenAlbums: Set<AlbumID>
  /// Albums that the app created itself: the only ones that a limited app sees as albums (S19). They make
  /// no asset visible.
  package private(set) var ownAlbums: Set<AlbumID>

  /// The whole library.
  package static let everything = LibraryView(ownAlbums: [])

  /// The whole library, as seen by an app that created these albums.
  package init(ownAlbums: Set<AlbumID>) {
    seesEverything = true
    assets = []
    albums = []
    hiddenAlbums = []
    self.ownAlbums = ownAlbums
  }

  /// A selection.
  package init(
    assets: Set<AssetID>, albums: Set<AlbumID>, hiddenAlbums: Set<AlbumID>, ownAlbums: Set<AlbumID>
  ) {
    seesEverything = false
    self.assets = assets
    self.albums = albums
    self.hiddenAlbums = hiddenAlbums
    self.ownAlbums = ownAlbums
  }

  /// Whether an asset that is in these albums is seen.
  package func sees(_ asset: AssetID, in albums: [AlbumID]) -> Bool {
    seesEverything || (assets.contains(asset) || selectsAny(of: albums)) && !hidesAny(of: albums)
  }

  /// Whether an asset is seen, by who names it: where the caller sees a part of the library, no hidden one is (S91).
  package func sees(_ asset: Asset) -> Bool {
    seesEverything || !asset.isHidden && sees(asset.id, in: asset.albums)
  }

  /// Whether an album itself is seen.
  package func sees(_ album: AlbumID) -> Bool {
    knows(album) && !hiddenAlbums.contains(album)
  }

  /// Whether the caller may name an album: a limited app knows those that it created.
  func knows(_ album: AlbumID) -> Bool { seesEverything || ownAlbums.contains(album) }

  /// Whether one of these albums is selected as a whole.
  func selectsAny(of albums: [AlbumID]) -> Bool { albums.contains { self.albums.contains($0) } }

  /// Whether one of these albums is hidden.
  package func hidesAny(of albums: [AlbumID]) -> Bool { albums.contains { hiddenAlbums.contains($0) } }

  /// Narrows a query to what is seen. An album that is not seen has nothing in it.
  package func narrow(_ query: AssetQuery) -> AssetQuery {
    if seesEverything { return query }
    var query = query
    query.includesHidden = false
    for index in query.memberships.indices { query.memberships[index].albums.removeAll { !sees($0) } }
    query.memberships.append(.init(ids: assets.sorted(), albums: albums.sorted()))
    query.excludedAlbums += hiddenAlbums.sorted()
    query.filter = query.filter?.narrowed(to: self)
    return query
  }

  /// The same of a query that is short then (``AssetQuery/isShort``); nil where it is not. What is narrowed to a large selection is
  /// looked up elsewhere, and that is not even sorted here.
  package func narrowIfShort(_ query: AssetQuery) -> AssetQuery? {
    guard
      seesEverything
        || assets.count <= AssetQuery.fewNamed && albums.isEmpty && hiddenAlbums.isEmpty
    else { return nil }
    let query = narrow(query)
    return query.isShort ? query : nil
  }

  /// Whether whoever was told by this view was told of nothing that the other, of a moment later, does not show.
  package func isWithin(_ other: LibraryView) -> Bool {
    // Nearly always nothing has changed, and the sets are the same ones.
    self == other
      || seesEverything == other.seesEverything && assets.isSubset(of: other.assets)
        && albums.isSubset(of: other.albums) && ownAlbums.isSubset(of: other.ownAlbums)
        && other.hiddenAlbums.isSubset(of: hiddenAlbums)
  }

  // MARK: Changing

  /// Goes on to the view after a step.
  package mutating func apply(_ step: ViewChange.Step) {
    switch step {
    case .asset(let id, let isSelected): assets.set(id, isSelected)
    case .album(let id, let isSelected): albums.set(id, isSelected)
    case .hidden(let id, let isHidden): hiddenAlbums.set(id, isHidden)
    case .created(let id): ownAlbums.insert(id)
    case .sight, .reset: break
    }
  }

  /// Goes back to the view before a step.
  package mutating func undo(_ step: ViewChange.Step) {
    switch step {
    case .asset(let id, let isSelected): assets.set(id, !isSelected)
    case .album(let id, let isSelected): albums.set(id, !isSelected)
    case .hidden(let id, let isHidden): hiddenAlbums.set(id, !isHidden)
    case .created(let id): ownAlbums.remove(id)
    case .sight, .reset: break
    }
  }
}

extension Set {
  fileprivate mutating func set(_ member: Element, _ isMember: Bool) {
    if isMember { insert(member) } else { remove(member) }
  }
}
