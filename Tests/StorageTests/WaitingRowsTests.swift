import LibraryModel
import Testing

@testable import Storage

/// Rows wait for others with which they are inserted in one statement. Nobody must see that.
@Suite("Rows that wait")
struct WaitingRowsTests {
  private let directory: StateDirectory
  private var path: String { directory.path + "/library.sqlite" }
  private let album = DirectoryID(rawValue: 1)

  init() throws {
    directory = try StateDirectory()
  }

  private func scannedStore() throws -> LibraryStore {
    let store = try LibraryStore(path: path, boot: "one")
    try store.begin()
    try store.finishScan()
    try store.commit()
    return store
  }

  /// Adds assets with their entries of the journal: more than one statement takes, and fewer.
  @discardableResult
  private func add(_ count: Int, to store: LibraryStore) throws -> [AssetID] {
    try (0..<count).map { _ in
      let id = try store.index.files.reserveAssetID()
      let location = Location(album, FileName("\(id.rawValue).jpg"))
      try insert(Self.asset(id, at: location), into: store)
      return id
    }
  }

  private func insert(_ asset: Asset, into store: LibraryStore) throws {
    try store.index.files.insert(asset)
    _ = try store.index.journal.append(
      Change(
        .asset(asset.id), .inserted, albumsBefore: [], albumsAfter: [album],
        snapshot: .asset(name: asset.filename, mediaType: .image, byteCount: 7, created: 1, modified: 2)))
  }

  /// Assets with their names, each in a batch of its own.
  private func addNamed(_ count: Int, to store: LibraryStore) throws -> [AssetID] {
    try (0..<count).map { _ in
      try store.begin()
      let id = try addNamed(to: store)
      try store.commit()
      return id
    }
  }

  private func addNamed(to store: LibraryStore) throws -> AssetID {
    let id = try add(1, to: store)[0]
    let asset = Self.asset(id, at: Location(album, FileName("\(id.rawValue).jpg")))
    let link = Link(
      location: asset.primary, asset: id, identity: asset.identity, byteCount: asset.byteCount, modified: 2)
    #expect(try store.index.files.insert(link))
    return id
  }

  private static func asset(_ id: AssetID, at location: Location) -> Asset {
    Asset(
      id: id, mediaType: .image,
      identity: FileIdentity(volume: .unknown, inode: UInt64(id.rawValue), birthTime: 5),
      byteCount: 7,
      created: 1, modified: 2, primary: location)
  }

  private func told(_ store: LibraryStore) throws -> [Change.Subject?] {
    guard case .changes(let changes) = try store.journal.changes(after: Place(rawValue: 1), limit: 1000)
    else {
      return []
    }
    return changes.map { $0.change?.subject }
  }

  @Test("S26: who reads in the batch sees them, in order", arguments: [1, 3, 4, 5, 15, 16, 17, 20, 33, 40])
  func seen(count: Int) throws {
    let store = try scannedStore()
    try store.begin()
    let ids = try add(count, to: store)
    #expect(try ids.allSatisfy { try store.files.asset($0)?.primary.name == FileName("\($0.rawValue).jpg") })
    #expect(try ids.allSatisfy { try store.files.links(inode: UInt64($0.rawValue)).map(\.asset) == [$0] })
    #expect(try told(store) == ids.map { .asset($0) })
    try store.commit()
    #expect(try told(store) == ids.map { .asset($0) })
    #expect(try store.assets.count(AssetQuery()) == count)
  }

  @Test("each way to read sees those that came after the last")
  func seenAgain() throws {
    let store = try scannedStore()
    try store.begin()
    for count in 1...20 {
      let id = try #require(try add(1, to: store).first)
      #expect(try store.assets.count(AssetQuery()) == count)
      try add(1, to: store)
      #expect(try store.files.asset(id) != nil)
      try store.index.files.remove(try #require(try add(1, to: store).first))
      try store.index.files.remove(AssetID(rawValue: id.rawValue + 1))
    }
    try store.commit()
    #expect(try store.assets.count(AssetQuery()) == 20 && store.files.assetCount == 20)
  }

  /// Adds names that are known to be free.
  private func addNames(_ numbers: Range<Int>, to store: LibraryStore) throws {
    for number in numbers {
      try store.index.files.add(
        Link(
          location: Location(album, FileName("\(1000 + number)")), asset: AssetID(rawValue: Int64(number)),
          identity: FileIdentity(volume: .unknown, inode: UInt64(number), birthTime: 5), byteCount: 7,
          modified: 2))
    }
  }

  @Test(
    "names that are free wait as well, and are seen by all that reads or changes names",
    arguments: [1, 3, 31, 32, 40])
  func namesSeen(count: Int) throws {
    let store = try scannedStore()
    let files = store.index.files
    try store.begin()
    try addNames(0..<count, to: store)
    #expect(
      try files.links(in: album, after: nil, limit: 100).map(\.asset.rawValue) == (0..<count).map(Int64.init))
    try addNames(count..<(count + 4), to: store)
    #expect(try files.link(at: Location(album, FileName("\(1000 + count)")))?.asset.rawValue == Int64(count))
    try addNames((count + 4)..<(count + 5), to: store)
    try files.removeLink(at: Location(album, FileName("\(1000 + count + 4)")))
    try addNames((count + 5)..<(count + 6), to: store)
    var taken = try #require(try files.link(at: Location(album, FileName("\(1000 + count + 5)"))))
    taken.byteCount = 8
    #expect(try !files.insert(taken))
    try store.commit()
    #expect(try files.links(in: album, after: nil, limit: 100).count == count + 5)
  }

  @Test("a name that is not free after all fails its batch, and nothing of that is left", arguments: [1, 40])
  func nameTaken(count: Int) throws {
    let store = try scannedStore()
    try store.begin()
    try addNames(0..<1, to: store)
    try store.commit()
    try store.begin()
    #expect(throws: StorageError.self) {
      try addNames(0..<count, to: store)
      try store.commit()
    }
    store.rollback()
    #expect(try store.files.links(in: album, after: nil, limit: 100).count == 1)
    try store.begin()
    try addNames(1..<3, to: store)
    try store.commit()
    try store.settle()
    #expect(try store.files.links(in: album, after: nil, limit: 100).count == 3)
  }

  @Test("S26: names that waited are done again after a kill")
  func namesAfterKill() throws {
    do {
      let store = try scannedStore()
      try store.begin()
      try addNames(0..<5, to: store)
      try add(1, to: store)
      try store.commit()
    }
    let store = try LibraryStore(path: path, boot: "one")
    #expect(try store.files.links(in: album, after: nil, limit: 100).count == 5)
  }

  @Test("of a batch that is taken back none is left, nor in the batch after it")
  func takenBack() throws {
    let store = try scannedStore()
    try store.begin()
    try add(5, to: store)
    store.rollback()
    try store.begin()
    let ids = try add(2, to: store)
    try store.commit()
    #expect(try told(store) == ids.map { .asset($0) })
    #expect(try store.assets.count(AssetQuery()) == 2)
  }

  @Test("S26: a kill leaves what was ended", arguments: [1, 4, 16, 21, 40])
  func killed(count: Int) throws {
    let store = try scannedStore()
    try store.begin()
    let ids = try add(count, to: store)
    try store.commit()
    #expect(store.transaction.isUnsettled, "the batch is in the redo log only")
    let copy = try directory.copy()
    let survivor = try LibraryStore(path: copy.path + "/library.sqlite", boot: "one")
    #expect(try told(survivor) == ids.map { .asset($0) })
    #expect(try ids.allSatisfy { try survivor.files.asset($0) == store.files.asset($0) })
  }

  @Test(
    "one that cannot be inserted is an error of the batch, whoever was told of it meanwhile",
    arguments: [true, false])
  func refused(isRead: Bool) throws {
    let store = try scannedStore()
    try store.begin()
    let ids = try add(1, to: store)
    try store.commit()
    try store.begin()
    try insert(Self.asset(ids[0], at: Location(album, FileName("another.jpg"))), into: store)
    if isRead { #expect(throws: StorageError.self) { try store.files.asset(ids[0]) } }
    #expect(throws: StorageError.self) { try store.commit() }
    #expect(!store.isWriting)
    #expect(try told(store) == ids.map { .asset($0) })
    #expect(try store.files.asset(ids[0])?.filename == FileName("\(ids[0].rawValue).jpg"))
  }

  // MARK: Beyond the batch

  /// A batch for each asset, of which all are promised and none is committed.
  private func addApart(_ count: Int, to store: LibraryStore) throws -> [AssetID] {
    try (0..<count).flatMap { _ in
      try store.begin()
      let ids = try add(1, to: store)
      try store.commit()
      return ids
    }
  }

  @Test(
    "S26: they wait for those of the next batches, and whoever reads sees them",
    arguments: [1, 2, 9, 31, 32, 33, 70])
  func seenBetween(count: Int) throws {
    let store = try scannedStore()
    let ids = try addApart(count, to: store)
    #expect(!store.connection.waiting.isEmpty && store.transaction.isUnsettled)
    #expect(try told(store) == ids.map { .asset($0) })
    #expect(store.connection.waiting.isEmpty)
    #expect(try store.assets.count(AssetQuery()) == count)
  }

  @Test("S26: a kill leaves what waited", arguments: [1, 31, 33])
  func killedBetween(count: Int) throws {
    let store = try scannedStore()
    let ids = try addApart(count, to: store)
    let copy = try directory.copy()
    let survivor = try LibraryStore(path: copy.path + "/library.sqlite", boot: "one")
    #expect(try told(survivor) == ids.map { .asset($0) })
    #expect(try ids.allSatisfy { try survivor.files.asset($0) == store.files.asset($0) })
  }

  @Test(
    "S26: what is known of some beside their file is kept, whoever waits with them, and after a kill",
    arguments: 0..<7)
  func known(number: Int) throws {
    let store = try scannedStore()
    let said = AssetDescription(
      FileDescription(
        takenLocal: 1_000_000, takenOffset: 0, pixelWidth: 3, pixelHeight: 2, duration: nil, subtypes: [],
        place: nil), movie: nil, offset: { _ in 0 })
    let more: [(inout Asset) -> Void] = [
      { $0.isDescribed = true }, { ($0.isDescribed, $0.description) = (true, said) }, { $0.sidecars = 2 },
      { $0.flags = [.favorite] }, { $0.edit = .adjusted }, { $0.hasRaw = true }, { $0.arrived = 8 },
    ]
    var added: [Asset] = []
    for batch in [3, 1, 2] {
      try store.begin()
      for place in 0..<batch {
        let id = try store.index.files.reserveAssetID()
        var asset = Self.asset(id, at: Location(album, FileName("\(id.rawValue).jpg")))
        if place == 1 || batch == 1 { more[number](&asset) }
        try insert(asset, into: store)
        added.append(asset)
      }
      try store.commit()
    }
    let copy = try directory.copy()
    let survivor = try LibraryStore(path: copy.path + "/library.sqlite", boot: "one")
    for asset in added {
      #expect(try store.files.asset(asset.id) == asset)
      #expect(try survivor.files.asset(asset.id) == asset)
    }
  }

  @Test("S26: they are committed with their batches")
  func settled() throws {
    let store = try scannedStore()
    let ids = try addApart(3, to: store)
    try store.settle()
    #expect(store.connection.waiting.isEmpty && !store.transaction.isUnsettled)
    let copy = try directory.copy()
    // Another boot: what is in the log only is lost.
    let survivor = try LibraryStore(path: copy.path + "/library.sqlite", boot: "two")
    #expect(try ids.allSatisfy { try survivor.files.asset($0) != nil })
  }

  @Test("a batch that is taken back takes none of those before it along")
  func takenBackBetween() throws {
    let store = try scannedStore()
    let ids = try addApart(3, to: store)
    try store.begin()
    try add(2, to: store)
    try store.index.directories.setCounts(NameCounts(names: 5), of: album)
    store.rollback()
    #expect(try told(store) == ids.map { .asset($0) })
    #expect(try store.assets.count(AssetQuery()) == 3 && store.files.assetCount == 3)
  }

  @Test("S26: where SQLite has taken back the transaction, what was promised is done again")
  func lostBetween() throws {
    let store = try scannedStore()
    let ids = try addApart(3, to: store)
    try store.connection.prepareUnrecorded("ROLLBACK").run()
    #expect(throws: StorageError.self) { try store.files.asset(ids[0]) }
    #expect(try told(store) == ids.map { .asset($0) })
    let more = try addApart(2, to: store)
    try store.settle()
    #expect(try told(store) == (ids + more).map { .asset($0) })
  }

  @Test("S26: so it is where the next batch begins before anybody has read, and the index opens afterwards")
  func lostBeforeBatch() throws {
    let store = try scannedStore()
    let ids = try addNamed(3, to: store)
    // Nothing waits when it happens.
    #expect(try told(store) == ids.map { .asset($0) })
    try store.connection.prepareUnrecorded("ROLLBACK").run()
    let more = try addNamed(2, to: store)
    try store.settle()
    #expect(try told(store) == (ids + more).map { .asset($0) })
    let copy = try directory.copy()
    let survivor = try LibraryStore(path: copy.path + "/library.sqlite", boot: "one")
    #expect(try told(survivor) == (ids + more).map { .asset($0) })
    #expect(try survivor.files.asset(more[1]) != nil)
    #expect(try survivor.connection.scalar("SELECT count(*) FROM link") == 5)
  }

  @Test("S26: a batch whose transaction is taken back in its middle writes nothing more, names neither")
  func lostWithin() throws {
    let store = try scannedStore()
    let ids = try addNamed(3, to: store)
    try store.begin()
    _ = try addNamed(to: store)
    try store.connection.prepareUnrecorded("ROLLBACK").run()
    #expect(throws: StorageError.self) { try addNamed(to: store) }
    #expect(throws: StorageError.self) { try store.commit() }
    #expect(try told(store) == ids.map { .asset($0) })
    let more = try addNamed(1, to: store)
    try store.settle()
    #expect(try told(store) == (ids + more).map { .asset($0) })
    #expect(try store.connection.scalar("SELECT count(*) FROM link") == 4)
  }

  @Test("of what is counted, the last number counts; a batch that is taken back leaves the one before")
  func counted() throws {
    let store = try scannedStore()
    func count(_ names: Int) throws {
      try store.index.directories.setCounts(NameCounts(names: names), of: album)
    }
    try store.begin()
    try store.index.directories.put(
      DirectoryTree.Node(
        id: album, root: RootID(rawValue: 1), parent: nil, name: FileName("a"),
        identity: FileIdentity(volume: .unknown, inode: 1, birthTime: 1)))
    try store.commit()
    for names in 1...3 {
      try store.begin()
      try add(1, to: store)
      try count(names)
      try store.commit()
    }
    try store.begin()
    try count(9)
    store.rollback()
    #expect(try store.index.directories.directories().present.map(\.counts.names) == [3])
    #expect(try store.connection.scalar("SELECT sum(count) FROM moment") == 3)
    let copy = try directory.copy()
    let survivor = try LibraryStore(path: copy.path + "/library.sqlite", boot: "one")
    #expect(try survivor.index.directories.directories().present.map(\.counts.names) == [3])
    #expect(try survivor.connection.scalar("SELECT sum(count) FROM moment") == 3)
  }

  @Test("none waits outside of a batch")
  func outside() throws {
    let store = try scannedStore()
    #expect(throws: StorageError.self) {
      try store.index.files.insert(Self.asset(AssetID(rawValue: 1), at: Location(album, FileName("a.jpg"))))
    }
    #expect(throws: StorageError.self) {
      try store.index.journal.append(
        Change(.asset(AssetID(rawValue: 1)), .removed, albumsBefore: [], albumsAfter: [], snapshot: nil))
    }
    #expect(throws: StorageError.self) {
      try store.index.directories.setCounts(NameCounts(names: 1), of: album)
    }
    #expect(store.connection.waiting.isEmpty)
  }
}
