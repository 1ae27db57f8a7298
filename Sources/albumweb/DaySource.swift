internal import AlbumAPI
internal import AlbumClient
internal import AlbumTerminal
internal import AlbumWeb

/// What of the library a grid shows.
struct GridFilter: Hashable, Sendable {
  /// What was typed to find photos.
  let search: LibrarySearch
  /// Albums, of which any is enough; all photos when empty.
  let albums: [String]
  /// Kinds; all when nil.
  let kinds: [LibraryInterface.MediaType]?
  /// Only these assets: what a prompt is about.
  let ids: [String]?
  /// Only those for which this holds: what an app asks for (S105).
  let matching: LibraryInterface.AssetFilter?

  /// Only hidden ones, where somebody has asked to see them (S106).
  let isHidden: Bool

  /// What asks for them.
  static let hiddenQuery = "show=hidden"

  /// Assets that are told at a time, of a day that may have any number: as many as ``Resources/grid.js`` asks for.
  private static let mostAssets = 1000
  /// Albums that are asked for at a time.
  private static let mostAlbums = 500

  /// Reads what a script asks for.
  init(_ query: FormFields, ids: [String]?, matching: LibraryInterface.AssetFilter?) {
    search = LibrarySearch(String((query["q"] ?? "").prefix(200)))
    albums = Array(query.all("album").prefix(Self.mostAlbums))
    let named = query.all("kind").compactMap { LibraryInterface.MediaType(rawValue: $0) }
    kinds = named.isEmpty ? nil : named
    self.ids = ids
    self.matching = matching
    isHidden = query["show"] == "hidden"
  }

  /// What the daemon is asked, from one moment to another.
  ///
  /// - Parameter albums: those of which names were typed; nil when none was.
  func parameters(from: Instant?, to: Instant?, albums: [String]?) -> LibraryInterface.FetchAssets.Parameters
  {
    let types = search.mediaTypes.isEmpty ? kinds : search.mediaTypes.filter { kinds?.contains($0) ?? true }
    return .init(
      albums: self.albums.isEmpty ? albums : self.albums, ids: ids, mediaTypes: types,
      createdAfter: [search.after, from].compactMap(\.self).max(),
      createdBefore: [search.before, to].compactMap(\.self).min(), nameContains: search.name, sort: .created,
      descending: true, limit: Self.mostAssets, matching: matching,
      // What a prompt is about is shown, whatever else the owner does not want to see.
      includeHidden: ids == nil ? nil : true, isHidden: isHidden ? true : nil)
  }

  /// Whether nothing can match.
  var isEmpty: Bool {
    guard !search.mediaTypes.isEmpty, let kinds else { return false }
    return !search.mediaTypes.contains(where: kinds.contains)
  }
}

/// How many pictures each day has: what a grid is laid out by, before any picture is asked for.
struct DaySource: Sendable {
  let daemon: Daemon

  /// Days with their counts, the latest first.
  func days(_ filter: GridFilter) async throws -> [(day: LocalDay, count: Int)] {
    if filter.isEmpty { return [] }
    return try await daemon.ask { connection in
      // What was not searched for is counted by the daemon (S58).
      if filter.search.isEmpty, filter.ids == nil, !filter.isHidden {
        let moments = try connection.moments(
          by: .day, in: filter.albums.isEmpty ? nil : filter.albums, mediaTypes: filter.kinds.map { Set($0) },
          matching: filter.matching)
        return moments.reversed().map { (LocalDay($0.start), $0.count) }
      }
      let filter = filter.parameters(
        from: nil, to: nil, albums: try connection.albums(named: filter.search.albumNames))
      if filter.albums?.isEmpty == true { return [] }
      let stream = try connection.assets(filter)
      var days: [(day: LocalDay, count: Int)] = []
      while let page = try stream.next() {
        for asset in page.assets {
          let day = LocalDay(asset.created)
          if days.last?.day == day { days[days.count - 1].count += 1 } else { days.append((day, 1)) }
        }
      }
      return days
    }
  }

  /// The assets of some days, the latest first: at most as many as are told at a time.
  ///
  /// - Parameter skipped: how many of the first are left out.
  func assets(
    _ filter: GridFilter, from: LocalDay, to: LocalDay, skipping skipped: Int
  ) async throws -> [LibraryInterface.Asset] {
    if filter.isEmpty { return [] }
    return try await daemon.ask { connection in
      var wish = filter.parameters(
        from: from.start, to: to.end, albums: try connection.albums(named: filter.search.albumNames))
      if wish.albums?.isEmpty == true { return [] }
      wish.offset = skipped > 0 ? skipped : nil
      return try connection.page(of: wish).assets
    }
  }
}

extension AlbumConnection {
  /// Albums of which the title contains one of these; nil when there are none to look for.
  fileprivate func albums(named names: [String]) throws(AlbumError) -> [String]? {
    if names.isEmpty { return nil }
    let names = names.map { $0.lowercased() }
    return try albums().albums.filter { album in
      let title = album.title.lowercased()
      return names.contains { title.contains($0) }
    }.map(\.id)
  }
}
