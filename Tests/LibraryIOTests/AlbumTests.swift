import EventLoop
import LibraryIO
import LibraryModel
import Storage
import TestSupport
import Testing

/// What the daemon itself does to albums.
@Suite(.runningLoop, .timeLimit(.minutes(30)))
struct AlbumTests {
  @Test("S19: an album is there when the call returns, told once, and a title that is taken gets a number")
  @EventLoopActor
  func made() async throws {
    let library = try await TestLibrary.make { try $0.directory("in/Trip v1.2") }
    let root = DirectoryID(of: RootID(rawValue: 1))
    let album = try await library.monitor.edits.editor.makeAlbum(FileName("Trip v1.2"), in: root)
    #expect(album.name == FileName("Trip v1.2 (2)"))
    let inner = try await library.monitor.edits.editor.makeAlbum(FileName("Day"), in: album.id)
    #expect(inner.parent == album.id)
    #expect(library.changes.map(\.operation) == [.inserted, .inserted])
    try library.files.put("in/Trip v1.2 (2)/Day/a.jpg")
    try await library.until { try $0.asset("Trip v1.2 (2)/Day/a.jpg") != nil }
    #expect(library.changes.count == 3)
    library.end()
  }

  @Test(
    "S43: a title is a name and no path",
    arguments: [
      "", ".", "..", ".hidden", "a/b", "../b", "a\0b", "a\nb", "\u{1B}]0;a", "a\u{85}b", "lost+found",
      String(repeating: "x", count: 256),
    ])
  @EventLoopActor
  func titles(title: String) async throws {
    let library = try await TestLibrary.make()
    let root = DirectoryID(of: RootID(rawValue: 1))
    #expect(
      await failure { _ = try await library.monitor.edits.editor.makeAlbum(FileName(title), in: root) }
        == .invalidName)
    #expect(library.monitor.contents.albums.isEmpty)
    library.end()
  }

  @Test("what fsck(8) keeps at the top of a file system is no album, and is none any more where it was one")
  @EventLoopActor
  func lostAndFound() async throws {
    let library = try await TestLibrary.make { files in
      try files.directory("in/lost+found")
      try files.put("in/lost+found/a.jpg")
      try files.directory("in/mounted")
      try files.put("in/mounted/b.jpg")
    }
    #expect(try library.indexed() == ["mounted/b.jpg"] && library.monitor.contents.albums.count == 1)
    // A disk beneath a root has one as well; and nothing is heard of what happens in it.
    try files(library).directory("in/mounted/lost+found")
    try files(library).put("in/mounted/lost+found/c.jpg")
    try await library.settle()
    #expect(library.monitor.contents.albums.count == 1 && library.store.files.assetCount == 2)
    let path = library.store.path
    try await library.restart { files in
      try files.move("in/mounted/lost+found", "in/gone")
      try files.move("in/mounted", "in/gone/lost+found")
      try execute(
        "UPDATE directory SET name = CAST('lost+found' AS BLOB) WHERE CAST(name AS TEXT) = 'mounted'",
        on: path)
    }
    #expect(library.directory("gone") != nil && library.monitor.contents.albums.count == 1)
    #expect(try library.asset("gone/lost+found/b.jpg") == nil)
    library.end()
  }

  @EventLoopActor
  private func files(_ library: TestLibrary) -> TestFiles { library.files }

  @Test("a title of 255 bytes can have a number, and no character is cut")
  func longTitle() throws {
    let title = String(repeating: "壁", count: 85)
    var names = try NumberedNames(title: FileName(title))
    #expect(names.next() == FileName(title))
    #expect(names.next() == FileName(String(repeating: "壁", count: 83) + " (2)"))
  }

  @Test("S34, S25: in two albums it is one asset; each link is told once, as a change")
  @EventLoopActor
  func linked() async throws {
    let library = try await TestLibrary.make { files in
      try files.directory("in/a")
      try files.put("in/a/p.jpg", "one")
      try files.directory("in/b")
      try files.put("in/b/p.jpg", "another")
    }
    let asset = try #require(try library.asset("a/p.jpg"))
    let (a, b) = (try #require(library.directory("a")), try #require(library.directory("b")))
    try await library.monitor.edits.editor.link(asset, into: b)
    #expect(try library.asset("b/p (2).jpg")?.id == asset.id)
    #expect(library.operations(asset.id) == [.changed(content: false)])
    // A second time it is there already.
    try await library.monitor.edits.editor.link(try #require(try library.asset("a/p.jpg")), into: b)
    try await library.settle()
    #expect(library.operations(asset.id) == [.changed(content: false)])

    try await library.monitor.edits.removals.unlink(try #require(try library.asset("a/p.jpg")), from: a)
    #expect(try library.asset("a/p.jpg") == nil)
    #expect(library.operations(asset.id) == [.changed(content: false), .changed(content: false)])
    let left = try #require(try library.asset("b/p (2).jpg"))
    #expect(await failure { try await library.monitor.edits.removals.unlink(left, from: b) } == .onlyName)
    try await library.settle()
    #expect(library.operations(asset.id).count == 2)
    #expect(try library.files.media(beneath: "in") == library.indexed())
    library.end()
  }

  @Test("S43: a name that is another file's by now is not removed")
  @EventLoopActor
  func replacedBefore() async throws {
    let library = try await TestLibrary.make { files in
      try files.directory("in/a")
      try files.directory("in/b")
      try files.put("in/a/p.jpg", "one")
      try files.link("in/a/p.jpg", "in/b/p.jpg")
    }
    let asset = try #require(try library.asset("a/p.jpg"))
    try library.files.put("out/new.jpg", "precious")
    try library.files.move("out/new.jpg", "in/a/p.jpg")
    let a = try #require(library.directory("a"))
    #expect(await failure { try await library.monitor.edits.removals.unlink(asset, from: a) } == .replaced)
    #expect(try library.files.status("in/a/p.jpg").size == 8)
    library.end()
  }
}
