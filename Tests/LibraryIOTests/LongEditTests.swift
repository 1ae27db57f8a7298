import EventLoop
import Glibc
import LibraryModel
import TestSupport
import Testing

@testable import LibraryIO

/// An edit of many steps, each of which waits for its turn on a slow root (race 47): what it begins no more is refused with
/// `busy`.
@Suite(.runningLoop, .timeLimit(.minutes(30)))
struct LongEditTests {
  /// Has an edit begun that has taken all its time by waiting.
  @EventLoopActor
  private func late(_ body: @EventLoopActor () async throws -> Void) async -> LibraryFileError.Code? {
    let deadline = EditDeadline(whole: .zero) {}
    defer { deadline.end() }
    do {
      try await EditDeadline.$present.withValue(deadline) { try await body() }
      return nil
    } catch { return (error as? LibraryFileError)?.code }
  }

  @EventLoopActor
  private func make() async throws -> TestLibrary {
    try await TestLibrary.make { files in
      for path in ["in/a", "in/b"] { try files.directory(path) }
      try files.put("in/a/p.jpg")
      try files.put("in/a/p.xmp")
    }
  }

  @Test("47: tries no more names, and nothing was added or linked")
  @EventLoopActor
  func names() async throws {
    let library = try await make()
    let (a, b) = (try #require(library.directory("a")), try #require(library.directory("b")))
    let asset = try #require(try library.asset("a/p.jpg"))
    let editor = library.monitor.edits.editor
    let files = NewFiles(in: try await library.monitor.contents.open(a, for: 1))
    _ = try files.make(as: FileName("q.jpg"))
    #expect(await late { _ = try await editor.add(files, as: FileName("q.jpg"), in: a) } == .busy)
    #expect(await late { try await editor.link(asset, into: b) } == .busy)
    try await library.settle()
    #expect(Set(library.files.media(beneath: "in")).isDisjoint(with: ["a/q.jpg", "b/p.jpg", "b/p.xmp"]))
    #expect(await late {} == nil)
    library.end()
  }

  @Test("47, S90: writes to no more names of a photo")
  @EventLoopActor
  func flags() async throws {
    let library = try await make()
    let asset = try #require(try library.asset("a/p.jpg"))
    let flags = library.monitor.edits.flags
    #expect(await late { try await flags.set(.favorite, true, of: asset) } == .busy)
    #expect(try library.asset("a/p.jpg")?.flags.contains(.favorite) == false)
    library.end()
  }
}
