import EventLoop
import Glibc
import LibraryModel
import TestSupport
import Testing

@testable import LibraryIO

/// Albums that the daemon itself moves and renames (S75).
@Suite(.runningLoop, .timeLimit(.minutes(30)))
struct AlbumMoveTests {
  @EventLoopActor
  private func library(roots: [String] = ["in"]) async throws -> TestLibrary {
    try await TestLibrary.make(roots: roots) { files in
      for path in ["in/a", "in/a/inner", "in/b", "out/other"] { try files.directory(path) }
      try files.put("in/a/one.jpg")
      try files.put("in/a/inner/two.jpg")
      try files.put("in/taken")
    }
  }

  @EventLoopActor
  private func move(
    _ library: TestLibrary, _ album: String, to names: [String], in parent: String = "", root: Int32 = 1
  ) async throws -> Album {
    try await library.monitor.edits.albumMoves.move(
      try #require(library.directory(album)), to: names.map { FileName($0) },
      in: try #require(library.directory(parent, root: root)), keepsShared: true)
  }

  @Test("S75: a renamed album keeps its id and what is in it, and is told as changed; moved, as moved")
  @EventLoopActor
  func moved() async throws {
    let library = try await library()
    let (a, b) = (try #require(library.directory("a")), try #require(library.directory("b")))
    let (one, two) = (try library.asset("a/one.jpg")?.id, try library.asset("a/inner/two.jpg")?.id)
    #expect(try await move(library, "a", to: ["c"]).id == a)
    #expect(library.changes.map(\.operation) == [.changed(content: false)])
    let inside = try await move(library, "c", to: ["c"], in: "b")
    #expect(inside.id == a && inside.parent == b)
    #expect(library.changes.map(\.operation) == [.changed(content: false), .moved(content: false)])
    #expect(try library.asset("b/c/one.jpg")?.id == one && library.asset("b/c/inner/two.jpg")?.id == two)
    // What the kernel says of it later is no news; what happens in it is told.
    try await library.settle()
    try library.files.put("in/b/c/inner/three.jpg")
    try await library.until { try $0.asset("b/c/inner/three.jpg") != nil }
    #expect(library.changes.filter { $0.subject == .album(a) }.count == 2)
    #expect(try library.files.media(beneath: "in") == library.indexed())
    library.end()
  }

  @Test("S75: the first of several names that is free; where it is already, nothing is told")
  @EventLoopActor
  func names() async throws {
    let library = try await library()
    #expect(try await move(library, "a", to: ["b", "taken", "d"]).name == FileName("d"))
    library.forget()
    #expect(try await move(library, "d", to: ["d"]).name == FileName("d"))
    #expect(library.changes.isEmpty)
    library.end()
  }

  @Test("S75: not onto something else, not into itself, not into another root; then all is as it was")
  @EventLoopActor
  func refused() async throws {
    let library = try await library(roots: ["in", "out"])
    let before = Set(library.paths)
    for name in ["b", "taken"] {
      await #expect(throws: MoveRefusal.nameTaken) { try await move(library, "a", to: [name]) }
    }
    // On disk, and not in the index yet.
    try library.files.directory("in/.hidden")
    await #expect(throws: MoveRefusal.nameTaken) { try await move(library, "a", to: [".hidden"]) }
    await #expect(throws: MoveRefusal.insideItself) { try await move(library, "a", to: ["x"], in: "a/inner") }
    await #expect(throws: MoveRefusal.insideItself) { try await move(library, "a", to: ["x"], in: "a") }
    await #expect(throws: MoveRefusal.otherRoot) { try await move(library, "a", to: ["a"], in: "", root: 2) }
    #expect(Set(library.paths) == before && library.changes.isEmpty)
    library.end()
  }

  @Test("S43, S75: what is at its name is another directory by now, or none: it is not moved")
  @EventLoopActor
  func replaced() async throws {
    let library = try await library()
    let (a, root) = (try #require(library.directory("a")), DirectoryID(of: RootID(rawValue: 1)))
    try library.files.move("in/a", "out/a")
    let gone = await failure {
      _ = try await library.monitor.edits.albumMoves.move(
        a, to: [FileName("c")], in: root, keepsShared: true)
    }
    #expect(gone == .gone)
    try library.files.directory("in/b2")
    try library.files.put("in/b2/precious.jpg")
    try library.files.move("in/b2", "in/a")
    let replaced = await failure {
      _ = try await library.monitor.edits.albumMoves.move(
        a, to: [FileName("c")], in: root, keepsShared: true)
    }
    #expect(replaced == .replaced)
    #expect(try library.files.status("in/a/precious.jpg").size == 1)
    library.end()
  }

  @Test("S75: what cannot be written into the index is renamed back")
  @EventLoopActor
  func unwritten() async throws {
    struct Failure: Error {}
    let library = try await library()
    let a = try #require(library.directory("a"))
    await #expect(throws: Failure.self) {
      _ = try await library.monitor.edits.albumMoves.move(
        a, to: [FileName("c")], in: DirectoryID(of: RootID(rawValue: 1)), keepsShared: true,
        mayBegin: nobodyAsked
      ) { _, _ in throw Failure() }
    }
    #expect(try library.files.status("in/a/one.jpg").size == 1)
    await library.until { $0.directory("a") == a }
    library.end()
  }

  @Test("S75: where every rename replaces, nothing is replaced but an empty directory")
  func overEmpty() throws {
    let directory = try TemporaryDirectory()
    let (album, taken, free) = (directory.path + "/a", directory.path + "/taken", directory.path + "/free")
    for path in [album, taken] { #expect(mkdir(path, 0o755) == 0) }
    try TestFiles(base: directory.path).put("a/one.jpg")
    #expect(renameOverEmptyDirectory(AT_FDCWD, album, AT_FDCWD, taken) == -1 && errno == EEXIST)
    #expect(renameOverEmptyDirectory(AT_FDCWD, album, AT_FDCWD, free) == 0)
    #expect(access(free + "/one.jpg", F_OK) == 0 && access(album, F_OK) == -1)
    #expect(renameOverEmptyDirectory(AT_FDCWD, album, AT_FDCWD, album + "2") == -1 && errno == ENOENT)
    #expect(access(album + "2", F_OK) == -1)
    #expect(renameDirectoryToFree(AT_FDCWD, free, AT_FDCWD, taken) == -1 && errno == EEXIST)
    #expect(renameDirectoryToFree(AT_FDCWD, free, AT_FDCWD, free) == 0)
  }
}
