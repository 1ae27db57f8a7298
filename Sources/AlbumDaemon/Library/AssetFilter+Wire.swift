internal import AlbumAPI
internal import LibraryModel
internal import Varlink

extension AssetFilter {
  /// What a peer asks for, within bounds (S92). An id that names no album is as one of an empty one.
  ///
  /// - Parameter place: the parameter that it is.
  /// - Throws: `InvalidParameter` with the field, as it lies in others.
  init(
    _ filter: LibraryInterface.AssetFilter, albums: OpaqueIDs, at place: String = "matching"
  ) throws(InvalidParameter) {
    var reading = FilterReading(ids: albums)
    self = try reading.read(filter, at: place, depth: 1)
  }
}

/// A filter that is being read, and how much of it there was.
private struct FilterReading {
  let ids: OpaqueIDs
  private var filters = 0
  private var named = 0

  init(ids: OpaqueIDs) { self.ids = ids }

  mutating func read(
    _ filter: LibraryInterface.AssetFilter, at place: String, depth: Int
  ) throws(InvalidParameter) -> AssetFilter {
    filters += 1
    guard depth <= AssetFilter.mostDepth, filters <= AssetFilter.mostFilters else {
      throw InvalidParameter(parameter: place)
    }
    var parts: [AssetFilter] = []
    if let all = filter.all { parts.append(.all(try read(all, at: "\(place).all", depth))) }
    if let any = filter.any { parts.append(.any(try read(any, at: "\(place).any", depth))) }
    if let none = filter.none { parts.append(.none(try read(none, at: "\(place).none", depth))) }
    if let types = filter.mediaTypes { parts.append(.mediaTypes(Set(types.map(MediaType.init)))) }
    if let names = filter.subtypes { parts.append(.subtypes(PictureSubtypes(names))) }
    if let albums = filter.albums {
      named += albums.count
      guard named <= AssetFilter.mostIDs else { throw InvalidParameter(parameter: "\(place).albums") }
      parts.append(NamedAlbums(albums, ids).filter)
    }
    if let time = filter.createdAfter { parts.append(.createdAfter(time.nanoseconds)) }
    if let time = filter.createdBefore { parts.append(.createdBefore(time.nanoseconds)) }
    if let text = filter.nameContains {
      guard text.utf8.count <= AssetFilter.mostNameBytes else {
        throw InvalidParameter(parameter: "\(place).nameContains")
      }
      parts.append(.nameContains(text))
    }
    if let count = filter.minByteCount { parts.append(.minByteCount(Int64(count))) }
    if let count = filter.maxByteCount { parts.append(.maxByteCount(Int64(count))) }
    if let isFavorite = filter.isFavorite { parts.append(.isFavorite(isFavorite)) }
    // No burst is called by a longer one: it is of none.
    if let burst = filter.burstIdentifier {
      parts.append(burst.utf8.count <= Burst.mostBytes ? .burst(burst) : .any([]))
    }
    return parts.count == 1 ? parts[0] : .all(parts)
  }

  private mutating func read(
    _ filters: [LibraryInterface.AssetFilter], at place: String, _ depth: Int
  ) throws(InvalidParameter) -> [AssetFilter] {
    var parts: [AssetFilter] = []
    for (index, filter) in filters.enumerated() {
      parts.append(try read(filter, at: "\(place)[\(index)]", depth: depth + 1))
    }
    return parts
  }
}
