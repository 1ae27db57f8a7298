import LibraryModel
import Testing

@Suite("The librarian, without a disk")
struct LibrarianTests {
  @Test("S39: an asset keeps its id through a rename and a move between albums; S25: that is a move")
  func rename() throws {
    let (library, id) = try MemoryLibrary.withPhoto()
    library.disk.rename("a/1.jpg", "b/2.jpg")
    try library.moved("a/1.jpg", "b/2.jpg")
    #expect(library.asset("b/2.jpg")?.id == id && library.asset("a/1.jpg") == nil)
    #expect(library.told(id) == [.moved(content: false)])
    library.forget()
    library.disk.rename("b/2.jpg", "b/3.jpg")
    try library.moved("b/2.jpg", "b/3.jpg")
    #expect(library.told(id) == [.changed(content: false)], "it stays in its album")
  }

  @Test("S40: an edit in place is told when its writer is done, once")
  func halfWritten() throws {
    let (library, id) = try MemoryLibrary.withPhoto()
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
      let (library, id) = try MemoryLibrary.withPhoto()
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
      let (library, id) = try MemoryLibrary.withPhoto()
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
    let (library, id) = try MemoryLibrary.withPhoto()
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

  @Test(
    "S40: that a file was closed which was removed while it was open does not vouch for one that has its name"
  )
  func closedAfterRemoval() throws {
    let (library, id) = try MemoryLibrary.withPhoto()
    library.disk.remove("a/1.jpg")
    library.disk.write("a/1.jpg", 1)
    library.disk.written = ["a/1.jpg"]
    try library.hint("a/1.jpg", .closed)
    #expect(library.told(id).isEmpty && library.asset("a/1.jpg")?.byteCount == 10)
    library.disk.write("a/1.jpg", 20)
    library.disk.written = []
    try library.hint("a/1.jpg", .closed)
    #expect(library.told(id) == [.changed(content: true)] && library.asset("a/1.jpg")?.byteCount == 20)
  }

  @Test("S40: where the disk cannot tell, a file counts when it was closed, or was left alone for a while")
  func noLeases() throws {
    let (library, _) = try MemoryLibrary.withPhoto()
    library.disk.closed = .unknown(quietFor: 0)
    library.disk.write("a/2.jpg", 1)
    for evidence in [EventReducer.Evidence.made, .none] { try library.hint("a/2.jpg", evidence) }
    library.disk.closed = .unknown(quietFor: WriterEvidence.quiet)
    try library.hint("a/2.jpg", .made)
    #expect(library.changes.isEmpty, "that it is closed would have been told")
    try library.hint("a/2.jpg", .none)
    #expect(library.asset("a/2.jpg") != nil)
    library.disk.closed = .unknown(quietFor: WriterEvidence.quietOnceMade)
    library.disk.write("a/4.jpg", 1)
    try library.hint("a/4.jpg", .made)
    #expect(library.asset("a/4.jpg") != nil, "it may have been linked, and nobody would tell")
    library.disk.closed = .unknown(quietFor: 0)
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
    let (library, id) = try MemoryLibrary.withPhoto()
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

  @Test("S27: an album that is leaving is listed until it is told, so that one that returns is never missed")
  func leavingAlbum() throws {
    let (library, _) = try MemoryLibrary.withPhoto()
    let (album, location) = (try #require(library.album("a")), try #require(library.location("a")))
    library.librarian.directories.sharedPaths = [RootID(rawValue: 1): [[FileName("a")]]]
    library.disk.rename("a", ".away")
    try library.librarian.files.examine(location, removal: true, .none)
    #expect(library.album("a") == nil && library.librarian.directories.leavingAlbums == [album])
    #expect(library.librarian.directories.album(album)?.isShared == true)
    library.disk.rename(".away", "a")
    try library.rescan()
    #expect(library.album("a") == album && library.librarian.directories.leavingAlbums.isEmpty)
    #expect(!library.changes.contains { $0.subject == .album(album) })
  }

  @Test("S34: a link in another album is the same asset in both; S25: losing one link is a change")
  func links() throws {
    let (library, id) = try MemoryLibrary.withPhoto()
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
    let (library, _) = try MemoryLibrary.withPhoto()
    library.disk.write("a/\(name)", 5)
    try library.hint("a/\(name)")
    try library.rescan()
    #expect(library.index.assets.count == 1 && library.changes.isEmpty)
  }

  @Test("S47: what lies directly in a root is in no album; albums nest as directories do")
  func root() throws {
    let (library, _) = try MemoryLibrary.withPhoto()
    library.disk.write("0.jpg", 1)
    library.disk.mkdir("a/inner")
    library.disk.write("a/inner/2.jpg", 2)
    try library.rescan()
    #expect(library.asset("0.jpg")?.albums == [])
    let inner = try #require(library.album("a/inner"))
    #expect(library.asset("a/inner/2.jpg")?.albums == [inner])
    #expect(library.librarian.directories.album(inner)?.parent == library.album("a"))
  }

  @Test("S19: an album is shared if it, or an album around it, is marked so")
  func shared() throws {
    let (library, _) = try MemoryLibrary.withPhoto()
    library.librarian.directories.sharedPaths = [RootID(rawValue: 1): [[FileName("a")]]]
    library.disk.mkdir("a/inner")
    try library.rescan()
    for (path, isShared) in [("a", true), ("a/inner", true), ("b", false)] {
      let album = try #require(library.album(path))
      #expect(library.librarian.directories.album(album)?.isShared == isShared)
    }
  }

  @Test(
    "a movie whose still leaves while its directory is away, and comes back with it, is an asset of its own")
  func returningMovie() throws {
    let (library, _) = try MemoryLibrary.withPhoto()
    library.disk.write("a/3.jpg", 3)
    library.disk.write("a/3.mov", 4)
    library.disk.write("b/2.jpg", 5)
    try library.rescan()
    #expect(library.asset("a/3.mov")?.id == library.asset("a/3.jpg")?.id, "they are a pair")
    let (album, other) = (try #require(library.location("a")), try #require(library.location("b/2.jpg")))
    library.disk.rename("a/3.jpg", "b/2.jpg")
    library.disk.rename("a", ".away")
    try library.librarian.files.examine(album, removal: true, .closed)
    try library.librarian.files.examine(other, removal: true, .closed)
    library.disk.rename(".away", "a")
    try library.librarian.files.examine(album, removal: true, .closed)
    try library.rescan()
    #expect(library.asset("a/3.mov")?.mediaType == .video)
  }

  @Test("a directory that is removed takes its assets along, each told once")
  func removedAlbum() throws {
    let (library, id) = try MemoryLibrary.withPhoto()
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

  @Test("20: a tree that has gone leaves in slices, and its albums are removed before what they were in")
  func wideTreeLeaves() throws {
    let library = MemoryLibrary()
    library.disk.mkdir("t")
    for outer in 0..<20 {
      library.disk.mkdir("t/\(outer)")
      for inner in 0..<20 { library.disk.mkdir("t/\(outer)/\(inner)") }
    }
    try library.rescan()
    library.forget()
    let librarian = library.librarian
    let before = librarian.directories.tree.count
    let location = try #require(library.location("t"))
    library.disk.remove("t")
    try librarian.files.examine(location, removal: true, .none)
    let directories = librarian.directories
    #expect(directories.isLeaving && before - directories.tree.count < 50)
    // Nothing of it can be opened any more.
    #expect(directories.tree.all.count { !$0.id.isRoot && directories.tree.path(of: $0.id) != nil } == 0)
    #expect(directories.tree.count + directories.leavingAlbumCount == before)
    var slices = 0
    while directories.hasOrphans {
      let count = directories.tree.count + directories.leavingAlbumCount
      try librarian.removeOrphans(limit: 10) { true }
      #expect(count - directories.tree.count - directories.leavingAlbumCount <= 1)
      slices += 1
    }
    _ = try librarian.finishBatch()
    #expect(slices > 421 && directories.tree.count == 1)
  }

  @Test("20, S39: what is found again while its tree still leaves is the album that it was")
  func movedWhileLeaving() throws {
    let library = MemoryLibrary()
    library.disk.mkdir("t")
    for name in 0..<200 { library.disk.mkdir("t/\(name)") }
    try library.rescan()
    let location = try #require(library.location("t"))
    let last = try #require(library.location("t/99"))
    let id = try #require(library.librarian.directories.tree.child(last)?.id)
    library.disk.rename("t/99", "u")
    library.disk.remove("t")
    try library.librarian.files.examine(location, removal: true, .none)
    #expect(library.librarian.directories.isLeaving)
    try library.librarian.files.examine(Location(library.root, FileName("u")), removal: true, .none)
    while library.librarian.directories.hasOrphans { try library.librarian.removeOrphans(limit: 10) { true } }
    #expect(library.librarian.directories.tree.path(of: id) == [FileName("u")])
    #expect(library.librarian.directories.tree.count == 2)
  }
}
