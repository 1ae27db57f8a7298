/// Works out the entries by which a viewer's view becomes another, one step after the other.
///
/// First what is added, then what is taken away: what is seen before and after is seen all the time between,
/// and is not told.
package struct ViewTransition {
  /// More entries than this are not worth telling: fetching anew costs both sides less.
  package static let limit = 4096

  /// The view after ``entries``.
  package private(set) var view: LibraryView
  /// What is to be written into the journal.
  package private(set) var entries: [ViewChange] = []
  private let viewer: ViewerID
  private let files: any FileRows

  /// Begins with the view of a viewer.
  package init(_ viewer: Viewer, files: any FileRows) {
    self.viewer = viewer.id
    view = viewer.view
    self.files = files
  }

  /// Whether it has become so long that a reset tells it better; it is not complete then.
  package private(set) var isTooLong = false

  /// Another selection.
  package mutating func select(_ other: SelectionDifference) throws {
    for album in other.addedAlbums.sorted() { try step(.album(album, isSelected: true), album) }
    for asset in other.addedAssets.sorted() { try select(asset, true) }
    for album in other.removedAlbums.sorted() { try step(.album(album, isSelected: false), album) }
    for asset in other.removedAssets.sorted() { try select(asset, false) }
  }

  /// An album became a shared one, or is not any more.
  package mutating func hide(
    _ album: AlbumID, _ isHidden: Bool, parent: AlbumID?, snapshot: Change.Snapshot
  ) throws {
    guard view.hiddenAlbums.contains(album) != isHidden else { return }
    try step(.hidden(album, isHidden: isHidden), album, parent: parent, snapshot: snapshot)
  }

  /// The app created an album.
  package mutating func create(_ album: AlbumID, parent: AlbumID?, snapshot: Change.Snapshot) {
    guard !view.ownAlbums.contains(album) else { return }
    add(.created(album), [parent].compactMap { $0 }, snapshot)
  }

  private mutating func select(_ id: AssetID, _ isSelected: Bool) throws {
    if isTooLong { return }
    let asset = try files.asset(id)
    add(.asset(id, isSelected: isSelected), asset?.albums ?? [], asset.map(Change.Snapshot.init))
  }

  /// A step about an album, and what it means for the assets that are in it.
  private mutating func step(
    _ step: ViewChange.Step, _ album: AlbumID, parent: AlbumID? = nil, snapshot: Change.Snapshot? = nil
  ) throws {
    if isTooLong { return }
    let before = view
    add(step, [parent].compactMap { $0 }, snapshot)
    let links = try files.links(in: album, after: nil, limit: Self.limit + 1)
    var told: Set<AssetID> = []
    for link in links where told.insert(link.asset).inserted {
      guard let asset = try files.asset(link.asset) else { continue }
      let isSeen = view.sees(asset.id, in: asset.albums)
      guard isSeen != before.sees(asset.id, in: asset.albums) else { continue }
      add(.sight(asset.id, isSeen: isSeen), asset.albums, Change.Snapshot(asset))
    }
    // Those beyond the limit were not looked at.
    if links.count > Self.limit { isTooLong = true }
  }

  private mutating func add(
    _ step: ViewChange.Step, _ holders: [AlbumID], _ snapshot: Change.Snapshot?
  ) {
    view.apply(step)
    entries.append(ViewChange(viewer, step, holders: holders, snapshot: snapshot))
    if entries.count > Self.limit { isTooLong = true }
  }
}
