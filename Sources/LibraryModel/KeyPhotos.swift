/// Which assets stand for albums, for whoever only reads it (S102).
package protocol KeyPhotoRows: AnyObject {
  /// The one that was chosen for an album, wherever it is by now.
  func keyAsset(of album: AlbumID) throws -> AssetID?
  /// The albums that an asset was chosen for.
  func albums(withKey asset: AssetID) throws -> Set<AlbumID>
  /// What the app sees that has made an album, where that sees a part of the library.
  func limitedCreatorView(of album: AlbumID) throws -> LibraryView?
}

/// The same, for the one who writes it.
package protocol KeyPhotoIndex: KeyPhotoRows {
  /// Notes which asset stands for an album; none where nil.
  func setKeyAsset(_ asset: AssetID?, of album: AlbumID) throws
}

/// The key photos of albums: which asset stands for each (docs/decisions/0122-key-photo.md).
///
/// What was chosen is kept for the album's life. It is shown while the asset is in the album, and not hidden: so it is there
/// again when the asset is. Followers of albums are told when that has become otherwise; a limited app, which follows those
/// that it has made, when it has become otherwise for what it sees, and of nothing else (S16).
package final class KeyPhotos {
  private let index: (any KeyPhotoIndex)?
  private let files: any FileRows
  private let directories: Directories
  private let context: LibrarianContext

  init(
    _ index: (any KeyPhotoIndex)?, _ files: any FileRows, _ directories: Directories,
    _ context: LibrarianContext
  ) {
    self.index = index
    self.files = files
    self.directories = directories
    self.context = context
  }

  /// Chooses an asset for an album; none when nil.
  package func choose(_ asset: AssetID?, of album: AlbumID) throws {
    guard let index, try index.keyAsset(of: album) != asset else { return }
    let before = try shownToCreator(album)
    try index.setKeyAsset(asset, of: album)
    try context.tell(of: directories.album(album), alsoCreator: shownToCreator(album) != before)
  }

  /// An asset becomes part of another: that stands for albums in its place (S99).
  func follow(_ former: AssetID, to heir: AssetID) throws {
    for album in try index?.albums(withKey: former).sorted() ?? [] { try choose(heir, of: album) }
  }

  /// An asset has come.
  func came(_ asset: Asset) throws {
    guard let index, try !index.albums(withKey: asset.id).isEmpty else { return }
    try changed(nil, asset)
  }

  /// An asset has changed, come or gone.
  func changed(_ before: Asset?, _ after: Asset?) throws {
    guard let index, let id = before?.id ?? after?.id else { return }
    let albums = try index.albums(withKey: id)
    // Nearly always it stands for none.
    if albums.isEmpty { return }
    for album in albums.sorted() {
      func isOtherwise(for view: LibraryView?) -> Bool {
        guard let view else { return false }
        let shown = [before, after].map { asset in asset.map { view.showsKey($0, of: album) } ?? false }
        return shown[0] != shown[1]
      }
      let isOfCreator = isOtherwise(for: try index.limitedCreatorView(of: album))
      if isOfCreator || isOtherwise(for: .everything) {
        try context.tell(of: directories.album(album), alsoCreator: isOfCreator)
      }
    }
  }

  /// Changes what apps see, and tells those of which albums they see the key photo from now on, or do not any more.
  ///
  /// - Parameter albums: those that they have made.
  package func changingViews(ofCreators albums: Set<AlbumID>, _ body: () throws -> Void) throws {
    let before = try albums.sorted().map { ($0, try shownToCreator($0)) }
    try body()
    for (album, shown) in before where try shownToCreator(album) != shown {
      try context.tell(of: directories.album(album), alsoCreator: true)
    }
  }

  /// What the limited app that has made an album is shown for it.
  private func shownToCreator(_ album: AlbumID) throws -> AssetID? {
    guard let index, let view = try index.limitedCreatorView(of: album),
      let id = try index.keyAsset(of: album), let asset = try files.asset(id)
    else { return nil }
    return view.showsKey(asset, of: album) ? id : nil
  }
}

extension LibraryView {
  /// Whether an album is shown with an asset that was chosen for it (S16, S102).
  package func showsKey(_ asset: Asset, of album: AlbumID) -> Bool {
    !asset.isHidden && asset.albums.contains(album) && sees(asset)
  }
}
