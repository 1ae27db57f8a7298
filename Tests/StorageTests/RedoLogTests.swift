import Glibc
import LibraryModel
import Testing
import TestSupport

@testable import Storage

/// What was promised outlives the process, committed or not (S26).
@Suite("S26: the redo log")
struct RedoLogTests {
  private let directory: StateDirectory
  private var path: String { directory.path + "/library.sqlite" }

  init() throws {
    directory = try StateDirectory()
  }

  private func scannedStore() throws -> LibraryStore {
    let store = try LibraryStore(path: path, boot: "one")
    try store.begin()
    try store.index.directories.put(
      DirectoryTree.Node(
        id: DirectoryID(rawValue: 1), root: RootID(rawValue: 1), parent: nil, name: FileName("Album"),
        identity: FileIdentity(volume: .unknown, inode: 1, birthTime: 1), isMount: false))
    try store.finishScan()
    try store.commit()
    return store
  }

  /// One batch: a file is added, and told.
  private func addOne(to store: LibraryStore) throws {
    try store.begin()
    do {
      try store.addAsset()
      try store.commit()
    } catch {
      store.rollback()
      throw error
    }
  }

  /// What another process finds when this one is killed now.
  private func survivor(of store: LibraryStore, boot: String = "one") throws -> Survivor {
    let copy = try directory.copy()
    return Survivor(directory: copy, store: try LibraryStore(path: copy.path + "/library.sqlite", boot: boot))
  }

  private struct Survivor {
    /// Removed with this.
    let directory: StateDirectory
    let store: LibraryStore
    func contents() throws -> [String] { try store.contents() }
  }

  @Test("a batch that was ended is there after a kill, committed or not")
  func killed() throws {
    let store = try scannedStore()
    for _ in 0..<3 { try addOne(to: store) }
    #expect(store.transaction.isUnsettled, "these batches are in the redo log only")
    let survivor = try survivor(of: store)
    let killed = survivor.store
    #expect(try killed.contents() == store.contents())
    #expect(killed.place == store.place && killed.files.assetCount == 3 && killed.hasScanned)
    try killed.begin()
    #expect(try killed.index.files.reserveAssetID().rawValue > 3, "an id that was told is not given again")
    killed.rollback()
    // Once they are committed they are not done twice.
    try store.settle()
    #expect(try self.survivor(of: store).contents() == store.contents())
  }

  @Test("a batch that was not ended is gone after a kill, and those before it are there")
  func killedInBatch() throws {
    let store = try scannedStore()
    try addOne(to: store)
    let promised = try store.contents()
    try store.begin()
    try store.addAsset()
    #expect(try survivor(of: store).contents() == promised)
    store.rollback()
    #expect(try store.contents() == promised && store.files.assetCount == 1)
    try addOne(to: store)
    #expect(try survivor(of: store).contents() == store.contents())
  }

  @Test(
    "a record that was cut off or damaged does not count; those before it do", arguments: [0, 7, 31, 40, 200])
  func torn(offset: Int) throws {
    let store = try scannedStore()
    try addOne(to: store)
    let promised = try store.contents()
    let length = store.transaction.redo.position
    try addOne(to: store)
    try damage(path + "-redo", at: length + offset)
    #expect(try survivor(of: store).contents() == promised)
  }

  @Test("S26, S27: after another boot the log counts for nothing; the scan finds again what is lost")
  func otherBoot() throws {
    let store = try scannedStore()
    try addOne(to: store)
    try store.settle()
    let settled = store.place
    try addOne(to: store)
    let survivor = try survivor(of: store, boot: "two")
    let rebooted = survivor.store
    #expect(rebooted.files.assetCount == 1)
    #expect(try rebooted.journal.covers(settled) && !rebooted.journal.covers(store.place))
  }

  @Test("a full disk takes nothing back that was promised, and is over when there is room")
  func fullDisk() throws {
    let store = try scannedStore()
    for _ in 0..<5 { try addOne(to: store) }
    let promised = try store.contents()
    try store.connection.run("PRAGMA max_page_count = 1")
    #expect(throws: StorageError.self) {
      for _ in 0..<500 { try addOne(to: store) }
    }
    let (assets, place) = (store.files.assetCount, store.place)
    #expect(assets >= 5)
    // What was promised last has no room in the tables either: nobody is shown less.
    #expect(throws: StorageError.self) { try store.journal.changes(after: store.place, limit: 100) }
    #expect(try survivor(of: store).store.place == place)
    try store.connection.run("PRAGMA max_page_count = 1000000")
    try store.settle()
    #expect(try Set(promised.filter { $0.hasPrefix("journal") }).isSubset(of: store.contents()))
    try addOne(to: store)
    #expect(store.files.assetCount == assets + 1)
    #expect(try survivor(of: store).contents() == store.contents())
  }

  @Test("whatever is begun, ended, taken back and committed: a kill leaves what was ended", arguments: 1...12)
  func anyOrder(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let store = try scannedStore()
    let (viewer, album) = (ViewerKey(uid: 1000, app: "org.example.Viewer"), AlbumID(rawValue: 1))
    var promised = try store.contents()
    var unsettled = 0
    for _ in 0..<120 {
      switch Int.random(in: 0..<12, using: &random) {
      case 0: try store.settle()
      case 1:
        try store.begin()
        try store.addAsset()
        store.rollback()
      case 2:
        try store.begin()
        if let removed = try store.anyAsset(using: &random) { try store.removeAsset(removed) }
        try store.commit()
      case 3:
        // Too long for the log: committed at once.
        try store.begin()
        for _ in 0..<300 { try store.addAsset() }
        try store.commit()
      case 4:
        // Nobody is told of it.
        try store.begin()
        try store.index.directories.put(
          StoredRoot(
            id: RootID(rawValue: 1), path: FileName("\(promised.count)"),
            identity: FileIdentity(volume: .unknown, inode: 1, birthTime: 1)))
        try store.commit()
      case 5:
        try store.begin()
        _ = try store.views.setView(
          of: viewer, to: .selection(assets: [AssetID(rawValue: 1)], albums: [album]), resets: false)
        _ = try store.views.noteCreated(
          album, by: viewer, parent: nil, snapshot: .album(name: FileName("A"), root: RootID(rawValue: 1)),
          title: FileName("B"))
        _ = try store.views.noteShared(
          album, Bool.random(using: &random), parent: nil,
          snapshot: .album(name: FileName("A"), root: RootID(rawValue: 1)))
        try store.commit()
      case 6:
        try store.begin()
        if let removed = try store.anyAsset(using: &random) {
          try store.deleted.put(
            DeletedAsset(
              key: .random(), state: .deleted, asset: removed, root: RootID(rawValue: 1), place: album,
              deleted: 1, app: nil))
          try store.removeAsset(removed)
        }
        try store.commit()
      default: try addOne(to: store)
      }
      if store.transaction.isUnsettled { unsettled += 1 }
      promised = try store.contents()
      if Int.random(in: 0..<10, using: &random) == 0 {
        #expect(try survivor(of: store).contents() == promised)
      }
    }
    #expect(unsettled > 20, "the log was used")
  }

  @Test("S26: where a commit fails, and doing it again as well, nobody is moved past what was promised")
  func failedTwice() throws {
    let store = try scannedStore()
    try addOne(to: store)
    try store.settle()
    let start = store.place
    for _ in 0..<3 { try addOne(to: store) }
    // What waits is not written before this.
    try store.connection.prepareUnrecorded("PRAGMA query_only = ON").run()
    #expect(throws: StorageError.self) { try addOne(to: store) }
    #expect(store.place.rawValue == start.rawValue + 3)
    #expect(throws: StorageError.self) { try store.journal.changes(after: start, limit: 100) }
    #expect(throws: StorageError.self) { try store.assets.fetch(AssetQuery(), limit: 100) }
    try store.connection.run("PRAGMA query_only = OFF")
    guard case .changes(let changes) = try store.journal.changes(after: start, limit: 100) else {
      Issue.record("expired")
      return
    }
    #expect(changes.map(\.place.rawValue) == (1...3).map { start.rawValue + $0 })
    #expect(try store.assets.fetch(AssetQuery(), limit: 100).assets.count == 4)
    try store.settle()
    #expect(try survivor(of: store).contents() == store.contents())
  }

  @Test("S26: an empty page before the end of the journal is an error, not the end")
  func emptyPage() throws {
    let store = try scannedStore()
    for _ in 0..<3 { try addOne(to: store) }
    let start = Place(rawValue: store.place.rawValue - 1)
    try store.begin()
    try store.connection.run("DELETE FROM journal WHERE seq > \(start.rawValue)")
    try store.commit()
    #expect(throws: StorageError.self) { try store.journal.changes(after: start, limit: 100) }
  }

  @Test(
    "S26, S39: a batch of which one entry is not understood is not done, nor are those after it, and no number of theirs is given again",
    arguments: [[2, 0, 0], [1, 200, 0], [1]] as [[UInt8]])
  func unknownEntry(entry: [UInt8]) throws {
    let store = try scannedStore()
    try addOne(to: store)
    let promised = try store.contents()
    let (place, length) = (store.place, store.transaction.redo.position)
    try addOne(to: store)
    let after = store.place
    // As it was written, with something behind that this version does not know.
    var log = try RedoLog(
      path: path + "-redo",
      seed: UInt64(bitPattern: try store.connection.scalar("SELECT value FROM meta WHERE name = 'journal'")))
    var payload: [UInt8] = []
    payload.append(contentsOf: [0, 250])
    payload.append(littleEndian: UInt32(33))
    payload += Array("UPDATE directory SET assetCount=99".utf8.prefix(33)) + [1, 250, 0] + entry
    try log.overwrite(at: length, payload, from: place, to: after)
    let survivor = try survivor(of: store)
    let rows = { (rows: [String]) in rows.filter { !$0.hasPrefix("meta") } }
    #expect(try rows(survivor.contents()) == rows(promised))
    #expect(survivor.store.place > after, "behind a gap")
    #expect(try !survivor.store.journal.covers(after))
    #expect(try survivor.store.journal.covers(place))
    try survivor.store.begin()
    #expect(try survivor.store.index.files.reserveAssetID() > AssetID(rawValue: 2))
    survivor.store.rollback()
  }

  @Test("a text with U+0000 is done again as it was written")
  func zero() throws {
    let store = try scannedStore()
    try store.begin()
    try store.addAsset()
    let statement = try store.connection.statement("INSERT INTO meta (name, value) VALUES (?, 7)")
    for name in ["a\u{0}b", "", "c\u{0}"] {
      statement.bind(1, name)
      try statement.run()
    }
    try store.commit()
    let names = "SELECT count(*) FROM meta WHERE CAST(name AS BLOB) IN (x'610062', x'', x'6300')"
    #expect(try store.connection.scalar(names) == 3)
    #expect(try survivor(of: store).contents() == store.contents())
    #expect(try survivor(of: store).store.connection.scalar(names) == 3)
  }

  @Test("an index that is found damaged at the end of the daemon is made anew at the next start")
  func damagedAtTheEnd() throws {
    let store = try scannedStore()
    try store.begin()
    for _ in 0..<3000 { try store.addAsset() }
    try store.commit()
    try store.settle()
    try store.connection.checkpoint()
    try addOne(to: store)
    // Most of the file is gone.
    try #require(truncate(path, 4096) == 0)
    #expect(throws: StorageError.self) { try store.close() }
    #expect(store.isDamaged)
  }

  @Test("what writes is refused outside of a batch: nothing would keep it")
  func outside() throws {
    let store = try scannedStore()
    try addOne(to: store)
    let contents = try store.contents()
    #expect(throws: StorageError.self) { try store.addAsset() }
    #expect(throws: StorageError.self) { try store.deleted.remove(AssetID(rawValue: 1)) }
    #expect(throws: StorageError.self) { try store.index.files.reserveAssetID() }
    #expect(try store.contents() == contents)
    try addOne(to: store)
    #expect(try survivor(of: store).contents() == store.contents())
  }

  @Test("bytes of any kind in the log are survived", arguments: 1...20)
  func fuzz(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let store = try scannedStore()
    for _ in 0..<20 { try addOne(to: store) }
    let copy = try directory.copy()
    for _ in 0..<8 {
      try damage(copy.path + "/library.sqlite-redo", at: Int.random(in: 0..<9000, using: &random))
    }
    let survivor = try LibraryStore(path: copy.path + "/library.sqlite", boot: "one")
    #expect(survivor.place <= store.place && survivor.files.assetCount <= store.files.assetCount)
    try addOne(to: survivor)
  }

  @Test("S16, S39: an id that was served during the first scan is not given again after a kill")
  func killedInFirstScan() throws {
    let store = try LibraryStore(path: path, boot: "one")
    try store.begin()
    // The transaction is open, and what is in it can be fetched.
    let (asset, album) = (
      try store.index.files.reserveAssetID(), try store.index.directories.reserveAlbumID()
    )
    let survivor = try self.survivor(of: store)
    let killed = survivor.store
    try killed.begin()
    #expect(try killed.index.files.reserveAssetID() > asset)
    #expect(try killed.index.directories.reserveAlbumID() > album)
    killed.rollback()
    store.rollback()
  }

  @Test("what an older version promised is done before the index is brought up to date")
  func olderVersion() throws {
    var journal: Int64 = 0
    try {
      let store = try LibraryStore(path: path, boot: "one")
      journal = try store.connection.scalar("SELECT value FROM meta WHERE name = 'journal'")
      try store.begin()
      for sql in [
        "UPDATE meta SET value = 1 WHERE name = 'scanned'", "ALTER TABLE directory DROP COLUMN movieCount",
        "ALTER TABLE directory DROP COLUMN repeatCount",
        "ALTER TABLE directory DROP COLUMN volume", "ALTER TABLE root DROP COLUMN volume",
        "ALTER TABLE deletedAsset DROP COLUMN volume", "DROP TABLE volume",
        """
        DELETE FROM grdb_migrations
        WHERE identifier IN ('library-movies', 'library-volumes', 'library-repeats')
        """,
      ] { try store.connection.run(sql) }
      try store.commit()
    }()
    let recorder = RedoRecorder()
    recorder.begin(isOn: true)
    // As many values as the table had columns then.
    let put = try #require(recorder.define("INSERT INTO directory VALUES (7, 1, NULL, x'41', 1, 1, 0, 0, 0)"))
    recorder.run(put, RedoValues())
    let append = try #require(
      recorder.define("INSERT INTO journal (seq, time, kind, op, id) VALUES (1, 0, 1, 1, 7)"))
    recorder.run(append, RedoValues())
    var log = try RedoLog(path: path + "-redo", seed: UInt64(bitPattern: journal))
    try log.append(recorder.entries, from: .start, to: Place(rawValue: 1))
    let store = try LibraryStore(path: path, boot: "one")
    #expect(store.place == Place(rawValue: 1))
    #expect(try store.index.directories.directories().present.map(\.id.rawValue) == [7])
  }
}

private func damage(_ path: String, at offset: Int) throws {
  let file = open(path, O_RDWR | O_CLOEXEC)
  try #require(file >= 0)
  defer { close(file) }
  var byte: UInt8 = 0
  _ = pread(file, &byte, 1, off_t(offset))
  byte ^= 0x5A
  try #require(pwrite(file, &byte, 1, off_t(offset)) == 1)
}

extension LibraryStore {
  /// Adds an asset with a link and its change.
  fileprivate func addAsset() throws {
    let id = try index.files.reserveAssetID()
    let location = Location(DirectoryID(rawValue: 1), FileName("\(id.rawValue) \u{E9}.jpg"))
    let identity = FileIdentity(volume: .unknown, inode: UInt64(id.rawValue), birthTime: 5)
    #expect(
      try index.files.insert(
        Link(location: location, asset: id, identity: identity, byteCount: 1, modified: -3)))
    try index.files.insert(
      Asset(
        id: id, mediaType: .image, identity: identity, byteCount: 1, created: 1, modified: 2,
        primary: location))
    try index.directories.setCounts(NameCounts(names: files.assetCount), of: DirectoryID(rawValue: 1))
    _ = try index.journal.append(
      Change(
        .asset(id), .inserted, albumsBefore: [], albumsAfter: [DirectoryID(rawValue: 1)],
        snapshot: .asset(name: location.name, mediaType: .image, byteCount: 1, created: 1, modified: 2)))
  }

  fileprivate func anyAsset(using random: inout SeededGenerator) throws -> Asset? {
    try assets.fetch(AssetQuery(), limit: 100).assets.randomElement(using: &random)
  }

  fileprivate func removeAsset(_ asset: Asset) throws {
    try index.files.removeLink(at: asset.primary)
    try index.files.remove(asset.id)
    try index.directories.setCounts(NameCounts(names: files.assetCount), of: DirectoryID(rawValue: 1))
    _ = try index.journal.append(
      Change(
        .asset(asset.id), .removed, albumsBefore: asset.albums, albumsAfter: [], snapshot: nil))
  }

  /// Every row of every table.
  fileprivate func contents() throws -> [String] {
    var rows: [String] = []
    let tables = try connection.statement("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
      .all {
        $0.name(0).description
      }
    #expect(tables.count > 12)
    for table in tables {
      let columns = try connection.statement("SELECT name FROM pragma_table_info('\(table)')").all {
        $0.name(0).description
      }
      // The second of a batch is the clock's.
      let shown = columns.filter { $0 != "time" }.map { "quote(\"\($0)\")" }.joined(separator: "||','||")
      rows += try connection.statement("SELECT \(shown) FROM \(table) ORDER BY 1").all {
        "\(table) " + $0.name(0).description
      }
    }
    return rows
  }
}
