import LibraryModel
import Testing

@testable import Storage

@Suite("What limited apps see, beside the journal (S16–S19, S22, S26)")
struct ViewerTests {
  private let directory: StateDirectory
  private var path: String { directory.path + "/library.sqlite" }
  private let key = ViewerKey(uid: 1000, app: "org.example.Wallpapers")
  private let album = AlbumID(rawValue: 1)
  private let albumSnapshot = Change.Snapshot.album(name: FileName("Trip"), root: RootID(rawValue: 1))

  init() throws {
    directory = try StateDirectory()
  }

  /// A store with three assets in an album.
  private func store() throws -> LibraryStore {
    let store = try LibraryStore(path: path, boot: "one")
    if store.files.assetCount > 0 { return store }
    try store.begin()
    for number in 1...3 {
      let location = Location(album, FileName("\(number).jpg"))
      let identity = FileIdentity(volume: .unknown, inode: UInt64(number), birthTime: 1)
      let id = try store.index.files.reserveAssetID()
      _ = try store.index.files.insert(
        Link(location: location, asset: id, identity: identity, byteCount: 1, modified: 1))
      try store.index.files.insert(
        Asset(
          id: id, mediaType: .image, identity: identity, byteCount: 1, created: 1, modified: 1,
          primary: location))
    }
    try store.commit()
    return store
  }

  private func id(_ number: Int64) -> AssetID { AssetID(rawValue: number) }

  private func write(_ store: LibraryStore, _ body: () throws -> [PlacedChange]) throws -> [ViewChange.Step] {
    try store.begin()
    let written = try body()
    try store.commit()
    return written.compactMap(\.viewChange?.step)
  }

  private func select(
    _ store: LibraryStore, assets: Set<Int64> = [], albums: Set<AlbumID> = [], resets: Bool = false
  ) throws -> [ViewChange.Step] {
    try write(store) {
      try store.views.setView(
        of: key, to: .selection(assets: Set(assets.map(id)), albums: albums), resets: resets)
    }
  }

  @Test("S22: the difference of two selections is written, and read back as it was")
  func difference() throws {
    let store = try store()
    #expect(try select(store, assets: [1]) == [.reset])
    let start = store.place
    #expect(try select(store, assets: [1]).isEmpty)
    let steps = try select(store, assets: [2], albums: [album])
    #expect(
      steps == [
        .album(album, isSelected: true), .sight(id(2), isSeen: true), .sight(id(3), isSeen: true),
        .asset(id(2), isSelected: true), .asset(id(1), isSelected: false),
      ])
    guard case .changes(let read) = try store.journal.changes(after: start, limit: 100) else {
      Issue.record("the journal covers it")
      return
    }
    #expect(read.compactMap(\.viewChange?.step) == steps)
    let sight = try #require(read.compactMap(\.viewChange).first { $0.step == .sight(id(3), isSeen: true) })
    #expect(sight.holders == [album])
    #expect(
      sight.snapshot
        == .asset(name: FileName("3.jpg"), mediaType: .image, byteCount: 1, created: 1, modified: 1))
  }

  @Test("S26: the view at a place is the present one with what came after taken back, after a restart too")
  func viewAtPlace() throws {
    var store = try store()
    _ = try select(store, assets: [1])
    let first = (store.place, try #require(try store.viewers.viewer(key)).view)
    _ = try select(store, assets: [2], albums: [album])
    let second = (store.place, try #require(try store.viewers.viewer(key)).view)
    _ = try write(store) { try store.views.noteShared(album, true, parent: nil, snapshot: albumSnapshot) }
    _ = try write(store) {
      try store.views.noteCreated(album, by: key, parent: nil, snapshot: albumSnapshot, title: nil)
    }
    let last = try #require(try store.viewers.viewer(key)).view
    #expect(last.hiddenAlbums == [album] && last.ownAlbums == [album])
    store = try self.store()
    let viewer = try #require(try store.viewers.viewer(key))
    #expect(viewer.view == last)
    for (place, view) in [first, second] { #expect(try store.viewers.view(of: viewer, at: place) == view) }
    #expect(try store.viewers.view(of: viewer, at: .start) == nil)
  }

  @Test("S22, S26: a view is kept with its entries when the process dies before they are committed")
  func killed() throws {
    let store = try store()
    _ = try write(store) {
      try store.finishScan()
      return []
    }
    _ = try select(store, assets: [1])
    _ = try select(store, assets: [2, 3])
    _ = try write(store) { try store.views.noteShared(album, true, parent: nil, snapshot: albumSnapshot) }
    let title = FileName("Title")
    _ = try write(store) {
      try store.views.noteCreated(album, by: key, parent: nil, snapshot: albumSnapshot, title: title)
    }
    #expect(store.transaction.isUnsettled, "these batches are in the redo log only")
    let copy = try directory.copy()
    let survivor = try LibraryStore(path: copy.path + "/library.sqlite", boot: "one")
    #expect(survivor.place == store.place)
    #expect(try survivor.viewers.viewers() == store.viewers.viewers())
    #expect(try survivor.viewers.ownAlbums(of: key) == [album])
    for store in [store, survivor] {
      #expect(
        try store.viewers.title(of: album, named: FileName("Trip")) == title, "what its creator called it")
      #expect(
        try store.viewers.title(of: album, named: FileName("Other")) == FileName("Other"),
        "its owner renamed it")
    }
  }

  @Test("S29: another kind of access is a reset, from either side; refused access changes nothing")
  func kinds() throws {
    let store = try store()
    #expect(try write(store) { try store.views.setView(of: key, to: .everything, resets: false) }.isEmpty)
    #expect(try store.viewers.viewer(key) == nil)
    #expect(try select(store, assets: [1]) == [.reset])
    let limited = store.place
    #expect(try write(store) { try store.views.setView(of: key, to: .everything, resets: false) } == [.reset])
    let viewer = try #require(try store.viewers.viewer(key))
    #expect(viewer.view == .everything)
    #expect(try store.viewers.view(of: viewer, at: limited) == nil)
    #expect(try store.viewers.view(of: viewer, at: store.place) == .everything)
    #expect(try select(store, assets: [1]) == [.reset])
    #expect(try select(store, assets: [1, 2], resets: true) == [.reset])
    #expect(try store.viewers.viewer(key)?.view.assets == [id(1), id(2)])
  }

  @Test("a batch that was taken back leaves the views as they were")
  func rollback() throws {
    let store = try store()
    _ = try select(store, assets: [1])
    let before = try store.viewers.viewers()
    try store.begin()
    _ = try store.views.setView(of: key, to: .selection(assets: [id(2)], albums: [album]), resets: false)
    _ = try store.views.noteShared(album, true, parent: nil, snapshot: albumSnapshot)
    #expect(try store.viewers.viewers() != before)
    store.rollback()
    #expect(try store.viewers.viewers() == before)
  }

  @Test("S19: what a shared album held goes out of sight, and back, once for each")
  func shared() throws {
    let store = try store()
    _ = try select(store, assets: [1], albums: [album])
    func share(_ isShared: Bool) throws -> [ViewChange.Step] {
      try write(store) { try store.views.noteShared(album, isShared, parent: nil, snapshot: albumSnapshot) }
    }
    #expect(
      try share(true) == [.hidden(album, isHidden: true)] + (1...3).map { .sight(id($0), isSeen: false) })
    #expect(try share(true).isEmpty)
    #expect(
      try share(false) == [.hidden(album, isHidden: false)] + (1...3).map { .sight(id($0), isSeen: true) })
  }

  @Test("S19: an album that has gone is known for as long as the journal tells of it")
  func gone() throws {
    var store = try store()
    _ = try select(store, assets: [1])
    _ = try write(store) { try store.views.noteShared(album, true, parent: nil, snapshot: albumSnapshot) }
    _ = try write(store) {
      try store.views.noteCreated(
        album, by: key, parent: nil, snapshot: albumSnapshot, title: FileName("Title"))
    }
    try store.begin()
    try store.index.directories.remove(album)
    try store.commit()
    store = try self.store()
    #expect(try store.viewers.viewer(key)?.view.hiddenAlbums == [album])
    _ = try select(store, assets: [2])
    try store.begin()
    while try store.trimJournal(keepChanges: 1, keepDays: 30) {}
    try store.commit()
    // At once, not only after the next start.
    for store in [store, try self.store()] {
      let view = try #require(try store.viewers.viewer(key)).view
      #expect(view.hiddenAlbums == [] && view.ownAlbums == [] && view.assets == [id(2)])
      #expect(try store.viewers.title(of: album, named: FileName("Trip")) == FileName("Trip"))
    }
  }
}
