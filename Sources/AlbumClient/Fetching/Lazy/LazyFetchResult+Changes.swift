internal import AlbumAPI

extension PhotoChange {
  /// How a lazy result is after this change; nil when it is as it was. PhotoKit: `changeDetails(for:)`.
  ///
  /// It takes what the change tells and reads no asset: but it waits until the ids of the result are all there. Where changes were lost,
  /// a limit lets something in, something comes in the order of names, or the order is an album's own (S103), the result is fetched anew; then the details have no
  /// incremental changes. As for a ``FetchResult``, apply all changes, and it ends where a fetch does.
  ///
  /// Without access any more, nothing is left of it, and nothing is fetched.
  ///
  /// - Throws: ``AlbumError`` of what is read. Ask again with the same change, for the next goes on from this one.
  public func changeDetails(for result: LazyFetchResult) async throws -> LazyFetchResultChangeDetails? {
    let source = LibrarySource(lanes: lanes)
    if let authorizationStatus, !authorizationStatus.isUsable {
      let nothing = LazyFetchResult(emptyFor: result.fetch, from: source, token: token)
      return result.isEmpty ? nil : LazyFetchResultChangeDetails(before: result, after: nothing)
    }
    func fetchedAnew() async throws -> LazyFetchResultChangeDetails {
      LazyFetchResultChangeDetails(
        before: result, after: try await LazyFetchResult(fetching: result.fetch, from: source))
    }
    if result.fetch.isFetchedAnew(after: albums) { return try await fetchedAnew() }
    switch try await result.consequence(of: assets, token: token) {
    case .none: return nil
    case .details(let details): return details
    case .fetchAnew: return try await fetchedAnew()
    }
  }
}

extension LazyFetchResult {
  /// What a change makes of a result.
  enum Consequence {
    /// Nothing.
    case none
    /// Another list.
    case details(LazyFetchResultChangeDetails)
    /// Something that only a new fetch tells.
    case fetchAnew
  }

  /// What a change makes of this result.
  func consequence(
    of changes: ObjectChanges<Asset>, token: PersistentChangeToken
  ) async throws(AlbumError) -> Consequence {
    guard changes.hasIncrementalChanges else { return .fetchAnew }
    if changes.isEmpty { return .none }
    if fetch.isFetchedAnew { return .fetchAnew }
    try await identifiers.wait()
    let merged = identifiers.list.applying(changes, to: fetch, shown: count) { cache.asset($0) }
    guard let (list, places) = merged else { return .fetchAnew }
    cache.apply(changes)
    if places.isEmpty { return .none }
    let after = LazyFetchResult(
      fetch, count: list.count, identifiers: identifiers.replaced(by: list), cache: cache, token: token)
    return .details(
      LazyFetchResultChangeDetails(
        before: self, after: after, places: places, contentChanged: changes.contentChanged))
  }

  /// Nothing.
  init(emptyFor fetch: AssetFetch, from source: any AssetSource, token: PersistentChangeToken) {
    self.init(
      fetch, count: 0,
      identifiers: LazyIdentifiers(IdentifierList(hasKeys: true), of: fetch, after: nil, from: source),
      cache: AssetCache(source, includeHidden: fetch.includesHidden, capacity: Self.capacity),
      token: token)
  }

  /// What a source has: returns when the first are there.
  init(fetching fetch: AssetFetch, from source: any AssetSource) async throws(AlbumError) {
    let first = try await source.first(fetch, limit: Swift.min(Self.page, fetch.limit ?? .max))
    var list = IdentifierList(hasKeys: ![.filename, .custom].contains(fetch.options.sortKey))
    for asset in first.assets { list.append(asset.id, key: fetch.key(of: asset)) }
    let cache = AssetCache(source, includeHidden: fetch.includesHidden, capacity: Self.capacity)
    cache.put(first.assets)
    let identifiers = LazyIdentifiers(list, of: fetch, after: first.cursor, from: source)
    identifiers.begin()
    // The daemon counts what comes before a beginning in time as well: how many are left, all ids tell.
    if fetch.options.takenIn != nil {
      try await identifiers.wait()
      list = identifiers.list
    }
    let isWhole = first.cursor == nil || fetch.options.takenIn != nil
    let count =
      isWhole ? list.count : Swift.max(first.total - Swift.min(first.total, fetch.offset), list.count)
    self.init(
      fetch, count: Swift.min(count, fetch.limit ?? .max), identifiers: identifiers, cache: cache,
      token: PersistentChangeToken(both: first.token))
  }
}
