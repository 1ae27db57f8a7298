import Testing

@testable import LibraryModel

/// Key photos in memory.
final class MemoryKeys: KeyPhotoIndex {
  private var keys: [AlbumID: AssetID] = [:]
  /// What limited apps see that have made albums.
  var creators: [AlbumID: LibraryView] = [:]

  func keyAsset(of album: AlbumID) -> AssetID? { keys[album] }
  func albums(withKey asset: AssetID) -> Set<AlbumID> { Set(keys.filter { $0.value == asset }.keys) }
  func limitedCreatorView(of album: AlbumID) -> LibraryView? { creators[album] }
  func setKeyAsset(_ asset: AssetID?, of album: AlbumID) { keys[album] = asset }
}

@Suite("S102: key photos, without a disk")
struct KeyPhotoTests {
  private func scene() throws -> (MemoryLibrary, AssetID, album: AlbumID) {
    let (library, id) = try MemoryLibrary.withPhoto()
    let album = try #require(library.album("a"))
    try library.change { try $0.keyPhotos.choose(id, of: album) }
    #expect(library.told(album: album) == [.changed(content: false)])
    library.forget()
    return (library, id, album)
  }

  @Test("S102: that it is chosen is told once, as a change of the album that is none of an asset")
  func chosen() throws {
    let (library, id, album) = try scene()
    try library.change { try $0.keyPhotos.choose(id, of: album) }
    #expect(library.changes.isEmpty)
    try library.change { try $0.keyPhotos.choose(nil, of: album) }
    #expect(library.told(album: album) == [.changed(content: false)] && library.told(id).isEmpty)
    #expect(library.changes.first?.snapshot == .album(name: FileName("a"), root: RootID(rawValue: 1)))
  }

  @Test("S102: that it leaves the album, is hidden or comes back is told of the album; other changes are not")
  func told() throws {
    let (library, id, album) = try scene()
    let location = try #require(library.location("a/1.jpg"))
    func expect(_ count: Int, _ comment: Comment, _ body: () throws -> Void) throws {
      library.forget()
      try body()
      #expect(library.told(album: album).count == count, comment)
      #expect(library.keys.keyAsset(of: album) == id)
    }
    try expect(0, "it is written to") {
      library.disk.write("a/1.jpg", 20)
      try library.hint("a/1.jpg")
    }
    try expect(0, "it is renamed") {
      library.disk.rename("a/1.jpg", "a/2.jpg")
      try library.moved("a/1.jpg", "a/2.jpg")
      library.disk.rename("a/2.jpg", "a/1.jpg")
      try library.moved("a/2.jpg", "a/1.jpg")
    }
    for flags in [.hidden, []] as [AssetFlags] {
      try expect(1, "it is hidden, or shown again") {
        library.disk.say(flags, of: "a/1.jpg")
        try library.hint("a/1.jpg")
      }
    }
    try expect(1, "it leaves the album") {
      library.disk.rename("a/1.jpg", "b/1.jpg")
      try library.moved("a/1.jpg", "b/1.jpg")
    }
    try expect(0, "it is written to, elsewhere") {
      library.disk.write("b/1.jpg", 30)
      try library.hint("b/1.jpg")
    }
    try expect(1, "it comes back") {
      library.disk.rename("b/1.jpg", "a/1.jpg")
      try library.moved("b/1.jpg", "a/1.jpg")
    }
    try expect(1, "it is deleted") {
      library.disk.remove("a/1.jpg")
      try library.change { try $0.remove(id) }
    }
    try expect(1, "it is restored") {
      library.disk.write("a/1.jpg", 1)
      let identity = try #require(library.disk.files["a/1.jpg"].flatMap(library.disk.identity))
      try library.librarian.files.expect(id, at: location, identity, flags: [], arrived: 0)
      try library.hint("a/1.jpg")
    }
    #expect(library.asset("a/1.jpg")?.id == id)
  }

  @Test(
    "S16, S102: the limited app that has made the album is told of what it sees of that, and of nothing else")
  func creator() throws {
    let (library, id, album) = try scene()
    let other = try #require(library.album("b"))
    func view(_ assets: Set<AssetID>, _ albums: Set<AlbumID> = []) -> LibraryView {
      LibraryView(assets: assets, albums: albums, hiddenAlbums: [], ownAlbums: [album])
    }
    /// What is told to everybody, and to who sees that.
    func told(to view: LibraryView, _ body: () throws -> Void) throws -> [Int] {
      library.forget()
      library.keys.creators[album] = view
      try body()
      return [LibraryView.everything, view].map { view in
        let filter = ChangeFilter(.albums, view: view)
        return library.changes.count { filter.effect(of: .change($0)) != .none }
      }
    }
    func choose(_ asset: AssetID?) throws { try library.change { try $0.keyPhotos.choose(asset, of: album) } }
    #expect(try told(to: view([])) { try choose(nil) } == [1, 0])
    #expect(try told(to: view([])) { try choose(id) } == [1, 0])
    #expect(try told(to: view([id])) { try choose(nil) } == [1, 1])
    #expect(try told(to: view([id])) { try choose(id) } == [1, 1])
    for (view, counts) in [(view([]), [1, 0]), (view([id]), [1, 1])] {
      let moved = try told(to: view) {
        library.disk.rename("a/1.jpg", "b/1.jpg")
        try library.moved("a/1.jpg", "b/1.jpg")
      }
      #expect(moved == counts)
      library.disk.rename("b/1.jpg", "a/1.jpg")
      try library.moved("b/1.jpg", "a/1.jpg")
    }
    // It sees the photo because of another album that it is in; what happens in one that it does not see is not told.
    func linked(_ isThere: Bool) throws {
      if isThere { library.disk.link("a/1.jpg", "b/1.jpg") } else { library.disk.remove("b/1.jpg") }
      try library.hint("b/1.jpg")
    }
    for (view, counts) in [(view([id]), [0, 0]), (view([], [other]), [1, 1])] {
      #expect(try told(to: view) { try linked(true) } == counts)
      #expect(try told(to: view) { try linked(false) } == counts)
    }
    // Its selection changes.
    let selected = try told(to: view([])) {
      try library.change {
        try $0.keyPhotos.changingViews(ofCreators: [album]) { library.keys.creators[album] = view([id]) }
      }
    }
    #expect(selected == [1, 1])
    let same = try told(to: view([])) {
      try library.change {
        try $0.keyPhotos.changingViews(ofCreators: [album]) {
          library.keys.creators[album] = view([AssetID(rawValue: 77)])
        }
      }
    }
    #expect(same == [0, 0])
  }

  @Test("S16, S102: it is shown to who sees it, in the album, and not when it is hidden")
  func shown() throws {
    let (library, id, album) = try scene()
    var asset = try #require(library.asset("a/1.jpg"))
    let other = try #require(library.album("b"))
    func shows(_ seen: [AssetID]?, _ album: AlbumID) -> Bool {
      let view = seen.map { LibraryView(assets: Set($0), albums: [], hiddenAlbums: [], ownAlbums: [album]) }
      return (view ?? .everything).showsKey(asset, of: album)
    }
    #expect(shows(nil, album) && !shows(nil, other))
    #expect(shows([id], album) && !shows([AssetID(rawValue: 99)], album))
    asset.flags = .hidden
    #expect(!shows(nil, album) && !shows([id], album))
  }
}
