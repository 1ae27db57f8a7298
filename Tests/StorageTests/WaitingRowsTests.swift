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

  @Test("one that cannot be inserted is an error of the batch, whoever was told of it meanwhile")
  func refused() throws {
    let store = try scannedStore()
    try store.begin()
    let ids = try add(1, to: store)
    try store.commit()
    try store.begin()
    try insert(Self.asset(ids[0], at: Location(album, FileName("another.jpg"))), into: store)
    #expect(throws: StorageError.self) { try store.files.asset(ids[0]) }
    #expect(throws: StorageError.self) { try store.commit() }
    #expect(!store.isWriting)
    #expect(try told(store) == ids.map { .asset($0) })
    #expect(try store.files.asset(ids[0])?.filename == FileName("\(ids[0].rawValue).jpg"))
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
    #expect(store.connection.waiting.isEmpty)
  }
}
