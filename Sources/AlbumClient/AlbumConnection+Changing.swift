public import AlbumAPI
public import Linux

// Changing what is there. An owner is asked to confirm what deletes or overwrites (S33).
extension AlbumConnection {
  /// Adds files (S30).
  ///
  /// - Parameters:
  ///   - items: each names its descriptor by index.
  ///   - descriptors: regular files, open for reading; closed here once they are sent.
  ///   - album: where to; the directory that the configuration names when nil.
  ///   - purpose: what for; the last reply then holds a guide, in that language.
  /// - Returns: progress, and in the last reply what became of them.
  public func add(
    _ items: [LibraryInterface.AddItem], _ descriptors: DescriptorBatch, to album: String? = nil,
    for purpose: LibraryInterface.SavePurpose? = nil, language: String? = nil
  ) throws(AlbumError) -> AlbumStream<LibraryInterface.AddAssets> {
    try stream(
      LibraryInterface.AddAssets.self,
      .init(items: items, album: album, purpose: purpose, language: language), descriptors: descriptors)
  }

  /// Makes an album (S19).
  ///
  /// - Parameters:
  ///   - parent: the album it shall lie in; directly beneath a root when nil.
  ///   - root: beneath which, by its name; the first when nil.
  ///   - percentEncodedTitle: the title's bytes where they are not UTF-8, as an album's has them: they count then instead.
  public func createAlbum(
    _ title: String, in parent: String? = nil, root: String? = nil, percentEncodedTitle: String? = nil
  ) throws(AlbumError) -> LibraryInterface.Album {
    try call(
      LibraryInterface.CreateAlbum.self,
      .init(title: title, parent: parent, root: root, percentEncodedTitle: percentEncodedTitle)
    ).reply.album
  }

  /// Gives an album another title (S75).
  public func rename(album: String, to title: String) throws(AlbumError) -> LibraryInterface.Album {
    try call(LibraryInterface.RenameAlbum.self, .init(album: album, title: title)).reply.album
  }

  /// Has an album lie in another (S75).
  ///
  /// - Parameter parent: directly beneath its root when nil.
  public func move(album: String, into parent: String?) throws(AlbumError) -> LibraryInterface.Album {
    try call(LibraryInterface.MoveAlbum.self, .init(album: album, parent: parent)).reply.album
  }

  /// Chooses the asset that stands for an album, of those in it; none any more when nil (S102). Needs `readWrite`.
  ///
  /// - Returns: the album as it is now.
  /// - Throws: `NoSuchAlbum`; `NoSuchAsset` of one that is not in it.
  @discardableResult
  public func setKeyAsset(_ asset: String?, of album: String) throws(AlbumError) -> Album {
    try call(LibraryInterface.SetKeyAsset.self, .init(album: album, asset: asset)).reply.album
  }

  /// Deletes an album; the owner is asked where assets are in it (S76).
  ///
  /// - Returns: the ids of those that were deleted with it.
  public func delete(album: String) throws(AlbumError) -> [String] {
    try call(LibraryInterface.DeleteAlbum.self, .init(album: album)).reply.deleted
  }

  /// Puts assets into another album (S34).
  public func add(_ ids: [String], toAlbum album: String) throws(AlbumError) {
    _ = try call(LibraryInterface.AddToAlbum.self, .init(ids: ids, album: album))
  }

  /// Takes assets out of an album, of several that each is in (S25).
  public func remove(_ ids: [String], fromAlbum album: String) throws(AlbumError) {
    _ = try call(LibraryInterface.RemoveFromAlbum.self, .init(ids: ids, album: album))
  }

  /// Gives an asset another name (S77).
  ///
  /// - Parameter filename: with its extension or without.
  public func rename(asset: String, to filename: String) throws(AlbumError) -> LibraryInterface.Asset {
    try call(LibraryInterface.RenameAsset.self, .init(id: asset, filename: filename)).reply.asset
  }

  /// Moves assets into an album, out of those that they are seen in (S77).
  ///
  /// - Parameter album: none when nil: directly beneath the root that they are in.
  public func move(_ ids: [String], toAlbum album: String?) throws(AlbumError) {
    _ = try call(LibraryInterface.MoveAssets.self, .init(ids: ids, album: album))
  }

  /// Puts assets of an album before another one in it, in this order (S103). Needs `readWrite`.
  ///
  /// - Parameters:
  ///   - ids: at most 1000.
  ///   - other: none of them; at the end when nil.
  /// - Throws: `NoSuchAlbum`; `NoSuchAsset` of one that is not in it.
  public func move(_ ids: [String], inAlbum album: String, before other: String?) throws(AlbumError) {
    _ = try call(LibraryInterface.MoveInAlbum.self, .init(album: album, ids: ids, before: other))
  }

  /// Marks assets as favourites, or as none any more (S90).
  ///
  /// - Parameter ids: at most 1000. Where one fails, those before it are marked.
  /// - Throws: `noSuchAsset`, `flagsNotSupported`, `readOnly`, `offline`, `noSpace`, `notAuthorized`.
  public func setFavorite(_ favorite: Bool, of ids: [String]) throws(AlbumError) {
    _ = try call(LibraryInterface.SetFavorite.self, .init(ids: ids, favorite: favorite))
  }

  /// Hides assets, or shows them again (S91). Takes the whole library.
  ///
  /// - Parameter ids: at most 1000. Where one fails, those before it are hidden.
  /// - Throws: as ``setFavorite(_:of:)``; `permissionDenied` for an app that sees a part of the library.
  public func setHidden(_ hidden: Bool, of ids: [String]) throws(AlbumError) {
    _ = try call(LibraryInterface.SetHidden.self, .init(ids: ids, hidden: hidden))
  }

  /// Deletes assets.
  ///
  /// - Returns: the ids of those that were deleted.
  public func delete(_ ids: [String]) throws(AlbumError) -> [String] {
    try call(LibraryInterface.DeleteAssets.self, .init(ids: ids)).reply.deleted
  }

  /// Overwrites an asset.
  ///
  /// - Parameters:
  ///   - file: a regular file of the same kind, open for reading; closed here once it is sent.
  ///   - adjustment: what was done to it: what it was before the first one is kept, and can be put back (S94).
  public func replace(
    _ id: String, with file: consuming OwnedDescriptor, adjustment: PhotoAdjustment? = nil
  ) throws(AlbumError) -> LibraryInterface.Asset {
    let batch = DescriptorBatch()
    let index = batch.append(file)
    return try call(
      LibraryInterface.ReplaceAsset.self, .init(id: id, fileDescriptor: index, adjustment: adjustment?.wire),
      descriptors: batch
    ).reply.asset
  }
}
