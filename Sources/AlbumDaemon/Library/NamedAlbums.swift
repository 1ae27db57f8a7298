internal import AlbumAPI
internal import LibraryModel
internal import Varlink

/// Albums that a peer names: directories by their ids, and smart ones by their words, which no id is spelled like (S93).
struct NamedAlbums {
  /// Those that are directories. What names none is left out.
  private(set) var directories: [AlbumID] = []
  /// Those that are none.
  private var smartOnes: Set<SmartAlbum> = []
  private var seen: Set<AlbumID> = []

  /// None yet.
  init() {}

  /// What a name is of.
  enum Name {
    case directory(AlbumID)
    case smart(SmartAlbum)
    case none

    init(_ text: String, _ ids: OpaqueIDs) {
      if let album = ids.album(text) {
        self = .directory(album)
      } else {
        self = SmartAlbum(word: text).map { .smart($0) } ?? .none
      }
    }
  }

  init(_ names: [String], _ ids: OpaqueIDs) { add(names[...], ids) }

  init(_ names: some Sequence<Name>) {
    for name in names { add(name) }
  }

  /// Some more.
  mutating func add(_ names: ArraySlice<String>, _ ids: OpaqueIDs) {
    for name in names { add(Name(name, ids)) }
  }

  /// One more. One that is named often is looked at once.
  private mutating func add(_ name: Name) {
    switch name {
    case .directory(let album): if seen.insert(album).inserted { directories.append(album) }
    case .smart(let album): smartOnes.insert(album)
    case .none: break
    }
  }

  /// Those that are no directories, in their order.
  var smart: [SmartAlbum] { SmartAlbum.allCases.filter(smartOnes.contains) }

  /// What is in one of them.
  var filter: AssetFilter {
    if smart.isEmpty { return .albums(directories) }
    let parts = smart.map(\.filter) + (directories.isEmpty ? [] : [.albums(directories)])
    return parts.count == 1 ? parts[0] : .any(parts)
  }
}

extension AssetQuery {
  /// Only what is in one of these. Directories alone are looked up by their links.
  mutating func require(_ albums: NamedAlbums) {
    if albums.smart.contains(where: \.holdsEverything) { return }
    if albums.smart.isEmpty {
      memberships.append(.init(albums: albums.directories))
    } else {
      require(albums.filter)
    }
  }

  /// Only what this holds for, too.
  mutating func require(_ other: AssetFilter) {
    // Those are counted beforehand.
    if case .mediaTypes(let types) = other, !types.isEmpty, mediaTypes.isEmpty {
      mediaTypes = types
    } else {
      filter = filter.map { .all([$0, other]) } ?? other
    }
  }
}

extension SmartAlbum {
  /// The one that a peer's word names, byte by byte: `init(rawValue:)` compares texts by what they mean, which takes
  /// time that grows with the square of their combining marks.
  init?(word: String) {
    guard let album = Self.words[ByteKey(word)] else { return nil }
    self = album
  }

  private static let words = Dictionary(uniqueKeysWithValues: allCases.map { (ByteKey($0.rawValue), $0) })

  /// As the interface names it.
  var kind: LibraryInterface.SmartAlbumKind {
    switch self {
    case .recents: .recents
    case .favorites: .favorites
    case .videos: .videos
    case .livePhotos: .livePhotos
    case .screenshots: .screenshots
    case .panoramas: .panoramas
    case .raw: .raw
    case .recentlyAdded: .recentlyAdded
    }
  }
}
