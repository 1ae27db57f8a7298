import Testing

@testable import LibraryModel

@Suite("What one caller sees, and one subscription is told")
struct FilterTests {
  private let albums = (1...4).map { AlbumID(rawValue: $0) }
  private let assets = (1...4).map { AssetID(rawValue: $0) }

  /// An asset is new, goes, or changes; from these albums to those.
  private func change(
    _ operation: Change.Operation, from before: [AlbumID] = [], to after: [AlbumID] = [],
    of id: AssetID? = nil, isOfAlbumsAlone: Bool = false
  ) -> JournalEntry {
    let snapshot = Change.Snapshot.asset(
      name: FileName("a.jpg"), mediaType: .image, byteCount: 1, created: 1, modified: 1)
    return .change(
      Change(
        .asset(id ?? assets[0]), operation, albumsBefore: before, albumsAfter: after,
        snapshot: operation == .removed ? nil : snapshot, isOfAlbumsAlone: isOfAlbumsAlone))
  }

  private func album(_ operation: Change.Operation, _ id: AlbumID) -> JournalEntry {
    let snapshot = Change.Snapshot.album(name: FileName("A"), root: RootID(rawValue: 1))
    return .change(
      Change(
        .album(id), operation, albumsBefore: [], albumsAfter: [],
        snapshot: operation == .removed ? nil : snapshot))
  }

  /// What an effect is, in a word.
  private func word(_ effect: ChangeFilter.Effect) -> String {
    switch effect {
    case .none: "none"
    case .inserted: "inserted"
    case .removed: "removed"
    case .changed: "changed"
    case .moved: "moved"
    case .lost: "lost"
    }
  }

  // MARK: What is seen

  @Test("S16: a selection is seen and nothing else, and a query for anything else finds nothing")
  func selection() {
    let view = LibraryView(assets: [assets[0]], albums: [], hiddenAlbums: [], ownAlbums: [])
    #expect(view.sees(assets[0], in: []) && view.sees(assets[0], in: [albums[0]]))
    #expect(!view.sees(assets[1], in: []) && !view.sees(assets[1], in: [albums[0]]))
    var query = AssetQuery()
    query.memberships = [.init(ids: [assets[1]])]
    #expect(view.narrow(query).memberships == [.init(ids: [assets[1]]), .init(ids: [assets[0]])])
    #expect(!view.narrow(AssetQuery()).isUnfiltered)
    let empty = LibraryView(assets: [], albums: [], hiddenAlbums: [], ownAlbums: [])
    #expect(empty.narrow(AssetQuery()).memberships == [.init()], "in none of nothing")
    #expect(LibraryView.everything.narrow(query) == query)
    query.memberships = [.init(albums: Array(albums[..<3]))]
    let own = LibraryView(
      assets: [], albums: [albums[1]], hiddenAlbums: [albums[2]], ownAlbums: [albums[0], albums[2]])
    #expect(own.narrow(query).memberships.first == .init(albums: [albums[0]]), "an album that is not seen")
    #expect(LibraryView.everything.narrow(query) == query)
  }

  @Test("S16: a query is narrowed to a view where that is short, and else not even looked at with it")
  func narrowedIfShort() {
    let many = Set((1...Int64(AssetQuery.fewNamed + 1)).map(AssetID.init))
    let few = many.subtracting([AssetID(rawValue: 1)])
    let album = AlbumID(rawValue: 1)
    func view(_ assets: Set<AssetID>, _ albums: Set<AlbumID> = [], hidden: Set<AlbumID> = []) -> LibraryView {
      LibraryView(assets: assets, albums: albums, hiddenAlbums: hidden, ownAlbums: [])
    }
    var byName = AssetQuery()
    byName.nameContains = "a"
    var ofAlbum = AssetQuery()
    ofAlbum.memberships = [.init(albums: [album])]
    let views = [
      LibraryView.everything, view([]), view(few), view(many), view(few, [album]), view(few, hidden: [album]),
    ]
    for view in views {
      for query in [AssetQuery(), byName, ofAlbum] {
        let narrowed = view.narrow(query)
        #expect(view.narrowIfShort(query) == (narrowed.isShort ? narrowed : nil))
      }
    }
    #expect(view(few).narrowIfShort(AssetQuery()) != nil && view(many).narrowIfShort(AssetQuery()) == nil)
  }

  @Test("S16, S29: a view that grows shows all that it did, and one from which anything was taken does not")
  func within() {
    func view(_ assets: Int, _ albums: Int, hidden: Int, own: Int) -> LibraryView {
      LibraryView(
        assets: Set(self.assets.prefix(assets)), albums: Set(self.albums.prefix(albums)),
        hiddenAlbums: Set(self.albums.suffix(hidden)), ownAlbums: Set(self.albums.prefix(own)))
    }
    let before = view(2, 2, hidden: 1, own: 2)
    #expect(before.isWithin(before) && before.isWithin(view(3, 3, hidden: 0, own: 3)))
    for less in [
      view(1, 3, hidden: 0, own: 3), view(3, 1, hidden: 0, own: 3), view(3, 3, hidden: 2, own: 3),
      view(3, 3, hidden: 0, own: 1),
    ] { #expect(!before.isWithin(less) && !LibraryView.everything.isWithin(less)) }
    #expect(!before.isWithin(.everything), "titles and counts are others there")
  }

  @Test(
    "S16: what happens to an asset in albums that are not seen is not told, unless something else has changed"
  )
  func elsewhere() {
    let view = LibraryView(assets: [assets[0]], albums: [], hiddenAlbums: [], ownAlbums: [albums[3]])
    let filter = ChangeFilter(.assets(albums: nil, ids: nil), view: view)
    let everything = ChangeFilter(.assets(albums: nil, ids: nil), view: .everything)
    for (operation, before, after) in [
      (.changed(content: false), [0], [0, 1]), (.changed(content: false), [0, 1], [0]),
      (.moved(content: false), [0], [1]), (.moved(content: false), [0, 3], [1, 3]),
    ] as [(Change.Operation, [Int], [Int])] {
      let (from, to) = (before.map { albums[$0] }, after.map { albums[$0] })
      let alone = change(operation, from: from, to: to, isOfAlbumsAlone: true)
      #expect(word(filter.effect(of: alone)) == "none")
      #expect(word(everything.effect(of: alone)) != "none")
      #expect(
        word(filter.effect(of: change(operation, from: from, to: to))) == "changed", "its name, such as that")
    }
    // Its own album it sees.
    let own = change(
      .changed(content: false), from: [albums[0]], to: [albums[0], albums[3]], isOfAlbumsAlone: true)
    #expect(word(filter.effect(of: own)) == "changed")
  }

  @Test("S17: a whole album is seen with what comes into it later, and not what has left it")
  func wholeAlbum() {
    let view = LibraryView(assets: [], albums: [albums[0]], hiddenAlbums: [], ownAlbums: [])
    let filter = ChangeFilter(.assets(albums: nil, ids: nil), view: view)
    #expect(word(filter.effect(of: change(.inserted, to: [albums[0]]))) == "inserted")
    #expect(word(filter.effect(of: change(.inserted, to: [albums[1]]))) == "none")
    #expect(
      word(filter.effect(of: change(.moved(content: false), from: [albums[1]], to: [albums[0]])))
        == "inserted")
    #expect(
      word(filter.effect(of: change(.moved(content: false), from: [albums[0]], to: [albums[1]]))) == "removed"
    )
  }

  @Test("S18: an asset that joins a selection comes into sight, unless it is in sight already")
  func joins() {
    let viewer = ViewerID(rawValue: 1)
    let snapshot = Change.Snapshot.asset(
      name: FileName("a.jpg"), mediaType: .image, byteCount: 1, created: 1, modified: 1)
    let view = LibraryView(assets: [], albums: [albums[0]], hiddenAlbums: [], ownAlbums: [])
    var filter = ChangeFilter(.assets(albums: nil, ids: nil), view: view, viewer: viewer)
    func joining(_ holders: [AlbumID]) -> JournalEntry {
      .view(ViewChange(viewer, .asset(assets[0], isSelected: true), holders: holders, snapshot: snapshot))
    }
    #expect(word(filter.effect(of: joining([albums[0]]))) == "none")
    let entry = joining([albums[1]])
    #expect(word(filter.effect(of: entry)) == "inserted")
    filter.pass(entry)
    #expect(filter.view.sees(assets[0], in: [albums[1]]))
  }

  @Test("S19: no album is seen but those that the app created, and nothing of a shared one, however selected")
  func shared() {
    let view = LibraryView(
      assets: [assets[0]], albums: [albums[0], albums[1]], hiddenAlbums: [albums[0]], ownAlbums: [albums[2]])
    #expect(albums.filter { view.sees($0) } == [albums[2]])
    #expect(!view.sees(assets[0], in: [albums[0]]))
    #expect(!view.sees(assets[0], in: [albums[0], albums[1]]), "also when it is in another as well")
    #expect(view.sees(assets[1], in: [albums[1]]))
    #expect(!view.sees(assets[1], in: [albums[2]]), "its own album makes nothing visible")
    #expect(view.narrow(AssetQuery()).excludedAlbums == [albums[0]])
  }

  // MARK: What is told

  @Test("S24: assets and the list of albums are two subjects, and neither wakes a subscription to the other")
  func subjects() {
    let ofAssets = ChangeFilter(.assets(albums: nil, ids: nil), view: .everything)
    let ofAlbums = ChangeFilter(.albums, view: .everything)
    for operation in [Change.Operation.inserted, .changed(content: false), .moved(content: false), .removed] {
      #expect(ofAssets.effect(of: album(operation, albums[0])) == .none)
      #expect(word(ofAlbums.effect(of: album(operation, albums[0]))) != "none")
      let entry = change(operation, from: [albums[0]], to: [albums[0], albums[1]])
      #expect(ofAlbums.effect(of: entry) == .none)
      #expect(word(ofAssets.effect(of: entry)) != "none")
    }
  }

  @Test("S24: a subscription to albums, or to ids, is told of what is in them, enters them or leaves them")
  func scopes() {
    let ofAlbum = ChangeFilter(.assets(albums: [albums[0]], ids: nil), view: .everything)
    let ofID = ChangeFilter(.assets(albums: nil, ids: [assets[0]]), view: .everything)
    let ofNone = ChangeFilter(.assets(albums: [], ids: []), view: .everything)
    let moved = Change.Operation.moved(content: false)
    let expected: [(JournalEntry, String, String)] = [
      (change(.inserted, to: [albums[0]], of: assets[1]), "inserted", "none"),
      (change(.inserted, to: [albums[1]], of: assets[1]), "none", "none"),
      (change(.inserted, to: [albums[1]]), "none", "inserted"),
      (change(moved, from: [albums[1]], to: [albums[0]]), "inserted", "moved"),
      (change(.changed(content: true), from: [albums[0]], to: [albums[0]]), "changed", "changed"),
      (change(moved, from: [albums[0]], to: [albums[1]]), "removed", "moved"),
      (change(.removed, from: [albums[1]]), "none", "removed"),
    ]
    for (entry, album, id) in expected {
      #expect(word(ofAlbum.effect(of: entry)) == album, "\(entry)")
      #expect(word(ofID.effect(of: entry)) == id, "\(entry)")
      #expect(ofNone.effect(of: entry) == .none)
    }
  }

  @Test("19: what came in a burst is told together, not one by one")
  func burst() {
    let journal = MemoryJournal()
    for id in albums { journal.makeAlbum(id, in: nil) }
    let start = Int(journal.place.rawValue)
    for number in 0..<300 { journal.add(to: albums[number % 2]) }
    var filter = ChangeFilter(.assets(albums: nil, ids: nil), view: .everything)
    var rest = journal.entries[start...]
    var told: [Int] = []
    while !rest.isEmpty {
      told.append(ChangeDetails(taking: &rest, through: &filter, now: nil, limit: 256).inserted.count)
    }
    #expect(told == [256, 44])
  }

  @Test("S28: read at any pace, a place and a filter are enough to be told the same")
  func pace() throws {
    let journal = MemoryJournal()
    let viewer = ViewerID(rawValue: 1)
    for id in albums { journal.makeAlbum(id, in: nil) }
    try journal.select(viewer, assets: [], albums: [albums[0]])
    let view = try #require(journal.viewers[viewer])
    let start = journal.place
    for number in 0..<60 {
      journal.add(to: albums[number % 2])
      let last = try #require(journal.assets.keys.max())
      if number % 3 == 0, let asset = journal.assets[last] { journal.set(last, asset) }
      if number % 5 == 0 { journal.set(last, nil) }
    }
    func told(_ limit: Int) -> [[String]] {
      var filter = ChangeFilter(.assets(albums: nil, ids: nil), view: view, viewer: viewer)
      var place = start
      var told: [[String]] = []
      // All that is kept from one delivery to the next are these two.
      while place < journal.place {
        var rest = journal.entries[Int(place.rawValue)...]
        let details = ChangeDetails(
          taking: &rest, through: &filter, now: ViewByNow(view) { _ in false }, limit: limit)
        let subjects =
          details.inserted.map { "inserted \($0.subject)" } + details.changed.map { "changed \($0.subject)" }
          + details.moved.map { "moved \($0.subject)" } + details.removed.map { "removed \($0)" }
        #expect(subjects.count <= limit && place < details.place)
        told.append(subjects)
        place = details.place
      }
      return told
    }
    let one = told(1).flatMap { $0 }
    #expect(one.count > 40)
    for limit in [2, 7, 256] { #expect(told(limit).flatMap { $0 }.sorted() == one.sorted()) }
  }

  @Test(
    "S29, S26: a change in an album that is not seen by now is told where the asset is seen by now",
    arguments: [true, false])
  func withheld(isOfAlbumsAlone: Bool) {
    let (gone, seen) = (albums[0], albums[1])
    let before = LibraryView(assets: [], albums: [gone, seen], hiddenAlbums: [], ownAlbums: [])
    let now = ViewByNow(LibraryView(assets: [], albums: [seen], hiddenAlbums: [], ownAlbums: [])) { _ in false
    }
    var filter = ChangeFilter(.assets(albums: nil, ids: nil), view: before)
    let edited = change(.changed(content: true), from: [gone], to: [gone])
    #expect(word(filter.effect(of: edited, now: now)) == "none")
    filter.pass(edited, now: now)
    let linked = change(
      .changed(content: false), from: [gone], to: [gone, seen], isOfAlbumsAlone: isOfAlbumsAlone)
    guard case .changed(let told) = filter.effect(of: linked, now: now) else {
      Issue.record("its new content is told to nobody")
      return
    }
    #expect(told.operation == .changed(content: true))
    filter.pass(linked, now: now)
    // Once.
    let again = change(.changed(content: false), from: [gone, seen], to: [seen], isOfAlbumsAlone: true)
    #expect(word(filter.effect(of: again, now: now)) == "none")
    // What goes is forgotten: another asset's affairs are not its own.
    filter.pass(edited, now: now)
    filter.pass(change(.removed, from: [gone]), now: now)
    #expect(word(filter.effect(of: again, now: now)) == "none")
  }

  @Test("S29, S91: what is hidden by now is not told as it was before, and that it is gone is told")
  func hiddenByNow() {
    let view = LibraryView(assets: [], albums: [albums[0]], hiddenAlbums: [], ownAlbums: [])
    let now = ViewByNow(view) { [assets] in $0 == assets[0] }
    let came = change(.inserted, to: [albums[0]])
    let changed = change(.changed(content: true), from: [albums[0]], to: [albums[0]])
    let other = change(.inserted, to: [albums[0]], of: assets[1])
    let gone = change(.removed, from: [albums[0]])
    let filter = ChangeFilter(.assets(albums: nil, ids: nil), view: view)
    #expect(
      [came, changed, other, gone].map { word(filter.effect(of: $0)) } == [
        "inserted", "changed", "inserted", "removed",
      ])
    #expect(
      [came, changed, other, gone].map { word(filter.effect(of: $0, now: now)) }
        == ["lost", "none", "inserted", "removed"])
    // Who sees the whole library may ask for what is hidden.
    let asking = ChangeFilter(.assets(albums: nil, ids: nil), view: .everything, includesHidden: true)
    #expect(word(asking.effect(of: came, now: ViewByNow(.everything) { _ in true })) == "inserted")
  }
}
