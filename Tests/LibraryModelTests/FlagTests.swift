import Testing

@testable import LibraryModel

@Suite("S90, S91: favourites and hidden assets, without a disk")
struct FlagTests {
  @Test(
    "S90: a favourite is one tag among others, which stay as they are",
    arguments: [
      ("", "Favorite"), ("sea", "sea,Favorite"), ("sea, sun", "sea, sun,Favorite"), (" ", "Favorite"),
      ("\u{ff}\u{0}", "\u{ff}\u{0},Favorite"), ("Favorites", "Favorites,Favorite"),
    ])
  func tags(before: String, after: String) {
    let bytes = Array(before.utf8)
    #expect(!FileTags.haveFavorite(bytes))
    let marked = FileTags.addingFavorite(to: bytes)
    #expect(marked == Array(after.utf8) && FileTags.haveFavorite(marked))
    #expect(FileTags.addingFavorite(to: marked) == marked)
    let rest = FileTags.removingFavorite(from: marked)
    #expect(rest == (before == " " ? [] : bytes))
    #expect(FileTags.removingFavorite(from: bytes) == bytes)
  }

  @Test(
    "S90: the tag is read in either case, with spaces around it, and wherever it stands",
    arguments: [
      ("favorite", ""), ("a, FAVORITE ,b", "a,b"), ("Favorite,Favorite,x", "x"), (",Favorite,", ","),
    ])
  func spellings(tags: String, rest: String) {
    #expect(FileTags.haveFavorite(Array(tags.utf8)))
    #expect(FileTags.removingFavorite(from: Array(tags.utf8)) == Array(rest.utf8))
  }

  @Test("S90: a file's word counts; where another file took its place and says nothing, what was said stays")
  func inherited() {
    let both: AssetFlags = [.favorite, .hidden]
    #expect(AssetFlags().reading(both, isSameFile: true) == both)
    #expect(both.reading([], isSameFile: true) == [])
    let kept = both.reading([], isSameFile: false)
    #expect(kept.told == both && kept.inherited == both)
    // That file is looked at again, and again by others.
    #expect(kept.reading([], isSameFile: true) == kept && kept.reading([], isSameFile: false) == kept)
    let one = kept.reading(.favorite, isSameFile: true)
    #expect(one.told == both && one.inherited == .hidden)
    #expect(one.reading([], isSameFile: true).told == .hidden, "it was taken from the file by somebody")
    #expect(AssetFlags(rawValue: 0xff).reading([], isSameFile: true).told == both)
  }

  @Test("S90: what cannot be read of a file is as it was; where another took its place, it stays")
  func unreadable() {
    let both: AssetFlags = [.favorite, .hidden]
    #expect(both.reading(nil, isSameFile: true) == both)
    let kept = both.reading(nil, isSameFile: false)
    #expect(kept.told == both && kept.inherited == both && kept.reading(nil, isSameFile: true) == kept)
  }

  @Test("S39, S90, S91: made anew under its name, a hidden asset is hidden, and is never told as shown")
  func madeAnew() throws {
    let (library, id) = try MemoryLibrary.withPhoto()
    let both: AssetFlags = [.favorite, .hidden]
    library.disk.say(both, of: "a/1.jpg")
    try library.hint("a/1.jpg")
    #expect(library.asset("a/1.jpg")?.flags == both)
    library.forget()
    library.disk.remove("a/1.jpg")
    try library.hint("a/1.jpg")
    library.disk.write("a/1.jpg", 11)
    library.disk.say([], of: "a/1.jpg")
    try library.hint("a/1.jpg")
    let anew = try #require(library.asset("a/1.jpg"))
    #expect(anew.id == id && anew.flags.told == both && anew.flags.inherited == both)
    let told = library.changes.filter { $0.subject == .asset(id) }
    #expect(told.map(\.operation) == [.removed, .inserted])
    #expect(told.last?.snapshot?.isHidden == true)
  }

  @Test(
    "S39, S90: a file that is moved away and back says what it says; if that cannot be read, what it said",
    arguments: [.favorite, [], nil] as [AssetFlags?])
  func movedBack(says found: AssetFlags?) throws {
    let (library, id) = try MemoryLibrary.withPhoto()
    library.disk.say(.hidden, of: "a/1.jpg")
    try library.hint("a/1.jpg")
    library.disk.rename("a/1.jpg", ".away")
    try library.hint("a/1.jpg")
    library.disk.say(found, of: ".away")
    library.disk.rename(".away", "a/1.jpg")
    try library.hint("a/1.jpg")
    let back = try #require(library.asset("a/1.jpg"))
    #expect(back.id == id && back.flags == found ?? .hidden)
  }

  @Test("S91: on a file system that keeps nothing of the kind any more, what was hidden stays hidden")
  func notKept() throws {
    let (library, _) = try MemoryLibrary.withPhoto()
    library.disk.say(.hidden, of: "a/1.jpg")
    try library.rescan()
    library.disk.keepsFlags = false
    library.disk.say([], of: "a/1.jpg")
    library.disk.write("a/2.jpg", 1)
    let looks = library.disk.lookCount
    try library.rescan()
    #expect(library.asset("a/1.jpg")?.isHidden == true && library.asset("a/2.jpg")?.flags == [])
    #expect(library.disk.lookCount == looks, "no new file is looked at again for what it cannot say")
  }

  private let asset = Asset(
    id: AssetID(rawValue: 1), mediaType: .image, identity: .none, byteCount: 1, created: 1, modified: 1,
    primary: Location(AlbumID(rawValue: 1), FileName("a.jpg")))

  private func with(_ flags: AssetFlags) -> Asset {
    var asset = asset
    asset.flags = flags
    return asset
  }

  private func word(_ filter: ChangeFilter, _ before: Asset?, _ after: Asset?) throws -> String {
    let change = try #require(Change.asset(before: before, after: after, content: false))
    return switch filter.effect(of: .change(change)) {
    case .none: "none"
    case .inserted: "inserted"
    case .removed: "removed"
    case .changed: "changed"
    case .moved: "moved"
    case .lost: "lost"
    }
  }

  @Test("S91: who does not ask for hidden assets is told that they go and come; who asks, that they change")
  func told() throws {
    let plain = ChangeFilter(.assets(albums: nil, ids: nil), view: .everything)
    let asking = ChangeFilter(.assets(albums: nil, ids: nil), view: .everything, includesHidden: true)
    let (shown, hidden, starred) = (with([]), with(.hidden), with([.hidden, .favorite]))
    for (before, after, told, toldAsking) in [
      (shown, hidden, "removed", "changed"), (hidden, shown, "inserted", "changed"),
      (hidden, starred, "none", "changed"), (nil, hidden, "none", "inserted"),
      (hidden, nil, "none", "removed"),
    ] as [(Asset?, Asset?, String, String)] {
      #expect(try word(plain, before, after) == told)
      #expect(try word(asking, before, after) == toldAsking)
    }
  }

  @Test("S16, S91: for who sees a part of the library a hidden asset does not exist, whatever it asks for")
  func limited() throws {
    let view = LibraryView(assets: [asset.id], albums: [], hiddenAlbums: [], ownAlbums: [])
    #expect(view.sees(with(.favorite)) && !view.sees(with(.hidden)))
    #expect(LibraryView.everything.sees(with(.hidden)))
    var query = AssetQuery()
    query.includesHidden = true
    #expect(!view.narrow(query).includesHidden && LibraryView.everything.narrow(query).includesHidden)
    let filter = ChangeFilter(
      .assets(albums: nil, ids: nil), view: view, viewer: ViewerID(rawValue: 1), includesHidden: true)
    #expect(!filter.includesHidden)
    #expect(try word(filter, with([]), with(.hidden)) == "removed")
    #expect(try word(filter, with(.hidden), with([.hidden, .favorite])) == "none")
    #expect(try word(filter, with(.hidden), with([])) == "inserted")
    // That it is selected, or not any more, is nothing to tell.
    for isSelected in [true, false] {
      let step = ViewChange(
        ViewerID(rawValue: 1), .asset(asset.id, isSelected: isSelected), snapshot: .init(with(.hidden)))
      let empty = LibraryView(assets: [], albums: [], hiddenAlbums: [], ownAlbums: [])
      let other = ChangeFilter(
        .assets(albums: nil, ids: nil), view: isSelected ? empty : view, viewer: ViewerID(rawValue: 1))
      #expect(other.effect(of: .view(step)) == .none)
    }
  }
}
