internal import AlbumAPI
internal import LibraryModel

/// Albums that a peer names: directories by their ids, and smart ones by their words, which no id is spelled like (S93).
struct NamedAlbums {
  /// Those that are directories. What names none is left out.
  let directories: [AlbumID]
  /// Those that are none.
  let smart: [SmartAlbum]

  init(_ names: [String], _ ids: OpaqueIDs) {
    // One that is named often is looked at once.
    var seen: Set<AlbumID> = []
    directories = names.compactMap(ids.album).filter { seen.insert($0).inserted }
    smart = SmartAlbum.allCases.filter { names.contains($0.rawValue) }
  }

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
