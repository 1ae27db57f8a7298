import LibraryModel
import Linux
import TestSupport
import Testing

@testable import Storage

@Suite("S90, S91: favourites and hidden assets in the index") struct FlagTableTests {
  private let directory: StateDirectory
  private var path: String { directory.path + "/library.sqlite" }
  private static let album = AlbumID(rawValue: 9)

  init() throws { directory = try StateDirectory() }

  private func store(_ path: String? = nil) throws -> LibraryStore {
    try LibraryStore(path: path ?? self.path, boot: "one", zone: LocalZone { _ in 0 })
  }

  @discardableResult
  private func add(
    _ created: Int64, _ flags: AssetFlags = [], others: [Location] = [], to store: LibraryStore
  ) throws -> Asset {
    let id = try store.index.files.reserveAssetID()
    let asset = Asset(
      id: id, mediaType: .image,
      identity: FileIdentity(volume: .unknown, inode: UInt64(id.rawValue), birthTime: 5),
      byteCount: 1, created: created * 1_000_000_000, modified: 2,
      primary: Location(Self.album, FileName("\(id.rawValue).jpg")), otherLinks: others, isDescribed: true,
      flags: flags)
    try store.index.files.insert(asset)
    return asset
  }

  private func write(_ store: LibraryStore, _ body: () throws -> Void) throws {
    try store.begin()
    try body()
    try store.commit()
  }

  private func query(_ change: (inout AssetQuery) -> Void = { _ in }) -> AssetQuery {
    var query = AssetQuery()
    query.order = .created
    change(&query)
    return query
  }

  /// The ids that a query finds, here and on the other thread, and that as many are counted.
  private func found(_ store: LibraryStore, _ query: AssetQuery) throws -> [Int64] {
    let ids = try store.assets.fetch(query, limit: 100).assets.map(\.id.rawValue)
    #expect(try store.assets.count(query) == ids.count)
    try store.settle()
    let apart = try store.apart.read(SearchLimit(operations: 10_000_000)) { reader in
      (try reader.fetch(query, limit: 100).assets.map(\.id.rawValue), try reader.count(query))
    }
    #expect(apart.0 == ids && apart.1 == ids.count)
    return ids
  }

  @Test("S90, S91: favourites are found by an index, hidden ones are left out of all that does not ask")
  func filters() throws {
    let store = try self.store()
    try write(store) {
      try add(40, .favorite, to: store)
      try add(30, to: store)
      try add(20, .hidden, to: store)
      try add(10, [.favorite, .hidden], to: store)
      _ = try store.finishScan()
    }
    #expect(try found(store, query()) == [2, 1])
    #expect(try found(store, query { $0.includesHidden = true }) == [4, 3, 2, 1])
    #expect(try found(store, query { $0.isFavorite = true }) == [1])
    #expect(try found(store, query { ($0.isFavorite, $0.includesHidden) = (true, true) }) == [4, 1])
    #expect(try found(store, query { $0.isFavorite = false }) == [2])
    #expect(try found(store, query { $0.order = .filename }) == [1, 2])
    #expect(!query { $0.isFavorite = true }.isUnfiltered)
    let plan = try store.connection.statement(
      "EXPLAIN QUERY PLAN SELECT id FROM asset WHERE flags & 1 <> 0 AND flags & 2 = 0 ORDER BY created, id LIMIT 9"
    )
    #expect(
      try plan.all { String(decoding: $0.bytes(3), as: UTF8.self) }.contains { $0.contains("asset_favorite") }
    )
  }

  @Test("S106: hidden ones alone are found by their index, and by nobody for whom none is included")
  func onlyHidden() throws {
    let store = try self.store()
    try write(store) {
      try add(40, .favorite, to: store)
      try add(20, .hidden, to: store)
      try add(10, [.favorite, .hidden], to: store)
      _ = try store.finishScan()
    }
    let hidden = query { ($0.onlyHidden, $0.includesHidden) = (true, true) }
    #expect(try found(store, hidden) == [3, 2])
    #expect(!hidden.isUnfiltered && !hidden.isShort)
    #expect(
      try found(store, query { ($0.onlyHidden, $0.includesHidden, $0.isFavorite) = (true, true, true) }) == [
        3
      ]
    )
    #expect(try found(store, query { $0.onlyHidden = true }).isEmpty)
    let plan = try store.connection.statement(
      "EXPLAIN QUERY PLAN SELECT count(*) FROM asset WHERE flags & 2 <> 0")
    #expect(
      try plan.all { String(decoding: $0.bytes(3), as: UTF8.self) }.contains { $0.contains("asset_hidden") })
  }

  @Test("S58, S87, S91: hidden ones are in no day, and in no album's count, until they are shown again")
  func counted() throws {
    let store = try self.store()
    let other = AlbumID(rawValue: 8)
    var assets: [Asset] = []
    try write(store) {
      assets = try [
        add(10, to: store), add(20, to: store),
        add(
          30, .hidden,
          others: [Location(Self.album, FileName("again.jpg")), Location(other, FileName("there.jpg"))],
          to: store),
      ]
    }
    func days() throws -> [Int] { try store.moments(AssetQuery(), by: .day).map(\.count) }
    func hidden() throws -> [Int] { try [Self.album, other].map(store.assets.hiddenCount) }
    #expect(try days() == [2] && hidden() == [1, 1])
    // The first of a day.
    assets[0].flags = .hidden
    try write(store) { try store.index.files.update(assets[0]) }
    #expect(try store.moments(AssetQuery(), by: .day) == [Moment(start: 0, count: 1, first: assets[1].id)])
    #expect(try hidden() == [2, 1] && store.assets.count(AssetQuery()) == 1)
    try store.begin()
    try store.index.files.remove(assets[2].id)
    store.rollback()
    #expect(try hidden() == [2, 1] && days() == [1])
    try write(store) {
      try store.index.files.remove(assets[2].id)
      assets[0].flags = []
      try store.index.files.update(assets[0])
    }
    #expect(try hidden() == [0, 0] && days() == [2] && store.assets.count(AssetQuery()) == 2)
    assets[1].flags = .hidden
    try write(store) { try store.index.files.update(assets[1]) }
    try store.close()
    // Counted anew.
    #expect(try self.store().assets.hiddenCount(in: Self.album) == 1)
  }

  @Test("S33, S90: what was deleted is kept with what was said of it, also what it only inherited")
  func deleted() throws {
    let flags = AssetFlags.hidden.reading(.favorite, isSameFile: false)
    #expect(flags.told == [.favorite, .hidden] && flags.inherited == .hidden)
    let store = try self.store()
    try write(store) {
      let asset = try add(10, flags, to: store)
      try store.deleted.put(
        DeletedAsset(
          key: .random(), state: .deleted, asset: asset, root: RootID(rawValue: 1), place: Self.album,
          deleted: 1, app: nil))
    }
    #expect(try store.deleted.all().map(\.asset.flags) == [flags])
    try store.close()
    #expect(try self.store().deleted.all().map(\.asset.flags) == [flags])
  }

  @Test("S91: a page that passes over many hidden ones is read on another thread")
  func long() throws {
    let store = try self.store()
    try write(store) { for _ in 0..<1000 { try add(1, .hidden, to: store) } }
    #expect(store.assets.isShort(query()))
    try write(store) { try add(1, .hidden, to: store) }
    #expect(!store.assets.isShort(query()) && store.assets.isShort(query { $0.includesHidden = true }))
  }

  @Test(
    "S26, S90: what was marked and told outlives a kill, many at once too, and the journal says what was hidden"
  )
  func killed() throws {
    let store = try self.store()
    try write(store) {
      try add(1, to: store)
      _ = try store.finishScan()
    }
    try write(store) {
      for number in 1...40 {
        let asset = try add(Int64(number), .favorite, to: store)
        for (before, after) in [([], .hidden), (.hidden, [])] as [(AssetFlags, AssetFlags)] {
          var (former, now) = (asset, asset)
          (former.flags, now.flags) = (before, after)
          _ = try store.index.journal.append(
            Change(
              .asset(asset.id), .changed(content: false), albumsBefore: [], albumsAfter: [],
              snapshot: Change.Snapshot(now), wasHidden: former.isHidden))
        }
      }
      try store.noteFlagsKnown(until: 77)
    }
    #expect(store.transaction.isUnsettled, "that batch is in the redo log only")
    let copy = try directory.copy()
    let survivor = try self.store(copy.path + "/library.sqlite")
    #expect(survivor.flagsKnown == 77)
    #expect(try survivor.assets.count(query { $0.isFavorite = true }) == 40)
    guard case .changes(let changes) = try survivor.journal.changes(after: Place(rawValue: 1), limit: 100)
    else {
      Issue.record("the token expired")
      return
    }
    #expect(changes.count == 80)
    for (number, placed) in changes.enumerated() {
      let change = try #require(placed.change)
      #expect(change.wasHidden == (number % 2 == 1) && change.snapshot?.isHidden == (number % 2 == 0))
    }
  }

  @Test("S90: an index of the release before has no flags, and asks all files for theirs")
  func migrated() throws {
    try execute(FormerIndex.sql, on: path)
    let store = try self.store()
    #expect(store.files.assetCount == 8 && store.flagsKnown == 0)
    #expect(try store.assets.count(AssetQuery()) == 8)
    #expect(try store.assets.count(query { $0.isFavorite = true }) == 0)
  }
}
