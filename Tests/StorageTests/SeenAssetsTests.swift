import LibraryModel
import Storage
import Testing
import TestSupport

@Suite("What is fetched, counted and opened, whatever is selected (S16, S17, S19)")
struct SeenAssetsTests {
  @Test("S16, S17, S19: it is what is selected and not hidden, and nothing else", arguments: 0..<12)
  func random(_ seed: UInt64) throws {
    let directory = try StateDirectory()
    var world = try World(LibraryStore(path: directory.path + "/library.sqlite"), seed: seed)
    for _ in 0..<12 {
      try world.change()
      for _ in 0..<6 { try world.fetch() }
      try world.open()
      try world.count()
    }
    #expect(world.partly > 10, "only \(world.partly) queries were about what is seen in part")
  }
}

/// A random library, and one app's view of it.
private struct World {
  private let store: LibraryStore
  private let key = ViewerKey(uid: 1000, app: "org.example.Wallpapers")
  private let albums = (1...6).map { AlbumID(rawValue: $0) }
  private var random: SeededGenerator
  private var assets: [Asset] = []
  private var selected: (assets: Set<AssetID>, albums: Set<AlbumID>) = ([], [])
  private var shared: Set<AlbumID> = []
  private var own: Set<AlbumID> = []
  private(set) var partly = 0

  init(_ store: LibraryStore, seed: UInt64) throws {
    self.store = store
    random = SeededGenerator(seed: seed)
    try store.begin()
    for _ in 0..<40 { try add() }
    try store.commit()
  }

  private mutating func number(_ range: ClosedRange<Int64>) -> Int64 { .random(in: range, using: &random) }
  private mutating func some<Element: Hashable>(of elements: [Element], oneIn: Int64) -> Set<Element> {
    Set(elements.filter { _ in number(1...oneIn) == 1 })
  }

  /// Directly in a root, or in up to three albums.
  private mutating func add() throws {
    let id = try store.index.files.reserveAssetID()
    let identity = FileIdentity(volume: .unknown, inode: UInt64(id.rawValue), birthTime: 1)
    var directories = [DirectoryID(of: RootID(rawValue: 1))]
    if number(0...4) > 0 { directories = albums.shuffled(using: &random).prefix(Int(number(1...3))).sorted() }
    let links = directories.map { Location($0, FileName("\(number(0...9))-\(id.rawValue).JPG")) }
    let asset = Asset(
      id: id, mediaType: [.image, .video, .livePhoto][Int(number(0...2))], identity: identity,
      byteCount: number(1...5), created: number(0...5), modified: number(0...5), primary: links[0],
      otherLinks: Array(links.dropFirst()))
    for location in links {
      _ = try store.index.files.insert(
        Link(location: location, asset: id, identity: identity, byteCount: asset.byteCount, modified: 1))
    }
    try store.index.files.insert(asset)
    assets.append(asset)
  }

  /// The owner selects other things, or shares other albums; or the app makes one.
  mutating func change() throws {
    selected = (some(of: assets.map(\.id), oneIn: 4), some(of: albums, oneIn: 3))
    let album = albums[Int(number(0...5))]
    let snapshot = Change.Snapshot.album(name: FileName("Trip"), root: RootID(rawValue: 1))
    try store.begin()
    _ = try store.views.setView(
      of: key, to: .selection(assets: selected.assets, albums: selected.albums), resets: false)
    switch number(0...2) {
    case 0:
      own.insert(album)
      _ = try store.views.noteCreated(album, by: key, parent: nil, snapshot: snapshot, title: nil)
    default:
      if shared.remove(album) == nil { shared.insert(album) }
      _ = try store.views.noteShared(album, shared.contains(album), parent: nil, snapshot: snapshot)
    }
    try store.commit()
  }

  private func isSeen(_ asset: Asset) -> Bool {
    let directories = Set(asset.links.map(\.directory))
    let isSelected = selected.assets.contains(asset.id) || !directories.isDisjoint(with: selected.albums)
    return isSelected && directories.isDisjoint(with: shared)
  }

  private func view() throws -> LibraryView { try #require(try store.viewers.viewer(key)).view }

  /// A query with any of what one can ask for, in pages.
  mutating func fetch() throws {
    var query = AssetQuery()
    var expected = assets
    if number(0...3) == 0 {
      let albums = some(of: albums, oneIn: 2)
      query.memberships.append(.init(albums: Array(albums)))
      // Of albums that the app does not see it is told nothing.
      let seen = albums.intersection(own).subtracting(shared)
      expected.removeAll { seen.isDisjoint(with: $0.albums) }
    }
    if number(0...3) == 0 {
      let ids = some(of: assets.map(\.id), oneIn: 2)
      query.memberships.append(.init(ids: Array(ids)))
      expected.removeAll { !ids.contains($0.id) }
    }
    if number(0...3) == 0 {
      query.mediaTypes = [.image, .livePhoto]
      expected.removeAll { $0.mediaType == .video }
    }
    if number(0...3) == 0 {
      (query.createdAfter, query.createdBefore) = (1, 5)
      expected.removeAll { !(1..<5 ~= $0.created) }
    }
    if number(0...3) == 0 {
      query.nameContains = "1-"
      expected.removeAll { $0.filename.bytes.first != UInt8(ascii: "1") }
    }
    query.order = [.age, .created, .modified, .filename, .byteCount][Int(number(0...4))]
    query.descending = Bool.random(using: &random)

    let all = expected.count
    expected.removeAll { !isSeen($0) }
    if !expected.isEmpty, expected.count < all { partly += 1 }
    let seen = try view().narrow(query)
    let count = try store.assets.count(seen)
    var found: [Asset] = []
    var cursor: AssetCursor?
    repeat {
      let page = try store.assets.fetch(
        seen, after: cursor, limit: 7, matching: Bool.random(using: &random) ? count : nil)
      found += page.assets
      cursor = page.next
    } while cursor != nil
    #expect(found.sorted { $0.id < $1.id } == expected, "\(query)")
    #expect(count == expected.count, "\(query)")
    // Another connection finds the same in one page.
    try store.settle()
    #expect(store.committedPlace == store.place)
    let apart = try store.apart.read(.unlimited) {
      (try $0.count(seen), try $0.fetch(seen, limit: 100).assets)
    }
    #expect(apart.0 == count && apart.1 == found, "\(query)")
  }

  /// What is named by its id, as for opening it.
  func open() throws {
    for asset in assets {
      let (named, isMeant) = try store.asset(named: store.ids.encode(asset.id))
      let found = try #require(named)
      #expect(isMeant && found == asset)
      #expect(try view().sees(found.id, in: found.albums) == isSeen(asset), "\(asset)")
    }
  }

  /// What each album is said to hold, and which albums are there at all.
  func count() throws {
    for album in albums {
      let expected = assets.count { $0.albums.contains(album) && isSeen($0) }
      #expect(try store.assets.count(in: album, seenBy: view()) == expected)
      #expect(try view().sees(album) == (own.contains(album) && !shared.contains(album)))
    }
  }
}
