public import AlbumAPI

/// Which assets a fetch returns, and in which order. PhotoKit: `PHFetchOptions`; **differs**: properties
/// instead of a predicate and sort descriptors, because the daemon evaluates them.
public struct FetchOptions: Hashable, Sendable {
  /// What fetched assets are sorted by.
  public typealias SortKey = LibraryInterface.SortKey

  /// Only those of these kinds; all when nil. PhotoKit: a predicate on `mediaType`.
  public var mediaTypes: Set<MediaType>?
  /// Only those that are any of these; all when nil. PhotoKit: a predicate on `mediaSubtypes`.
  public var mediaSubtypes: Set<LibraryInterface.Subtype>?
  /// Only those created at this time or later. PhotoKit: a predicate on `creationDate`.
  public var createdAfter: Instant?
  /// Only those created before this time. PhotoKit: a predicate on `creationDate`.
  public var createdBefore: Instant?
  /// Only those whose file name contains this, whatever the case of ASCII letters.
  public var nameContains: String?
  /// Only those for which this holds. PhotoKit: a compound predicate.
  public var matching: AssetFilter?
  /// Only those with one of these (`Asset.contentHash`), at most 1000; all when nil. PhotoKit has none.
  public var contentHashes: Set<String>?
  /// Only favourites, or, where false, only others; all when nil (S90). PhotoKit: a predicate on `isFavorite`.
  public var isFavorite: Bool?
  /// Whether hidden assets are among them, for an app that sees the whole library (S91). A result that has them is fetched anew
  /// at each change. PhotoKit: `includeHiddenAssets`.
  public var includeHiddenAssets = false
  /// What they are sorted by. `custom` is the order that people have put one album in (S103), for a fetch of that alone; such a result
  /// is fetched anew at each change, also of the album. Equal ones are in the order of their age in the library; one that only a change
  /// told is taken for the youngest. PhotoKit: `sortDescriptors`.
  public var sortKey: SortKey
  /// Whether the smallest or oldest comes first.
  public var ascending: Bool
  /// The most assets; all when it is nil or 0. PhotoKit: `fetchLimit`.
  public var fetchLimit: Int?

  /// Only hidden assets, for an app that sees the whole library, and none for others; or, where false, only others (S106).
  /// PhotoKit has none.
  public var isHidden: Bool?
  /// Where in time the result begins, in the order of `created`: it goes on from there or, descending, back (S59). Such a
  /// result is fetched anew at each change. PhotoKit has none.
  public var takenIn: Instant?
  /// Leaves out so many of the first; none where it is negative. Such a result is fetched anew at each change. PhotoKit has
  /// none.
  public var fetchOffset = 0

  /// All assets, oldest first, unless said otherwise.
  public init(
    mediaTypes: Set<MediaType>? = nil, createdAfter: Instant? = nil, createdBefore: Instant? = nil,
    nameContains: String? = nil, sortKey: SortKey = .created, ascending: Bool = true, fetchLimit: Int? = nil,
    mediaSubtypes: Set<LibraryInterface.Subtype>? = nil, matching: AssetFilter? = nil,
    contentHashes: Set<String>? = nil, isFavorite: Bool? = nil, includeHiddenAssets: Bool = false,
    isHidden: Bool? = nil, takenIn: Instant? = nil, fetchOffset: Int = 0
  ) {
    self.isHidden = isHidden
    self.takenIn = takenIn
    self.fetchOffset = fetchOffset
    self.matching = matching
    self.contentHashes = contentHashes
    self.isFavorite = isFavorite
    self.includeHiddenAssets = includeHiddenAssets
    self.mediaSubtypes = mediaSubtypes
    self.mediaTypes = mediaTypes
    self.createdAfter = createdAfter
    self.createdBefore = createdBefore
    self.nameContains = nameContains
    self.sortKey = sortKey
    self.ascending = ascending
    self.fetchLimit = fetchLimit
  }
}
