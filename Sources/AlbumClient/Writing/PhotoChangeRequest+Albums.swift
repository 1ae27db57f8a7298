extension PhotoChangeRequest {
  /// Makes an album, of which the app is the maker (S19). Needs `readWrite`. PhotoKit:
  /// `creationRequestForAssetCollection(withTitle:)`.
  ///
  /// - Parameters:
  ///   - title: the name of its directory; one that exists gets a number.
  ///   - parent: the album that it shall lie in; directly beneath the first root when nil.
  @discardableResult
  public mutating func createAlbum(
    titled title: String, in parent: (any PhotoReference)? = nil
  ) -> PhotoObjectPlaceholder {
    let placeholder = PhotoObjectPlaceholder()
    append(.createAlbum(title, parent: parent, placeholder))
    return placeholder
  }

  /// Gives an album another title; it keeps its id (S75). Needs `readWrite`. PhotoKit: `title` of
  /// `PHAssetCollectionChangeRequest`.
  public mutating func rename(album: any PhotoReference, to title: String) {
    append(.renameAlbum(album, title))
  }

  /// Has an album lie in another one of the same root (S75). Needs `readWrite`. PhotoKit: `addChildCollections(_:)` of
  /// `PHCollectionListChangeRequest`.
  ///
  /// - Parameter parent: directly beneath its root when nil.
  public mutating func move(album: any PhotoReference, into parent: (any PhotoReference)?) {
    append(.moveAlbum(album, parent: parent))
  }

  /// Deletes an album, an empty one at once, and another with its assets if the owner confirms it (S76). Needs `readWrite`.
  /// PhotoKit: `deleteAssetCollections(_:)`; **differs**: there the assets stay, here an album is where they are.
  public mutating func delete(album: any PhotoReference) {
    append(.deleteAlbum(album))
  }

  /// Puts assets into another album; they stay in those they are in (S34). Needs `readWrite`. PhotoKit:
  /// `addAssets(_:)`.
  public mutating func add(_ assets: [any PhotoReference], to album: any PhotoReference) {
    append(.addToAlbum(assets, album))
  }

  /// Takes assets out of an album. Each has to be somewhere else as well (S25). Needs `readWrite`.
  /// PhotoKit: `removeAssets(_:)`; **differs**: an asset that is in no album can only be deleted.
  public mutating func remove(_ assets: [any PhotoReference], from album: any PhotoReference) {
    append(.removeFromAlbum(assets, album))
  }

  /// Moves assets into an album, out of all others that they are seen in (S77). Needs `readWrite`. PhotoKit has none.
  ///
  /// - Parameter album: none when nil: directly beneath the root that they are in.
  public mutating func move(_ assets: [any PhotoReference], to album: (any PhotoReference)?) {
    append(.moveToAlbum(assets, album))
  }

  /// Puts assets of an album before another one in it, in this order: what `FetchOptions.SortKey.custom` sorts by (S103). Needs
  /// `readWrite`. PhotoKit: `moveAssets(at:to:)` of `PHAssetCollectionChangeRequest`; **differs**: it names assets, and no places
  /// in a list that may be another by now.
  ///
  /// - Parameter other: none of them; at the end when nil.
  public mutating func move(
    _ assets: [any PhotoReference], in album: any PhotoReference, before other: (any PhotoReference)?
  ) {
    append(.moveInAlbum(assets, album, before: other))
  }

  /// Gives an asset another name; it keeps its id and its extension (S77). Needs `readWrite`. PhotoKit has none.
  public mutating func rename(asset: any PhotoReference, to filename: String) {
    append(.renameAsset(asset, filename))
  }

  /// Overwrites an asset, if the owner confirms it (S33). Needs `readWrite`. PhotoKit:
  /// `PHContentEditingOutput` of a change request.
  ///
  /// - Parameters:
  ///   - source: of the same kind: a photo for a photo.
  ///   - adjustment: what was done to it: what it was before the first one is kept, and ``revert(_:)`` puts it back (S94).
  ///     Without one nothing is kept any more. PhotoKit: `adjustmentData`.
  public mutating func replace(
    _ asset: any PhotoReference, with source: MediaSource, adjustment: PhotoAdjustment? = nil
  ) {
    append(.replace(asset, source, adjustment))
  }

  /// Puts an asset's original back, if the owner confirms it (S94): `noAdjustment` where none is kept. Needs `readWrite`.
  /// PhotoKit: `revertAssetContentToOriginal()`.
  public mutating func revert(_ asset: any PhotoReference) {
    append(.revert(asset))
  }

  /// Deletes assets, if the owner confirms it (S33): they rest in "recently deleted" for some days. Where one
  /// is gone already, nobody is asked and none is deleted: `noSuchAsset`. What goes while the owner is asked is
  /// left out. More than 1000 are asked for in several times. Needs `readWrite`. PhotoKit: `deleteAssets(_:)`.
  public mutating func delete(_ assets: [any PhotoReference]) {
    append(.delete(assets))
  }

  /// Chooses the asset that stands for an album, of those in it; none any more when nil (S102). Needs `readWrite`. PhotoKit:
  /// `setKeyAsset(_:)` of `PHProjectChangeRequest`, for projects alone.
  public mutating func setKeyAsset(_ asset: (any PhotoReference)?, of album: any PhotoReference) {
    append(.keyAsset(asset, of: album))
  }
}
