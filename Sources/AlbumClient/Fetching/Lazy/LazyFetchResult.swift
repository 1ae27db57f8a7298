public import AlbumAPI

/// What a fetch found, of which only what is looked at is read: of a million assets the first are there as soon as of ten, and memory
/// holds some of them. PhotoKit: `PHFetchResult`; **differs**: to look at an asset may take a question to the daemon, so it
/// waits (`await`) instead of holding its thread, and the counterpart to PhotoKit's in this is not ``FetchResult``, which holds all.
///
/// ```swift
/// let result = try await library.fetchAssets(lazily: FetchOptions(ascending: false))
/// grid.count = result.count
/// cell.asset = try await result.asset(at: index)   // reads the 200 around it, unless they are there
/// for try await asset in result { … }              // or all, one page after the other
/// ```
///
/// It has a place for each asset that there was, in a list that does not change by itself. The ids come behind, in the background, and
/// whoever looks further than they have come waits for them. Each takes 16 bytes. The assets of the 2000
/// places that were looked at last stay in memory, and are as they were when they were read. One that is gone by then, or that the
/// app may not see any more, is nil, and its place stays until
/// `changeDetails(for:)` of a ``PhotoChange`` takes it out. What comes or goes while the ids still come is told by the
/// changes since ``token``; until they are applied it may be missing, or be nil.
///
/// Results that were made of one by changes share what is in memory. It can be used from any task.
public struct LazyFetchResult: Sendable {
  /// What was fetched.
  public let fetch: AssetFetch
  /// The state of the library that this shows: register an observer with it, and there is no gap.
  public let token: PersistentChangeToken
  /// How many there are. PhotoKit: `count`.
  public let count: Int
  let identifiers: LazyIdentifiers
  let cache: AssetCache

  /// Assets that are read together: a screen of them, or some.
  static let page = 200
  /// Assets that stay in memory.
  static let capacity = 2000

  init(
    _ fetch: AssetFetch, count: Int, identifiers: LazyIdentifiers, cache: AssetCache,
    token: PersistentChangeToken
  ) {
    self.fetch = fetch
    self.count = count
    self.identifiers = identifiers
    self.cache = cache
    self.token = token
  }

  /// Whether there is none.
  public var isEmpty: Bool { count == 0 }
  /// The places: from 0 to ``count``.
  public var indices: Range<Int> { 0..<count }

  // MARK: Assets

  /// The asset at a place; nil where it is gone. It is there at once where it is in memory; else those around it are read
  /// as well. PhotoKit: `object(at:)`.
  ///
  /// - Parameter index: of ``indices``; at any other there is none.
  /// - Throws: what a fetch throws: `notAuthorized` where access was taken away, `connectionLost` while there is no
  ///   daemon. Nothing is lost by that: look again later.
  public func asset(at index: Int) async throws(AlbumError) -> Asset? {
    guard indices.contains(index) else { return nil }
    let start = index / Self.page * Self.page
    return try await assets(in: start..<Swift.min(start + Self.page, count), knowing: index + 1)[
      index - start]
  }

  /// The assets at some places, in their order; nil in place of those that are gone. PhotoKit: `objects(at:)`.
  ///
  /// - Parameter range: of ``indices``; what is beyond is left out. All of them are in memory at once.
  /// - Throws: as ``asset(at:)``.
  public func assets(in range: Range<Int>) async throws(AlbumError) -> [Asset?] {
    let range = range.clamped(to: indices)
    var assets: [Asset?] = []
    assets.reserveCapacity(range.count)
    var start = range.lowerBound
    while start < range.upperBound {
      let end = Swift.min(start + Self.page, range.upperBound)
      assets += try await self.assets(in: start..<end, knowing: end)
      start = end
    }
    return assets
  }

  /// Reads what will be looked at soon, such as what is scrolled to. What is there already is not read again.
  ///
  /// - Parameter range: of ``indices``. More than 2000 push each other out.
  /// - Throws: as ``asset(at:)``.
  public func prefetch(_ range: Range<Int>) async throws(AlbumError) {
    _ = try await assets(in: range.lowerBound..<Swift.min(range.upperBound, range.lowerBound + Self.capacity))
  }

  /// The asset at a place if it is in memory; nil where it is not, or is gone. It waits for nothing: for who draws.
  public func loadedAsset(at index: Int) -> Asset? {
    guard indices.contains(index) else { return nil }
    return identifiers.identifiers(in: index..<index + 1).first.flatMap(cache.asset)
  }

  /// - Parameter known: so many ids are waited for; of those that follow, what is there by then is read as well.
  private func assets(in range: Range<Int>, knowing known: Int) async throws(AlbumError) -> [Asset?] {
    try await identifiers.wait(for: known)
    let assets = try await cache.assets(identifiers.identifiers(in: range))
    // Where none has come nothing is: fewer ids came than there were assets at first.
    return assets + Array(repeating: nil, count: range.count - assets.count)
  }

  // MARK: Places

  /// The id of the asset at a place, whether it is there any more or not; nil where none came. It waits only while ids come.
  ///
  /// - Throws: as ``asset(at:)``.
  public func localIdentifier(at index: Int) async throws(AlbumError) -> String? {
    guard indices.contains(index) else { return nil }
    try await identifiers.wait(for: index + 1)
    return identifiers.identifiers(in: index..<index + 1).first
  }

  /// The place of an asset, by its id; nil where it has none. It waits until all ids are there, and looks through them. PhotoKit:
  /// `index(of:)`.
  ///
  /// - Throws: as ``asset(at:)``.
  public func index(ofLocalIdentifier identifier: String) async throws(AlbumError) -> Int? {
    try await identifiers.wait()
    return identifiers.list.places(of: [identifier])[identifier]?.first.flatMap { $0 < count ? $0 : nil }
  }

  /// Where in time to go on: the first place whose asset was created then or later; in a descending result, then or before. ``count``
  /// where there is none. No asset is read for it.
  ///
  /// - Returns: nil where the result is not sorted by `created`.
  /// - Throws: as ``asset(at:)``.
  public func index(createdAt time: Instant) async throws(AlbumError) -> Int? {
    guard fetch.options.sortKey == .created else { return nil }
    let ascending = fetch.ascending
    while true {
      // Before the list: what is whole then is whole in it.
      let isWhole = identifiers.progress.isWhole
      let list = identifiers.list
      let place = (list.keys ?? []).partitioningIndex {
        ascending ? $0 >= time.microseconds : $0 <= time.microseconds
      }
      // Ids that are still to come are no nearer to the beginning.
      if place < list.count || isWhole { return Swift.min(place, count) }
      try await identifiers.wait(for: list.count + 1)
    }
  }
}

extension LazyFetchResult: AsyncSequence {
  /// An asset.
  public typealias Element = Asset

  /// Begins with the first.
  public func makeAsyncIterator() -> Iterator { Iterator(self) }

  /// One after the other, read in pages.
  public struct Iterator: AsyncIteratorProtocol {
    private let result: LazyFetchResult
    private var next = 0
    private var page: ArraySlice<Asset?> = []

    init(_ result: LazyFetchResult) { self.result = result }

    /// The next that is not gone; nil after the last.
    ///
    /// - Throws: as ``LazyFetchResult/asset(at:)``: ``AlbumError``. Called again, it tries again.
    public mutating func next() async throws -> Asset? {
      while true {
        while let first = page.popFirst() { if let first { return first } }
        guard next < result.count else { return nil }
        try Task.checkCancellation()
        let end = Swift.min(next + LazyFetchResult.page, result.count)
        page = try await result.assets(in: next..<end)[...]
        next = end
      }
    }
  }
}
