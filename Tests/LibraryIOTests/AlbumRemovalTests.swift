import EventLoop
import LibraryModel
import Testing

@testable import LibraryIO

/// Empty albums that the daemon itself removes (S76).
@Suite(.runningLoop, .timeLimit(.minutes(30)))
struct AlbumRemovalTests {
  @Test(
    "S76: an empty album is gone when the call returns, and is told once; one made in its place is another")
  @EventLoopActor
  func removed() async throws {
    let library = try await TestLibrary.make { try $0.directory("in/a") }
    let a = try #require(library.directory("a"))
    #expect(try await library.monitor.edits.albumRemovals.names(in: a, for: 1).isEmpty)
    try await library.monitor.edits.albumRemovals.remove(a)
    #expect(library.directory("a") == nil)
    #expect(await failure { try await library.monitor.edits.albumRemovals.remove(a) } == .gone)
    try await library.settle()
    #expect(library.changes.filter { $0.subject == .album(a) }.map(\.operation) == [.removed])
    library.end()
  }

  @Test(
    "S43, S76: one that holds something, also what does not count, and another in its place, are not removed")
  @EventLoopActor
  func kept() async throws {
    let library = try await TestLibrary.make { files in
      for path in ["in/a", "in/b", "in/b/inner", "in/c"] { try files.directory(path) }
      try files.put("in/a/notes.txt")
      try files.put("in/b/one.jpg")
    }
    let (a, b) = (try #require(library.directory("a")), try #require(library.directory("b")))
    let removals = library.monitor.edits.albumRemovals
    #expect(try await removals.names(in: a, for: 1) == [FileName("notes.txt")])
    #expect(try removals.isOther(FileName("notes.txt"), in: a))
    let names = try await removals.names(in: b, for: 1)
    #expect(Set(names) == [FileName("inner"), FileName("one.jpg")])
    let others = try names.filter { try removals.isOther($0, in: b) }
    #expect(others.isEmpty)
    for album in [a, b] { #expect(await failure { try await removals.remove(album) } == .system) }
    let c = try #require(library.directory("c"))
    try library.files.move("in/c", "out/c")
    try library.files.directory("in/c")
    #expect(await failure { try await removals.remove(c) } == .replaced)
    #expect(try library.files.status("in/a/notes.txt").size == 1)
    #expect(library.files.media(beneath: "in") == ["b/one.jpg"])
    library.end()
  }
}
