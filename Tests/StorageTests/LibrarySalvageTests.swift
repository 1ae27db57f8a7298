import Glibc
import LibraryModel
import TestSupport
import Testing

@testable import Storage

@Suite("What is kept of a damaged index")
struct LibrarySalvageTests {
  private let directory: StateDirectory
  private var path: String { directory.path + "/library.sqlite" }
  private let usb = NumberedVolume(
    number: VolumeNumber(rawValue: 7),
    volume: Volume(fileSystem: Array("uuid:11-22".utf8), subvolume: 256, copy: 2))

  init() throws {
    directory = try StateDirectory()
  }

  /// An index of a library on a disk that is not the first that it has known, with its journal damaged.
  private func makeDamaged() throws {
    let store = try LibraryStore(path: path, boot: "one")
    try store.begin()
    try store.index.directories.put(usb)
    let identity = FileIdentity(volume: usb.number, inode: 5, birthTime: 6)
    try store.index.directories.put(
      StoredRoot(
        id: RootID(rawValue: 1), path: FileName("/photos"), identity: identity, formerFileSystem: 0,
        place: nil))
    try store.index.directories.put(
      DirectoryTree.Node(
        id: DirectoryID(rawValue: 1), root: RootID(rawValue: 1), parent: nil, name: FileName(""),
        identity: identity, isMount: false))
    try store.finishScan()
    try store.commit()
    try store.close()
    try damage("journal", on: path)
    LibrarySalvage(path: path).noteDamage()
  }

  @Test("S41: the disks that it knew are known by the same numbers, so that none is taken for another")
  func volumes() throws {
    try makeDamaged()
    let store = try LibraryStore.opened(path: path, boot: "one")
    #expect(try #require(store.damage).kept.contains(.ids))
    #expect(try store.index.directories.volumes() == [usb])
    #expect(try store.index.directories.roots().map(\.identity.volume) == [usb.number])
  }

  @Test("S41: ids of files on a disk that it does not know any more are not kept")
  func unknownVolume() throws {
    try makeDamaged()
    try execute("DELETE FROM volume", on: path)
    let store = try LibraryStore.opened(path: path, boot: "one")
    #expect(try #require(store.damage).kept.isEmpty)
    #expect(try store.index.directories.roots().isEmpty)
  }

  @Test("S39: an index of a release before volumes is kept like any other")
  func formerRelease() throws {
    try makeDamaged()
    try execute(
      """
      DROP TABLE volume; ALTER TABLE root DROP COLUMN volume; ALTER TABLE directory DROP COLUMN volume;
      ALTER TABLE deletedAsset DROP COLUMN volume
      """, on: path)
    let store = try LibraryStore.opened(path: path, boot: "one")
    #expect(try #require(store.damage).kept == Set(LibraryDamage.Kept.allCases))
    #expect(try store.index.directories.roots().map(\.identity.volume) == [.unknown])
  }

  @Test("S99: of an index of before there were pairs with RAW, directories know that they can have such")
  func beforePairs() throws {
    try makeDamaged()
    try execute(
      """
      INSERT INTO asset (id, mediaType, created, modified, byteCount, inode, birth, directory, name, linkCount)
        VALUES (1, 1, 1, 1, 1, 1, 1, 1, x'702e646e67', 1), (2, 1, 1, 1, 1, 2, 1, 1, x'702e6a7067', 1);
      INSERT INTO link VALUES (1, x'702e646e67', 1, 0, 1, 1, 1, 1), (1, x'702e6a7067', 2, 0, 2, 1, 1, 1),
        (1, x'702e786d70', 0, 2, 3, 1, 1, 1);
      UPDATE meta SET value = 3 WHERE name = 'nextAsset';
      UPDATE meta SET value = 9 WHERE name = 'nextAlbum';
      UPDATE directory SET assetCount = 2, movieCount = 1
      """, on: path)
    let store = try LibraryStore.opened(path: path, boot: "one")
    #expect(try #require(store.damage).kept.contains(.ids))
    #expect(
      try store.index.directories.directories().present.map(\.counts) == [NameCounts(names: 2, companions: 2)]
    )
  }

  @Test(
    "S94: what assets were before they were edited needs neither descriptions nor what apps were told",
    arguments: [
      ("INSERT INTO viewerAsset VALUES (99, 1)", .views),
      (
        """
        INSERT INTO description (asset, resource, volume, inode, birth, byteCount, modified, changed, state, version, subtypes)
          VALUES (77, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        """, .descriptions
      ),
    ] as [(String, LibraryDamage.Kept)])
  func apart(damage: String, lost: LibraryDamage.Kept) throws {
    try makeDamaged()
    try execute(damage, on: path)
    let store = try LibraryStore.opened(path: path, boot: "one")
    #expect(try #require(store.damage).kept == Set(LibraryDamage.Kept.allCases).subtracting([lost]))
  }

  @Test("where a start was killed after it had put the log aside, the next one keeps what that alone has")
  func killedBetween() throws {
    try LibraryStore(path: path, boot: "one").close()
    let store = try LibraryStore(path: path, boot: "one")
    try store.begin()
    try store.index.directories.put(usb)
    try store.finishScan()
    try store.commit()
    try store.settle()
    let copy = try directory.copy()
    let left = copy.path + "/library.sqlite"
    let salvage = LibrarySalvage(path: left)
    salvage.noteDamage()
    try #require(rename(left + "-wal", salvage.aside + "-wal") == 0)
    #expect(try salvage.makeAnew() == Set(LibraryDamage.Kept.allCases))
    #expect(try LibraryStore(path: left, boot: "one").index.directories.volumes() == [usb])
  }
}
