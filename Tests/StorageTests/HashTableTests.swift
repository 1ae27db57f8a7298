import LibraryModel
import TestSupport
import Testing

@testable import Storage

@Suite("Hashes in the index") struct HashTableTests {
  private let directory: StateDirectory
  private var path: String { directory.path + "/library.sqlite" }

  init() throws { directory = try StateDirectory() }

  private func store() throws -> LibraryStore { try LibraryStore(path: path, boot: "one") }

  private static func hash(_ byte: UInt8) throws -> ContentHash {
    try #require([UInt8](repeating: byte, count: 32).withUnsafeBytes { ContentHash(bytes: $0) })
  }

  @discardableResult
  private func add(to store: LibraryStore) throws -> Asset {
    let id = try store.index.files.reserveAssetID()
    let asset = Asset(
      id: id, mediaType: .image,
      identity: FileIdentity(volume: .unknown, inode: UInt64(id.rawValue), birthTime: 5), byteCount: 1,
      created: 3, modified: 2, primary: Location(AlbumID(rawValue: 1), FileName("\(id.rawValue).jpg")))
    try store.index.files.insert(asset)
    return asset
  }

  private func note(_ hash: ContentHash?, of asset: Asset, in store: LibraryStore) throws {
    var asset = asset
    (asset.contentHash, asset.isHashed) = (hash, true)
    try store.index.files.update(asset)
  }

  private func write(_ store: LibraryStore, _ body: () throws -> Void) throws {
    try store.begin()
    try body()
    try store.commit()
  }

  @Test("S96: an index of the release before keeps its ids and its tokens, and all of it is to be hashed")
  func migrated() throws {
    try execute(FormerIndex.sql, on: path)
    let store = try self.store()
    #expect(store.files.assetCount == 8 && store.hashed.unhashedCount == 8)
    #expect(try store.journal.covers(Place(rawValue: 2)))
    let page = try store.hashed.unhashed(after: nil, limit: 3)
    #expect(page.map(\.rawValue) == [8, 7, 6])
    #expect(try store.hashed.unhashed(after: page.last, limit: 9).map(\.rawValue) == [5, 4, 3, 2, 1])
  }

  @Test("S96: what is yet to be hashed is counted, whatever comes, changes, goes, or is taken back")
  func counted() throws {
    let store = try self.store()
    var assets: [Asset] = []
    try write(store) { assets = try (0..<20).map { _ in try add(to: store) } }
    #expect(store.hashed.unhashedCount == 20)
    try write(store) {
      try note(Self.hash(1), of: assets[0], in: store)
      try note(nil, of: assets[1], in: store)
      try store.index.files.remove(assets[2].id)
      try note(Self.hash(1), of: assets[3], in: store)
      try store.index.files.remove(assets[3].id)
    }
    #expect(store.hashed.unhashedCount == 16)
    try store.begin()
    try note(Self.hash(2), of: assets[5], in: store)
    store.rollback()
    #expect(store.hashed.unhashedCount == 16)
    #expect(try store.hashed.unhashed(after: nil, limit: 99).count == 16)
    #expect(try self.store().hashed.unhashedCount == 16)
  }

  @Test(
    "S96: assets are found by any of some hashes, in every order and page by page, and looked up, not sought")
  func found() throws {
    let store = try self.store()
    var assets: [Asset] = []
    try write(store) {
      assets = try (0..<40).map { _ in try add(to: store) }
      for (number, asset) in assets.enumerated() where number % 4 != 3 {
        try note(Self.hash(UInt8(number % 4)), of: asset, in: store)
      }
    }
    for order in [AssetQuery.Order.age, .created, .modified, .filename, .byteCount] {
      for descending in [false, true] {
        var query = AssetQuery()
        (query.order, query.descending) = (order, descending)
        query.contentHashes = [try Self.hash(0), try Self.hash(2), try Self.hash(77)]
        #expect(!query.isUnfiltered && !query.isShort)
        #expect(try store.assets.count(query) == 20)
        var ids: [AssetID] = []
        var cursor: AssetCursor?
        repeat {
          let page = try store.assets.fetch(query, after: cursor, limit: 7)
          ids += page.assets.map(\.id)
          #expect(page.assets.allSatisfy { $0.contentHash != nil && $0.isHashed })
          cursor = page.next
        } while cursor != nil
        #expect(
          ids.count == 20 && Set(ids) == Set(assets.indices.filter { $0 % 2 == 0 }.map { assets[$0].id }))
      }
    }
  }

  @Test("S96: it takes no walk through the library to find a hash")
  func looked() throws {
    let store = try self.store()
    try write(store) {
      for number in 0..<20_000 {
        let asset = try add(to: store)
        try note(Self.hash(number % 1000 == 0 ? 1 : 3), of: asset, in: store)
      }
    }
    try store.settle()
    for order in [AssetQuery.Order.age, .created, .modified, .filename, .byteCount] {
      var query = AssetQuery()
      (query.order, query.contentHashes) = (order, [try Self.hash(1), try Self.hash(2)])
      // To look at each asset once takes five times as much.
      let found = try store.apart.read(SearchLimit(operations: SearchLimit.interval)) { library in
        (try library.count(query), try library.fetch(query, limit: 9).assets.count)
      }
      #expect(found == (20, 9))
      // Nor through all that have it, for who sees some.
      query.memberships = [.init(ids: (2...6).map { AssetID(rawValue: $0) })]
      query.contentHashes = [try Self.hash(3)]
      let seen = try store.apart.read(SearchLimit(operations: SearchLimit.interval)) { try $0.count(query) }
      #expect(seen == 5)
    }
  }

  @Test("S96: a hash outlives a kill, and is told of the content that it is of alone")
  func killed() throws {
    let store = try self.store()
    try write(store) {
      try add(to: store)
      _ = try store.finishScan()
    }
    let asset = try #require(try store.files.asset(AssetID(rawValue: 1)))
    try write(store) {
      try note(Self.hash(9), of: asset, in: store)
      _ = try store.index.journal.append(
        Change(
          .asset(asset.id), .changed(content: false), albumsBefore: [], albumsAfter: [],
          snapshot: Change.Snapshot(asset)))
    }
    #expect(store.transaction.isUnsettled, "that batch is in the redo log only")
    let copy = try directory.copy()
    let survivor = try LibraryStore(path: copy.path + "/library.sqlite", boot: "one")
    #expect(try survivor.files.asset(asset.id)?.contentHash == Self.hash(9))
    #expect(survivor.hashed.unhashedCount == 0)
    #expect(
      try survivor.hashed.contentHash(of: asset.id, byteCount: 1, modified: 2, isHidden: false)
        == Self.hash(9))
    #expect(
      try survivor.hashed.contentHash(of: asset.id, byteCount: 1, modified: 2, isHidden: true) == nil,
      "S91: shown then, hidden by now")
    #expect(try survivor.hashed.contentHash(of: asset.id, byteCount: 2, modified: 2, isHidden: false) == nil)
    #expect(try survivor.hashed.contentHash(of: asset.id, byteCount: 1, modified: 3, isHidden: false) == nil)
    #expect(
      try survivor.hashed.contentHash(of: AssetID(rawValue: 7), byteCount: 1, modified: 2, isHidden: false)
        == nil)
  }

  @Test("S96: of an index that was damaged no hash is believed")
  func salvaged() throws {
    try {
      let store = try self.store()
      try write(store) {
        let asset = try add(to: store)
        _ = try store.index.files.insert(
          Link(
            location: asset.primary, asset: asset.id, identity: asset.identity, byteCount: 1, modified: 2))
        try store.index.directories.put(
          DirectoryTree.Node(
            id: DirectoryID(rawValue: 1), root: RootID(rawValue: 1), parent: nil, name: FileName("a"),
            identity: FileIdentity(volume: .unknown, inode: 1, birthTime: 1)))
        try store.index.directories.setCounts(
          NameCounts(names: 1, repeats: 0, companions: 0), of: DirectoryID(rawValue: 1))
        try store.index.directories.put(
          StoredRoot(id: RootID(rawValue: 1), path: FileName("/photos"), identity: .none))
        try note(Self.hash(9), of: asset, in: store)
      }
      store.noteDamage()
      try store.close()
    }()
    let store = try LibraryStore.opened(path: path, boot: "one")
    #expect(try #require(store.damage).kept.contains(.ids))
    let asset = try #require(try store.files.asset(AssetID(rawValue: 1)))
    #expect(asset.contentHash == nil && !asset.isHashed && store.hashed.unhashedCount == 1)
  }
}
