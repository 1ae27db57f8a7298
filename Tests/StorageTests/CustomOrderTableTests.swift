import LibraryModel
import TestSupport
import Testing

@testable import Storage

@Suite("S103: the order of albums in the index") struct CustomOrderTableTests {
  private let directory: StateDirectory
  private var path: String { directory.path + "/library.sqlite" }
  private let album = AlbumID(rawValue: 1)
  private let other = AlbumID(rawValue: 2)

  init() throws { directory = try StateDirectory() }

  /// An index with two albums, and 30 assets in the first, of which those with odd numbers have places, the last the first.
  private func store() throws -> (LibraryStore, [AssetID]) {
    let store = try LibraryStore(path: path, boot: "one")
    try store.begin()
    try store.index.directories.put(
      StoredRoot(id: RootID(rawValue: 1), path: FileName("/photos"), identity: .none))
    for id in [album, other] {
      _ = try store.index.directories.reserveAlbumID()
      try store.index.directories.put(
        DirectoryTree.Node(
          id: id, root: RootID(rawValue: 1), parent: nil, name: FileName("\(id.rawValue)"),
          identity: FileIdentity(volume: .unknown, inode: UInt64(id.rawValue), birthTime: 1)))
    }
    var ids: [AssetID] = []
    for number in 0..<30 {
      let id = try store.index.files.reserveAssetID()
      let identity = FileIdentity(volume: .unknown, inode: UInt64(id.rawValue), birthTime: 1)
      let location = Location(album, FileName("\(number).jpg"))
      try store.index.files.insert(
        Asset(
          id: id, mediaType: .image, identity: identity, byteCount: 1, created: Int64(number % 5) * 1000,
          modified: 1, primary: location))
      _ = try store.index.files.insert(
        Link(
          location: location, asset: id, identity: identity, byteCount: 1, modified: 1, resource: .main))
      ids.append(id)
    }
    try store.index.directories.setCounts(NameCounts(names: 30), of: album)
    for number in stride(from: 1, to: 30, by: 2) {
      try store.index.customOrder?.setPosition(Int64(-number), of: ids[number], in: album)
    }
    _ = try store.finishScan()
    try store.commit()
    return (store, ids)
  }

  private func sorted(_ ids: [AssetID]) -> [AssetID] {
    let unplaced = stride(from: 0, to: 30, by: 2).sorted { ($0 % 5, $0) < ($1 % 5, $1) }
    return stride(from: 29, to: 0, by: -2).map { ids[$0] } + unplaced.map { ids[$0] }
  }

  private func query(_ album: AlbumID, descending: Bool = false) -> AssetQuery {
    var query = AssetQuery()
    query.memberships = [.init(albums: [album])]
    query.orderedAlbum = album
    query.order = .custom
    query.descending = descending
    return query
  }

  private func order(_ store: LibraryStore) throws -> [AssetID] {
    try store.customOrder.placed(in: album, from: .min, limit: 100).map(\.id)
  }

  @Test(
    "S103: what has a place comes first, then the rest by when it was created, in pages and as ids as well",
    arguments: [false, true])
  func pages(descending: Bool) throws {
    let (store, ids) = try self.store()
    try store.settle()
    let expected = descending ? sorted(ids).reversed() : sorted(ids)
    let query = query(album, descending: descending)
    try store.apart.read(.unlimited) { library in
      #expect(try library.fetch(query, limit: 100).assets.map(\.id) == expected)
      for limit in [1, 4, 7, 29, 30] {
        var (assets, found): ([AssetID], [AssetID]) = ([], [])
        var cursor: AssetCursor?
        repeat {
          let page = try library.fetch(query, after: cursor, limit: limit)
          let idPage = try library.ids(query, after: cursor, limit: limit)
          #expect(idPage.next == page.next && idPage.keys == nil)
          assets += page.assets.map(\.id)
          found += idPage.ids
          cursor = page.next
        } while cursor != nil
        #expect(assets == expected && found == expected, "\(limit)")
      }
      #expect(try library.ids(query, limit: 5, offset: 20).ids == Array(expected[20..<25]))
    }
    #expect(!query.isShort && !self.query(AlbumID(rawValue: 9)).isShort)
    // A cursor of another order leads somewhere.
    for key in [.number(3), .name(FileName("x")), .place(.min, created: .max)] as [AssetCursor.Key] {
      let cursor = AssetCursor(key: key, id: ids[0])
      for order in [AssetQuery.Order.age, .created, .filename, .custom] {
        var query = query
        query.order = order
        _ = try store.assets.fetch(query, after: cursor, limit: 5)
      }
    }
  }

  @Test("S103: what has no place is found in its order, as far as one of it")
  func unplaced() throws {
    let (store, ids) = try self.store()
    try store.settle()
    let expected = Array(sorted(ids).suffix(15))
    try store.apart.read(.unlimited) { [album, other] library in
      let found = try [nil, expected[6], AssetID(rawValue: 999)].map {
        try library.unplaced(in: album, through: $0)
      }
      #expect(found == [expected, Array(expected[...6]), []])
      let none = try library.unplaced(in: other, through: nil)
      #expect(none.isEmpty)
    }
  }

  @Test("S103: what is taken back was not, an album that is gone leaves nothing, and the rest is there again")
  func kept() throws {
    let (store, ids) = try self.store()
    let all = try order(store)
    #expect(all == Array(sorted(ids).prefix(15)))
    #expect(try store.customOrder.mayOrder(album) && !store.customOrder.mayOrder(other))
    try store.begin()
    try store.index.customOrder?.setPosition(nil, of: ids[1], in: album)
    try store.index.customOrder?.setPosition(5, of: ids[0], in: other)
    store.rollback()
    #expect(try order(store) == all && !store.customOrder.mayOrder(other))
    try store.begin()
    try store.index.customOrder?.setPosition(5, of: ids[0], in: other)
    try store.index.customOrder?.setPosition(100, of: ids[1], in: album)
    try store.index.customOrder?.setPosition(nil, of: ids[3], in: album)
    try store.index.directories.remove(other)
    try store.commit()
    let left = all.filter { $0 != ids[1] && $0 != ids[3] } + [ids[1]]
    #expect(try order(store) == left)
    #expect(try store.customOrder.placed(in: album, before: 100, limit: 2).map(\.id) == [ids[5], ids[7]])
    try store.close()
    let again = try LibraryStore(path: path, boot: "one")
    #expect(
      try order(again) == left && again.customOrder.mayOrder(album) && !again.customOrder.mayOrder(other))
    #expect(try again.connection.scalar("SELECT count(*) FROM albumOrder") == 14)
  }

  @Test("S26, S103: what was put somewhere and told outlives a kill")
  func killed() throws {
    let (store, ids) = try self.store()
    try store.settle()
    try store.begin()
    try store.index.customOrder?.setPosition(100, of: ids[29], in: album)
    try store.index.customOrder?.setPosition(nil, of: ids[1], in: album)
    _ = try store.index.journal.append(
      Change(
        .album(album), .changed(content: false), albumsBefore: [], albumsAfter: [],
        snapshot: .album(name: FileName("1"), root: RootID(rawValue: 1))))
    try store.commit()
    #expect(store.transaction.isUnsettled, "that batch is in the redo log only")
    let copy = try directory.copy()
    let survivor = try LibraryStore(path: copy.path + "/library.sqlite", boot: "one")
    #expect(try order(survivor) == order(store) && order(survivor).last == ids[29])
  }

  @Test("S26, S103: what is read before what was told can be written again is not kept for later")
  func behind() throws {
    let (store, ids) = try self.store()
    try store.settle()
    try store.begin()
    try store.index.customOrder?.setPosition(1, of: ids[0], in: other)
    _ = try store.index.journal.append(
      Change(
        .album(other), .changed(content: false), albumsBefore: [], albumsAfter: [],
        snapshot: .album(name: FileName("2"), root: RootID(rawValue: 1))))
    try store.commit()
    #expect(store.transaction.isUnsettled, "that batch is in the redo log only")
    // What waits is not written before this.
    try store.connection.prepareUnrecorded("PRAGMA query_only = ON").run()
    try store.begin()
    #expect(throws: StorageError.self) { try store.index.customOrder?.setPosition(1, of: ids[0], in: album) }
    store.rollback()
    #expect(store.transaction.mustDoAgain)
    #expect(try !store.customOrder.mayOrder(other))
    try store.connection.run("PRAGMA query_only = OFF")
    try store.settle()
    #expect(try store.customOrder.mayOrder(other))
  }

  @Test(
    "S103: of a damaged index orders are kept, or they alone are not where they are of no album, or no order",
    arguments: [
      "", "INSERT INTO albumOrder VALUES (77, 1, 1)", "INSERT INTO albumOrder VALUES (1, 99999999, 1)",
      "INSERT OR REPLACE INTO albumOrder VALUES (1, 1, 9223372036854775807)",
      "INSERT OR REPLACE INTO albumOrder VALUES (1, 1, 'x')",
    ])
  func salvaged(damage: String) throws {
    let (store, _) = try self.store()
    let all = try order(store)
    try store.close()
    if !damage.isEmpty { try execute(damage, on: path) }
    LibrarySalvage(path: path).noteDamage()
    let salvaged = try LibraryStore.opened(path: path, boot: "one")
    let parts = Set(LibraryDamage.Kept.allCases)
    #expect(
      try #require(salvaged.damage).kept == (damage.isEmpty ? parts : parts.subtracting([.customOrder])))
    #expect(try order(salvaged) == (damage.isEmpty ? all : []))
  }
}
