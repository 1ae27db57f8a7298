/// A condition on assets, which may be made of others (S92): what it is of one asset in memory. `AssetSearch` says the same
/// to SQLite.
package enum AssetFilter: Hashable, Sendable {
  /// All of these hold. Of nothing that is so.
  case all([AssetFilter])
  /// At least one of these holds. Of nothing that is not so.
  case any([AssetFilter])
  /// None of these holds. Of nothing that is so.
  case none([AssetFilter])
  /// It is of one of these kinds.
  case mediaTypes(Set<MediaType>)
  /// It is any of these.
  case subtypes(PictureSubtypes)
  /// It is in one of these.
  case albums([AlbumID])
  /// It was created then or later, nanoseconds since 1970.
  case createdAfter(Int64)
  /// It was created before, nanoseconds since 1970.
  case createdBefore(Int64)
  /// Its file name contains this, in either case of ASCII letters.
  case nameContains(String)
  /// Its file has so many bytes, or more.
  case minByteCount(Int64)
  /// Its file has so many bytes, or fewer.
  case maxByteCount(Int64)
  /// Whether it is a favourite.
  case isFavorite(Bool)
  /// It is of this burst.
  case burst(String)

  /// So many filters may lie inside of one another.
  package static let mostDepth = 8
  /// So many filters one may be made of, itself included.
  package static let mostFilters = 64
  /// So many albums may be named in one and in all that it is made of.
  package static let mostIDs = 10_000
  /// So many bytes a part of a name may have: as many as a name.
  package static let mostNameBytes = 255

  /// Whether it holds for an asset.
  package func holds(for asset: Asset) -> Bool {
    switch self {
    case .all(let parts): parts.allSatisfy { $0.holds(for: asset) }
    case .any(let parts): parts.contains { $0.holds(for: asset) }
    case .none(let parts): !parts.contains { $0.holds(for: asset) }
    case .mediaTypes(let types): types.contains(asset.mediaType)
    case .subtypes(let subtypes): !subtypes.isDisjoint(with: asset.subtypes)
    case .albums(let ids): asset.albums.contains(where: ids.contains)
    case .createdAfter(let time): asset.created >= time
    case .createdBefore(let time): asset.created < time
    case .nameContains(let text): asset.filename.contains(asciiCaseInsensitive: text)
    case .minByteCount(let count): asset.byteCount >= count
    case .maxByteCount(let count): asset.byteCount <= count
    case .isFavorite(let isFavorite): asset.isFavorite == isFavorite
    case .burst(let identifier): asset.burst?.identifier == identifier
    }
  }

  /// The same for a caller who sees a part: an album that it does not see has nothing in it (S16).
  package func narrowed(to view: LibraryView) -> AssetFilter {
    switch self {
    case .all(let parts): .all(parts.map { $0.narrowed(to: view) })
    case .any(let parts): .any(parts.map { $0.narrowed(to: view) })
    case .none(let parts): .none(parts.map { $0.narrowed(to: view) })
    case .albums(let ids): .albums(ids.filter { view.sees($0) })
    case .mediaTypes, .subtypes, .createdAfter, .createdBefore, .nameContains, .minByteCount, .maxByteCount,
      .isFavorite, .burst:
      self
    }
  }

  /// What is any of these at least, wherever it holds; nil where that cannot be told. An index has those.
  package var impliedSubtypes: PictureSubtypes? {
    switch self {
    case .subtypes(let subtypes): subtypes
    case .all(let parts): parts.lazy.compactMap(\.impliedSubtypes).first
    case .any(let parts): parts.count == 1 ? parts[0].impliedSubtypes : nil
    case .none, .mediaTypes, .albums, .createdAfter, .createdBefore, .nameContains, .minByteCount,
      .maxByteCount, .isFavorite, .burst:
      nil
    }
  }

  /// Whether it holds for what is of one burst at most.
  package var namesBurst: Bool {
    switch self {
    case .burst: true
    case .all(let parts): parts.contains(where: \.namesBurst)
    case .any(let parts): parts.count == 1 && parts[0].namesBurst
    case .none, .mediaTypes, .subtypes, .albums, .createdAfter, .createdBefore, .nameContains, .minByteCount,
      .maxByteCount, .isFavorite:
      false
    }
  }
}

extension FileName {
  /// Whether a text is part of this, in either case of ASCII letters: as SQLite's lower() and instr() have it.
  fileprivate func contains(asciiCaseInsensitive text: String) -> Bool {
    func lowered(_ byte: UInt8) -> UInt8 {
      UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
    }
    let wanted = text.utf8.map(lowered)
    guard let room = wanted.isEmpty ? 0 : Optional(bytes.count - wanted.count), room >= 0 else {
      return false
    }
    return (0...room).contains { start in
      wanted.indices.allSatisfy { lowered(bytes[start + $0]) == wanted[$0] }
    }
  }
}
