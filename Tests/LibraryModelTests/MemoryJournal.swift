@testable import LibraryModel

/// A journal with viewers in memory: what `LibraryStore` keeps, without IO.
final class MemoryJournal {
  let index = MemoryIndex()
  private(set) var albums: [AlbumID: AlbumID?] = [:]
  private(set) var entries: [PlacedChange] = []
  private(set) var viewers: [ViewerID: LibraryView] = [:]
  private var hidden: Set<AlbumID> = []
  private var own: [ViewerID: Set<AlbumID>] = [:]
  private var lastAsset: Int64 = 0

  var assets: [AssetID: Asset] { index.assets }
  var place: Place { Place(rawValue: Int64(entries.count)) }

  private func write(_ entry: JournalEntry) {
    entries.append(PlacedChange(place: Place(rawValue: place.rawValue + 1), entry: entry))
  }

  // MARK: What happens

  private func snapshot(_ album: AlbumID) -> Change.Snapshot {
    .album(name: FileName("\(album.rawValue)"), root: RootID(rawValue: 1))
  }

  func makeAlbum(_ album: AlbumID, in parent: AlbumID?) {
    albums[album] = parent
    write(
      .change(
        Change(
          .album(album), .inserted, albumsBefore: [], albumsAfter: [parent].compactMap { $0 },
          snapshot: snapshot(album))))
  }

  func add(to directory: DirectoryID) {
    lastAsset += 1
    let id = AssetID(rawValue: lastAsset)
    set(
      id,
      Asset(
        id: id, mediaType: .image,
        identity: FileIdentity(volume: .test, inode: UInt64(lastAsset), birthTime: 1),
        byteCount: 1, created: 1, modified: 1, primary: Location(directory, FileName("\(lastAsset).jpg"))))
  }

  func set(_ id: AssetID, _ after: Asset?) {
    let before = assets[id]
    for link in before?.links ?? [] { index.removeLink(at: link) }
    for link in after?.links ?? [] {
      _ = index.insert(
        Link(
          location: link, asset: id,
          identity: FileIdentity(volume: .test, inode: UInt64(id.rawValue), birthTime: 1),
          byteCount: 1, modified: 1))
    }
    if let after { index.insert(after) } else { index.remove(id) }
    let content = before != nil && after != nil && before == after
    if let change = Change.asset(before: before, after: after, content: content) { write(.change(change)) }
  }

  func createAlbum(_ album: AlbumID, by viewer: ViewerID) {
    makeAlbum(album, in: nil)
    own[viewer, default: []].insert(album)
    guard let view = viewers[viewer], !view.seesEverything else { return }
    var transition = ViewTransition(Viewer(id: viewer, view: view), files: index)
    transition.create(album, parent: nil, snapshot: snapshot(album))
    take(transition, viewer)
  }

  func hide(_ album: AlbumID, _ isHidden: Bool) throws {
    if isHidden { hidden.insert(album) } else { hidden.remove(album) }
    for (id, view) in viewers.sorted(by: { $0.key < $1.key }) where !view.seesEverything {
      var transition = ViewTransition(Viewer(id: id, view: view), files: index)
      try transition.hide(album, isHidden, parent: nil, snapshot: snapshot(album))
      take(transition, id)
    }
  }

  func select(_ viewer: ViewerID, assets: Set<AssetID>, albums: Set<AlbumID>) throws {
    guard let view = viewers[viewer], !view.seesEverything else {
      write(.view(ViewChange(viewer, .reset)))
      viewers[viewer] = LibraryView(
        assets: assets, albums: albums, hiddenAlbums: hidden, ownAlbums: own[viewer] ?? [])
      return
    }
    var transition = ViewTransition(Viewer(id: viewer, view: view), files: index)
    try transition.select(SelectionDifference(from: view, toAssets: assets, albums: albums))
    take(transition, viewer)
  }

  func showEverything(_ viewer: ViewerID) {
    guard viewers[viewer]?.seesEverything == false else { return }
    write(.view(ViewChange(viewer, .reset)))
    viewers[viewer] = .everything
  }

  private func take(_ transition: ViewTransition, _ viewer: ViewerID) {
    for entry in transition.entries { write(.view(entry)) }
    viewers[viewer] = transition.view
  }

  // MARK: What is read

  /// The view of a viewer at a place: `nil` when it was reset since.
  func view(of viewer: ViewerID, at start: Place) -> LibraryView? {
    guard var view = viewers[viewer] else { return nil }
    for entry in entries[Int(start.rawValue)...].reversed() {
      guard let change = entry.viewChange, change.viewer == viewer else { continue }
      if change.step == .reset { return nil }
      view.undo(change.step)
    }
    return view
  }

  /// Everything that is seen and wanted.
  func visible(_ subject: ChangeFilter.Subject, _ view: LibraryView) -> Set<Change.Subject> {
    switch subject {
    case .albums: return Set(albums.keys.filter { view.sees($0) }.map { .album($0) })
    case .assets(let wanted, let ids, let smart):
      let found = assets.values.filter { asset in
        guard view.sees(asset.id, in: asset.albums) else { return false }
        if wanted == nil && ids == nil { return true }
        return ids?.contains(asset.id) ?? false
          || SmartAlbum.allCases.contains { smart.contains(SmartAlbums([$0])) && $0.filter.holds(for: asset) }
          || asset.albums.contains { album in
            wanted?.contains(album) ?? false && (view.seesEverything || view.ownAlbums.contains(album))
          }
      }
      return Set(found.map { .asset($0.id) })
    }
  }
}
