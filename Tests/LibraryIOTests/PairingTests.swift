import EventLoop
import Glibc
import LibraryIO
import LibraryModel
import Linux
import Storage
import Testing

/// A still and the movie of the same name beside it are one asset (S31).
@Suite(.runningLoop, .timeLimit(.minutes(30)))
struct PairingTests {
  @EventLoopActor
  private func isPair(_ library: TestLibrary, _ still: String, _ movie: String) throws -> Bool {
    guard let asset = try library.asset(still), let link = try library.link(movie) else { return false }
    return asset.mediaType == .livePhoto && link.resource == .pairedVideo && link.asset == asset.id
  }

  @Test(
    "a scan finds pairs: same directory, same stem, whatever the case of the extension",
    arguments: ["IMG_1.MOV", "IMG_1.mov", "IMG_1.mp4"])
  @EventLoopActor
  func scanned(movie: String) async throws {
    let library = try await TestLibrary.make { files in
      try files.directory("in/a")
      try files.directory("in/b")
      for name in [
        "a/IMG_1.HEIC", "a/\(movie)", "b/\(movie)", "a/img_1.mov", "a/IMG_1.HEIC.jpg", "a/IMG_1.avi",
      ] {
        try files.put("in/\(name)")
      }
    }
    #expect(try isPair(library, "a/IMG_1.HEIC", "a/\(movie)"))
    for single in ["b/\(movie)", "a/img_1.mov", "a/IMG_1.avi"] {
      #expect(try library.asset(single)?.mediaType == .video)
    }
    #expect(try library.asset("a/IMG_1.HEIC.jpg")?.mediaType == .image)
    #expect(library.store.files.assetCount == 5)
    #expect(library.monitor.contents.album(try #require(library.directory("a")))?.assetCount == 4)
    let asset = try #require(try library.asset("a/IMG_1.HEIC"))
    let name = try library.monitor.contents.open(.pairedVideo, of: asset)?.name
    #expect(name == FileName(movie))
    // Also after the next start.
    try await library.restart { _ in }
    #expect(try isPair(library, "a/IMG_1.HEIC", "a/\(movie)"))
    #expect(library.store.files.assetCount == 5 && library.changes.isEmpty)
    library.end()
  }

  @Test("the movie comes later: it is no asset of its own, and the still has changed")
  @EventLoopActor
  func movieLater() async throws {
    let library = try await TestLibrary.make { try $0.put("in/a.jpg") }
    let id = try library.asset("a.jpg")?.id
    try library.files.put("in/a.mov")
    try await library.until { try isPair($0, "a.jpg", "a.mov") }
    #expect(library.changes.count == 1 && library.operations(id) == [.changed(content: false)])
    // Its content is the asset's.
    try library.files.put("in/a.mov", "longer")
    try await library.until { try $0.link("a.mov")?.byteCount == 6 }
    #expect(library.changes.count == 2 && library.operations(id).last == .changed(content: true))
    try library.files.unlink("in/a.mov")
    try await library.until { try $0.link("a.mov") == nil }
    #expect(try library.asset("a.jpg")?.mediaType == .image)
    #expect(library.changes.count == 3 && library.operations(id).last == .changed(content: false))
    library.end()
  }

  @Test("the still comes later: the movie's own asset is removed, and there again when the still goes")
  @EventLoopActor
  func stillLater() async throws {
    let library = try await TestLibrary.make { try $0.put("in/a.mov") }
    let movie = try library.asset("a.mov")?.id
    try library.files.put("in/a.jpg")
    try await library.until { try isPair($0, "a.jpg", "a.mov") }
    let still = try library.asset("a.jpg")?.id
    #expect(library.operations(movie) == [.removed] && library.operations(still) == [.inserted])
    #expect(library.store.files.assetCount == 1)
    try library.files.unlink("in/a.jpg")
    try await library.until { try $0.asset("a.mov")?.mediaType == .video }
    #expect(library.operations(still) == [.inserted, .removed])
    let again = try #require(try library.asset("a.mov")?.id)
    #expect(library.operations(again).last == .inserted)
    library.end()
  }

  @Test("S39: a pair that is renamed, or moved, is a pair again, with the still's id")
  @EventLoopActor
  func moved() async throws {
    let library = try await TestLibrary.make { files in
      try files.directory("in/b")
      try files.put("in/a.jpg")
      try files.put("in/a.mov")
    }
    let id = try library.asset("a.jpg")?.id
    try library.files.move("in/a.jpg", "in/b/c.jpg")
    try library.files.move("in/a.mov", "in/b/c.mov")
    try await library.until { try isPair($0, "b/c.jpg", "b/c.mov") }
    #expect(try library.asset("b/c.jpg")?.id == id)
    try await library.settle()
    #expect(library.store.files.assetCount == 2)
    library.end()
  }

  @Test("S34, S33, S39: in albums, deleted and restored, both files of a pair go together")
  @EventLoopActor
  func together() async throws {
    let library = try await TestLibrary.make { files in
      try files.directory("in/a")
      try files.directory("in/b")
      try files.put("in/a/p.jpg")
      try files.put("in/a/p.mov", "movie")
      try files.put("in/b/p.mov", "another")
    }
    let asset = try #require(try library.asset("a/p.jpg"))
    let (a, b) = (try #require(library.directory("a")), try #require(library.directory("b")))
    try await library.monitor.edits.editor.link(asset, into: b)
    #expect(try isPair(library, "b/p (2).jpg", "b/p (2).mov"))
    #expect(try library.asset("b/p.mov")?.mediaType == .video)
    try await library.monitor.edits.removals.unlink(try #require(try library.asset("a/p.jpg")), from: a)
    #expect(try library.link("a/p.mov") == nil && library.link("a/p.jpg") == nil)
    #expect(library.files.media(beneath: "in") == ["b/p.mov", "b/p (2).jpg", "b/p (2).mov"])

    let linked = try #require(try library.asset("b/p (2).jpg"))
    try await library.monitor.edits.deletions.carryOut(
      library.monitor.edits.deletions.record(linked, by: nil, at: 1))
    #expect(try library.indexed() == ["b/p.mov"])
    #expect(library.files.media(beneath: "in") == ["b/p.mov"])
    // Only the movie's name is taken: both get the number.
    try library.files.put("in/b/p (2).mov")
    try await library.until { try $0.asset("b/p (2).mov") != nil }
    let record = try await library.monitor.edits.restorations.record(asset.id)
    #expect(try await library.monitor.edits.restorations.carryOut(record).id == asset.id)
    #expect(try isPair(library, "b/p (2) (2).jpg", "b/p (2) (2).mov"))
    try await library.settle()
    #expect(try library.files.status("in/b/p (2) (2).mov").size == 5)
    library.end()
  }

  @Test("S31: of several movies one that is there is opened, and called by its own name")
  @EventLoopActor
  func several() async throws {
    let library = try await TestLibrary.make { files in
      for album in ["a", "b"] { try files.directory("in/\(album)") }
      try files.put("in/a/p.jpg")
      try files.link("in/a/p.jpg", "in/b/q.jpg")
      try files.put("in/a/p.mov", "first")
      try files.put("in/b/q.mp4", "second")
    }
    let asset = try #require(try library.asset("a/p.jpg"))
    let movies = try library.monitor.contents.parts(.pairedVideo, of: asset).map(\.location.name)
    try #require(Set(movies) == [FileName("p.mov"), FileName("q.mp4")])
    // The index has it still: it had no turn since.
    let isFirst = movies.first == FileName("p.mov")
    try library.files.unlink(isFirst ? "in/a/p.mov" : "in/b/q.mp4")
    guard let video = try library.monitor.contents.open(.pairedVideo, of: asset) else {
      Issue.record("no movie")
      return
    }
    #expect(video.name == movies.last)
    let file = video.take()
    var status = stat()
    #expect(fstat(file.number, &status) == 0 && status.st_size == (isFirst ? 6 : 5))
    library.end()
  }

  @Test("S30: both files of a live photo appear, or none")
  @EventLoopActor
  func added() async throws {
    let library = try await TestLibrary.make { files in
      try files.put("in/p.mov", "taken")
      try files.put("out/still", "still")
      try files.put("out/movie", "a movie")
    }
    let (still, movie) = (try library.files.open("out/still"), try library.files.open("out/movie"))
    func add(limit: Int64) async throws -> Asset {
      let root = DirectoryID(of: RootID(rawValue: 1))
      let files = NewFiles(in: try await library.monitor.contents.open(root, for: 1))
      for file in [still, movie] { try files.copy(file, as: FileName("p.jpg"), limit: limit) }
      return try await library.monitor.edits.editor.add(
        files, as: FileName("p.jpg"), movieEnding: "mov", in: root)
    }
    #expect(await failure { _ = try await add(limit: 6) } == .tooLarge)
    #expect(library.files.media(beneath: "in") == ["p.mov"])
    #expect(try await add(limit: 100).filename == FileName("p (2).jpg"))
    #expect(try isPair(library, "p (2).jpg", "p (2).mov"))
    close(still)
    close(movie)
    library.end()
  }
}
