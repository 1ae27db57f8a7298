public import AlbumAPI
public import Linux

extension PhotoLibrary {
  /// Assets that the app may see. PhotoKit: `PHAsset.fetchAssets(with:)`.
  ///
  /// - Throws: `notAuthorized` with the guide.
  public func fetchAssets(with options: FetchOptions = .init()) async throws(AlbumError) -> FetchResult<Asset>
  {
    try await fetch(AssetFetch(options))
  }

  /// The assets of an album, without those of albums in it. PhotoKit: `PHAsset.fetchAssets(in:options:)`.
  public func fetchAssets(
    in album: Album, options: FetchOptions = .init()
  ) async throws(AlbumError) -> FetchResult<Asset> {
    try await fetch(AssetFetch(options, albums: [album.id]))
  }

  /// The assets of these ids; an id outside what the app may see is left out (S16). PhotoKit:
  /// `PHAsset.fetchAssets(withLocalIdentifiers:options:)`.
  public func fetchAssets(
    withLocalIdentifiers identifiers: [String], options: FetchOptions = .init()
  ) async throws(AlbumError) -> FetchResult<Asset> {
    try await fetch(AssetFetch(options, identifiers: Set(identifiers)))
  }

  /// The assets of a burst (`Asset.burstIdentifier`, S100), representative or not. PhotoKit:
  /// `PHAsset.fetchAssets(withBurstIdentifier:options:)`; **differs**: no other fetch leaves out what does not represent its burst.
  public func fetchAssets(
    withBurstIdentifier identifier: String, options: FetchOptions = .init()
  ) async throws(AlbumError) -> FetchResult<Asset> {
    var options = options
    let burst = AssetFilter.burstIdentifier(identifier)
    options.matching = options.matching.map { .all([$0, burst]) } ?? burst
    return try await fetch(AssetFetch(options))
  }

  /// Albums that the app may see, by title. PhotoKit: `PHAssetCollection.fetchAssetCollections`.
  ///
  /// - Parameter parent: only those directly in this one. PhotoKit: `fetchCollections(in:options:)`.
  public func fetchAlbums(in parent: Album? = nil) async throws(AlbumError) -> FetchResult<Album> {
    try await fetch(AlbumFetch(parent: parent?.id))
  }

  /// The albums of these ids. PhotoKit: `fetchAssetCollections(withLocalIdentifiers:options:)`.
  public func fetchAlbums(
    withLocalIdentifiers identifiers: [String]
  ) async throws(AlbumError) -> FetchResult<Album> {
    try await fetch(AlbumFetch(identifiers: Set(identifiers)))
  }

  /// The smart albums, or those of some kinds, in the order of ``SmartAlbumKind``, titled in the person's language (S93).
  /// `fetchAssets(in:)` fetches what is in one. PhotoKit: `fetchAssetCollections(with: .smartAlbum, subtype:)`.
  ///
  /// - Throws: `notAuthorized` with the guide.
  public func fetchSmartAlbums(
    _ kinds: Set<SmartAlbumKind>? = nil
  ) async throws(AlbumError) -> FetchResult<Album> {
    try await fetch(AlbumFetch(identifiers: kinds.map { Set($0.map(\.albumID)) }, isSmart: true))
  }

  /// Any fetch, as a result keeps it: to fetch the same anew.
  public func fetch<Fetch: PhotoFetch>(
    _ fetch: Fetch
  ) async throws(AlbumError) -> FetchResult<Fetch.Object> {
    try await lanes.fetch(fetch)
  }

  /// Opens a file of an asset for reading. PhotoKit: `PHAssetResourceManager.requestData(for:)`;
  /// **differs**: the app receives an open file, which stays open whatever happens to its access (S29).
  ///
  /// - Throws: `noSuchAsset`, `offline`, `notAuthorized`.
  public func openResource(
    of asset: Asset, _ resource: ResourceType? = nil
  ) async throws(AlbumError) -> OwnedDescriptor {
    let id = asset.id
    return try await lanes.repeatable(.questions) { connection throws(AlbumError) in
      try connection.open(id, resource: resource).takeFile()
    }
  }

  /// The bytes of an asset's photo, or video. PhotoKit: `PHImageManager.requestImageDataAndOrientation`.
  public func requestImageData(for asset: Asset) async throws(AlbumError) -> [UInt8] {
    try await lanes.reading.pass { () async throws(AlbumError) in
      let file = OpenFile(try await openResource(of: asset))
      return try await WorkLane.once(about: asset.filename) { () throws(AlbumError) in
        try file.descriptor.readAll(named: asset.filename, byteCount: asset.byteCount)
      }
    }
  }
}

/// A file that a closure can hold.
final class OpenFile: Sendable {
  let descriptor: OwnedDescriptor

  init(_ descriptor: consuming OwnedDescriptor) {
    self.descriptor = descriptor
  }
}
