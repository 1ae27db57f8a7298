import EventLoop
import Glibc
import LibraryIO
import LibraryModel
import Storage
import Testing

/// What keeps its id through renames and saves (S39): sequences of `6-races.md`, with real files and the real kernel.
@Suite(.runningLoop, .timeLimit(.minutes(30)))
struct KeptIDTests {
  /// Two albums, `x` and `y`, and a photo.
  @EventLoopActor
  private func withPhoto(_ path: String) async throws -> (TestLibrary, AssetID) {
    let library = try await TestLibrary.make { files in
      for album in ["x", "y"] { try files.directory("in/\(album)") }
      try files.put("in/\(path)")
    }
    return (library, try #require(try library.asset(path)?.id))
  }

  @Test("4: a rename keeps the id; within an album it is a change, between albums a move")
  @EventLoopActor
  func renamedFile() async throws {
    let (library, id) = try await withPhoto("x/a.jpg")
    try library.files.move("in/x/a.jpg", "in/x/b.jpg")
    try await library.until { try $0.asset("x/b.jpg")?.id == id }
    #expect(library.operations(id) == [.changed(content: false)])
    try library.files.move("in/x/b.jpg", "in/y/b.jpg")
    try await library.until { try $0.asset("y/b.jpg")?.id == id }
    #expect(library.operations(id) == [.changed(content: false), .moved(content: false)])
    library.end()
  }

  @Test("4: a file moved out is removed, and has its id again when it comes back soon")
  @EventLoopActor
  func movedOutAndBack() async throws {
    let library = try await TestLibrary.make { try $0.put("in/a.jpg") }
    let id = try #require(try library.asset("a.jpg")?.id)
    try library.files.move("in/a.jpg", "out/a.jpg")
    try await library.until { try $0.asset("a.jpg") == nil }
    #expect(library.operations(id) == [.removed])
    try library.files.move("out/a.jpg", "in/c.jpg")
    try await library.until { try $0.asset("c.jpg")?.id == id }
    #expect(library.operations(id) == [.removed, .inserted])
    library.end()
  }

  @Test("12, S25: two names of one file are one asset; a write by either is known")
  @EventLoopActor
  func hardLinks() async throws {
    let (library, id) = try await withPhoto("x/p.jpg")
    try library.files.link("in/x/p.jpg", "in/y/q.jpg")
    try await library.until { try $0.asset("y/q.jpg")?.id == id }
    #expect(try library.asset("x/p.jpg")?.albums.count == 2)
    try library.files.put("in/y/q.jpg", "changed")
    try await library.until { try $0.asset("x/p.jpg")?.byteCount == 7 }
    try library.files.unlink("in/x/p.jpg")
    try await library.until { try $0.asset("x/p.jpg") == nil }
    #expect(try library.asset("y/q.jpg")?.id == id)
    #expect(library.operations(id).contains(.removed) == false)
    #expect(library.store.files.assetCount == 1)
    library.end()
  }

  @Test("15, S39: temporary name + rename over keeps the id and says that the content changed")
  @EventLoopActor
  func replacedByRename() async throws {
    let library = try await TestLibrary.make { try $0.put("in/p.jpg") }
    let id = try #require(try library.asset("p.jpg")?.id)
    try library.files.put("in/.p.jpg.Ab12", "new content")
    try library.files.move("in/.p.jpg.Ab12", "in/p.jpg")
    try await library.until { try $0.asset("p.jpg")?.byteCount == 11 }
    #expect(try library.asset("p.jpg")?.id == id)
    #expect(library.operations(id) == [.changed(content: true)])
    library.end()
  }

  @Test("15, S39: delete + create, and backup + create, keep the id")
  @EventLoopActor
  func deletedAndMadeAgain() async throws {
    let library = try await TestLibrary.make { try $0.put("in/p.jpg") }
    let id = try #require(try library.asset("p.jpg")?.id)
    try library.files.unlink("in/p.jpg")
    try await library.until { try $0.asset("p.jpg") == nil }
    try library.files.put("in/p.jpg", "again")
    try await library.until { try $0.asset("p.jpg")?.id == id }
    try library.files.move("in/p.jpg", "in/p.jpg~")
    try library.files.put("in/p.jpg", "saved anew")
    try await library.until { try $0.asset("p.jpg")?.byteCount == 10 }
    #expect(try library.asset("p.jpg")?.id == id)
    library.end()
  }

  @Test("15, S25: a write in place that leaves the length and sets the time back is told; chmod is not")
  @EventLoopActor
  func rewritten() async throws {
    let library = try await TestLibrary.make { try $0.put("in/p.jpg", "one") }
    let asset = try #require(try library.asset("p.jpg"))
    let id = asset.id
    let hash = ContentHash(text: "sha256:" + String(repeating: "0f", count: 32))
    var status = stat()
    #expect(stat("\(library.root)/p.jpg", &status) == 0)
    chmod("\(library.root)/p.jpg", 0o600)
    try await library.settle("one.jpg")
    #expect(library.operations(id) == [])
    try library.monitor.edits.hashes.note([.init(asset: asset, hash: hash)])
    #expect(try library.asset("p.jpg")?.contentHash != nil)
    library.forget()
    let file = try library.files.open("in/p.jpg")
    #expect(write(file, "two", 3) == 3)
    try await library.settle("two.jpg")
    var times = [status.st_atim, status.st_mtim]
    futimens(file, &times)
    try await library.settle("three.jpg")
    close(file)
    await library.until { $0.operations(id) == [.changed(content: true)] }
    // What was known of its content is not of it any more (S96).
    let written = try #require(try library.asset("p.jpg"))
    #expect(written.modified == asset.modified && written.contentHash == nil && !written.isHashed)
    #expect(library.store.hashed.unhashedCount == library.store.files.assetCount)
    library.end()
  }

  @Test("two files that change places keep their ids")
  @EventLoopActor
  func exchanged() async throws {
    let library = try await TestLibrary.make { files in
      try files.put("in/a.jpg", "a")
      try files.put("in/b.jpg", "bb")
    }
    let (a, b) = (try library.asset("a.jpg"), try library.asset("b.jpg"))
    try library.files.exchange("in/a.jpg", "in/b.jpg")
    try await library.until { try $0.asset("a.jpg")?.id == b?.id }
    #expect(try library.asset("b.jpg")?.id == a?.id)
    library.end()
  }

  @Test("4, S39: a rename to another case is a rename")
  @EventLoopActor
  func otherCase() async throws {
    let library = try await TestLibrary.make { files in
      try files.directory("in/Trip")
      try files.put("in/Trip/IMG.jpg")
    }
    let (id, album) = (try library.asset("Trip/IMG.jpg")?.id, library.directory("Trip"))
    try library.files.move("in/Trip/IMG.jpg", "in/Trip/img.jpg")
    try library.files.move("in/Trip", "in/TRIP")
    try await library.until { try $0.asset("TRIP/img.jpg")?.id == id }
    #expect(library.directory("TRIP") == album && library.store.files.assetCount == 1)
    #expect(library.operations(id) == [.changed(content: false)])
    library.end()
  }
}
