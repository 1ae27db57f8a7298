/// An album that is no directory: of all assets that are of a kind (S93).
///
/// What each holds is said here, and nowhere else: by what ``filter`` finds, and by which of them an asset is in
/// (``SmartAlbums/init(_:_:)``).
package enum SmartAlbum: String, Hashable, Sendable, CaseIterable {
  /// Everything.
  case recents
  /// What people like best (S90).
  case favorites
  /// Films.
  case videos
  /// Stills with a movie beside them.
  case livePhotos
  /// Pictures of screens.
  case screenshots
  /// Pictures much wider, or higher, than one look takes in.
  case panoramas
  /// What sensors saw, alone or beside a photo.
  case raw
  /// Everything, in the order in which it came (S101).
  case recentlyAdded

  /// Which assets it holds.
  package var filter: AssetFilter {
    switch self {
    case .recents, .recentlyAdded: .all([])
    case .favorites: .isFavorite(true)
    case .videos: .mediaTypes([.video])
    case .livePhotos: .mediaTypes([.livePhoto])
    case .screenshots: .subtypes(.screenshot)
    case .panoramas: .subtypes(.panorama)
    case .raw: .subtypes(.raw)
    }
  }
}

extension SmartAlbum {
  /// Whether every asset is in it.
  package var holdsEverything: Bool { self == .recents || self == .recentlyAdded }
}

/// Some smart albums. As the journal has them: a number keeps what it stands for.
package struct SmartAlbums: OptionSet, Hashable, Sendable {
  /// A bit for each.
  package let rawValue: UInt16

  /// As the journal has them.
  package init(rawValue: UInt16) { self.rawValue = rawValue }

  /// These.
  package init(_ albums: some Sequence<SmartAlbum>) {
    self = albums.reduce(into: []) { $0.formUnion($1.bit) }
  }

  /// Those that hold an asset.
  package init(_ mediaType: MediaType, _ subtypes: PictureSubtypes, _ flags: AssetFlags) {
    self = SmartAlbum.recents.bit
    if flags.contains(.favorite) { formUnion(SmartAlbum.favorites.bit) }
    switch mediaType {
    case .image: break
    case .video: formUnion(SmartAlbum.videos.bit)
    case .livePhoto: formUnion(SmartAlbum.livePhotos.bit)
    }
    if subtypes.contains(.screenshot) { formUnion(SmartAlbum.screenshots.bit) }
    if subtypes.contains(.panorama) { formUnion(SmartAlbum.panoramas.bit) }
    if subtypes.contains(.raw) { formUnion(SmartAlbum.raw.bit) }
  }

  /// Those that hold an asset as it was told.
  package init(_ snapshot: Change.Snapshot) {
    switch snapshot {
    case .asset(_, let mediaType, _, _, _, let description, _, let flags, _, let hasRaw):
      self.init(mediaType, PictureSubtypes(description, hasRaw: hasRaw), flags)
    case .album: self = []
    }
  }

  /// All that there are.
  package static let every = SmartAlbums(SmartAlbum.allCases)
}

extension SmartAlbum {
  fileprivate var bit: SmartAlbums {
    switch self {
    // What one holds, the other does: an entry of the journal that names the one was written before there was the other.
    case .recents, .recentlyAdded: SmartAlbums(rawValue: 1)
    case .favorites: SmartAlbums(rawValue: 64)
    case .videos: SmartAlbums(rawValue: 2)
    case .livePhotos: SmartAlbums(rawValue: 4)
    case .screenshots: SmartAlbums(rawValue: 8)
    case .panoramas: SmartAlbums(rawValue: 16)
    case .raw: SmartAlbums(rawValue: 32)
    }
  }
}
