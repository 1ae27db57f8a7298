import LibraryModel
import Synchronization
import TestSupport
import Testing

@testable import Storage

@Suite("What is read on another connection")
struct LibraryReaderTests {
  private let directory: StateDirectory
  private let store: LibraryStore

  init() throws {
    directory = try StateDirectory()
    store = try LibraryStore(path: directory.path + "/library.sqlite", boot: "one")
  }

  /// - Returns: their ids.
  @discardableResult
  private func add(_ count: Int) throws -> [AssetID] {
    try store.begin()
    let ids = try (0..<count).map { number in
      let id = try store.index.files.reserveAssetID()
      let identity = FileIdentity(volume: .unknown, inode: UInt64(id.rawValue), birthTime: 1)
      let location = Location(DirectoryID(rawValue: 1), FileName("IMG_\(id.rawValue).jpg"))
      let asset = Asset(
        id: id, mediaType: .image, identity: identity, byteCount: Int64(number), created: Int64(number) << 40,
        modified: Int64(number), primary: location)
      _ = try store.index.files.insert(
        Link(location: location, asset: id, identity: identity, byteCount: asset.byteCount, modified: 1))
      try store.index.files.insert(asset)
      return id
    }
    try store.commit()
    return ids
  }

  private func count(_ query: AssetQuery, _ limit: SearchLimit = .unlimited) throws -> Int {
    try store.apart.read(limit) { try $0.count(query) }
  }

  private func query(_ change: (inout AssetQuery) -> Void) -> AssetQuery {
    var query = AssetQuery()
    change(&query)
    return query
  }

  @Test("it is of one moment, whatever is written meanwhile; the place that goes with it is no newer")
  func snapshot() throws {
    try add(20)
    try store.finish()
    let byName = query { $0.order = .filename }
    try store.apart.read(.unlimited) { library in
      #expect(try library.count(byName) == 20)
      try add(5)
      try store.finish()
      #expect(try library.count(byName) == 20)
      #expect(try library.fetch(byName, limit: 100).assets.count == 20)
      #expect(try library.moments(byName, by: .year).reduce(0) { $0 + $1.count } == 20)
    }
    #expect(try count(byName) == 25)
  }

  @Test("what was told and not yet committed is not found, and the place says so")
  func uncommitted() throws {
    try store.begin()
    let scanned = try store.finishScan()
    try store.commit()
    try store.settle()
    #expect(store.committedPlace == scanned.place)
    try store.begin()
    let asset = Asset(
      id: try store.index.files.reserveAssetID(), mediaType: .image,
      identity: FileIdentity(volume: .unknown, inode: 1, birthTime: 1), byteCount: 1, created: 1, modified: 1,
      primary: Location(DirectoryID(rawValue: 1), FileName("a.jpg")))
    try store.index.files.insert(asset)
    _ = try store.index.journal.append(
      Change(.asset(asset.id), .inserted, albumsBefore: [], albumsAfter: [], snapshot: .init(asset)))
    try store.commit()
    #expect(store.committedPlace == scanned.place && store.place > scanned.place)
    #expect(try count(AssetQuery()) == 0)
    try store.settle()
    #expect(store.committedPlace == store.place)
    #expect(try count(AssetQuery()) == 1)
  }

  @Test("a search that takes more than it may is stopped, and so is one that nobody waits for")
  func limit() throws {
    try add(5000)
    try store.finish()
    let byName = query { $0.nameContains = "no such name" }
    #expect(throws: SearchLimit.Reached.tooLong) {
      try count(byName, SearchLimit(operations: 20_000))
    }
    #expect(try count(byName, SearchLimit(operations: 500_000)) == 0)
    let left = SearchLimit(operations: .max)
    #expect(throws: SearchLimit.Reached.cancelled) {
      try store.apart.read(left) { library in
        #expect(try library.count(byName) == 0)
        // From here on in the middle of the next.
        left.cancel()
        _ = try library.count(byName)
      }
    }
    #expect(throws: SearchLimit.Reached.cancelled) { try count(byName, left) }
    // It leaves nothing behind that would stop another.
    #expect(try count(byName) == 0)
  }

  @Test("a search rests after each slice, on its thread, and then goes on where it was (0151)")
  func slices() throws {
    try add(5000)
    try store.finish()
    let byName = query { $0.nameContains = "no such name" }
    let rests = Mutex(0)
    func count(slice: Int) throws -> Int {
      rests.withLock { $0 = 0 }
      #expect(
        try self.count(byName, SearchLimit(operations: .max, slice: slice) { rests.withLock { $0 += 1 } })
          == 0)
      return rests.withLock { $0 }
    }
    let looks = try count(slice: SearchLimit.interval)
    #expect(looks > 3)
    #expect(try count(slice: 2 * SearchLimit.interval) == looks / 2)
    #expect(try count(slice: (looks + 1) * SearchLimit.interval) == 0)
  }

  @Test("what is short costs the loop's connection the same, however much there is beside")
  func short() throws {
    let ids = try add(50)
    let cursor = AssetCursor(key: .number(Int64(10) << 40), id: ids[10])
    let queries = shortQueries(of: Array(ids.prefix(20)))
    #expect(queries.allSatisfy { $0.isShort })
    func costs() throws -> [Int] {
      try queries.flatMap { query in
        try [nil, cursor].map { start in
          func find() throws {
            let count = try store.assets.count(query)
            _ = try store.assets.fetch(query, after: start, limit: 10, matching: count)
          }
          // Its statements are there from then on.
          for _ in 0..<2 { try find() }
          let before = PreparedStatements(of: store.connection.pointer).steps
          try find()
          return PreparedStatements(of: store.connection.pointer).steps - before
        }
      }
    }
    let few = try costs()
    try add(5000)
    let many = try costs()
    #expect(few.allSatisfy { $0 > 0 })
    #expect(zip(few, many).allSatisfy { $1 <= $0 + 100 })
  }

  private func shortQueries(of ids: [AssetID]) -> [AssetQuery] {
    var all = [AssetQuery.Order.age, .created, .modified].flatMap { order in
      [false, true].map { descending in
        query { ($0.order, $0.descending) = (order, descending) }
      }
    }
    for order in [AssetQuery.Order.age, .created, .modified, .filename, .byteCount] {
      for bits in 0..<16 {
        all.append(
          query {
            $0.order = order
            $0.memberships = [.init(ids: ids)]
            if bits & 1 != 0 { $0.memberships.append(.init(ids: Array(ids.prefix(5)))) }
            if bits & 2 != 0 { $0.mediaTypes = [.image] }
            if bits & 4 != 0 { ($0.createdAfter, $0.createdBefore) = (1, .max) }
            if bits & 8 != 0 { $0.nameContains = "img" }
          })
      }
    }
    return all
  }

  @Test("all else is not short")
  func long() {
    let some = AssetQuery.Membership(ids: [AssetID(rawValue: 1)])
    let many = AssetQuery.Membership(ids: (0...AssetQuery.fewNamed).map { AssetID(rawValue: Int64($0)) })
    let all = [
      query { $0.order = .filename }, query { $0.order = .byteCount }, query { $0.nameContains = "a" },
      query { $0.mediaTypes = [.image] }, query { $0.createdAfter = 1 }, query { $0.createdBefore = 1 },
      query { $0.subtypes = .raw },
      query { $0.boundingBox = .init(south: 0, west: 0, north: 1, east: 1) },
      query { $0.memberships = [.init(albums: [AlbumID(rawValue: 1)])] },
      query { $0.memberships = [some, .init(albums: [AlbumID(rawValue: 1)])] },
      query { $0.memberships = [many] },
      query { ($0.memberships, $0.excludedAlbums) = ([some], [AlbumID(rawValue: 1)]) },
      query { ($0.memberships, $0.subtypes) = ([some], .raw) },
    ]
    #expect(all.allSatisfy { !$0.isShort })
    #expect(query { $0.memberships = [.init()] }.isShort)
  }
}

extension SearchLimit {
  /// One that never rests.
  convenience init(operations: Int) { self.init(operations: operations, slice: .max) {} }

  /// None.
  static var unlimited: SearchLimit { SearchLimit(operations: .max) }
}

extension LibraryStore {
  /// Commits what was put off.
  fileprivate func finish() throws { try settle() }

  /// The moments of what is committed by now.
  func moments(_ query: AssetQuery, by unit: Moment.Unit) throws -> [Moment] {
    try settle()
    return try apart.read(.unlimited) { try $0.moments(query, by: unit) }
  }
}
