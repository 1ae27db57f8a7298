import LibraryModel
import TestSupport
import Testing

@testable import Storage

@Suite("S102: key photos in the index") struct KeyPhotoTableTests {
  private let directory: StateDirectory
  private var path: String { directory.path + "/library.sqlite" }
  private let album = AlbumID(rawValue: 1)
  private let other = AlbumID(rawValue: 2)

  init() throws { directory = try StateDirectory() }

  private func node(_ id: AlbumID) -> DirectoryTree.Node {
    DirectoryTree.Node(
      id: id, root: RootID(rawValue: 1), parent: nil, name: FileName("\(id.rawValue)"),
      identity: FileIdentity(volume: .unknown, inode: UInt64(id.rawValue), birthTime: 1))
  }

  /// An index with two albums, one asset, and that as the key photo of both.
  private func store() throws -> (LibraryStore, AssetID) {
    let store = try LibraryStore(path: path, boot: "one")
    try store.begin()
    try store.index.directories.put(
      StoredRoot(id: RootID(rawValue: 1), path: FileName("/photos"), identity: .none))
    for id in [album, other] {
      _ = try store.index.directories.reserveAlbumID()
      try store.index.directories.put(node(id))
    }
    let id = try store.index.files.reserveAssetID()
    for album in [album, other] { try store.index.keyPhotos?.setKeyAsset(id, of: album) }
    _ = try store.finishScan()
    try store.commit()
    return (store, id)
  }

  private func keys(_ store: LibraryStore) throws -> [AssetID?] {
    try [album, other].map(store.keyPhotos.keyAsset)
  }

  @Test(
    "S102: one asset stands for each album, any number of albums have one, and what is taken back was not")
  func kept() throws {
    let (store, id) = try self.store()
    #expect(try keys(store) == [id, id] && store.keyPhotos.albums(withKey: id) == [album, other])
    let next = AssetID(rawValue: id.rawValue + 1)
    try store.begin()
    try store.index.keyPhotos?.setKeyAsset(next, of: album)
    try store.index.keyPhotos?.setKeyAsset(nil, of: other)
    store.rollback()
    #expect(try keys(store) == [id, id] && store.keyPhotos.albums(withKey: next).isEmpty)
    try store.begin()
    try store.index.keyPhotos?.setKeyAsset(next, of: album)
    try store.commit()
    #expect(try keys(store) == [next, id] && store.keyPhotos.albums(withKey: id) == [other])
    try store.close()
    #expect(try keys(LibraryStore(path: path, boot: "one")) == [next, id])
  }

  @Test(
    "S39, S102: an album that is moved or counted keeps it, and so does one that has gone, until it cannot come back",
    arguments: [false, true])
  func albums(mayBeRestored: Bool) throws {
    let (store, id) = try self.store()
    try store.begin()
    var moved = node(album)
    moved.name = FileName("x")
    try store.index.directories.put(moved)
    try store.index.directories.setCounts(NameCounts(names: 1), of: album)
    try store.index.directories.remove(other)
    try store.commit()
    #expect(try keys(store) == [id, id])
    try store.close()
    if mayBeRestored { try execute("INSERT INTO deletedAlbum VALUES (2, 1, x'32')", on: path) }
    let next = try LibraryStore(path: path, boot: "one")
    #expect(try keys(next) == [id, mayBeRestored ? id : nil])
    #expect(try next.connection.scalar("SELECT count(*) FROM albumKey") == (mayBeRestored ? 2 : 1))
    // It is written like any other.
    try next.begin()
    try next.index.keyPhotos?.setKeyAsset(nil, of: album)
    try next.commit()
    try next.close()
    #expect(try keys(LibraryStore(path: path, boot: "one")) == [nil, mayBeRestored ? id : nil])
  }

  /// Has no asset stand for the second any more, in a batch that is in the redo log only.
  private func tellOfNone(_ store: LibraryStore) throws {
    try store.settle()
    try store.begin()
    try store.index.keyPhotos?.setKeyAsset(nil, of: other)
    _ = try store.index.journal.append(
      Change(
        .album(other), .changed(content: false), albumsBefore: [], albumsAfter: [],
        snapshot: .album(name: FileName("2"), root: RootID(rawValue: 1))))
    try store.commit()
    #expect(store.transaction.isUnsettled, "that batch is in the redo log only")
  }

  @Test("S26, S102: what is read before what was told can be written again is not kept for later")
  func behind() throws {
    let (store, id) = try self.store()
    try tellOfNone(store)
    // What waits is not written before this.
    try store.connection.prepareUnrecorded("PRAGMA query_only = ON").run()
    try store.begin()
    #expect(throws: StorageError.self) { try store.index.keyPhotos?.setKeyAsset(nil, of: album) }
    store.rollback()
    #expect(store.transaction.mustDoAgain)
    #expect(try keys(store) == [id, id])
    try store.connection.run("PRAGMA query_only = OFF")
    try store.settle()
    #expect(try keys(store) == [id, nil])
  }

  @Test("S26, S102: what was chosen and told outlives a kill")
  func killed() throws {
    let (store, id) = try self.store()
    try tellOfNone(store)
    let copy = try directory.copy()
    let survivor = try LibraryStore(path: copy.path + "/library.sqlite", boot: "one")
    #expect(try keys(survivor) == [id, nil])
  }

  @Test(
    "S102: of a damaged index key photos are kept, or they alone are not where they are of no album, or of no asset",
    arguments: [
      "", "INSERT INTO albumKey VALUES (99999999, 1)", "INSERT OR REPLACE INTO albumKey VALUES (1, 99999999)",
    ])
  func salvaged(damage: String) throws {
    let (store, id) = try self.store()
    try store.close()
    if !damage.isEmpty { try execute(damage, on: path) }
    LibrarySalvage(path: path).noteDamage()
    let salvaged = try LibraryStore.opened(path: path, boot: "one")
    let all = Set(LibraryDamage.Kept.allCases)
    #expect(
      try #require(salvaged.damage).kept == (damage.isEmpty ? all : all.subtracting([.keyPhotos])))
    #expect(try keys(salvaged) == (damage.isEmpty ? [id, id] : [nil, nil]))
  }

  @Test(
    "S39, S102: of a damaged index key photos of albums that have gone are no contradiction, and are forgotten"
  )
  func salvagedGone() throws {
    let (store, id) = try self.store()
    try store.begin()
    try store.index.directories.remove(other)
    try store.commit()
    try store.close()
    LibrarySalvage(path: path).noteDamage()
    let salvaged = try LibraryStore.opened(path: path, boot: "one")
    #expect(try #require(salvaged.damage).kept == Set(LibraryDamage.Kept.allCases))
    #expect(try keys(salvaged) == [id, nil])
  }
}
