import Glibc
import LibraryModel
import Storage
import Testing

@Suite
struct LibraryStoreTests {
  private let directory: StateDirectory
  private var path: String { directory.path + "/library.sqlite" }

  init() throws {
    directory = try StateDirectory()
  }

  private func add(_ count: Int, to store: LibraryStore, album: Int64 = 1) throws {
    for number in 0..<count {
      let id = try store.index.files.reserveAssetID()
      let location = Location(AlbumID(rawValue: album), FileName("\(id.rawValue).jpg"))
      let identity = FileIdentity(volume: .unknown, inode: UInt64(id.rawValue), birthTime: 5)
      #expect(
        try store.index.files.insert(
          Link(location: location, asset: id, identity: identity, byteCount: 1, modified: Int64(number % 3))))
      try store.index.files.insert(
        Asset(
          id: id, mediaType: .image, identity: identity, byteCount: 1, created: Int64(number % 3),
          modified: Int64(number % 3), primary: location))
      _ = try store.index.journal.append(
        Change(
          .asset(id), .inserted, albumsBefore: [], albumsAfter: [AlbumID(rawValue: album)],
          snapshot: .asset(name: location.name, mediaType: .image, byteCount: 1, created: 0, modified: 0)))
    }
  }

  @Test("a batch that was taken back leaves nothing, and its ids are not given again")
  func rollback() throws {
    let store = try LibraryStore(path: path)
    try store.begin()
    try add(3, to: store)
    store.rollback()
    #expect(store.place == .start && store.files.assetCount == 0)
    try store.begin()
    try add(1, to: store)
    try store.commit()
    #expect(try store.files.asset(AssetID(rawValue: 4)) != nil)
    let again = try LibraryStore(path: path)
    try again.begin()
    #expect(try again.index.files.reserveAssetID().rawValue > 4)
    again.rollback()
  }

  @Test("a file may be born at the end of time: it is written, and so is what comes after it")
  func lastBirth() throws {
    var store = try LibraryStore(path: path)
    func insert(_ birth: Int64) throws {
      try store.begin()
      let id = try store.index.files.reserveAssetID()
      let identity = FileIdentity(volume: .unknown, inode: UInt64(id.rawValue), birthTime: birth)
      let location = Location(AlbumID(rawValue: 1), FileName("\(id.rawValue).jpg"))
      #expect(
        try store.index.files.insert(
          Link(location: location, asset: id, identity: identity, byteCount: 1, modified: 1)))
      try store.commit()
    }
    let birth = Int64.max - 1
    try insert(birth)
    #expect(store.index.files.newestBirth == birth)
    // As the index has it, which knows of a minute more.
    try store.settle()
    store = try LibraryStore(path: path)
    #expect(store.index.files.newestBirth >= birth)
    // A batch that is taken back has the bound written anew.
    try store.begin()
    store.rollback()
    try insert(birth)
  }

  @Test("S16, S26, S27: what power loss took back is never given out again")
  func powerLoss() throws {
    var store = try LibraryStore(path: path, boot: "one")
    try store.begin()
    try add(5, to: store)
    try store.commit()
    let kept = store.place
    // What the disk has when power goes: the file and its log, copied here.
    try store.settle()
    let lostDirectory = try directory.copy()
    let lostPath = lostDirectory.path + "/library.sqlite"
    try store.begin()
    try add(7, to: store)
    try store.commit()
    let lost = store.place
    // The daemon alone died: everything is there, and goes on.
    #expect(try LibraryStore(path: path, boot: "one").place == lost)

    store = try LibraryStore(path: lostPath, boot: "two")
    #expect(
      try store.files.asset(AssetID(rawValue: 5)) != nil && store.files.asset(AssetID(rawValue: 6)) == nil)
    try store.begin()
    #expect(try store.index.files.reserveAssetID().rawValue > 4096 + 12)
    try add(20, to: store)
    try store.commit()
    #expect(try !store.journal.covers(lost))
    guard case .expired = try store.journal.changes(after: lost, limit: 100) else {
      Issue.record("the token of a lost future was taken")
      return
    }
    guard case .changes(let changes) = try store.journal.changes(after: kept, limit: 100) else {
      Issue.record("a good token was refused")
      return
    }
    #expect(changes.count == 20)
    // Also when all from before the gap, and then the gap, is trimmed.
    try store.begin()
    _ = try store.trimJournal(keepChanges: 22, keepDays: 30, limit: 9)
    #expect(try store.journal.covers(kept) && store.journal.covers(Place(rawValue: kept.rawValue - 2)))
    #expect(try !store.journal.covers(Place(rawValue: kept.rawValue - 3)))
    _ = try store.trimJournal(keepChanges: 20, keepDays: 30, limit: 9)
    #expect(try store.journal.covers(kept))
    while try store.trimJournal(keepChanges: 10, keepDays: 30, limit: 4) {}
    try store.commit()
    #expect(try !store.journal.covers(kept) && !store.journal.covers(lost))
    #expect(try store.journal.covers(Place(rawValue: store.place.rawValue - 10)))
    // Once a boot.
    let place = store.place
    #expect(try LibraryStore(path: lostPath, boot: "two").place == place)
  }

  @Test("S27: the journal says when it no longer covers a place", arguments: [1, 10, 19])
  func trimming(keep: Int64) throws {
    let store = try LibraryStore(path: path)
    try store.begin()
    try add(20, to: store)
    while try store.trimJournal(keepChanges: keep, keepDays: 30, limit: 4) {}
    try store.commit()
    #expect(try store.journal.covers(Place(rawValue: 20 - keep)))
    #expect(try !store.journal.covers(Place(rawValue: 20 - keep - 1)))
    #expect(try !store.journal.covers(Place(rawValue: 21)))
    guard
      case .changes(let changes) = try store.journal.changes(after: Place(rawValue: 20 - keep), limit: 100)
    else {
      Issue.record("expired")
      return
    }
    #expect(changes.map(\.place.rawValue) == Array(20 - keep + 1...20))
    guard case .expired = try store.journal.changes(after: .start, limit: 1) else {
      Issue.record("not expired")
      return
    }
    #expect(try LibraryStore(path: path).place == Place(rawValue: 20))
  }

  @Test(
    "pages put together are the whole, in every order",
    arguments: [AssetQuery.Order.age, .created, .modified, .filename, .byteCount], [false, true])
  func pages(order: AssetQuery.Order, descending: Bool) throws {
    let store = try LibraryStore(path: path)
    try store.begin()
    try add(25, to: store)
    try add(5, to: store, album: 2)
    try store.commit()
    var query = AssetQuery()
    query.order = order
    query.descending = descending
    let whole = try store.assets.fetch(query, limit: 100).assets.map(\.id)
    var put: [AssetID] = []
    var cursor: AssetCursor?
    repeat {
      let page = try store.assets.fetch(query, after: cursor, limit: 7)
      put += page.assets.map(\.id)
      cursor = page.next
      #expect(page.place == Place(rawValue: 30))
    } while cursor != nil
    #expect(put == whole && whole.count == 30)
    // What is sought by name comes in the same order, be it few or many.
    query.nameContains = ".JPG"
    for matching in [30, nil] {
      put = []
      repeat {
        let page = try store.assets.fetch(query, after: cursor, limit: 7, matching: matching)
        put += page.assets.map(\.id)
        cursor = page.next
      } while cursor != nil
      #expect(put == whole)
    }
    query.nameContains = nil
    query.memberships = [.init(ids: [AssetID(rawValue: 1)], albums: [AlbumID(rawValue: 2)])]
    #expect(try store.assets.count(query) == 6)
    #expect(try store.assets.fetch(query, limit: 100).assets.count == 6)
    query.excludedAlbums = [AlbumID(rawValue: 2)]
    #expect(try store.assets.fetch(query, limit: 100).assets.map(\.id) == [AssetID(rawValue: 1)])
  }
}
