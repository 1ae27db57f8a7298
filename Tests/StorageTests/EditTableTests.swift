import LibraryModel
import TestSupport
import Testing

@testable import Storage

@Suite("What was edited, in the index")
struct EditTableTests {
  private let directory: StateDirectory
  private var path: String { directory.path + "/library.sqlite" }
  private let volume = VolumeNumber(rawValue: 3)

  init() throws {
    directory = try StateDirectory()
  }

  private func stamp(_ inode: UInt64) -> ContentStamp {
    ContentStamp(
      identity: FileIdentity(volume: volume, inode: inode, birthTime: Int64(inode)), byteCount: 10,
      modified: 11)
  }

  private func edit(_ asset: AssetID) -> AssetEdit {
    AssetEdit(
      asset: asset, key: HiddenKey(rawValue: .max - 5), root: RootID(rawValue: 1),
      place: DirectoryID(rawValue: -1),
      original: .init(
        stamp: stamp(1), created: -7, mediaType: .livePhoto,
        location: Location(DirectoryID(rawValue: 4), FileName("a.jpg"))),
      content: stamp(2))
  }

  private func adjustment(_ data: [UInt8], mayTellPlace: Bool = false) -> Adjustment {
    Adjustment(
      formatIdentifier: "org.example.Editor", formatVersion: "1.0", data: data, mayTellPlace: mayTellPlace)
  }

  private func scannedStore() throws -> LibraryStore {
    let store = try LibraryStore(path: path, boot: "one")
    try store.begin()
    try store.finishScan()
    try store.commit()
    return store
  }

  /// An asset with its row, which tells somebody.
  private func add(_ id: AssetID, to store: LibraryStore, _ state: EditState) throws {
    let asset = Asset(
      id: id, mediaType: .image, identity: stamp(2).identity, byteCount: 10, created: 1, modified: 11,
      primary: Location(DirectoryID(rawValue: 4), FileName("\(id.rawValue).jpg")), edit: state)
    try store.index.files.insert(asset)
    _ = try store.index.journal.append(
      Change(.asset(id), .inserted, albumsBefore: [], albumsAfter: [], snapshot: .init(asset)))
  }

  @Test("S94, S95: what is kept is read as it was written, and whether what was done may tell a place")
  func kept() throws {
    let store = try scannedStore()
    try store.begin()
    let (id, record) = (try store.index.files.reserveAssetID(), try store.index.files.reserveAssetID())
    try store.edits.put(adjustment([1, 0, 255], mayTellPlace: true), of: record)
    #expect(try store.edits.adjustment(of: id) == nil && store.edits.edit(of: record) == nil)
    try store.edits.put(edit(id))
    try store.edits.moveAdjustment(of: record, to: id)
    #expect(try store.edits.edit(of: id) == edit(id))
    #expect(try store.edits.asset(ofOriginal: edit(id).key) == id)
    #expect(try store.edits.asset(ofOriginal: HiddenKey(rawValue: 1)) == nil)
    #expect(try store.edits.adjustment(of: id) == adjustment([1, 0, 255], mayTellPlace: true))
    #expect(try store.edits.hasAdjustment(of: id) && !store.edits.hasAdjustment(of: record))
    #expect(try store.edits.adjustment(of: record) == nil)
    // The next one takes its place, and may have taken over what it says.
    try store.edits.put(adjustment([]), of: record)
    try store.edits.moveAdjustment(of: record, to: id)
    #expect(try store.edits.adjustment(of: id) == adjustment([], mayTellPlace: true))
    #expect(try store.files.editState(of: id, stamp(2)) == .adjusted)
    #expect(try store.files.editState(of: id, stamp(3)) == .changedSince)
    try store.index.files.forgetResult(of: id)
    #expect(try store.files.editState(of: id, stamp(2)) == .changedSince)
    try store.edits.remove(id)
    #expect(try store.edits.edit(of: id) == nil && store.edits.adjustment(of: id) == nil)
    #expect(try store.files.editState(of: id, stamp(2)) == EditState.none)
    // After none that may tell a place, none does.
    for data: [UInt8] in [[1], [2]] {
      try store.edits.put(adjustment(data), of: record)
      try store.edits.moveAdjustment(of: record, to: id)
      #expect(try store.edits.adjustment(of: id) == adjustment(data))
    }
    try store.commit()
  }

  @Test(
    "S94, R2: killed after a batch, it is there again, however long an adjustment is",
    arguments: [3, 1 << 19])
  func killed(byteCount: Int) throws {
    let data = (0..<byteCount).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let id: AssetID
    do {
      let store = try scannedStore()
      try store.begin()
      id = try store.index.files.reserveAssetID()
      try add(id, to: store, .adjusted)
      try store.edits.put(edit(id))
      try store.edits.put(adjustment(data), of: id)
      try store.commit()
    }
    let store = try LibraryStore(path: path, boot: "one")
    #expect(try store.edits.edit(of: id) == edit(id))
    #expect(try store.edits.adjustment(of: id) == adjustment(data))
    #expect(try store.files.asset(id)?.edit == .adjusted)
    guard case .changes(let told) = try store.journal.changes(after: Place(rawValue: 1), limit: 9),
      case .asset(_, _, _, _, _, _, _, _, let state, _)? = told.last?.change?.snapshot
    else {
      Issue.record("nothing was told")
      return
    }
    #expect(state == .adjusted)
  }

  @Test("S94: lost is what is of an asset that is neither there nor deleted")
  func lost() throws {
    let store = try scannedStore()
    try store.begin()
    let ids = try (0..<3).map { _ in try store.index.files.reserveAssetID() }
    for id in ids { try store.edits.put(edit(id)) }
    try add(ids[0], to: store, .changedSince)
    let asset = try #require(try store.files.asset(ids[0]))
    let gone = Asset(
      id: ids[1], mediaType: .image, identity: asset.identity, byteCount: 1, created: 1, modified: 1,
      primary: asset.primary)
    try store.deleted.put(
      DeletedAsset(
        key: HiddenKey(rawValue: 1), state: .deleted, asset: gone, root: RootID(rawValue: 1),
        place: DirectoryID(rawValue: -1), deleted: 1, app: nil))
    let all = try store.edits.edits(after: nil, limit: 9)
    #expect(all.map(\.edit.asset) == ids && all.map(\.isLost) == [false, false, true])
    #expect(try store.edits.edits(after: ids[1], limit: 9).map(\.edit.asset) == [ids[2]])
    #expect(try store.edits.edits(after: nil, limit: 1).map(\.edit.asset) == [ids[0]])
    try store.commit()
  }

  @Test(
    "S94: of a damaged index originals are kept, or they alone are not; what is lost is said of no asset",
    arguments: [true, false])
  func salvaged(isKept: Bool) throws {
    let id: AssetID
    do {
      let store = try scannedStore()
      try store.begin()
      id = try store.index.files.reserveAssetID()
      let directory = DirectoryTree.Node(
        id: DirectoryID(rawValue: 4), root: RootID(rawValue: 1), parent: nil, name: FileName(""),
        identity: FileIdentity(volume: .unknown, inode: 1, birthTime: 1), isMount: false)
      try store.index.directories.put(
        StoredRoot(id: RootID(rawValue: 1), path: FileName("/photos"), identity: directory.identity))
      try store.index.directories.put(directory)
      try store.index.directories.setCounts(NameCounts(names: 1), of: directory.id)
      try add(id, to: store, .adjusted)
      let asset = try #require(try store.files.asset(id))
      _ = try store.index.files.insert(
        Link(
          location: asset.primary, asset: id, identity: asset.identity, byteCount: asset.byteCount,
          modified: asset.modified))
      try store.edits.put(edit(id))
      try store.edits.put(adjustment([1]), of: id)
      try store.commit()
      try store.close()
    }
    // Of a volume that is not known nothing can be had.
    if isKept { try execute("UPDATE edit SET volume = 0", on: path) }
    LibrarySalvage(path: path).noteDamage()
    let store = try LibraryStore.opened(path: path, boot: "one")
    let all = Set(LibraryDamage.Kept.allCases)
    #expect(try #require(store.damage).kept == (isKept ? all : all.subtracting([.edits])))
    #expect(try (store.edits.adjustment(of: id) != nil) == isKept)
    #expect(try store.files.asset(id)?.edit == (isKept ? .adjusted : EditState.none))
  }
}
