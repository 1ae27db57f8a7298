public import AlbumAPI
public import Linux
public import Varlink

extension AlbumConnection {
  /// The state of the library, and how much of it is visible.
  public func info() throws(AlbumError) -> LibraryInterface.GetInfo.Reply {
    try call(LibraryInterface.GetInfo.self, Empty()).reply
  }

  /// Albums by title.
  ///
  /// - Parameters:
  ///   - parent: only those directly in this album.
  ///   - ids: only these.
  public func albums(
    in parent: String? = nil, ids: [String]? = nil
  ) throws(AlbumError) -> LibraryInterface.FetchAlbums.Reply {
    try call(LibraryInterface.FetchAlbums.self, .init(parent: parent, ids: ids)).reply
  }

  /// All assets that match, page by page.
  public func assets(
    _ filter: LibraryInterface.FetchAssets.Parameters = .init()
  ) throws(AlbumError) -> AlbumStream<LibraryInterface.FetchAssets> {
    try stream(LibraryInterface.FetchAssets.self, filter)
  }

  /// One page of the assets that match, with a cursor when there is another.
  public func page(
    of filter: LibraryInterface.FetchAssets.Parameters
  ) throws(AlbumError) -> LibraryInterface.FetchAssets.Reply {
    try call(LibraryInterface.FetchAssets.self, filter).reply
  }

  /// Changes of assets (S24). The first delivery holds the token where the stream begins.
  ///
  /// - Parameters:
  ///   - scope: about these only.
  ///   - since: the token to go on from.
  public func assetChanges(
    in scope: LibraryInterface.AssetScope? = nil, since token: String? = nil
  ) throws(AlbumError) -> AlbumStream<SubscribeToAssets> {
    try stream(SubscribeToAssets.self, .init(assets: scope, since: token))
  }

  /// Changes of the list of albums (S24).
  public func albumChanges(since token: String? = nil) throws(AlbumError) -> AlbumStream<SubscribeToAlbums> {
    try stream(SubscribeToAlbums.self, .init(albums: true, since: token))
  }

  /// Opens a file of an asset for reading (S43).
  public func open(
    _ id: String, resource: LibraryInterface.ResourceType? = nil
  ) throws(AlbumError) -> OpenedAsset {
    let method = LibraryInterface.OpenAsset.self
    let (reply, descriptors) = try call(method, .init(id: id, resource: resource))
    guard let file = descriptors.take(reply.fileDescriptor) else {
      throw AlbumError(noFileWith: method.name)
    }
    return OpenedAsset(asset: reply.asset, pairedVideoExtension: reply.pairedVideoExtension, file: file)
  }

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
}

// Changing what is there. An owner is asked to confirm what deletes or overwrites (S33).
extension AlbumConnection {
  /// Makes an album (S19).
  ///
  /// - Parameter parent: the album it shall lie in; directly beneath the first root when nil.
  public func createAlbum(_ title: String, in parent: String? = nil) throws(AlbumError)
    -> LibraryInterface.Album
  {
    try call(LibraryInterface.CreateAlbum.self, .init(title: title, parent: parent)).reply.album
  }

  /// Puts assets into another album (S34).
  public func add(_ ids: [String], toAlbum album: String) throws(AlbumError) {
    _ = try call(LibraryInterface.AddToAlbum.self, .init(ids: ids, album: album))
  }

  /// Takes assets out of an album, of several that each is in (S25).
  public func remove(_ ids: [String], fromAlbum album: String) throws(AlbumError) {
    _ = try call(LibraryInterface.RemoveFromAlbum.self, .init(ids: ids, album: album))
  }

  /// Deletes assets.
  ///
  /// - Returns: the ids of those that were deleted.
  public func delete(_ ids: [String]) throws(AlbumError) -> [String] {
    try call(LibraryInterface.DeleteAssets.self, .init(ids: ids)).reply.deleted
  }

  /// Overwrites an asset.
  ///
  /// - Parameter file: a regular file of the same kind, open for reading; closed here once it is sent.
  public func replace(_ id: String, with file: consuming OwnedDescriptor) throws(AlbumError)
    -> LibraryInterface.Asset
  {
    let batch = DescriptorBatch()
    let index = batch.append(file)
    return try call(
      LibraryInterface.ReplaceAsset.self, .init(id: id, fileDescriptor: index), descriptors: batch
    ).reply.asset
  }
}

/// A file of the library, open for reading.
public struct OpenedAsset: ~Copyable {
  /// What it belongs to.
  public let asset: LibraryInterface.Asset
  /// The file's extension, if it is a paired video. The rest of its name is the asset's.
  public let pairedVideoExtension: String?
  /// Its bytes.
  public let file: OwnedDescriptor

  /// Gives the file away.
  consuming func takeFile() -> OwnedDescriptor { file }
}

/// `Subscribe` about assets: its items are assets.
public enum SubscribeToAssets: VarlinkMethod {
  /// The method's name on the wire.
  public static let name = LibraryInterface.Subscribe.name
  /// The same as of every subscription.
  public typealias Parameters = LibraryInterface.Subscribe.Parameters
  /// Assets.
  public typealias Reply = LibraryInterface.Subscribe.Delivery<LibraryInterface.Asset>
}

/// `Subscribe` about the list of albums: its items are albums.
public enum SubscribeToAlbums: VarlinkMethod {
  /// The method's name on the wire.
  public static let name = LibraryInterface.Subscribe.name
  /// The same as of every subscription.
  public typealias Parameters = LibraryInterface.Subscribe.Parameters
  /// Albums.
  public typealias Reply = LibraryInterface.Subscribe.Delivery<LibraryInterface.Album>
}
