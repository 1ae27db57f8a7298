import LibraryModel
import TestSupport
import Testing

@testable import Storage

@Suite("S101: when assets arrived, in the index") struct ArrivalTableTests {
  private let directory: StateDirectory
  private var path: String { directory.path + "/library.sqlite" }
  private static let album = AlbumID(rawValue: 9)

  init() throws { directory = try StateDirectory() }

  private func store(_ path: String? = nil) throws -> LibraryStore {
    try LibraryStore(path: path ?? self.path, boot: "one")
  }

  @discardableResult
  private func add(_ arrived: Int64, to store: LibraryStore) throws -> Asset {
    let id = try store.index.files.reserveAssetID()
    var asset = Asset(
      id: id, mediaType: .image,
      identity: FileIdentity(volume: .unknown, inode: UInt64(id.rawValue), birthTime: 5), byteCount: 1,
      created: 1, modified: 2, primary: Location(Self.album, FileName("\(id.rawValue).jpg")))
    asset.arrived = arrived
    try store.index.files.insert(asset)
    return asset
  }

  private func write(_ store: LibraryStore, _ body: () throws -> Void) throws {
    try store.begin()
    try body()
    try store.commit()
  }

  @Test("S101: pages go on in the order of arrival, equal ones by age, by an index, and all are there once")
  func pages() throws {
    let store = try self.store()
    try write(store) { for arrived in [30, 10, 20, 20, 40] as [Int64] { try add(arrived, to: store) } }
    var query = AssetQuery()
    query.order = .added
    #expect(store.assets.isShort(query))
    for descending in [false, true] {
      query.descending = descending
      var found: [Int64] = []
      var cursor: AssetCursor?
      repeat {
        let page = try store.assets.fetch(query, after: cursor, limit: 2)
        found += page.assets.map(\.id.rawValue)
        cursor = page.next
      } while cursor != nil
      #expect(found == (descending ? [5, 1, 4, 3, 2] : [2, 3, 4, 1, 5]))
    }
    let plan = try store.connection.statement(
      "EXPLAIN QUERY PLAN SELECT id FROM asset WHERE flags & 2 = 0 ORDER BY arrived DESC, id DESC LIMIT 9")
    #expect(
      try plan.all { String(decoding: $0.bytes(3), as: UTF8.self) }.allSatisfy {
        $0.contains("asset_arrived")
      }
    )
  }

  @Test(
    "S26, S99, S101: an arrival outlives a kill, an edit, and a deletion with its id, and so does an earlier one, that of RAW"
  )
  func kept() throws {
    let store = try self.store()
    try write(store) { _ = try store.finishScan() }
    try write(store) {
      for number in 1...40 { try add(Int64(number) * 100, to: store) }
      var edited = try #require(try store.index.files.asset(AssetID(rawValue: 7)))
      edited.byteCount = 99
      try store.index.files.update(edited)
      var paired = try #require(try store.index.files.asset(AssetID(rawValue: 9)))
      paired.arrived = 50
      try store.index.files.update(paired)
      let gone = try #require(try store.index.files.asset(AssetID(rawValue: 8)))
      try store.deleted.put(
        DeletedAsset(
          key: .random(), state: .deleted, asset: gone, root: RootID(rawValue: 1), place: Self.album,
          deleted: 1, app: nil))
      for number in 1...40 {
        let asset = try #require(try store.index.files.asset(AssetID(rawValue: Int64(number))))
        _ = try store.index.journal.append(
          Change(
            .asset(asset.id), .inserted, albumsBefore: [], albumsAfter: [], snapshot: Change.Snapshot(asset)))
      }
    }
    #expect(store.transaction.isUnsettled, "that batch is in the redo log only")
    #expect(try store.files.asset(AssetID(rawValue: 9))?.arrived == 50)
    let copy = try directory.copy()
    let survivor = try self.store(copy.path + "/library.sqlite")
    for number in 1...40 {
      let asset = try #require(try survivor.files.asset(AssetID(rawValue: Int64(number))))
      #expect(asset.arrived == (number == 9 ? 50 : Int64(number) * 100))
    }
    #expect(try survivor.deleted.all().map(\.asset.arrived) == [800])
  }

  @Test("S101: of an index of the release before, assets arrived when their files were born, or changed last")
  func migrated() throws {
    try execute(FormerIndex.sql, on: path)
    let (past, never) = (1_700_000_000_000_000_000, 9_000_000_000_000_000_000)
    try execute(
      """
      UPDATE asset SET birth = \(past) + id, modified = \(past) + 100 + id;
      UPDATE asset SET birth = 0 WHERE id = 8; UPDATE asset SET birth = \(never) WHERE id = 7
      """, on: path)
    let store = try self.store()
    let asset = { try #require(try store.files.asset(AssetID(rawValue: $0))) }
    for number in 1...6 as ClosedRange<Int64> {
      #expect(try asset(number).arrived == asset(number).identity.birthTime)
    }
    #expect(try asset(8).arrived == asset(8).modified)
    #expect(try asset(7).arrived < 8_000_000_000_000_000_000, "no time to come")
  }

  @Test("S101: arrivals are kept of a damaged index; of one without, they are what a first scan says")
  func salvaged() throws {
    for isFormer in [false, true] {
      let path = "\(directory.path)/\(isFormer).sqlite"
      let store = try self.store(path)
      try write(store) {
        try store.index.directories.put(
          DirectoryTree.Node(
            id: Self.album, root: RootID(rawValue: 1), parent: nil, name: FileName("a"), identity: .none))
        try store.index.directories.put(
          StoredRoot(id: RootID(rawValue: 1), path: FileName("/photos"), identity: .none))
        let asset = try add(700, to: store)
        #expect(
          try store.index.files.insert(
            Link(
              location: asset.primary, asset: asset.id, identity: asset.identity, byteCount: 1, modified: 2)))
        try store.index.directories.setCounts(NameCounts(names: 1), of: Self.album)
      }
      try store.close()
      if isFormer {
        try execute("DROP INDEX asset_arrived; ALTER TABLE asset DROP COLUMN arrived", on: path)
      }
      LibrarySalvage(path: path).noteDamage()
      let salvaged = try LibraryStore.opened(path: path, boot: "one")
      #expect(try #require(salvaged.damage).kept.contains(.ids))
      #expect(try salvaged.files.asset(AssetID(rawValue: 1))?.arrived == (isFormer ? 5 : 700))
    }
  }
}
