public import AlbumAPI

/// A condition on assets, which may be made of others (S92). PhotoKit: an `NSPredicate`.
///
/// ```swift
/// options.matching = .all([.any([.mediaTypes([.video]), .subtypes([.panorama])]), .none([.nameContains("draft")])])
/// ```
///
/// As the interface has it: a field that is set holds, and so do the others. The functions make one of a single field.
/// At most 8 lie inside of one another, at most 64 are in one, and they name at most 10000 albums together: else the
/// daemon refuses it (`invalidParameter`).
public typealias AssetFilter = LibraryInterface.AssetFilter

extension LibraryInterface.AssetFilter {
  /// All of these hold; so it is of none.
  public static func all(_ filters: [AssetFilter]) -> AssetFilter { .init(all: filters) }
  /// At least one of these holds; of none it never does.
  public static func any(_ filters: [AssetFilter]) -> AssetFilter { .init(any: filters) }
  /// None of these holds.
  public static func none(_ filters: [AssetFilter]) -> AssetFilter { .init(none: filters) }

  /// It is of one of these kinds.
  public static func mediaTypes(_ types: Set<MediaType>) -> AssetFilter {
    .init(mediaTypes: MediaType.allCases.filter(types.contains))
  }

  /// It is any of these.
  public static func subtypes(_ subtypes: Set<LibraryInterface.Subtype>) -> AssetFilter {
    .init(subtypes: LibraryInterface.Subtype.allCases.filter(subtypes.contains))
  }

  /// It is in one of these albums, by their ids; smart albums may be among them (S93).
  public static func albums(_ ids: Set<String>) -> AssetFilter { .init(albums: ids.sorted()) }
  /// It was created at this time or later.
  public static func createdAfter(_ time: Instant) -> AssetFilter { .init(createdAfter: time) }
  /// It was created before this time.
  public static func createdBefore(_ time: Instant) -> AssetFilter { .init(createdBefore: time) }
  /// Its file name contains this, whatever the case of ASCII letters: at most 255 bytes.
  public static func nameContains(_ text: String) -> AssetFilter { .init(nameContains: text) }

  /// Its file has so many bytes.
  public static func byteCount(_ range: ClosedRange<Int>) -> AssetFilter {
    .init(minByteCount: range.lowerBound, maxByteCount: range.upperBound)
  }

  /// It is a favourite (S90); or, where false, it is none.
  public static func isFavorite(_ isFavorite: Bool) -> AssetFilter { .init(isFavorite: isFavorite) }

  /// It is of this burst (`Asset.burstIdentifier`, S100).
  public static func burstIdentifier(_ identifier: String) -> AssetFilter {
    .init(burstIdentifier: identifier)
  }

  /// Whether it holds for an asset, as the daemon decides it.
  public func holds(for asset: Asset) -> Bool {
    if let all, !all.allSatisfy({ $0.holds(for: asset) }) { return false }
    if let any, !any.contains(where: { $0.holds(for: asset) }) { return false }
    if let none, none.contains(where: { $0.holds(for: asset) }) { return false }
    if let mediaTypes, !mediaTypes.contains(asset.mediaType) { return false }
    if let subtypes, asset.mediaSubtypes.isDisjoint(with: subtypes) { return false }
    if let albums, !albums.contains(where: asset.isIn) { return false }
    if let createdAfter, asset.created < createdAfter { return false }
    if let createdBefore, asset.created >= createdBefore { return false }
    if let nameContains, !asset.nameBytes.contains(asciiCaseInsensitive: nameContains) { return false }
    if let minByteCount, asset.byteCount < Int64(minByteCount) { return false }
    if let maxByteCount, asset.byteCount > Int64(maxByteCount) { return false }
    if let isFavorite, (asset.isFavorite ?? false) != isFavorite { return false }
    if let burstIdentifier, asset.burstIdentifier != burstIdentifier { return false }
    return true
  }
}

extension LibraryInterface.Asset {
  /// Whether it is in an album, or in a smart one (S93), as the daemon decides it.
  func isIn(_ album: String) -> Bool {
    guard let kind = SmartAlbumKind(rawValue: album) else { return albums.contains(album) }
    return kind.holds(self)
  }
}

/// An album that is no directory, of all assets of a kind (S93). PhotoKit: `PHAssetCollectionSubtype`'s `smartAlbum…`.
public typealias SmartAlbumKind = LibraryInterface.SmartAlbumKind

extension LibraryInterface.SmartAlbumKind {
  /// The id of the album, in every library.
  public var albumID: String { rawValue }

  /// Whether an asset is in it.
  func holds(_ asset: Asset) -> Bool {
    switch self {
    case .recents, .recentlyAdded: true
    case .favorites: asset.isFavorite ?? false
    case .videos: asset.mediaType == .video
    case .livePhotos: asset.mediaType == .livePhoto
    case .screenshots: asset.mediaSubtypes.contains(.screenshot)
    case .panoramas: asset.mediaSubtypes.contains(.panorama)
    case .raw: asset.mediaSubtypes.contains(.raw)
    }
  }
}
