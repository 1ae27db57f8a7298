import LibraryModel
import Linux
import TestSupport
import Testing

@testable import Storage

@Suite("Descriptions in the index") struct DescriptionTableTests {
  private let directory: StateDirectory
  private var path: String { directory.path + "/library.sqlite" }

  init() throws { directory = try StateDirectory() }

  private func store(_ zone: LocalZone = LocalZone { _ in 0 }) throws -> LibraryStore {
    try LibraryStore(path: path, boot: "one", zone: zone)
  }

  private static func location(_ number: Int64) -> Location {
    Location(AlbumID(rawValue: 1), FileName("\(number).jpg"))
  }

  /// Adds an asset that was created then, in seconds.
  @discardableResult
  private func add(_ created: Int64, _ type: MediaType = .image, to store: LibraryStore) throws -> Asset {
    let id = try store.index.files.reserveAssetID()
    let asset = Asset(
      id: id, mediaType: type,
      identity: FileIdentity(volume: .unknown, inode: UInt64(id.rawValue), birthTime: 5),
      byteCount: 1, created: created * 1_000_000_000, modified: 2, primary: Self.location(id.rawValue))
    try store.index.files.insert(asset)
    return asset
  }

  /// Describes one.
  @discardableResult
  private func describe(
    _ asset: Asset, in store: LibraryStore, taken: Int64? = nil, subtypes: PictureSubtypes = [],
    place: FileDescription.Place? = nil
  ) throws -> Asset {
    let said = FileDescription(
      takenLocal: taken.map { $0 * 1_000_000 }, takenOffset: 0, pixelWidth: 4, pixelHeight: 3, duration: nil,
      subtypes: subtypes, place: place)
    var described = asset
    (described.description, described.isDescribed) = (AssetDescription(said, movie: nil) { _ in 0 }, true)
    try store.index.files.update(described)
    try store.descriptions.put(ReadFile(Self.version(asset), said), of: asset.id, .main, reader: 1)
    return described
  }

  private static func version(_ asset: Asset) -> ReadFile.Version {
    ReadFile.Version(
      identity: asset.identity, byteCount: asset.byteCount, modified: asset.modified, changed: 9)
  }

  private func write(_ store: LibraryStore, _ body: () throws -> Void) throws {
    try store.begin()
    try body()
    try store.commit()
  }

  // MARK: Older indexes

  @Test(
    "S50: an index of the release before keeps its ids and its tokens, and is described from the most recent on"
  )
  func migrated() throws {
    try execute(FormerIndex.sql, on: path)
    let store = try self.store()
    #expect(store.files.assetCount == 8 && store.place == Place(rawValue: 3))
    #expect(try store.journal.covers(Place(rawValue: 2)))
    guard case .changes(let changes) = try store.journal.changes(after: Place(rawValue: 1), limit: 9) else {
      Issue.record("the token expired")
      return
    }
    #expect(changes.count == 2)
    #expect(store.described.undescribedCount == 8)
    let first = try #require(try store.files.asset(AssetID(rawValue: 1)))
    #expect(!first.isDescribed && first.description == nil && first.created == 1_795_425_501_874_914_017)
    let page = try store.described.undescribed(after: nil, limit: 3)
    #expect(page.map(\.id.rawValue) == [8, 7, 3])
    let rest = try store.described.undescribed(after: page.last?.cursor, limit: 9)
    #expect(rest.map(\.id.rawValue) == [2, 1, 5, 6, 4])
    // All of 2026-11-23, counted when it was opened.
    let moments = try store.moments(AssetQuery(), by: .day)
    #expect(moments == [Moment(start: 1_795_392_000, count: 8, first: AssetID(rawValue: 4))])
  }

  @Test("S48: sorting and the limits of time go by when it was taken, and the file's own time is kept")
  func sorted() throws {
    let store = try self.store()
    try write(store) {
      let assets = try [100, 200, 300].map { try add($0, to: store) }
      try describe(assets[2], in: store, taken: 50)
    }
    let page = try store.assets.fetch(.by(.created), limit: 9).assets
    #expect(page.map(\.id.rawValue) == [3, 1, 2])
    #expect(page[0].fileCreated == 300_000_000_000 && page[0].created == 50_000_000_000)
    var query = AssetQuery.by(.created)
    query.createdBefore = 60_000_000_000
    #expect(try store.assets.count(query) == 1)
    #expect(store.described.undescribedCount == 2)
  }

  @Test("S50: what was described and told outlives a kill")
  func killed() throws {
    let store = try self.store()
    try write(store) {
      try add(100, to: store)
      _ = try store.finishScan()
    }
    let place = FileDescription.Place(latitude: -12.25, longitude: 170.5, altitude: 3)
    try write(store) {
      let asset = try #require(try store.files.asset(AssetID(rawValue: 1)))
      let described = try describe(asset, in: store, taken: 50, subtypes: .raw, place: place)
      _ = try store.index.journal.append(
        Change(
          .asset(asset.id), .changed(content: false), albumsBefore: [], albumsAfter: [],
          snapshot: Change.Snapshot(described)))
    }
    #expect(store.transaction.isUnsettled, "that batch is in the redo log only")
    let copy = try directory.copy()
    let survivor = try LibraryStore(
      path: copy.path + "/library.sqlite", boot: "one", zone: LocalZone { _ in 0 })
    let asset = try #require(try survivor.files.asset(AssetID(rawValue: 1)))
    #expect(asset.isDescribed && asset.description?.file.place == place && asset.created == 50_000_000_000)
    let file = try #require(try survivor.described.file(of: asset.id, .main))
    #expect(file.version == Self.version(asset) && file.description == asset.description?.file)
    #expect(survivor.described.undescribedCount == 0)
    guard case .changes(let changes) = try survivor.journal.changes(after: Place(rawValue: 1), limit: 9)
    else {
      Issue.record("the token expired")
      return
    }
    #expect(changes.last?.change?.snapshot == Change.Snapshot(asset))
    #expect(try survivor.moments(AssetQuery(), by: .day).map(\.start) == [0])
  }

  @Test("S51: what one version cannot read another tries again, and only that")
  func upgraded() throws {
    let store = try self.store()
    try write(store) {
      for created in [100, 200] {
        let asset = try describe(try add(Int64(created), to: store), in: store)
        guard created == 200 else { continue }
        var unreadable = asset
        unreadable.description = nil
        try store.index.files.update(unreadable)
        try store.descriptions.put(ReadFile(Self.version(asset), nil), of: asset.id, .main, reader: 1)
      }
    }
    #expect(try store.described.unreadableCount() == 1)
    try write(store) { try store.descriptions.tryAgain(unreadableByOthersThan: 1) }
    #expect(store.described.undescribedCount == 0)
    try write(store) { try store.descriptions.tryAgain(unreadableByOthersThan: 2) }
    #expect(try store.described.undescribed(after: nil, limit: 9).map(\.id.rawValue) == [2])
    #expect(try store.described.unreadableCount() == 0)
  }

  private func stamp(_ version: ReadFile.Version, byteCount: Int64? = nil) -> FileStamp {
    FileStamp(
      inode: version.identity.inode, byteCount: byteCount ?? version.byteCount, modified: version.modified,
      changed: version.changed)
  }

  @Test(
    "S56: where a file says its place is known before it is described, and stays known after, and after a kill"
  )
  func placesFirst() throws {
    let store = try self.store()
    var assets: [Asset] = []
    try write(store) {
      assets = try [100, 200].map { try add($0, to: store) }
      _ = try store.finishScan()
    }
    try write(store) {
      for asset in assets {
        let stamp = stamp(Self.version(asset))
        // The last counts.
        try store.descriptions.put(
          overwritings: [9], of: asset.id, .main, self.stamp(Self.version(asset), byteCount: 7))
        try store.descriptions.put(overwritings: [1, 2], of: asset.id, .main, stamp)
      }
      // It has gone meanwhile.
      try store.descriptions.put(
        overwritings: [3], of: AssetID(rawValue: 99), .main, stamp(Self.version(assets[0])))
    }
    #expect(store.described.undescribedCount == 2)
    #expect(try store.described.unreadableCount() == 0)
    #expect(try store.described.file(of: assets[0].id, .main) == nil, "it was not read")
    try write(store) {
      let described = try describe(assets[0], in: store, taken: 50)
      _ = try store.index.journal.append(
        Change(
          .asset(described.id), .changed(content: false), albumsBefore: [], albumsAfter: [],
          snapshot: Change.Snapshot(described)))
    }
    let copy = try directory.copy()
    let survivor = try LibraryStore(
      path: copy.path + "/library.sqlite", boot: "one", zone: LocalZone { _ in 0 })
    for store in [store, survivor] {
      for asset in assets {
        #expect(try store.described.overwritings(of: asset.id, .main, stamp(Self.version(asset))) == [1, 2])
        #expect(
          try store.described.overwritings(of: asset.id, .main, stamp(Self.version(asset), byteCount: 7))
            == nil)
      }
      #expect(try store.described.file(of: assets[0].id, .main)?.description?.takenLocal == 50_000_000)
      let gone = AssetID(rawValue: 99)
      #expect(try store.described.overwritings(of: gone, .main, stamp(Self.version(assets[0]))) == nil)
    }
  }

  @Test("S56: where other bytes say their place is forgotten when a file is described anew")
  func placesOfOthers() throws {
    let store = try self.store()
    try write(store) {
      let asset = try describe(add(100, to: store), in: store)
      let version = Self.version(asset)
      try store.descriptions.put(overwritings: [1], of: asset.id, .main, stamp(version))
      // Of what was described, these are other bytes.
      try store.descriptions.put(overwritings: [2], of: asset.id, .main, stamp(version, byteCount: 7))
      #expect(try store.described.overwritings(of: asset.id, .main, stamp(version)) == [1])
      #expect(try store.described.overwritings(of: asset.id, .main, stamp(version, byteCount: 7)) == nil)
      let other = ReadFile.Version(
        identity: asset.identity, byteCount: 7, modified: asset.modified, changed: version.changed)
      try store.descriptions.put(ReadFile(other, .nothing), of: asset.id, .main, reader: 1)
      #expect(try store.described.overwritings(of: asset.id, .main, stamp(version)) == nil)
      #expect(try store.described.overwritings(of: asset.id, .main, stamp(other)) == nil)
    }
  }

  @Test(
    "an index that was damaged keeps what is known, or it is read again; and one that is removed nothing of it",
    arguments: [true, false])
  func salvaged(isKept: Bool) throws {
    try {
      let store = try self.store()
      try write(store) {
        let asset = try add(100, to: store)
        _ = try store.index.files.insert(
          Link(
            location: asset.primary, asset: asset.id, identity: asset.identity, byteCount: 1, modified: 2))
        try store.index.directories.put(
          DirectoryTree.Node(
            id: DirectoryID(rawValue: 1), root: RootID(rawValue: 1), parent: nil, name: FileName("a"),
            identity: FileIdentity(volume: .unknown, inode: 1, birthTime: 1)))
        try store.index.directories.setCounts(
          NameCounts(names: 1, repeats: 0, companions: 0), of: DirectoryID(rawValue: 1))
        try store.index.directories.put(
          StoredRoot(id: RootID(rawValue: 1), path: FileName("/photos"), identity: .none))
        try describe(asset, in: store, taken: 50, subtypes: .hdr)
      }
      store.noteDamage()
      try store.close()
    }()
    // Of an asset that there is not nothing can be known.
    if !isKept { try execute("UPDATE description SET asset = 99", on: path) }
    let store = try LibraryStore.opened(path: path, boot: "one")
    #expect(store.damage?.kept.contains(.descriptions) == isKept)
    let asset = try #require(try store.files.asset(AssetID(rawValue: 1)))
    #expect(asset.isDescribed == isKept && asset.created == 50_000_000_000)
    #expect(store.described.undescribedCount == (isKept ? 0 : 1))
    guard isKept else { return }
    #expect(store.damage?.kept == Set(LibraryDamage.Kept.allCases))
    #expect(try store.described.file(of: asset.id, .main)?.description?.subtypes == .hdr)
    #expect(try store.moments(AssetQuery(), by: .year).count == 1)
    try write(store) { try store.index.files.remove(asset.id) }
    #expect(try store.described.file(of: asset.id, .main) == nil)
    #expect(try store.moments(AssetQuery(), by: .year).isEmpty)
  }

  // MARK: Days and places

  @Test("S58: moments are counted by the host's days, whatever comes, changes and goes")
  func moments() throws {
    // An hour ahead of UTC; two from the hundredth day on.
    let zone = LocalZone { $0 < 100 * 86_400 ? 3600 : 7200 }
    let store = try self.store(zone)
    var generator = SeededGenerator(seed: 58)
    var ids: [AssetID] = []
    for _ in 0..<40 {
      try write(store) {
        for _ in 0..<5 {
          let created = Int64.random(in: 0...(400 * 86_400), using: &generator)
          let type = MediaType.allCases.randomElement(using: &generator) ?? .image
          ids.append(try add(created, type, to: store).id)
        }
        let id = ids.randomElement(using: &generator) ?? ids[0]
        if let asset = try store.files.asset(id) {
          try describe(asset, in: store, taken: .random(in: 0...(400 * 86_400), using: &generator))
        }
        let gone = ids.remove(at: .random(in: 0..<ids.count, using: &generator))
        try store.index.files.remove(gone)
      }
      if Bool.random(using: &generator) {
        try store.begin()
        try add(0, to: store)
        store.rollback()
      }
    }
    let album = DirectoryID(rawValue: 1)
    for unit in Moment.Unit.allCases {
      for types in [[], [.video], Set(MediaType.allCases)] as [Set<MediaType>] {
        var query = AssetQuery()
        query.mediaTypes = types
        let counted = try store.moments(query, by: unit)
        // What is asked for of an album, or of some, is counted one by one.
        query.memberships = [.init(ids: ids, albums: [album])]
        #expect(try store.moments(query, by: unit) == counted)
        #expect(counted.reduce(0) { $0 + $1.count } == (try store.assets.count(query)))
      }
    }
    let days = try store.moments(AssetQuery(), by: .day)
    #expect(days.allSatisfy { zone.start(ofDay: zone.day(at: $0.start)) == $0.start })
    // In another zone they are counted again.
    try store.close()
    let other = try self.store(LocalZone { _ in -3600 })
    #expect(try other.moments(AssetQuery(), by: .day).allSatisfy { $0.start % 86_400 == 3600 })
    #expect(try other.moments(AssetQuery(), by: .year).reduce(0) { $0 + $1.count } == ids.count)
  }

  @Test("S16: who sees a part does not wait for how many others are of a kind, or were taken at a place")
  func partial() throws {
    let store = try self.store()
    try write(store) {
      for number in 0..<20_000 {
        try describe(
          try add(Int64(number), to: store), in: store, subtypes: .hdr,
          place: .init(latitude: 1, longitude: 1, altitude: nil))
      }
    }
    try store.settle()
    for isByPlace in [false, true] {
      var query = AssetQuery()
      if isByPlace {
        query.boundingBox = .init(south: 0, west: 0, north: 2, east: 2)
      } else {
        query.subtypes = .hdr
      }
      query.memberships = [.init(ids: (2...6).map { AssetID(rawValue: $0) })]
      let seen = try store.apart.read(SearchLimit(operations: SearchLimit.interval)) {
        [query] in try $0.count(query)
      }
      #expect(seen == 5)
    }
  }

  @Test("S59: by kind of picture and by place, over the antimeridian too")
  func filters() throws {
    let store = try self.store()
    try write(store) {
      let places = [(48.2, 16.4), (-17.7, 178.0), (-17.7, -179.0), (0, 0)]
      for (number, place) in places.enumerated() {
        try describe(
          try add(Int64(number), to: store), in: store, subtypes: number == 0 ? [.raw, .hdr] : [],
          place: .init(latitude: place.0, longitude: place.1, altitude: nil))
      }
      try add(9, to: store)
    }
    func found(_ change: (inout AssetQuery) -> Void) throws -> [Int64] {
      var query = AssetQuery()
      change(&query)
      #expect(try store.assets.count(query) == store.assets.fetch(query, limit: 9).assets.count)
      let all = try store.assets.fetch(query, limit: 9).assets.map(\.id.rawValue)
      // S16: who sees a part finds the same in it, by what it sees.
      query.memberships = [.init(ids: [1, 3].map { AssetID(rawValue: $0) })]
      #expect(
        try store.assets.fetch(query, limit: 9).assets.map(\.id.rawValue) == all.filter { $0 == 1 || $0 == 3 }
      )
      return all
    }
    #expect(try found { $0.subtypes = .hdr } == [1])
    #expect(try found { $0.subtypes = [.hdr, .panorama] } == [1])
    #expect(try found { $0.subtypes = .panorama } == [])
    #expect(try found { $0.boundingBox = .init(south: 40, west: 10, north: 50, east: 20) } == [1])
    #expect(try found { $0.boundingBox = .init(south: -20, west: 170, north: -10, east: -170) } == [2, 3])
    #expect(
      try found { $0.boundingBox = .init(south: -90, west: -180, north: 90, east: 180) } == [1, 2, 3, 4])
    #expect(BoundingBox(south: 5, west: 0, north: 4, east: 0) == nil)
    #expect(BoundingBox(south: .nan, west: 0, north: 4, east: 0) == nil)
  }

  @Test("S59: a page begins at a time, in both directions")
  func takenIn() throws {
    let store = try self.store()
    try write(store) { for created in [10, 20, 20, 30] { try add(Int64(created), to: store) } }
    func from(_ seconds: Int64, descending: Bool) throws -> [Int64] {
      var query = AssetQuery.by(.created)
      query.descending = descending
      let start = AssetCursor(from: seconds * 1_000_000_000, descending: descending)
      return try store.assets.fetch(query, after: start, limit: 9).assets.map(\.id.rawValue)
    }
    #expect(try from(20, descending: false) == [2, 3, 4])
    #expect(try from(20, descending: true) == [3, 2, 1])
    #expect(try from(31, descending: false) == [])
    #expect(try from(25, descending: true) == [3, 2, 1])
  }
}

extension AssetQuery {
  fileprivate static func by(_ order: Order) -> AssetQuery {
    var query = AssetQuery()
    query.order = order
    return query
  }
}
