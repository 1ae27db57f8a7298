public import AlbumAPI

extension PhotoLibrary {
  /// Assets that the app may see, of which only what is looked at is read: for who shows the library as a whole. PhotoKit:
  /// `PHAsset.fetchAssets(with:)`. ``fetchAssets(with:)`` reads all of them.
  ///
  /// - Parameter options: in the order of `created` or `modified` pages are found in an index; in others the daemon sorts all that
  ///   match for each page of ids.
  /// - Returns: as soon as the first 200 are there.
  /// - Throws: `notAuthorized` with the guide.
  public func fetchAssets(lazily options: FetchOptions) async throws(AlbumError) -> LazyFetchResult {
    try await LazyFetchResult(fetching: AssetFetch(options), from: LibrarySource(lanes: lanes))
  }

  /// The assets of an album, without those of albums in it, read in the same way. PhotoKit:
  /// `PHAsset.fetchAssets(in:options:)`.
  ///
  /// - Throws: `notAuthorized` with the guide.
  public func fetchAssets(
    in album: Album, lazily options: FetchOptions
  ) async throws(AlbumError) -> LazyFetchResult {
    try await LazyFetchResult(
      fetching: AssetFetch(options, albums: [album.id]), from: LibrarySource(lanes: lanes))
  }
}

extension LazyFetchResult {
  /// What a view shows before its app may read: nothing, which fills by the change that access is granted (S70).
  ///
  /// - Parameters:
  ///   - options: which assets, once it may.
  ///   - library: where they are.
  public init(emptyFor options: FetchOptions, of library: PhotoLibrary) {
    self.init(
      emptyFor: AssetFetch(options), from: LibrarySource(lanes: library.lanes),
      token: PersistentChangeToken(both: ""))
  }
}
