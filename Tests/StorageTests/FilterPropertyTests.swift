import LibraryModel
import TestSupport
import Testing

@testable import Storage

/// What SQLite finds by a filter is what the filter says of each asset in memory.
@Suite("Filters that nest, in the index")
struct FilterPropertyTests {
  private let directory: StateDirectory
  private let store: LibraryStore

  init() throws {
    directory = try StateDirectory()
    store = try LibraryStore(path: directory.path + "/library.sqlite", boot: "one")
  }

  /// Names that are not UTF-8 as well, and letters of which ASCII has no other case.
  private static let names: [[UInt8]] = [
    Array("IMG_1.jpg".utf8), Array("img trip.JPG".utf8), Array("Älpen.jpg".utf8),
    [0xFF, 0x41, 0xC3, 0x2E, 0x6A],
    Array("日本%_.mov".utf8), Array("a".utf8),
  ]
  private static let parts = [
    "img", "IMG_", "älp", "Älp", "日", "%", "_", "", "aC", "\u{FFFD}", ".j", "p", "a'b\"c",
  ]

  /// Bursts, what none is called, and what only looks like one.
  private static let bursts = [
    "BURST20171111030039", "20151013_101112_Burst", "IMG_20231014_183246_BURST", "", "20151013_101112",
  ]

  /// A name that a camera gives, or nearly.
  private func nameInBurst(_ number: Int, _ rng: inout some RandomNumberGenerator) throws -> [UInt8] {
    let ending = try random([".jpg", "_COVER.jpg", "\0.jpg", ".JPG"], &rng)
    let name =
      switch try random(Self.bursts, &rng) {
      case "BURST20171111030039": "\(number)IMG_\(number)_BURST20171111030039\(ending)"
      case let burst: "\(burst)\(number % 1000)\(ending)"
      }
    return Array(name.utf8)
  }

  private func random<Value>(_ values: some Collection<Value>, _ rng: inout some RandomNumberGenerator) throws
    -> Value
  {
    try #require(values.randomElement(using: &rng))
  }

  /// Adds one with one to three names, in albums or beneath the root.
  private func add(_ number: Int, _ rng: inout some RandomNumberGenerator) throws {
    let id = try store.index.files.reserveAssetID()
    let identity = FileIdentity(volume: .unknown, inode: UInt64(id.rawValue), birthTime: 1)
    let links = try (0..<Int.random(in: 1...3, using: &rng)).map { link in
      let directory = DirectoryID(rawValue: try random([-1, 1, 2, 3, 4], &rng))
      if Int.random(in: 0..<3, using: &rng) == 0 {
        return Location(directory, FileName(try nameInBurst(number * 3 + link, &rng)))
      }
      return Location(directory, FileName(Array("\(number).\(link) ".utf8) + (try random(Self.names, &rng))))
    }
    let said = FileDescription(
      takenLocal: nil, takenOffset: nil, pixelWidth: 4, pixelHeight: 3, duration: nil,
      subtypes: PictureSubtypes(rawValue: .random(in: 0..<64, using: &rng)), place: nil)
    let isDescribed = Bool.random(using: &rng)
    let asset = Asset(
      id: id, mediaType: try random(MediaType.allCases, &rng), identity: identity,
      byteCount: .random(in: 0...5, using: &rng), created: .random(in: -3...3, using: &rng), modified: 1,
      primary: links[0], otherLinks: Array(links.dropFirst()),
      description: isDescribed ? AssetDescription(said, movie: nil) { _ in 0 } : nil,
      isDescribed: isDescribed,
      flags: Bool.random(using: &rng) ? [.favorite] : [], hasRaw: Bool.random(using: &rng))
    for link in links {
      _ = try store.index.files.insert(
        Link(location: link, asset: id, identity: identity, byteCount: asset.byteCount, modified: 1))
    }
    try store.index.files.insert(asset)
    // Of a file that is another by now, what it said is in the table still, and told no more.
    let version = ReadFile.Version(identity: identity, byteCount: asset.byteCount, modified: 1, changed: 1)
    try store.descriptions.put(ReadFile(version, said), of: id, .main, reader: 1)
  }

  private func filter(_ depth: Int, _ rng: inout some RandomNumberGenerator) throws -> AssetFilter {
    func parts() throws -> [AssetFilter] {
      try (0..<Int.random(in: 0...3, using: &rng)).map { _ in try filter(depth - 1, &rng) }
    }
    switch Int.random(in: depth > 0 ? 0..<16 : 6..<16, using: &rng) {
    case 0, 1: return .all(try parts())
    case 2, 3: return .any(try parts())
    case 4, 5: return .none(try parts())
    case 6: return .mediaTypes(Set(MediaType.allCases.filter { _ in Bool.random(using: &rng) }))
    case 7: return .subtypes(PictureSubtypes(rawValue: 1 << UInt8.random(in: 0..<7, using: &rng)))
    case 8:
      return .albums([1, 2, 3, 4, 9].filter { _ in Bool.random(using: &rng) }.map { AlbumID(rawValue: $0) })
    case 9: return .createdAfter(.random(in: -4...4, using: &rng))
    case 10: return .createdBefore(.random(in: -4...4, using: &rng))
    case 11: return .nameContains(try random(Self.parts, &rng))
    case 12: return .minByteCount(.random(in: -1...6, using: &rng))
    case 13: return .isFavorite(.random(using: &rng))
    case 14: return .burst(try random(Self.bursts, &rng))
    default: return .maxByteCount(.random(in: -1...6, using: &rng))
    }
  }

  @Test(
    "S92, S100: a filter finds in the index what it says of each asset", arguments: [1, 2, 3] as [UInt64])
  func agree(seed: UInt64) throws {
    var rng = SeededGenerator(seed: seed)
    try store.begin()
    for number in 0..<60 { try add(number, &rng) }
    try store.commit()
    try store.settle()
    let all = try store.apart.read(.unlimited) { try $0.fetch(AssetQuery(), limit: 1000).assets }
    try #require(all.count == 60)
    var (found, left) = (0, 0)
    for _ in 0..<400 {
      var query = AssetQuery()
      query.filter = try filter(4, &rng)
      query.order = try random([.age, .created, .filename, .byteCount], &rng)
      let filter = try #require(query.filter)
      let wanted = all.filter { filter.holds(for: $0) }
      let (ids, count, dated) = try store.apart.read(.unlimited) { [query] library in
        (
          try library.fetch(query, limit: 1000, matching: wanted.count).assets.map(\.id),
          try library.count(query),
          try library.moments(query, by: .year).reduce(0) { $0 + $1.count }
        )
      }
      #expect(Set(ids) == Set(wanted.map(\.id)) && ids.count == wanted.count, "\(filter)")
      #expect(count == wanted.count && dated == wanted.count, "\(filter)")
      (found, left) = (found + wanted.count, left + all.count - wanted.count)
    }
    // Neither nothing nor everything all the time.
    #expect(found > 1000 && left > 1000)
  }

  @Test("S100: a burst is found among all, in any order, by pages, and by its name alone")
  func burst() throws {
    var rng = SeededGenerator(seed: 100)
    try store.begin()
    for number in 0..<400 { try add(number, &rng) }
    try store.commit()
    try store.settle()
    try store.apart.read(.unlimited) { library in
      let all = try library.fetch(AssetQuery(), limit: 1000).assets
      for burst in Self.bursts.prefix(3) {
        let wanted = all.filter { $0.burst?.identifier == burst }
        try #require(wanted.count > 3 && wanted.count < 100, "\(burst)")
        for order in [AssetQuery.Order.age, .created, .modified, .filename, .byteCount, .added] {
          var query = AssetQuery()
          (query.filter, query.order) = (.burst(burst), order)
          var found: [Asset] = []
          var cursor: AssetCursor?
          repeat {
            let page = try library.fetch(query, after: cursor, limit: 3, matching: wanted.count)
            found += page.assets
            cursor = page.next
          } while cursor != nil
          #expect(found.count == wanted.count && Set(found) == Set(wanted), "\(burst), \(order)")
        }
      }
    }
  }

  @Test("S16, S92: what a filter costs who sees a part does not tell what else there is")
  func cost() throws {
    var rng = SeededGenerator(seed: 16)
    func add(_ count: Int) throws {
      try store.begin()
      for number in 0..<count { try self.add(number, &rng) }
      try store.commit()
      try store.settle()
    }
    try add(30)
    let view = LibraryView(
      assets: Set((1...20).map { AssetID(rawValue: $0) }), albums: [], hiddenAlbums: [],
      ownAlbums: [AlbumID(rawValue: 1)])
    var filters = SmartAlbum.allCases.map(\.filter)
    for _ in 0..<40 { filters.append(try filter(3, &rng)) }
    func costs() throws -> [Int] {
      try filters.flatMap { filter in
        try [AssetQuery.Order.created, .filename].map { order in
          var query = AssetQuery()
          (query.filter, query.order) = (filter, order)
          query = view.narrow(query)
          func find() throws {
            let count = try store.assets.count(query)
            _ = try store.assets.fetch(query, limit: 10, matching: count)
          }
          for _ in 0..<2 { try find() }
          let before = PreparedStatements(of: store.connection.pointer).steps
          try find()
          return PreparedStatements(of: store.connection.pointer).steps - before
        }
      }
    }
    let few = try costs()
    try add(3000)
    let many = try costs()
    #expect(few.allSatisfy { $0 > 0 })
    for (index, (one, other)) in zip(few, many).enumerated() {
      #expect(other <= one + 100, "\(filters[index / 2])")
    }
  }

  @Test("S92: a filter as large as one may be is understood by SQLite")
  func largest() throws {
    let albums = (1...AssetFilter.mostIDs).map { AlbumID(rawValue: Int64($0)) }
    var filter = AssetFilter.albums(albums)
    for _ in 1..<AssetFilter.mostDepth { filter = .none([filter]) }
    let name = String(repeating: "é", count: AssetFilter.mostNameBytes / 2)
    var query = AssetQuery()
    query.filter = .all(
      Array(
        repeating: .all([
          filter, .nameContains(name), .mediaTypes([.image]), .subtypes(.raw), .createdAfter(1),
          .createdBefore(2),
          .minByteCount(1), .maxByteCount(2),
        ]), count: AssetFilter.mostFilters))
    let found = try store.apart.read(.unlimited) { [query] library in try library.count(query) }
    #expect(found == 0)
  }

  @Test("S92: an offset leaves out so many of the first, in any order, and the cursor goes on behind them")
  func offset() throws {
    var rng = SeededGenerator(seed: 7)
    try store.begin()
    for number in 0..<25 { try add(number, &rng) }
    try store.commit()
    try store.settle()
    try store.apart.read(.unlimited) { library in
      for order in [AssetQuery.Order.age, .created, .modified, .filename, .byteCount] {
        var query = AssetQuery()
        (query.order, query.descending) = (order, Bool.random(using: &rng))
        let all = try library.fetch(query, limit: 100).assets.map(\.id)
        for offset in [0, 1, 10, 24, 25, 26, .max] {
          let page = try library.fetch(query, limit: 5, offset: offset)
          let rest = all.dropFirst(offset)
          #expect(page.assets.map(\.id) == Array(rest.prefix(5)), "\(order), \(offset)")
          #expect((page.next != nil) == (rest.count > 5))
          guard let next = page.next else { continue }
          #expect(
            try library.fetch(query, after: next, limit: 100).assets.map(\.id) == Array(rest.dropFirst(5)))
        }
      }
    }
  }

  @Test(
    "S93: the journal keeps which smart albums held an asset before, and an entry of before there were any says nothing"
  )
  func journal() throws {
    try store.begin()
    try store.finishScan()
    let id = AssetID(rawValue: 1)
    let snapshot = Change.Snapshot.asset(
      name: FileName("a.jpg"), mediaType: .video, byteCount: 1, created: 1, modified: 1)
    let changes = [
      Change(.asset(id), .inserted, albumsBefore: [], albumsAfter: [], snapshot: snapshot),
      Change(.asset(id), .changed(content: true), albumsBefore: [], albumsAfter: [], snapshot: snapshot),
      Change(
        .asset(id), .changed(content: false), albumsBefore: [], albumsAfter: [], snapshot: snapshot,
        smartBefore: SmartAlbums([.recents, .raw])),
      Change(
        .asset(id), .moved(content: false), albumsBefore: [], albumsAfter: [AlbumID(rawValue: 1)],
        snapshot: snapshot, isOfAlbumsAlone: true),
      Change(
        .asset(id), .removed, albumsBefore: [], albumsAfter: [], snapshot: nil,
        smartBefore: SmartAlbums([.recents])),
      Change(.asset(id), .removed, albumsBefore: [], albumsAfter: [], snapshot: nil),
    ]
    let start = store.place
    for change in changes { _ = try store.index.journal.append(change) }
    try store.commit()
    guard case .changes(let read) = try store.journal.changes(after: start, limit: 100) else {
      Issue.record("they are not there")
      return
    }
    #expect(read.compactMap(\.change) == changes)
    #expect(changes.map(\.smartBefore).last == .every)
    try store.begin()
    try store.connection.run("UPDATE journal SET op = op & 255")
    try store.commit()
    guard case .changes(let former) = try store.journal.changes(after: start, limit: 100) else { return }
    #expect(former.compactMap(\.change?.smartBefore).suffix(2) == [.every, .every])
  }
}
