import TestSupport
import Testing

@testable import LibraryModel

/// Orders in memory.
final class MemoryOrder: CustomOrderIndex {
  private(set) var positions: [AlbumID: [AssetID: Int64]] = [:]
  /// What limited apps see that have made albums.
  var creators: [AlbumID: LibraryView] = [:]
  /// How many rows were written.
  private(set) var writes = 0

  /// What has a place in an album, in order.
  func order(of album: AlbumID) -> [AssetID] { placed(in: album).map(\.id) }

  func position(of asset: AssetID, in album: AlbumID) -> Int64? { positions[album]?[asset] }
  func mayOrder(_ album: AlbumID) -> Bool { positions[album] != nil }
  func limitedCreatorView(of album: AlbumID) -> LibraryView? { creators[album] }

  func placed(in album: AlbumID, before position: Int64, limit: Int) -> [OrderedAsset] {
    Array(placed(in: album).filter { $0.position < position }.reversed().prefix(limit))
  }

  func placed(in album: AlbumID, from position: Int64, limit: Int) -> [OrderedAsset] {
    Array(placed(in: album).filter { $0.position >= position }.prefix(limit))
  }

  func setPosition(_ position: Int64?, of asset: AssetID, in album: AlbumID) {
    writes += 1
    positions[album, default: [:]][asset] = position
  }

  private func placed(in album: AlbumID) -> [OrderedAsset] {
    (positions[album] ?? [:]).map { OrderedAsset(id: $0.key, position: $0.value) }
      .sorted { ($0.position, $0.id) < ($1.position, $1.id) }
  }
}

@Suite("S103: the order of an album, without a disk")
struct CustomOrderTests {
  /// A library with albums `a` and `b`, and so many photos in `a`, all of which have places.
  private func scene(_ count: Int = 6) throws -> (MemoryLibrary, ids: [AssetID], album: AlbumID) {
    let library = MemoryLibrary()
    for path in ["a", "b"] { library.disk.mkdir(path) }
    for number in 0..<count { library.disk.write("a/\(number).jpg", 10) }
    try library.rescan()
    let ids = try (0..<count).map { try #require(library.asset("a/\($0).jpg")?.id) }
    let album = try #require(library.album("a"))
    try library.change { try $0.customOrder.place(ids, in: album, tells: false) }
    library.forget()
    return (library, ids, album)
  }

  /// Puts assets somewhere, in a batch of its own.
  private func move(
    _ library: MemoryLibrary, _ assets: [AssetID], in album: AlbumID, before other: AssetID?
  ) throws -> Bool {
    var isDone = false
    try library.change { isDone = try $0.customOrder.move(assets, in: album, before: other) }
    return isDone
  }

  /// - Returns: what a list is afterwards.
  private func moved(_ list: [AssetID], _ assets: [AssetID], before other: AssetID?) -> [AssetID] {
    var list = list.filter { !assets.contains($0) }
    list.insert(contentsOf: assets, at: other.flatMap { list.firstIndex(of: $0) } ?? list.count)
    return list
  }

  @Test("S103: assets are put before another or at the end, which is told once, as a change of the album")
  func moves() throws {
    let (library, ids, album) = try scene()
    #expect(library.order.order(of: album) == ids)
    for (assets, other) in [
      ([ids[5], ids[1]], ids[0]), ([ids[0]], nil), ([ids[2], ids[0]], ids[4]), ([ids[3]], ids[5]),
    ] as [([AssetID], AssetID?)] {
      let expected = moved(library.order.order(of: album), assets, before: other)
      for isFirst in [true, false] {
        library.forget()
        #expect(try move(library, assets, in: album, before: other))
        #expect(library.order.order(of: album) == expected)
        #expect(library.told(album: album) == (isFirst ? [.changed(content: false)] : []))
        #expect(library.changes.count == (isFirst ? 1 : 0))
      }
    }
  }

  @Test("S103: what has no place, is elsewhere, or is itself moved, is nothing to be put before")
  func refused() throws {
    let (library, ids, album) = try scene()
    library.disk.write("b/x.jpg", 10)
    try library.hint("b/x.jpg")
    let elsewhere = try #require(library.asset("b/x.jpg")?.id)
    library.forget()
    for other in [elsewhere, ids[0]] { #expect(try !move(library, [ids[0]], in: album, before: other)) }
    // What is not in the album gets no place in it.
    #expect(try move(library, [elsewhere], in: album, before: ids[0]))
    try library.change { try $0.customOrder.place([elsewhere], in: album, tells: true) }
    #expect(library.order.order(of: album) == ids && library.changes.isEmpty)
  }

  @Test("S103: what leaves the album loses its place, deleted or moved; a rename or a write keeps it")
  func leaves() throws {
    let (library, ids, album) = try scene()
    library.disk.rename("a/0.jpg", "a/x.jpg")
    try library.moved("a/0.jpg", "a/x.jpg")
    library.disk.write("a/1.jpg", 20)
    try library.hint("a/1.jpg")
    #expect(library.asset("a/x.jpg")?.id == ids[0] && library.order.order(of: album) == ids)
    library.disk.link("a/2.jpg", "b/2.jpg")
    try library.hint("b/2.jpg")
    #expect(library.order.order(of: album) == ids)
    library.disk.rename("a/3.jpg", "b/3.jpg")
    try library.moved("a/3.jpg", "b/3.jpg")
    library.disk.remove("a/4.jpg")
    try library.hint("a/4.jpg")
    library.disk.remove("a/2.jpg")
    try library.hint("a/2.jpg")
    #expect(library.order.order(of: album) == [ids[0], ids[1], ids[5]])
    library.disk.rename("b/3.jpg", "a/3.jpg")
    try library.moved("b/3.jpg", "a/3.jpg")
    #expect(library.asset("a/3.jpg")?.id == ids[3])
    #expect(library.order.order(of: album) == [ids[0], ids[1], ids[5]])
  }

  @Test("S39, S103: what is removed and made anew a moment later, as programs save, is where it was")
  func back() throws {
    let (library, ids, album) = try scene()
    for number in [1, 4] {
      library.disk.remove("a/\(number).jpg")
      try library.hint("a/\(number).jpg")
    }
    #expect(library.order.order(of: album) == [ids[0], ids[2], ids[3], ids[5]])
    library.disk.write("a/.4.jpg.tmp", 30)
    library.disk.rename("a/.4.jpg.tmp", "a/4.jpg")
    try library.hint("a/4.jpg", .renamed)
    #expect(library.asset("a/4.jpg")?.id == ids[4])
    #expect(library.order.order(of: album) == [ids[0], ids[2], ids[3], ids[4], ids[5]])
    // Elsewhere, it is in no order.
    library.disk.write("a/.1.jpg.tmp", 30)
    library.disk.rename("a/.1.jpg.tmp", "b/1.jpg")
    try library.hint("b/1.jpg", .renamed)
    #expect(library.order.order(of: album) == [ids[0], ids[2], ids[3], ids[4], ids[5]])
  }

  @Test("S103: places are given after all others, once, and told only where something may be otherwise")
  func placing() throws {
    let (library, ids, album) = try scene()
    library.disk.write("a/7.jpg", 10)
    try library.hint("a/7.jpg")
    let new = try #require(library.asset("a/7.jpg")?.id)
    library.forget()
    for tells in [false, true] {
      try library.change { try $0.customOrder.place([ids[3], new], in: album, tells: tells) }
      #expect(library.order.order(of: album) == ids + [new] && library.changes.isEmpty)
    }
    library.disk.write("a/8.jpg", 10)
    try library.hint("a/8.jpg")
    let other = try #require(library.asset("a/8.jpg")?.id)
    try library.change { try $0.customOrder.place([other], in: album, tells: true) }
    #expect(library.told(album: album) == [.changed(content: false)])
  }

  @Test(
    "S103: whatever is put where, again and again, the order is that of a list, however little room there was",
    arguments: [2, 3, 16, 1 << 20])
  func property(gap: Int64) throws {
    let (library, ids, album) = try scene(150)
    var random = SeededGenerator(seed: UInt64(gap))
    let order = CustomOrder(
      library.order, library.index, library.librarian.directories, library.librarian.context, gap: gap)
    var list = ids
    for id in ids { library.order.setPosition(nil, of: id, in: album) }
    try order.place(ids, in: album, tells: false)
    for _ in 0..<400 {
      let assets = Array(ids.shuffled(using: &random).prefix(.random(in: 1...5, using: &random)))
      // Mostly at one place, where there is room no more.
      let other = Bool.random(using: &random) ? ids[75] : ids.randomElement(using: &random)
      let target = other.flatMap { assets.contains($0) ? nil : $0 }
      #expect(try order.move(assets, in: album, before: target))
      list = moved(list, assets, before: target)
      #expect(library.order.order(of: album) == list)
      let positions = library.order.placed(in: album, from: .min, limit: .max).map(\.position)
      #expect(Set(positions).count == ids.count)
    }
  }

  @Test("S103: where there is no room, some are given other places, and not all of a large album")
  func bounded() throws {
    let (library, ids, album) = try scene(600)
    let before = library.order.writes
    // Each is put right before the same one: the room there is halved each time.
    for id in ids[..<150] {
      #expect(try move(library, [id], in: album, before: ids[300]))
    }
    #expect(library.order.order(of: album) == Array(ids[150..<300] + ids[..<150] + ids[300...]))
    // Each time there is room for eight at least.
    #expect(library.order.writes - before < 150 * 2 + 150 / 8 * 2 * (CustomOrder.firstWindow + 1))
  }

  @Test(
    "S16, S103: the limited app that has made the album is told where it sees another order, and else not")
  func creator() throws {
    let (library, ids, album) = try scene()
    let view = LibraryView(assets: [ids[1], ids[4]], albums: [], hiddenAlbums: [], ownAlbums: [album])
    library.order.creators[album] = view
    /// How many are told to everybody, and to the app.
    func told(_ assets: [AssetID], before other: AssetID?) throws -> [Int] {
      library.forget()
      #expect(try move(library, assets, in: album, before: other))
      return [LibraryView.everything, view].map { view in
        let filter = ChangeFilter(.albums, view: view)
        return library.changes.count { filter.effect(of: .change($0)) != .none }
      }
    }
    // 0 1 2 3 4 5, of which it sees 1 and 4.
    #expect(try told([ids[5]], before: ids[0]) == [1, 0], "what it does not see")
    #expect(try told([ids[1]], before: ids[3]) == [1, 0], "among what it does not see")
    #expect(try told([ids[3], ids[1]], before: ids[4]) == [1, 0], "with what it does not see")
    #expect(try told([ids[0]], before: nil) == [1, 0])
    #expect(try told([ids[4]], before: nil) == [1, 0], "the last that it sees")
    #expect(try told([ids[4]], before: ids[1]) == [1, 1], "before what it sees")
    #expect(try told([ids[1], ids[4]], before: nil) == [1, 1], "both, in another order")
  }
}
