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
    self = try NamingFilter(filter, at: place).filter(albums: albums)
  }
}

/// A filter that a peer asks for, of which it is known how many albums it names, and not yet which: to find those out takes a
/// millisecond for a thousand of them.
struct NamingFilter {
  private let filter: LibraryInterface.AssetFilter
  private let place: String
  /// The albums that it and those in it name, in the order in which ``filter(_:)`` reads them.
  private(set) var names: [String] = []

  /// - Parameter place: the parameter that it is.
  /// - Throws: `InvalidParameter` with the field, as it lies in others, where it is larger than it may be.
  init(_ filter: LibraryInterface.AssetFilter, at place: String = "matching") throws(InvalidParameter) {
    self.filter = filter
    self.place = place
    var filters = 0
    try look(at: filter, place, depth: 1, &filters)
  }

  private mutating func look(
    at filter: LibraryInterface.AssetFilter, _ place: String, depth: Int, _ filters: inout Int
  ) throws(InvalidParameter) {
    filters += 1
    guard depth <= AssetFilter.mostDepth, filters <= AssetFilter.mostFilters else {
      throw InvalidParameter(parameter: place)
    }
    for (part, parts) in [("all", filter.all), ("any", filter.any), ("none", filter.none)] {
      for (index, inner) in (parts ?? []).enumerated() {
        try look(at: inner, "\(place).\(part)[\(index)]", depth: depth + 1, &filters)
      }
    }
    guard names.count + (filter.albums?.count ?? 0) <= AssetFilter.mostIDs else {
      throw InvalidParameter(parameter: "\(place).albums")
    }
    names += filter.albums ?? []
  }

  /// - Throws: `InvalidParameter`.
  func filter(albums ids: OpaqueIDs) throws(InvalidParameter) -> AssetFilter {
    try filter(names.map { NamedAlbums.Name($0, ids) })
  }

  /// - Parameter albums: what each of ``names`` is of.
  /// - Throws: `InvalidParameter`.
  func filter(_ albums: [NamedAlbums.Name]) throws(InvalidParameter) -> AssetFilter {
    var reading = FilterReading(albums: albums[...])
    return try reading.read(filter, at: place)
  }
}

/// A filter that is being read, and what the albums are that are still to come in it.
private struct FilterReading {
  private var albums: ArraySlice<NamedAlbums.Name>

  init(albums: ArraySlice<NamedAlbums.Name>) {
    self.albums = albums
  }

  mutating func read(
    _ filter: LibraryInterface.AssetFilter, at place: String
  ) throws(InvalidParameter) -> AssetFilter {
    var parts: [AssetFilter] = []
    if let all = filter.all { parts.append(.all(try read(all, at: "\(place).all"))) }
    if let any = filter.any { parts.append(.any(try read(any, at: "\(place).any"))) }
    if let none = filter.none { parts.append(.none(try read(none, at: "\(place).none"))) }
    if let types = filter.mediaTypes { parts.append(.mediaTypes(Set(types.map(MediaType.init)))) }
    if let names = filter.subtypes { parts.append(.subtypes(PictureSubtypes(names))) }
    if let names = filter.albums {
      parts.append(NamedAlbums(albums.prefix(names.count)).filter)
      albums = albums.dropFirst(names.count)
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
    _ filters: [LibraryInterface.AssetFilter], at place: String
  ) throws(InvalidParameter) -> [AssetFilter] {
    var parts: [AssetFilter] = []
    for (index, filter) in filters.enumerated() {
      parts.append(try read(filter, at: "\(place)[\(index)]"))
    }
    return parts
  }
}
