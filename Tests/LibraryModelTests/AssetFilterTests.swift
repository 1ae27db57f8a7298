import Testing

@testable import LibraryModel

@Suite("Filters that nest, and the smart albums that are made of them")
struct AssetFilterTests {
  private func asset(
    _ name: String = "IMG_1.jpg", _ type: MediaType = .image, in album: Int64 = 1, bytes: Int64 = 10,
    created: Int64 = 100, subtypes: PictureSubtypes = []
  ) -> Asset {
    let said = FileDescription(
      takenLocal: nil, takenOffset: nil, pixelWidth: 4, pixelHeight: 3, duration: nil, subtypes: subtypes,
      place: nil)
    return Asset(
      id: AssetID(rawValue: 1), mediaType: type,
      identity: FileIdentity(volume: .unknown, inode: 1, birthTime: 1), byteCount: bytes, created: created,
      modified: 1, primary: Location(DirectoryID(rawValue: album), FileName(name)),
      description: AssetDescription(said, movie: nil) { _ in 0 })
  }

  @Test("S92: of nothing, all and none hold, and any does not")
  func nothing() {
    #expect(AssetFilter.all([]).holds(for: asset()))
    #expect(AssetFilter.none([]).holds(for: asset()))
    #expect(!AssetFilter.any([]).holds(for: asset()))
    let never: [AssetFilter] = [.mediaTypes([]), .subtypes([]), .albums([])]
    #expect(!never.contains { $0.holds(for: asset(subtypes: .raw)) })
  }

  @Test("S92: each condition, at its bounds")
  func bounds() {
    let photo = asset("Älpen-TRIP.jpg", bytes: 10, created: 100, subtypes: [.raw, .panorama])
    let holding: [AssetFilter] = [
      .mediaTypes([.image, .video]), .subtypes([.raw, .hdr]), .albums([AlbumID(rawValue: 1)]),
      .createdAfter(100),
      .createdBefore(101), .nameContains("trip"), .nameContains("TRIP.J"), .nameContains("Äl"),
      .nameContains(""),
      .minByteCount(10), .maxByteCount(10),
    ]
    for filter in holding { #expect(filter.holds(for: photo), "\(filter)") }
    let failing: [AssetFilter] = [
      .mediaTypes([.video]), .subtypes([.hdr]), .albums([AlbumID(rawValue: 2)]), .createdAfter(101),
      .createdBefore(100), .nameContains("trip2"), .nameContains("äl"), .minByteCount(11), .maxByteCount(9),
    ]
    for filter in failing { #expect(!filter.holds(for: photo), "\(filter)") }
    #expect(AssetFilter.all(holding).holds(for: photo) && AssetFilter.none(failing).holds(for: photo))
    #expect(
      !AssetFilter.any(failing).holds(for: photo) && AssetFilter.any(failing + holding).holds(for: photo))
    #expect(!AssetFilter.none([.none(failing)]).holds(for: photo))
  }

  @Test(
    "S16, S92: for who sees a part, an album that it does not see has nothing in it, however deep it is named"
  )
  func narrowed() {
    let (own, other) = (AlbumID(rawValue: 1), AlbumID(rawValue: 2))
    let view = LibraryView(assets: [], albums: [other], hiddenAlbums: [], ownAlbums: [own])
    let filter = AssetFilter.all([.none([.any([.albums([own, other])])]), .nameContains("a")])
    #expect(filter.narrowed(to: view) == .all([.none([.any([.albums([own])])]), .nameContains("a")]))
    #expect(filter.narrowed(to: .everything) == filter)
    var query = AssetQuery()
    query.filter = filter
    #expect(view.narrow(query).filter == filter.narrowed(to: view))
    #expect(!query.isUnfiltered && !query.isShort)
  }

  @Test("S93: what a smart album's filter finds is what the album holds", arguments: SmartAlbum.allCases)
  func smart(album: SmartAlbum) {
    for type in MediaType.allCases {
      for bits in 0..<UInt8(128) {
        let subtypes = PictureSubtypes(rawValue: bits & 63)
        let flags: AssetFlags = bits > 63 ? [.favorite] : []
        let holds = SmartAlbums(type, subtypes, flags).contains(SmartAlbums([album]))
        var asset = asset("a", type, subtypes: subtypes)
        asset.flags = flags
        #expect(album.filter.holds(for: asset) == holds)
      }
    }
  }

  @Test("S93: the word of a smart album is the id of none that is a directory")
  func words() {
    let ids = OpaqueIDs(key: (1, 2))
    for album in SmartAlbum.allCases { #expect(ids.album(album.rawValue) == nil) }
    #expect(Set(SmartAlbum.allCases.map(\.rawValue)).isDisjoint(with: [ids.encode(AlbumID(rawValue: 1))]))
  }

  // MARK: Following

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

  private func filter(
    _ smart: SmartAlbum, ids: Set<AssetID>? = nil, view: LibraryView = .everything
  ) -> ChangeFilter {
    ChangeFilter(.assets(albums: [], ids: ids, smart: SmartAlbums([smart])), view: view)
  }

  private func told(_ filter: ChangeFilter, _ before: Asset?, _ after: Asset?) throws -> String {
    let change = try #require(Change.asset(before: before, after: after, content: false))
    return word(filter.effect(of: .change(change)))
  }

  @Test(
    "S93: a subscription to a smart album is told what begins to be in it, changes in it, and ceases to be")
  func following() throws {
    let (plain, shot) = (asset(), asset(subtypes: .screenshot))
    let screenshots = filter(.screenshots)
    #expect(try told(screenshots, nil, plain) == "none")
    #expect(try told(screenshots, plain, shot) == "inserted")
    #expect(try told(screenshots, shot, asset("b.jpg", subtypes: .screenshot)) == "changed")
    #expect(try told(screenshots, shot, asset(in: 2, subtypes: .screenshot)) == "moved")
    #expect(try told(screenshots, shot, plain) == "removed")
    #expect(try told(screenshots, shot, nil) == "removed")
    #expect(try told(screenshots, plain, nil) == "none")
    #expect(try told(screenshots, plain, asset("b.jpg")) == "none")
    #expect(try told(filter(.livePhotos), plain, asset(type(.livePhoto))) == "inserted")
    for (before, after, word) in [(nil, plain, "inserted"), (plain, shot, "changed"), (shot, nil, "removed")]
    {
      #expect(try told(filter(.recents), before, after) == word)
    }
    // What is named stays, whatever it is.
    #expect(try told(filter(.raw, ids: [plain.id]), shot, plain) == "changed")
  }

  private func type(_ type: MediaType) -> (String, MediaType) { ("IMG_1.jpg", type) }
  private func asset(_ named: (String, MediaType)) -> Asset { asset(named.0, named.1) }

  @Test("S16, S93: of a smart album, who sees a part is told what it sees")
  func limited() throws {
    let film = asset(type(.video))
    let other = LibraryView(assets: [AssetID(rawValue: 9)], albums: [], hiddenAlbums: [], ownAlbums: [])
    let own = LibraryView(assets: [film.id], albums: [], hiddenAlbums: [], ownAlbums: [])
    for (before, after) in [(nil, film), (film, nil), (asset(), film)] as [(Asset?, Asset?)] {
      #expect(try told(filter(.videos, view: other), before, after) == "none")
      #expect(try told(filter(.videos, view: own), before, after) != "none")
    }
    // A selection that grows brings it in, where it is of the album.
    let viewer = ViewerID(rawValue: 1)
    let joins = JournalEntry.view(
      ViewChange(viewer, .asset(film.id, isSelected: true), snapshot: .init(film)))
    for (album, word) in [(SmartAlbum.videos, "inserted"), (.raw, "none")] {
      let filter = ChangeFilter(
        .assets(albums: [], ids: nil, smart: SmartAlbums([album])), view: other, viewer: viewer)
      #expect(self.word(filter.effect(of: joins)) == word)
    }
  }
}
