import Testing

@testable import LibraryModel

@Suite("S99: RAW and the photo beside it, without a disk")
struct RawPairTests {
  private func library(_ paths: String...) throws -> MemoryLibrary {
    let library = MemoryLibrary()
    for path in ["a", "b"] { library.disk.mkdir(path) }
    for path in paths { library.disk.write(path, 10) }
    try library.rescan()
    library.forget()
    return library
  }

  private func link(_ path: String, _ library: MemoryLibrary) throws -> Link {
    try #require(library.location(path).flatMap(library.index.link))
  }

  /// Whether RAW is part of the asset of a photo, and of no other.
  private func isPair(_ photo: String, _ raw: String, _ library: MemoryLibrary) throws -> Bool {
    let asset = try #require(library.asset(photo))
    let link = try link(raw, library)
    return asset.hasRaw && link.resource == .alternatePhoto && link.asset == asset.id
      && asset.subtypes.contains(.raw)
  }

  @Test(
    "S99: which names are a pair: one stem in one directory, RAW by its extension beside a photo that is none",
    arguments: [
      ("1.jpg", "1.CR3", true), ("1.HEIC", "1.dng", true), ("1.JPG", "1.NeF", true),
      ("a.b.jpg", "a.b.3fr", true),
      ("1.jpg", "1.tif", false), ("1.dng", "1.cr2", false), ("1.jpg", "2.cr2", false),
      ("i.jpg", "I.cr2", false),
      ("1.mov", "1.cr2", false), ("1.jpg", "1.jpg.cr2", false),
    ])
  func names(photo: String, raw: String, isPair: Bool) throws {
    for names in [[photo, raw], [raw, photo]] {
      // Found together, or told one after the other in either order.
      let told = try library()
      for name in names {
        told.disk.write("a/\(name)", 10)
        try told.hint("a/\(name)")
      }
      let found = try library("a/\(photo)", "a/\(raw)")
      for library in [told, found] {
        let isPart = try link("a/\(raw)", library).resource == .alternatePhoto
        #expect(isPart == isPair)
        if isPair { #expect(try self.isPair("a/\(photo)", "a/\(raw)", library)) }
        let journal = library.index.journal.count
        try library.rescan()
        #expect(library.index.journal.count == journal, "a rescan finds nothing to tell")
      }
    }
  }

  @Test(
    "S99, S39: the photo keeps its id, RAW has none; alone it is an asset, with the id that it had a moment ago"
  )
  func ids() throws {
    let library = try library("a/1.dng")
    let raw = try #require(library.asset("a/1.dng")?.id)
    library.disk.write("a/1.jpg", 20)
    try library.hint("a/1.jpg")
    let photo = try #require(library.asset("a/1.jpg")?.id)
    #expect(try isPair("a/1.jpg", "a/1.dng", library) && library.index.assetCount == 1)
    #expect(library.told(raw) == [.removed] && library.told(photo) == [.inserted])
    library.disk.remove("a/1.jpg")
    try library.hint("a/1.jpg")
    #expect(library.asset("a/1.dng")?.id == raw && library.told(photo).last == .removed)
    #expect(library.told(raw) == [.removed, .inserted])
    library.disk.write("a/1.jpg", 30)
    try library.hint("a/1.jpg")
    #expect(library.asset("a/1.jpg")?.id == photo)
    #expect(try isPair("a/1.jpg", "a/1.dng", library))
  }

  @Test("S99: RAW that comes, is written, is replaced, and goes is changed content of its photo")
  func told() throws {
    let (library, id) = try MemoryLibrary.withPhoto()
    library.disk.write("a/1.nef", 5)
    try library.hint("a/1.nef")
    #expect(try isPair("a/1.jpg", "a/1.nef", library))
    library.disk.write("a/1.nef", 6)
    try library.hint("a/1.nef")
    library.disk.write("a/.tmp", 7)
    library.disk.rename("a/.tmp", "a/1.nef")
    try library.hint("a/1.nef", .renamed)
    library.disk.remove("a/1.nef")
    try library.hint("a/1.nef")
    #expect(library.told(id) == .init(repeating: .changed(content: true), count: 4))
    #expect(library.asset("a/1.jpg")?.id == id && library.asset("a/1.jpg")?.hasRaw == false)
  }

  @Test(
    "S99: three files of one stem: the movie of RAW is the photo's when that comes, and RAW's again when it goes"
  )
  func liveWithRaw() throws {
    let library = try library("a/1.dng", "a/1.mov")
    #expect(library.asset("a/1.dng")?.mediaType == .livePhoto)
    library.disk.write("a/1.heic", 10)
    try library.hint("a/1.heic")
    let photo = try #require(library.asset("a/1.heic"))
    #expect(photo.mediaType == .livePhoto && library.index.assetCount == 1)
    #expect(try isPair("a/1.heic", "a/1.dng", library) && link("a/1.mov", library).asset == photo.id)
    library.disk.remove("a/1.heic")
    try library.hint("a/1.heic")
    #expect(library.asset("a/1.dng")?.mediaType == .livePhoto && library.index.assetCount == 1)
  }

  @Test(
    "S99: of two photos RAW is the first one's by name; of two RAWs the photo has the first, then the other")
  func several() throws {
    let library = try library("a/1.heic", "a/1.jpg", "a/1.raf")
    #expect(try isPair("a/1.heic", "a/1.raf", library) && library.index.assetCount == 2)
    library.disk.remove("a/1.heic")
    try library.hint("a/1.heic")
    #expect(try isPair("a/1.jpg", "a/1.raf", library) && library.index.assetCount == 1)
    let other = try self.library("a/1.cr2", "a/1.dng", "a/1.jpg")
    #expect(try isPair("a/1.jpg", "a/1.cr2", other) && other.index.assetCount == 2)
    other.disk.remove("a/1.cr2")
    try other.hint("a/1.cr2")
    #expect(try isPair("a/1.jpg", "a/1.dng", other) && other.index.assetCount == 1)
  }

  @Test("S26, S99: RAW that takes the place of one that has gone is changed content of its photo")
  func succeeded() throws {
    let library = try library("a/1.dng", "a/1.jpg", "a/1.nef")
    let (photo, other) = (
      try #require(library.asset("a/1.jpg")?.id), try #require(library.asset("a/1.nef")?.id)
    )
    library.disk.remove("a/1.dng")
    try library.hint("a/1.dng")
    #expect(try isPair("a/1.jpg", "a/1.nef", library))
    #expect(library.told(other) == [.removed] && library.told(photo) == [.changed(content: true)])
  }

  @Test("S26, S49: so is a movie that does, and what was read of the other one is read again")
  func movieSucceeded() throws {
    let library = try library("a/1.jpg", "a/1.mov", "a/1.mp4")
    let photo = try #require(library.asset("a/1.jpg"))
    let other = try #require(library.asset("a/1.mp4")?.id)
    try library.change { try $0.files.describe(photo, nil) }
    try #require(library.asset("a/1.jpg")?.isDescribed == true)
    library.forget()
    library.disk.remove("a/1.mov")
    try library.hint("a/1.mov")
    #expect(
      library.asset("a/1.jpg")?.mediaType == .livePhoto && library.asset("a/1.jpg")?.isDescribed == false)
    #expect(library.told(other) == [.removed] && library.told(photo.id) == [.changed(content: true)])
  }

  @Test(
    "S99: a pair that is renamed or moved is a pair again, with the photo's id", arguments: [false, true])
  func moved(rawFirst: Bool) throws {
    let library = try library("a/1.jpg", "a/1.orf", "a/1.xmp")
    let id = try #require(library.asset("a/1.jpg")?.id)
    let steps = [("a/1.jpg", "b/2.jpg"), ("a/1.orf", "b/2.orf"), ("a/1.xmp", "b/2.xmp")]
    for (from, to) in rawFirst ? steps.reversed() : steps {
      library.disk.rename(from, to)
      try library.moved(from, to)
    }
    #expect(library.asset("b/2.jpg")?.id == id && library.asset("b/2.jpg")?.sidecars == 1)
    #expect(try isPair("b/2.jpg", "b/2.orf", library) && library.index.assetCount == 1)
  }

  @Test("S78, S99: what names RAW, or has its stem, is a sidecar of the photo that has it")
  func sidecars() throws {
    let library = try library("a/1.jpg", "a/1.rw2", "a/1.xmp", "a/1.rw2.xmp", "a/1.jpg.xmp")
    #expect(library.asset("a/1.jpg")?.sidecars == 3)
    // Of two photos they are with RAW.
    let other = try self.library("a/1.heic", "a/1.jpg", "a/1.rw2", "a/1.xmp")
    #expect(other.asset("a/1.heic")?.sidecars == 1 && other.asset("a/1.jpg")?.sidecars == 0)
  }

  @Test("S99: an index from before, in which both are assets, has the pair after the next comparison")
  func formerIndex() throws {
    let library = try library("a/1.jpg", "b/1.dng")
    let (photo, raw) = (try #require(library.asset("a/1.jpg")), try #require(library.asset("b/1.dng")))
    // As it was indexed then: RAW beside the photo, an asset of its own.
    var row = try link("b/1.dng", library)
    library.disk.rename("b/1.dng", "a/1.dng")
    library.index.removeLink(at: row.location)
    row.location = try #require(library.location("a/1.dng"))
    library.index.update(row)
    library.index.update(
      Asset(
        id: raw.id, mediaType: .image, identity: raw.identity, byteCount: raw.byteCount, created: raw.created,
        modified: raw.modified, primary: row.location))
    library.librarian.directories.count(1, row.location)
    try library.rescan()
    #expect(try isPair("a/1.jpg", "a/1.dng", library))
    #expect(library.told(raw.id) == [.removed] && library.told(photo.id) == [.changed(content: true)])
  }

  @Test(
    "S91, S99: what is hidden stays hidden: as RAW whose photo comes, as a pair, and as RAW whose photo goes")
  func hidden() throws {
    let library = try library("a/1.dng")
    library.disk.say([.hidden], of: "a/1.dng")
    try library.hint("a/1.dng")
    try #require(library.asset("a/1.dng")?.isHidden == true)
    library.disk.write("a/1.jpg", 10)
    try library.hint("a/1.jpg")
    #expect(library.asset("a/1.jpg")?.isHidden == true)
    // Its own file does not say it, and is read again.
    library.disk.say([], of: "a/1.jpg")
    try library.rescan()
    #expect(library.asset("a/1.jpg")?.isHidden == true)

    let other = try self.library("a/1.jpg", "a/1.dng")
    other.disk.say([.hidden], of: "a/1.jpg")
    try other.hint("a/1.jpg")
    other.disk.remove("a/1.jpg")
    try other.hint("a/1.jpg")
    #expect(other.asset("a/1.dng")?.isHidden == true)
    other.disk.write("a/1.heic", 10)
    try other.hint("a/1.heic")
    #expect(other.asset("a/1.heic")?.isHidden == true)
  }

  @Test(
    "S91, S99: RAW that another program hides beside its photo hides both; shown again are both by the library alone",
    arguments: [false, true])
  func hiddenByOthers(isListed: Bool) throws {
    let library = try library("a/1.jpg", "a/1.dng")
    library.disk.say([], of: "a/1.jpg")
    let id = try #require(library.asset("a/1.jpg")?.id)
    func look() throws { try isListed ? library.rescan() : library.hint("a/1.dng", removal: true, .none) }
    library.disk.say(.hidden, of: "a/1.dng")
    try look()
    #expect(library.asset("a/1.jpg")?.flags.told == .hidden && library.told(id) == [.changed(content: false)])
    let nobody = LibraryView(assets: [id], albums: [], hiddenAlbums: [], ownAlbums: [])
    #expect(!nobody.sees(try #require(library.asset("a/1.jpg"))))
    library.disk.say([], of: "a/1.dng")
    try look()
    #expect(library.asset("a/1.jpg")?.isHidden == true)
    try library.change { try $0.files.flagsWritten([], of: id) }
    try library.rescan()
    #expect(library.asset("a/1.jpg")?.flags == [] && library.told(id).count == 2)
  }

  @Test(
    "S16, S91, S99: a photo from which another program takes a mark keeps it, and is never told as shown, while RAW says it",
    arguments: [false, true])
  func saidByRaw(isWritten: Bool) throws {
    let library = try library("a/1.jpg", "a/1.dng")
    let id = try #require(library.asset("a/1.jpg")?.id)
    for path in ["a/1.jpg", "a/1.dng"] {
      library.disk.say([.favorite, .hidden], of: path)
      try library.hint(path)
    }
    library.disk.say(.hidden, of: "a/1.dng")
    library.forget()
    library.disk.say([], of: "a/1.jpg")
    if isWritten { library.disk.write("a/1.jpg", 11) }
    try library.hint("a/1.jpg", removal: true, isWritten ? .closed : .none)
    for _ in 0..<2 {
      #expect(library.asset("a/1.jpg")?.flags.told == .hidden)
      #expect(library.told(id) == [.changed(content: isWritten)], "it is no favourite any more")
      try library.rescan()
    }
    // The library takes it from both, from RAW first.
    library.disk.say([], of: "a/1.dng")
    try library.change { try $0.files.flagsWritten([], of: id) }
    try library.rescan()
    #expect(library.asset("a/1.jpg")?.flags == [])
  }

  @Test("S91, S99: what RAW says that cannot be read is as it was")
  func saidByUnreadableRaw() throws {
    let library = try library("a/1.jpg", "a/1.dng")
    library.disk.say(.hidden, of: "a/1.jpg")
    try library.hint("a/1.jpg")
    library.disk.say(nil, of: "a/1.dng")
    library.disk.say([], of: "a/1.jpg")
    try library.hint("a/1.jpg")
    #expect(library.asset("a/1.jpg")?.isHidden == true)
  }

  @Test(
    "S16, S91, S99: RAW that stays where its hidden photo is put away is hidden; what comes later is another")
  func hiddenPhotoPutAway() throws {
    for stays in [true, false] {
      let library = try library("a/1.jpg", "a/1.dng")
      let id = try #require(library.asset("a/1.jpg")?.id)
      library.disk.say(.hidden, of: "a/1.jpg")
      library.disk.say([], of: "a/1.dng")
      try library.hint("a/1.jpg")
      library.forget()
      library.disk.remove("a/1.jpg")
      if !stays { library.disk.remove("a/1.dng") }
      try library.change { for companion in try $0.remove(id) { try $0.takeIn(companion, .none) } }
      if !stays { library.disk.write("a/1.dng", 20) }
      try library.hint("a/1.dng")
      #expect(library.asset("a/1.dng")?.isHidden == stays)
      #expect(library.changes.last?.snapshot?.isHidden == stays)
    }
  }

  @Test("S91, S99: RAW that is written and hidden at once, or replaced by one that is, hides its photo")
  func hiddenWhenWritten() throws {
    for isReplaced in [false, true] {
      let library = try library("a/1.jpg", "a/1.dng")
      if isReplaced {
        library.disk.write("a/.tmp", 7)
        library.disk.say(.hidden, of: "a/.tmp")
        library.disk.rename("a/.tmp", "a/1.dng")
      } else {
        library.disk.write("a/1.dng", 6)
        library.disk.say(.hidden, of: "a/1.dng")
      }
      try library.hint("a/1.dng", .renamed)
      #expect(library.asset("a/1.jpg")?.isHidden == true)
    }
  }

  @Test("S99, S101: a photo that comes beside RAW came when that did, whichever of them is found first")
  func arrived() throws {
    let library = try library("a/1.dng")
    let raw = try #require(library.asset("a/1.dng"))
    library.librarian.context.time = 99_000
    library.disk.write("a/1.jpg", 10)
    try library.hint("a/1.jpg")
    let photo = try #require(library.asset("a/1.jpg"))
    #expect(photo.arrived == raw.arrived && raw.arrived < 99_000)
    // RAW that comes later says nothing of before.
    library.disk.write("a/2.jpg", 10)
    try library.hint("a/2.jpg")
    library.librarian.context.time = 100_000
    library.disk.write("a/2.dng", 10)
    try library.hint("a/2.dng")
    #expect(library.asset("a/2.jpg")?.arrived == 99_000)

    var found: [Int64?] = []
    // Listed in the order of their names.
    for name in ["1.HEIC", "1.jpg"] {
      let library = MemoryLibrary()
      library.librarian.context.publishes = false
      library.librarian.context.time = 99_000
      library.disk.write("1.dng", 1)
      library.disk.write(name, 1)
      try library.rescan()
      found.append(library.asset(name)?.arrived)
    }
    #expect(found == [1001, 1001])
  }

  @Test("S91, S99, S101, S102: RAW that is an asset and renamed over that of a photo brings it what it was")
  func renamedOver() throws {
    let library = try library("b/2.jpg", "b/2.dng", "a/1.jpg", "a/1.dng")
    let (photo, album) = (try #require(library.asset("a/1.jpg")?.id), try #require(library.album("a")))
    // The photo said it, and is gone: no file does.
    library.disk.say(.hidden, of: "b/2.jpg")
    try library.hint("b/2.jpg")
    library.disk.remove("b/2.jpg")
    try library.hint("b/2.jpg")
    let raw = try #require(library.asset("b/2.dng"))
    try #require(raw.isHidden)
    try library.change { try $0.keyPhotos.choose(raw.id, of: album) }
    library.disk.rename("b/2.dng", "a/1.dng")
    try library.hint("a/1.dng", .renamed)
    #expect(try isPair("a/1.jpg", "a/1.dng", library) && library.asset("a/1.jpg")?.id == photo)
    #expect(library.asset("a/1.jpg")?.isHidden == true && library.told(raw.id).last == .removed)
    #expect(library.keys.keyAsset(of: album) == photo)
  }

  @Test("S99, S101: RAW beside which a marked photo came and went a moment ago came when it did")
  func arrivedBefore() throws {
    let library = try library("a/1.dng")
    let raw = try #require(library.asset("a/1.dng"))
    library.librarian.context.time = 99_000
    library.disk.write("a/1.jpg", 10)
    library.disk.say(.favorite, of: "a/1.jpg")
    try library.hint("a/1.jpg")
    library.disk.remove("a/1.jpg")
    try library.hint("a/1.jpg")
    let again = try #require(library.asset("a/1.dng"))
    #expect(again.id == raw.id && again.isFavorite && again.arrived == raw.arrived && raw.arrived < 99_000)
  }

  @Test("S39, S99: RAW that goes with its marked photo is known where it turns up as long as other files are")
  func knownElsewhere() throws {
    let library = try library("a/1.dng")
    let raw = try #require(library.asset("a/1.dng")?.id)
    library.librarian.context.memory = 60_000_000
    library.disk.write("a/1.jpg", 10)
    library.disk.say(.hidden, of: "a/1.jpg")
    try library.hint("a/1.jpg")
    library.disk.rename("a/1.dng", "b/1.dng")
    library.disk.remove("a/1.jpg")
    try library.hint("a/1.jpg")
    library.librarian.context.now = 30_000_000
    try library.hint("b/1.dng")
    #expect(library.asset("b/1.dng")?.id == raw && library.asset("b/1.dng")?.isHidden == true)
  }

  @Test(
    "S99, S102: RAW that stands for an album is followed by the photo whose part it becomes, and is no more by one that it leaves"
  )
  func keyPhoto() throws {
    let library = try library("a/1.dng", "a/2.dng")
    let (album, other) = (try #require(library.album("a")), try #require(library.album("b")))
    let (raw, linked) = (
      try #require(library.asset("a/1.dng")?.id), try #require(library.asset("a/2.dng")?.id)
    )
    try library.change { try $0.keyPhotos.choose(raw, of: album) }
    library.forget()
    library.disk.write("a/1.jpg", 10)
    try library.hint("a/1.jpg")
    let photo = try #require(library.asset("a/1.jpg")?.id)
    #expect(library.keys.keyAsset(of: album) == photo && !library.told(album: album).isEmpty)
    // With another name RAW stays an asset, and what it was chosen for.
    library.disk.link("a/2.dng", "b/other.dng")
    try library.hint("b/other.dng")
    try library.change { try $0.keyPhotos.choose(linked, of: other) }
    library.disk.write("a/2.jpg", 10)
    try library.hint("a/2.jpg")
    #expect(library.keys.keyAsset(of: other) == linked && library.asset("b/other.dng")?.id == linked)
  }

  @Test("S16, S99: what an app adds is no part of what is there, nor the other way round")
  func free() throws {
    let library = try library("a/1.cr3", "a/2.jpg", "a/3.heic", "a/3.nef", "a/4.dng", "a/4.mov")
    func areFree(_ paths: [String]) throws -> Bool {
      try library.librarian.areFree(paths.map { try #require(library.location($0)) })
    }
    for taken in [
      ["a/1.jpg"], ["a/1.HEIC"], ["a/2.dng"], ["a/3.cr2"], ["a/3.jpg"], ["a/4.jpg"],
      ["a/5.jpg", "a/1.dng", "a/1.jpg"],
      ["a/1.mov"],
    ] { #expect(try !areFree(taken), "\(taken)") }
    for free in [
      ["a/1.dng"], ["a/2.png"], ["b/1.jpg"], ["a/5.jpg", "a/5.dng"], ["a/5.jpg", "a/5.mov", "a/5.cr3"],
    ] {
      #expect(try areFree(free), "\(free)")
    }
  }
}
