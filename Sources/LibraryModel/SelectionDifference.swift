/// What joins a selection, and what leaves it.
package struct SelectionDifference: Hashable, Sendable {
  /// Assets that join it.
  package var addedAssets: Set<AssetID> = []
  /// Assets that leave it.
  package var removedAssets: Set<AssetID> = []
  /// Albums that join it.
  package var addedAlbums: Set<AlbumID> = []
  /// Albums that leave it.
  package var removedAlbums: Set<AlbumID> = []

  /// None.
  package init() {}

  /// From what a view has to another selection.
  package init(from view: LibraryView, toAssets assets: Set<AssetID>, albums: Set<AlbumID>) {
    addedAssets = assets.subtracting(view.assets)
    removedAssets = view.assets.subtracting(assets)
    addedAlbums = albums.subtracting(view.albums)
    removedAlbums = view.albums.subtracting(albums)
  }

  /// How many join or leave.
  package var count: Int {
    addedAssets.count + removedAssets.count + addedAlbums.count + removedAlbums.count
  }
}
