internal import AlbumAPI
internal import Authorization
internal import EventLoop
internal import LibraryModel
internal import Storage
internal import Varlink
internal import VarlinkServer

extension LibraryService {
  /// Assets in a page of this many, unless the caller wants fewer or, up to the maximum, more.
  private static var defaultPage: Int { 500 }
  static var largestPage: Int { 1000 }
  /// The same of what goes on with other pages (`more`): others have their turn sooner.
  private static var largestOfMany: Int { 500 }
  /// Ids in a page (S104): what writes them takes two milliseconds.
  static var largestIDPage: Int { 5000 }
  /// Hashes that one call may name.
  private static var mostHashes: Int { 1000 }

  /// One page, or with `more` all of them: each is read when the one before it has been taken, so that a
  /// slow reader costs no memory.
  func fetchAssets(_ parameters: LibraryInterface.FetchAssets.Parameters, _ call: ServerCall) throws {
    let view = try access.reader(call).view
    try Self.check(parameters.ids, "ids")
    try Self.check(parameters.albums, "albums")
    let (ids, albums) = (parameters.ids ?? [], parameters.albums ?? [])
    let matching = try parameters.matching.map { filter throws(InvalidParameter) in try NamingFilter(filter) }
    let atOnce = view.seesEverything ? Self.readAtOnce : Self.lookedUpAtOnce
    guard ids.count > atOnce || max(albums.count, matching?.names.count ?? 0) > Self.readAtOnce else {
      let seen = try ids.compactMap { try named($0, in: view) }
      return try fetchAssets(
        parameters, named: seen, in: NamedAlbums(albums, store.ids), matching?.filter(albums: store.ids), call
      )
    }
    call.goOn { [self] in
      let seen = try await namedAssets(ids, call)
      let albums = try await namedAlbums(albums, call)
      try fetchAssets(parameters, named: seen, in: albums, try await filter(matching, call), call)
    }
  }

  /// - Parameters:
  ///   - named: those of `ids` that the caller sees.
  ///   - albums: what `albums` names.
  ///   - matching: the same filter, read.
  private func fetchAssets(
    _ parameters: LibraryInterface.FetchAssets.Parameters, named: [AssetID], in albums: NamedAlbums,
    _ matching: AssetFilter?, _ call: ServerCall
  ) throws {
    let reader = try access.reader(call)
    let query = try query(parameters, named: named, in: albums, matching, reader)
    let onlyIDs = parameters.onlyIds ?? false
    let most = onlyIDs ? Self.largestIDPage : Self.largestPage
    var limit = parameters.limit ?? (onlyIDs ? most : Self.defaultPage)
    guard 1...most ~= limit else { throw InvalidParameter(parameter: "limit") }
    if call.call.wantsMore, !onlyIDs { limit = min(limit, Self.largestOfMany) }
    let cursor = try start(parameters, query)
    let offset = parameters.offset ?? 0
    guard offset >= 0 else { throw InvalidParameter(parameter: "offset") }
    AssetStream(
      call: call, query: query, limit: limit, offset: parameters.cursor == nil ? offset : 0,
      onlyIDs: onlyIDs, service: self
    ).send(after: cursor)
  }

  /// Where the first page begins; nil at the beginning.
  private func start(
    _ parameters: LibraryInterface.FetchAssets.Parameters, _ query: AssetQuery
  ) throws -> AssetCursor? {
    if let text = parameters.cursor {
      guard let cursor = store.ids.cursor(text) else { throw InvalidParameter(parameter: "cursor") }
      return cursor
    }
    guard let place = parameters.takenIn else { return nil }
    guard query.order == .created else { throw InvalidParameter(parameter: "takenIn") }
    return AssetCursor(from: place.from.nanoseconds, descending: query.descending)
  }

  private func query(
    _ parameters: LibraryInterface.FetchAssets.Parameters, named: [AssetID], in albums: NamedAlbums,
    _ matching: AssetFilter?, _ reader: LibraryAccess.Reader
  ) throws -> AssetQuery {
    var query = AssetQuery()
    if parameters.albums != nil { query.require(albums) }
    if let matching { query.require(matching) }
    if parameters.ids != nil { query.memberships.append(.init(ids: named)) }
    if let types = parameters.mediaTypes {
      if !types.isEmpty { query.require(.mediaTypes(Set(types.map(MediaType.init)))) }
      // No kind at all matches nothing, as no album and no id do.
      if types.isEmpty { query.memberships.append(.init()) }
    }
    query.createdAfter = parameters.createdAfter?.nanoseconds
    query.createdBefore = parameters.createdBefore?.nanoseconds
    if let names = parameters.subtypes {
      query.subtypes = PictureSubtypes(names)
      if names.isEmpty { query.memberships.append(.init()) }
    }
    if let box = parameters.boundingBox {
      guard reader.seesLocation,
        let box = BoundingBox(south: box.south, west: box.west, north: box.north, east: box.east)
      else { throw InvalidParameter(parameter: "boundingBox") }
      query.boundingBox = box
    }
    if let texts = parameters.contentHashes {
      query.contentHashes = try Self.hashes(texts, reader)
      if texts.isEmpty { query.memberships.append(.init()) }
    }
    query.nameContains = parameters.nameContains
    query.isFavorite = parameters.isFavorite
    query.onlyHidden = parameters.isHidden ?? false
    query.includesHidden = parameters.isHidden ?? parameters.includeHidden ?? false
    let isByArrival = parameters.isByArrival
    query.order = .init(parameters.sort ?? (isByArrival ? .added : .created))
    query.descending = parameters.descending ?? isByArrival
    if query.order == .custom {
      // Each album has an order of its own, and smart ones have none. Of one that there is not, it is as of one that is not seen (S16).
      guard let albums = parameters.albums, albums.count == 1, SmartAlbum(word: albums[0]) == nil else {
        throw InvalidParameter(parameter: "sort")
      }
      query.orderedAlbum = store.ids.album(albums[0])
    }
    return query
  }

  /// Hashes that a query names. Who is told none may not ask by them either: it would learn whether it has guessed what was
  /// overwritten in its copy (S96).
  private static func hashes(
    _ texts: [String], _ reader: LibraryAccess.Reader
  ) throws -> [ContentHash] {
    let hashes = texts.prefix(mostHashes).compactMap(ContentHash.init(text:))
    guard reader.seesLocation, hashes.count == texts.count else {
      throw InvalidParameter(parameter: "contentHashes")
    }
    return hashes
  }
}

/// The pages of one fetch.
@EventLoopActor
private final class AssetStream {
  private let call: ServerCall
  private let query: AssetQuery
  private let limit: Int
  /// How many of the first page's are left out before it.
  private let offset: Int
  /// Whether ids are sent in place of assets (S104).
  private let onlyIDs: Bool
  private let service: LibraryService
  /// How many match, and the state that the first page shows: known with that. What changed before a later page was read is told
  /// again by a subscription from here.
  private var first: (total: Int, place: Place)?
  /// Finds a page on another thread.
  private var search: Task<Void, Never>?

  init(
    call: ServerCall, query: AssetQuery, limit: Int, offset: Int, onlyIDs: Bool, service: LibraryService
  ) {
    self.onlyIDs = onlyIDs
    self.call = call
    self.query = query
    self.limit = limit
    self.offset = offset
    self.service = service
  }

  /// Sends a page, and then the others.
  func send(after cursor: AssetCursor?) {
    do {
      // What may be seen is asked for every page: a stream can last (S29).
      let reader = try service.access.reader(call)
      try checkLocation(reader)
      // Those that are left out are looked at as well, however many there are.
      guard !onlyIDs, first != nil || offset == 0, let query = reader.view.narrowIfShort(query),
        service.store.assets.isShort(query)
      else { return find(after: cursor) }
      let total = try first?.total ?? service.store.assets.count(query)
      let page = try service.store.assets.fetch(query, after: cursor, limit: limit, matching: total)
      try send(.assets(page.assets), page.next, total, page.place, reader)
    } catch { call.fail(error) }
  }

  /// The same, found on another thread.
  private func find(after cursor: AssetCursor?) {
    if search == nil { call.onEnd { [self] in search?.cancel() } }
    search = Task.onLoopNow { [self] in
      do {
        let (known, query, limit, onlyIDs) = (first?.total, query, limit, onlyIDs)
        let offset = first == nil ? offset : 0
        let found = try await service.search(call) { reader -> @Sendable (LibraryReader) throws -> Found in
          try checkLocation(reader)
          let view = reader.view
          // For who sees a part each is looked up once more (S16).
          let limit = view.seesEverything ? limit : min(limit, LibraryService.largestPage)
          return { library in
            let query = view.narrow(query)
            let total = try known ?? library.count(query)
            // Where none is left nothing is looked for.
            let isOver = offset > 0 && offset >= total
            if onlyIDs {
              let page =
                isOver
                ? AssetIDPage()
                : try library.ids(query, after: cursor, limit: limit, matching: total, offset: offset)
              return Found(content: .ids(page), next: page.next, total: total)
            }
            if isOver { return Found(content: .assets([]), next: nil, total: total) }
            let page = try library.fetch(query, after: cursor, limit: limit, matching: total, offset: offset)
            return Found(content: .assets(page.assets), next: page.next, total: total)
          }
        }
        let page = found.value
        try send(
          service.stillSeen(page.content, in: found.reader.view), page.next, page.total, found.place,
          found.reader)
      } catch { call.fail(error) }
    }
  }

  /// Before a search as well as after it: also how long it takes tells what is somewhere.
  private func checkLocation(_ reader: LibraryAccess.Reader) throws {
    guard !reader.seesLocation else { return }
    if query.boundingBox != nil { throw InvalidParameter(parameter: "boundingBox") }
    if !query.contentHashes.isEmpty { throw InvalidParameter(parameter: "contentHashes") }
  }

  private struct Found: Sendable {
    let content: PageContent
    let next: AssetCursor?
    let total: Int
  }

  private func send(
    _ content: PageContent, _ next: AssetCursor?, _ total: Int, _ place: Place,
    _ reader: LibraryAccess.Reader
  ) throws {
    try checkLocation(reader)
    let isFirst = first == nil
    let shown = first ?? (total, place)
    first = shown
    // The first page is what somebody looks at first; who reads on reads them all.
    if isFirst { service.describer.ask(for: content.assets.lazy.filter { !$0.isDescribed }.map(\.id)) }
    let isStream = call.call.wantsMore
    call.reply(continues: isStream && next != nil) { write(content, next, shown, reader, &$0) }
    // Noted once for the call: with all that a stream will tell, if its reader takes it.
    if isFirst {
      service.access.note(.fetch, assets: isStream && next != nil ? total : content.count, by: reader)
    }
    guard isStream, let next else { return }
    // Also when the peer reads as fast as this writes, others have their turn between two pages.
    Task.onLoop { [self] in
      call.endSlice()
      try? await call.waitUntilDrained()
      await call.giveWay()
      if !call.isOver { send(after: next) }
    }
  }
}

extension AssetStream {
  /// The text of a `FetchAssets.Reply`.
  private func write(
    _ content: PageContent, _ next: AssetCursor?, _ first: (total: Int, place: Place),
    _ reader: LibraryAccess.Reader, _ writer: inout JSONWriter
  ) {
    writer.beginObject()
    writer.name("assets")
    writer.beginArray()
    for asset in content.assets {
      writer.element()
      service.renderer.write(
        asset, in: reader.view, location: reader.seesLocation, arrival: query.order == .added, to: &writer)
    }
    writer.end()
    writer.name("total")
    writer.integer(first.total)
    writer.name("token")
    writer.string(service.renderer.token(first.place, in: reader.view, location: reader.seesLocation))
    if let next {
      writer.name("cursor")
      writer.string(service.store.ids.encode(next))
    }
    if case .ids(let page) = content { service.renderer.write(page, sortedBy: query.order, to: &writer) }
    writer.end()
  }
}

extension LibraryInterface.FetchAssets.Parameters {
  /// Whether they name no order, and all that they ask for is what was added recently, the latest first (S101).
  fileprivate var isByArrival: Bool {
    sort == nil && takenIn == nil && albums == [LibraryInterface.SmartAlbumKind.recentlyAdded.rawValue]
  }
}

extension AssetQuery.Order {
  fileprivate init(_ key: LibraryInterface.SortKey) {
    switch key {
    case .created: self = .created
    case .modified: self = .modified
    case .filename: self = .filename
    case .byteCount: self = .byteCount
    case .added: self = .added
    case .custom: self = .custom
    }
  }
}

extension Instant {
  /// As file times are compared; the ends of time where it does not fit.
  var nanoseconds: Int64 {
    let (product, overflows) = microseconds.multipliedReportingOverflow(by: 1000)
    return overflows ? (microseconds < 0 ? .min : .max) : product
  }
}
