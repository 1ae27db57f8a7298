/// Which assets stand for albums, for whoever only reads it (S102).
package protocol KeyPhotoRows: AnyObject {
  /// The one that was chosen for an album, wherever it is by now.
  func keyAsset(of album: AlbumID) throws -> AssetID?
  /// The albums that an asset was chosen for.
  func albums(withKey asset: AssetID) throws -> Set<AlbumID>
}

/// The same, for the one who writes it.
package protocol KeyPhotoIndex: KeyPhotoRows {
  /// Notes which asset stands for an album; none where nil.
  func setKeyAsset(_ asset: AssetID?, of album: AlbumID) throws
}

/// The key photos of albums: which asset stands for each (docs/decisions/0122-key-photo.md).
///
/// What was chosen is kept for the album's life. It is shown while the asset is in the album, and not hidden: so it is there again
/// when the asset is. Followers of albums are told whenever that may have become otherwise.
package final class KeyPhotos {
  private let index: (any KeyPhotoIndex)?
  private let directories: Directories
  private let context: LibrarianContext

  init(_ index: (any KeyPhotoIndex)?, _ directories: Directories, _ context: LibrarianContext) {
    self.index = index
    self.directories = directories
    self.context = context
  }

  /// Chooses an asset for an album; none when nil.
  package func choose(_ asset: AssetID?, of album: AlbumID) throws {
    guard let index, try index.keyAsset(of: album) != asset else { return }
    try index.setKeyAsset(asset, of: album)
    try tell(of: [album])
  }

  /// An asset has changed, come or gone.
  func changed(_ before: Asset?, _ after: Asset?) throws {
    guard let index, let id = (before ?? after)?.id else { return }
    let albums = try index.albums(withKey: id)
    guard !albums.isEmpty else { return }
    // Whoever sees a part of the library may see it because of another album that it is in.
    guard before?.albums != after?.albums || before?.isHidden != after?.isHidden else { return }
    let held = Set(before?.albums ?? []).union(after?.albums ?? [])
    try tell(of: albums.intersection(held))
  }

  /// Tells that albums may have another key photo, or none, for some who follow them.
  package func tell(of albums: Set<AlbumID>) throws {
    for album in albums.sorted() {
      guard let node = directories.tree[album] else { continue }
      let parent = node.parent.flatMap { $0.isRoot ? nil : [$0] } ?? []
      try context.publish(
        Change(
          .album(album), .changed(content: false), albumsBefore: parent, albumsAfter: parent,
          snapshot: .album(name: node.name, root: node.root)))
    }
  }
}

extension LibraryView {
  /// Whether an album is shown with an asset that was chosen for it (S16, S102).
  package func showsKey(_ asset: Asset, of album: AlbumID) -> Bool {
    !asset.isHidden && asset.albums.contains(album) && sees(asset)
  }
}
