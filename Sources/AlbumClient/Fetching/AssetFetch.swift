public import AlbumAPI

/// A fetch of assets: the options, and what they are chosen from.
public struct AssetFetch: PhotoFetch {
  /// Which of them, and in which order.
  public var options: FetchOptions
  /// Only those in one of these albums; in any or none when nil.
  public var albums: Set<String>?
  /// Only these; any when nil.
  public var identifiers: Set<String>?

  /// All assets that the options admit, unless said otherwise.
  public init(_ options: FetchOptions = .init(), albums: Set<String>? = nil, identifiers: Set<String>? = nil)
  {
    self.options = options
    self.albums = albums
    self.identifiers = identifiers
  }

  /// The most assets; all when nil.
  public var limit: Int? { options.fetchLimit.map { max(0, $0) } }

  /// Whether an asset belongs to the result, as the daemon decides it.
  public func includes(_ asset: Asset) -> Bool {
    if let albums, !asset.albums.contains(where: albums.contains) { return false }
    if let identifiers, !identifiers.contains(asset.id) { return false }
    if let types = options.mediaTypes, !types.contains(asset.mediaType) { return false }
    if let after = options.createdAfter, asset.created < after { return false }
    if let before = options.createdBefore, asset.created >= before { return false }
    if let text = options.nameContains { return asset.nameBytes.contains(asciiCaseInsensitive: text) }
    return true
  }

  /// Whether one asset comes before another: by the options' key, then by id.
  public func areInOrder(_ one: Asset, _ other: Asset) -> Bool {
    let (first, second) = options.ascending ? (one, other) : (other, one)
    switch options.sortKey {
    case .created: return (first.created, first.id) < (second.created, second.id)
    case .modified: return (first.modified, first.id) < (second.modified, second.id)
    case .byteCount: return (first.byteCount, first.id) < (second.byteCount, second.id)
    case .filename:
      let (a, b) = (first.nameBytes, second.nameBytes)
      return a == b ? first.id < second.id : a.lexicographicallyPrecedes(b)
    }
  }

  /// Fetches page by page.
  public func fetch(on connection: AlbumConnection) throws(AlbumError) -> FetchResult<Asset> {
    // What is asked for has a limit; without one, pages are as large as they can be.
    var parameters = parameters(pageLimit: min(1000, max(1, limit ?? 1000)))
    var assets: [Asset] = []
    var token: String?
    repeat {
      let page = try connection.page(of: parameters)
      assets += page.assets
      // Of the first page: what changed before a later one was read is told again from there, and once
      // more is not too often for a result.
      token = token ?? page.token
      parameters.cursor = page.cursor
    } while parameters.cursor != nil && assets.count < limit ?? .max
    return FetchResult(self, fetched: assets, token: PersistentChangeToken(both: token ?? ""))
  }

  private func parameters(pageLimit: Int) -> LibraryInterface.FetchAssets.Parameters {
    .init(
      albums: albums.map { $0.sorted() }, ids: identifiers.map { $0.sorted() },
      mediaTypes: options.mediaTypes.map { types in MediaType.allCases.filter(types.contains) },
      createdAfter: options.createdAfter, createdBefore: options.createdBefore,
      nameContains: options.nameContains, sort: options.sortKey,
      descending: options.ascending ? nil : true, limit: pageLimit)
  }
}
