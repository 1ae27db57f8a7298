public import AlbumAPI

/// A fetch of assets: the options, and what they are chosen from.
public struct AssetFetch: PhotoFetch {
  /// Which of them, and in which order.
  public var options: FetchOptions
  /// Only those in one of these albums; in any or none when nil. Smart ones may be among them (S93).
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

  /// The most assets, of which there is one at least; all when nil.
  public var limit: Int? { options.fetchLimit.flatMap { $0 > 0 ? $0 : nil } }

  /// As the options say.
  public var ascending: Bool { options.ascending }

  /// What happens to hidden assets is not told, and neither when what is new came, nor where it is in an album's order; and what
  /// comes up at a beginning that is none of the list is not known here.
  public var isFetchedAnew: Bool {
    includesHidden || options.sortKey == .added || options.sortKey == .custom || options.takenIn != nil
      || offset > 0
  }

  /// Whether the order of its album may be another (S103).
  public func isFetchedAnew(after changes: ObjectChanges<Album>) -> Bool {
    guard options.sortKey == .custom else { return false }
    return !changes.hasIncrementalChanges || changes.updated.contains { albums?.contains($0.id) ?? false }
  }

  /// Whether hidden assets may be among them.
  var includesHidden: Bool { options.isHidden ?? options.includeHiddenAssets }

  /// How many of the first are left out.
  var offset: Int { max(0, options.fetchOffset) }

  /// Whether an asset belongs to the result, as the daemon decides it.
  public func includes(_ asset: Asset) -> Bool {
    if let albums, !albums.contains(where: asset.isIn) { return false }
    if let filter = options.matching, !filter.holds(for: asset) { return false }
    if let identifiers, !identifiers.contains(asset.id) { return false }
    if let types = options.mediaTypes, !types.contains(asset.mediaType) { return false }
    if let kinds = options.mediaSubtypes, asset.mediaSubtypes.isDisjoint(with: kinds) { return false }
    if let hashes = options.contentHashes, !(asset.contentHash.map(hashes.contains) ?? false) { return false }
    if let isFavorite = options.isFavorite, (asset.isFavorite ?? false) != isFavorite { return false }
    if asset.isHidden ?? false, !includesHidden { return false }
    if let isHidden = options.isHidden, (asset.isHidden ?? false) != isHidden { return false }
    if let start = options.takenIn {
      if options.ascending ? asset.created < start : asset.created > start { return false }
    }
    if let after = options.createdAfter, asset.created < after { return false }
    if let before = options.createdBefore, asset.created >= before { return false }
    if let text = options.nameContains { return asset.nameBytes.contains(asciiCaseInsensitive: text) }
    return true
  }

  /// Whether one asset comes before another: by the options' key alone.
  public func areInOrder(_ one: Asset, _ other: Asset) -> Bool {
    let (first, second) = options.ascending ? (one, other) : (other, one)
    switch options.sortKey {
    case .created: return first.created < second.created
    case .modified: return first.modified < second.modified
    case .byteCount: return first.byteCount < second.byteCount
    case .added: return (first.added ?? first.created) < (second.added ?? second.created)
    // The daemon knows it.
    case .custom: return false
    case .filename: return first.nameBytes.lexicographicallyPrecedes(second.nameBytes)
    }
  }

  /// Fetches page by page.
  public func fetch(on connection: AlbumConnection) throws(AlbumError) -> FetchResult<Asset> {
    let (albumBatches, batches) = (Array(IdentifierBatches(albums)), Array(IdentifierBatches(identifiers)))
    // Of several questions only all answers tell which are the first.
    let isOne = albumBatches.count * batches.count == 1
    var whole = self
    if !isOne {
      whole.options.fetchLimit = limit.map { min($0, .max - offset) + offset }
      whole.options.fetchOffset = 0
    }
    var assets: [Asset] = []
    // Of the first page: what changed before a later one was read is told again from there, and once more
    // is not too often for a result.
    var token: String?
    for albums in albumBatches {
      for identifiers in batches {
        let batch = try whole.fetch(whole.parameters(albums, identifiers), on: connection)
        assets += batch.assets
        token = token ?? batch.token
      }
    }
    let result = FetchResult(whole, fetched: assets, token: PersistentChangeToken(both: token ?? ""))
    return isOne ? result : FetchResult(self, sorted: Array(result.dropFirst(offset)), token: result.token)
  }

  /// All pages of one question, as far as the limit goes.
  private func fetch(
    _ parameters: LibraryInterface.FetchAssets.Parameters, on connection: AlbumConnection
  ) throws(AlbumError) -> (assets: [Asset], token: String) {
    var parameters = parameters
    let first = try connection.page(of: parameters)
    var assets = first.assets
    // Under the cursor, what came before can come again: once it counts, or the result would seem to be whole.
    var found = Set(limit == nil ? [] : assets.map(\.id))
    parameters.cursor = first.cursor
    while parameters.cursor != nil, found.count < limit ?? .max {
      let page = try connection.page(of: parameters)
      assets += page.assets
      if limit != nil { found.formUnion(page.assets.lazy.map(\.id)) }
      parameters.cursor = page.cursor
    }
    return (assets, first.token)
  }

  /// What a fetch asks for that is not read at once: of one album, or of all.
  var lazyParameters: LibraryInterface.FetchAssets.Parameters { parameters(albums?.sorted(), nil) }

  private func parameters(
    _ albums: [String]?, _ identifiers: [String]?
  ) -> LibraryInterface.FetchAssets.Parameters {
    .init(
      albums: albums, ids: identifiers,
      mediaTypes: options.mediaTypes.map { types in MediaType.allCases.filter(types.contains) },
      createdAfter: options.createdAfter, createdBefore: options.createdBefore,
      nameContains: options.nameContains,
      subtypes: options.mediaSubtypes.map { kinds in
        LibraryInterface.Subtype.allCases.filter(kinds.contains)
      }, takenIn: options.takenIn.map { .init(from: $0) }, sort: options.sortKey,
      descending: options.ascending ? nil : true,
      // Without a limit of its own, pages are as large as they can be.
      limit: min(1000, limit ?? 1000), matching: options.matching,
      offset: offset > 0 ? offset : nil,
      contentHashes: options.contentHashes.map { $0.sorted() }, isFavorite: options.isFavorite,
      includeHidden: options.includeHiddenAssets ? true : nil, isHidden: options.isHidden)
  }
}
