public import AlbumAPI
public import Varlink

extension AlbumConnection {
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
