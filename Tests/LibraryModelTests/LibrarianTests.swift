import LibraryModel
import Testing

@Suite("The librarian, without a disk")
struct LibrarianTests {
  /// A library with albums `a` and `b`, and one photo in `a`.
  private func library() throws -> (MemoryLibrary, AssetID) {
    let library = MemoryLibrary()
    for path in ["a", "b"] { library.disk.mkdir(path) }
    library.disk.write("a/1.jpg", 10)
    try library.rescan()
    let id = try #require(library.asset("a/1.jpg")?.id)
    library.forget()
    return (library, id)
  }

  @Test("S39: an asset keeps its id through a rename and a move between albums; S25: that is a move")
  func rename() throws {
    let (library, id) = try library()
    library.disk.rename("a/1.jpg", "b/2.jpg")
    try library.moved("a/1.jpg", "b/2.jpg")
    #expect(library.asset("b/2.jpg")?.id == id && library.asset("a/1.jpg") == nil)
    #expect(library.told(id) == [.moved(content: false)])
    library.forget()
    library.disk.rename("b/2.jpg", "b/3.jpg")
    try library.moved("b/2.jpg", "b/3.jpg")
    #expect(library.told(id) == [.changed(content: false)], "it stays in its album")
  }

  @Test("S39: a move that no event told of is found by comparing, whichever name is looked at first")
  func untoldMove() throws {
    for isTargetFirst in [true, false] {
      let (library, id) = try library()
      library.disk.rename("a/1.jpg", "b/2.jpg")
      if isTargetFirst { try library.hint("b/2.jpg") }
      try library.rescan()
      #expect(library.asset("b/2.jpg")?.id == id)
      #expect(library.told(id) == [.moved(content: false)])
    }
  }

  @Test("S39: an edit in place, and a save by renaming over it, are changes of the content")
  func saves() throws {
    let (library, id) = try library()
    library.disk.write("a/1.jpg", 11)
    try library.hint("a/1.jpg")
    library.disk.write("a/.1.tmp", 12)
    try library.hint("a/.1.tmp")
    library.disk.rename("a/.1.tmp", "a/1.jpg")
    try library.moved("a/.1.tmp", "a/1.jpg")
    #expect(library.asset("a/1.jpg")?.id == id && library.asset("a/1.jpg")?.byteCount == 12)
    #expect(library.told(id) == [.changed(content: true), .changed(content: true)])
    // With a backup beside it, the name keeps the asset and the backup is a new one.
    library.disk.rename("a/1.jpg", "a/1~.jpg")
    library.disk.write("a/1.jpg", 13)
    try library.rescan()
    #expect(library.asset("a/1~.jpg")?.id == id, "the file went there: its asset goes with it")
    #expect(library.asset("a/1.jpg")?.id != id)
  }

  @Test("S40: an edit in place is told when its writer is done, once")
  func halfWritten() throws {
    let (library, id) = try library()
    library.disk.written = ["a/1.jpg"]
    library.disk.write("a/1.jpg", 0)
    try library.hint("a/1.jpg")
    #expect(library.told(id).isEmpty && library.asset("a/1.jpg")?.byteCount == 10)
    library.disk.write("a/1.jpg", 12)
    library.disk.written = []
    try library.hint("a/1.jpg")
    #expect(library.told(id) == [.changed(content: true)] && library.asset("a/1.jpg")?.byteCount == 12)
  }

  @Test("S25: moved and rewritten at once, it is one move that says so, whether an event told or not")
  func movedAndRewritten() throws {
    for isTold in [true, false] {
      let (library, id) = try library()
      library.disk.rename("a/1.jpg", "b/2.jpg")
      library.disk.write("b/2.jpg", 20)
      if isTold { try library.moved("a/1.jpg", "b/2.jpg") } else { try library.rescan() }
      try library.hint("b/2.jpg")
      #expect(library.told(id) == [.moved(content: true)] && library.asset("b/2.jpg")?.byteCount == 20)
    }
  }

  @Test("S40: moved while it is being written, it is told to have moved; its content when its writer is done")
  func movedHalfWritten() throws {
    for isTold in [true, false] {
      let (library, id) = try library()
      library.disk.rename("a/1.jpg", "b/2.jpg")
      library.disk.write("b/2.jpg", 1)
      library.disk.written = ["b/2.jpg"]
      if isTold { try library.moved("a/1.jpg", "b/2.jpg") } else { try library.rescan() }
      #expect(library.told(id) == [.moved(content: false)] && library.asset("b/2.jpg")?.byteCount == 10)
      library.disk.write("b/2.jpg", 20)
      library.disk.written = []
      library.forget()
      try library.hint("b/2.jpg")
      #expect(library.told(id) == [.changed(content: true)] && library.asset("b/2.jpg")?.byteCount == 20)
    }
  }

  @Test(
    "14, S40: what is new under its name counts only when it is whole, unless it was closed or linked",
    arguments: [false, true], [false, true])
  func newAndHalfWritten(isReplaced: Bool, isRescan: Bool) throws {
    let (library, id) = try library()
    let path = isReplaced ? "a/1.jpg" : "a/2.jpg"
    if isReplaced { library.disk.rename(path, "a/.backup") }
    library.disk.written = [path]
    library.disk.write(path, 1)
    for evidence in [EventReducer.Evidence.made, .none] { try library.hint(path, evidence) }
    if isRescan { try library.rescan() }
    #expect(library.changes.isEmpty, "nothing is told of half a file")
    library.disk.write(path, 20)
    library.disk.written = []
    try library.hint(path, .none)
    #expect(library.asset(path)?.byteCount == 20 && library.changes.count == 1)
    #expect((library.asset(path)?.id == id) == isReplaced, "S39")
    library.disk.written = ["a/3.jpg", "a/4.jpg"]
    library.disk.write("a/3.jpg", 1)
    try library.hint("a/3.jpg", .closed)
    library.disk.write("a/4.jpg", 1)
    library.disk.link("a/4.jpg", "b/4.jpg")
    try library.hint("b/4.jpg", .made)
    #expect(library.asset("a/3.jpg") != nil && library.asset("b/4.jpg") != nil)
  }

  @Test("S40: where the disk cannot tell, a file counts when it was closed, or was left alone for a while")
  func noLeases() throws {
    let (library, _) = try library()
    library.disk.closed = .unknown(isQuiet: false)
    library.disk.write("a/2.jpg", 1)
    for evidence in [EventReducer.Evidence.made, .none] { try library.hint("a/2.jpg", evidence) }
    library.disk.closed = .unknown(isQuiet: true)
    try library.hint("a/2.jpg", .made)
    #expect(library.changes.isEmpty, "that it is closed would have been told")
    try library.hint("a/2.jpg", .none)
    #expect(library.asset("a/2.jpg") != nil)
    library.disk.closed = .unknown(isQuiet: false)
    library.disk.write("a/3.jpg", 1)
    try library.hint("a/3.jpg", .closed)
    library.disk.write("a/1.jpg", 77)
    try library.hint("a/1.jpg", .none)
    #expect(library.asset("a/3.jpg") != nil && library.asset("a/1.jpg")?.byteCount == 77)
  }

  @Test(
    "S25: a file that was written to keeps neither length nor time from telling; attributes alone say nothing"
  )
  func rewritten() throws {
    let (library, id) = try library()
    library.disk.change("a/1.jpg")
    try library.hint("a/1.jpg", .none)
    try library.hint("a/1.jpg", .closed)
    #expect(library.told(id).isEmpty)
    library.disk.written = ["a/1.jpg"]
    library.disk.change("a/1.jpg")
    try library.hint("a/1.jpg", .none)
    library.disk.written = []
    try library.hint("a/1.jpg", .closed)
    #expect(library.told(id) == [.changed(content: true)])
    try library.hint("a/1.jpg", .closed)
    library.disk.change("a/1.jpg")
    try library.hint("a/1.jpg", .renamed)
    try library.rescan()
    #expect(library.told(id) == [.changed(content: true)])
  }

  @Test("S39: deleted and made anew under its name within ten seconds, it is the same asset; later another")
  func returns() throws {
    let (library, id) = try library()
    library.disk.remove("a/1.jpg")
    try library.hint("a/1.jpg")
    library.librarian.now = 9_000_000
    library.disk.write("a/1.jpg", 11)
    try library.hint("a/1.jpg")
    #expect(library.asset("a/1.jpg")?.id == id)
    #expect(library.told(id) == [.removed, .inserted])
    library.disk.remove("a/1.jpg")
    try library.hint("a/1.jpg")
    library.librarian.now = 30_000_000
    library.disk.write("a/1.jpg", 11)
    try library.hint("a/1.jpg")
    #expect(library.asset("a/1.jpg")?.id != id)
  }

  @Test(
    "S39, S16: moved away while another took its name, a file keeps its id, whichever directory is compared first",
    arguments: [false, true], ["a/1.jpg", "b/1.jpg", "b/0.jpg"])
  func movedAndReplaced(isReversed: Bool, target: String) throws {
    for source in ["a/1.jpg", "b/1.jpg"] where source != target {
      let (library, _) = try library()
      library.isListingReversed = isReversed
      library.disk.write(source, 33)
      try library.rescan()
      let id = try #require(library.asset(source)?.id)
      library.disk.remove(target)
      try library.hint(target)
      library.forget()
      library.disk.rename(source, target)
      library.disk.write(source, 44)
      try library.rescan()
      #expect(library.asset(target)?.id == id && library.asset(source)?.id != id)
      #expect(library.told(id).count == 1 && library.asset(source)?.byteCount == 44)
    }
  }

  @Test("S39: of names whose files all moved on, each asset goes with its file", arguments: [false, true])
  func chains(isReversed: Bool) throws {
    let (library, _) = try library()
    library.isListingReversed = isReversed
    let names = ["a/1.jpg", "b/2.jpg", "a/3.jpg", "b/4.jpg", "a/5.jpg"]
    for (index, name) in names.enumerated() { library.disk.write(name, Int64(100 + index)) }
    try library.rescan()
    let ids = names.compactMap { library.asset($0)?.id }
    library.forget()
    // Each takes the next one's name; the last goes round.
    library.disk.rename("a/5.jpg", ".t")
    for index in [3, 2, 1, 0] { library.disk.rename(names[index], names[index + 1]) }
    library.disk.rename(".t", "a/1.jpg")
    try library.rescan()
    #expect(names.compactMap { library.asset($0)?.id } == [ids[4]] + ids[..<4])
    #expect(ids.allSatisfy { library.told($0).count == 1 })
  }

  @Test("S39: two files that changed places keep their assets")
  func exchange() throws {
    let (library, first) = try library()
    library.disk.write("b/2.jpg", 20)
    try library.hint("b/2.jpg")
    let second = try #require(library.asset("b/2.jpg")?.id)
    library.disk.exchange("a/1.jpg", "b/2.jpg")
    try library.rescan()
    #expect(library.asset("b/2.jpg")?.id == first && library.asset("a/1.jpg")?.id == second)
  }

  @Test(
    "S39: renamed to another case where case does not count, a file has one name still",
    arguments: [false, true])
  func otherCase(isTold: Bool) throws {
    let (library, id) = try library()
    library.disk.ignoresCase = true
    library.disk.write("a/IMG.jpg", 5)
    try library.rescan()
    let other = try #require(library.asset("a/IMG.jpg")?.id)
    library.forget()
    library.disk.rename("a/IMG.jpg", "a/img.jpg")
    if isTold { try library.moved("a/IMG.jpg", "a/img.jpg") }
    try library.rescan()
    #expect(library.asset("a/img.jpg")?.id == other && library.asset("a/IMG.jpg") == nil)
    #expect(library.told(other) == [.changed(content: false)] && library.told(id).isEmpty)
  }

  @Test("S39: where there are no birth times, a number says nothing, but a rename that is told does")
  func noBirthTimes() throws {
    let library = MemoryLibrary()
    library.disk.hasBirthTimes = false
    library.disk.mkdir("a")
    library.disk.write("a/1.jpg", 10)
    try library.rescan()
    let (id, album) = (try #require(library.asset("a/1.jpg")?.id), library.album("a"))
    library.disk.write("a/1.jpg", 20)
    library.disk.rename("a/1.jpg", "a/2.jpg")
    try library.moved("a/1.jpg", "a/2.jpg")
    #expect(library.asset("a/2.jpg")?.id == id)
    library.disk.rename("a", "b")
    try library.rescan()
    #expect(library.album("b") != album, "another may have its number by now")
  }

  @Test("S27: an album that is leaving is listed until it is told, so that one that returns is never missed")
  func leavingAlbum() throws {
    let (library, _) = try library()
    let (album, location) = (try #require(library.album("a")), try #require(library.location("a")))
    library.librarian.sharedPaths = [RootID(rawValue: 1): [[FileName("a")]]]
    library.disk.rename("a", ".away")
    try library.librarian.examine(location, removal: true, .none)
    #expect(library.album("a") == nil && library.librarian.leavingAlbums == [album])
    #expect(library.librarian.album(album)?.isShared == true)
    library.disk.rename(".away", "a")
    try library.rescan()
    #expect(library.album("a") == album && library.librarian.leavingAlbums.isEmpty)
    #expect(!library.changes.contains { $0.subject == .album(album) })
  }

  @Test("S34: a link in another album is the same asset in both; S25: losing one link is a change")
  func links() throws {
    let (library, id) = try library()
    library.disk.link("a/1.jpg", "b/1.jpg")
    try library.hint("b/1.jpg")
    let albums = [library.album("a"), library.album("b")].compactMap { $0 }.sorted()
    #expect(library.asset("b/1.jpg")?.id == id && library.asset("a/1.jpg")?.albums == albums)
    library.disk.remove("a/1.jpg")
    try library.hint("a/1.jpg")
    #expect(library.told(id) == [.changed(content: false), .changed(content: false)])
    library.disk.remove("b/1.jpg")
    try library.hint("b/1.jpg")
    #expect(library.told(id).last == .removed && library.index.assets.isEmpty)
  }

  @Test(
    "S40: hidden names, partial downloads and what is not media do not count",
    arguments: [
      ".hidden.jpg", "photo.jpg.part", "photo.jpg.crdownload", "notes.txt", "photo",
    ])
  func uncounted(name: String) throws {
    let (library, _) = try library()
    library.disk.write("a/\(name)", 5)
    try library.hint("a/\(name)")
    try library.rescan()
    #expect(library.index.assets.count == 1 && library.changes.isEmpty)
  }

  @Test("S47: what lies directly in a root is in no album; albums nest as directories do")
  func root() throws {
    let (library, _) = try library()
    library.disk.write("0.jpg", 1)
    library.disk.mkdir("a/inner")
    library.disk.write("a/inner/2.jpg", 2)
    try library.rescan()
    #expect(library.asset("0.jpg")?.albums == [])
    let inner = try #require(library.album("a/inner"))
    #expect(library.asset("a/inner/2.jpg")?.albums == [inner])
    #expect(library.librarian.album(inner)?.parent == library.album("a"))
  }

  @Test("S19: an album is shared if it, or an album around it, is marked so")
  func shared() throws {
    let (library, _) = try library()
    library.librarian.sharedPaths = [RootID(rawValue: 1): [[FileName("a")]]]
    library.disk.mkdir("a/inner")
    try library.rescan()
    library.librarian.sharedPaths = [RootID(rawValue: 1): [[FileName("a")]]]
    for (path, isShared) in [("a", true), ("a/inner", true), ("b", false)] {
      let album = try #require(library.album(path))
      #expect(library.librarian.album(album)?.isShared == isShared)
    }
  }

  @Test("7, S39, S42: while directories are polled, what was moved into one is known again when it is found")
  func movedWhereNobodyListens() throws {
    let (library, id) = try library()
    library.librarian.memory = 130_000_000
    library.disk.rename("a/1.jpg", "b/2.jpg")
    try library.hint("a/1.jpg")
    #expect(library.told(id) == [.removed])
    library.librarian.now = 120_000_000
    library.disk.write("a/1.jpg", 3)
    try library.hint("a/1.jpg")
    #expect(library.asset("a/1.jpg")?.id != id, "its name is another's by now")
    try library.rescan()
    #expect(library.asset("b/2.jpg")?.id == id)
  }

  @Test("S39, S47: an album keeps its id when it is renamed, and so do all assets in it")
  func renamedAlbum() throws {
    let (library, id) = try library()
    let album = library.album("a")
    library.disk.rename("a", "c")
    try library.moved("a", "c")
    #expect(library.album("c") == album && library.asset("c/1.jpg")?.id == id)
    #expect(library.told(id).isEmpty, "nothing happened to the asset")
    library.disk.rename("c", "b/c")
    try library.rescan()
    #expect(library.album("b/c") == album && library.asset("b/c/1.jpg")?.id == id)
  }

  @Test(
    "a movie whose still leaves while its directory is away, and comes back with it, is an asset of its own")
  func returningMovie() throws {
    let (library, _) = try library()
    library.disk.write("a/3.jpg", 3)
    library.disk.write("a/3.mov", 4)
    library.disk.write("b/2.jpg", 5)
    try library.rescan()
    #expect(library.asset("a/3.mov")?.id == library.asset("a/3.jpg")?.id, "they are a pair")
    let (album, other) = (try #require(library.location("a")), try #require(library.location("b/2.jpg")))
    library.disk.rename("a/3.jpg", "b/2.jpg")
    library.disk.rename("a", ".away")
    try library.librarian.examine(album, removal: true, .closed)
    try library.librarian.examine(other, removal: true, .closed)
    library.disk.rename(".away", "a")
    try library.librarian.examine(album, removal: true, .closed)
    try library.rescan()
    #expect(library.asset("a/3.mov")?.mediaType == .video)
  }

  @Test(
    "S39, S47: an album that was renamed, and made anew under its name, is the renamed one",
    arguments: ["0", "z"], [false, true])
  func remadeAlbum(name: String, isReversed: Bool) throws {
    let (library, id) = try library()
    library.isListingReversed = isReversed
    let album = library.album("a")
    library.disk.rename("a", name)
    library.disk.mkdir("a")
    library.disk.write("a/1.jpg", 2)
    try library.rescan()
    #expect(library.album(name) == album && library.album("a") != album)
    #expect(library.asset("\(name)/1.jpg")?.id == id && library.asset("a/1.jpg")?.id != id)
    #expect(library.told(id).isEmpty)
    let other = library.album("a")
    library.disk.remove("a")
    library.disk.mkdir("a")
    try library.rescan()
    #expect(library.album("a") == other, "the same album, if the former is nowhere")
  }

  @Test("a directory that is removed takes its assets along, each told once")
  func removedAlbum() throws {
    let (library, id) = try library()
    library.disk.write("a/2.jpg", 2)
    try library.hint("a/2.jpg")
    let other = library.asset("a/2.jpg")?.id
    library.forget()
    library.disk.remove("a")
    try library.hint("a")
    try library.rescan()
    #expect(library.told(id) == [.removed] && library.told(other) == [.removed])
    #expect(
      library.changes.contains { $0.subject == .album(AlbumID(rawValue: 1)) && $0.operation == .removed })
  }
}
