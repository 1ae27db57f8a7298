import EventLoop
import Glibc
import LibraryModel
import Storage
import TestSupport
import Testing

@testable import LibraryIO

/// Assets that the daemon itself renames and moves (S77), and what a crash between two steps leaves.
@Suite(.runningLoop, .timeLimit(.minutes(30)))
struct AssetMoveTests {
  /// A live photo, one photo in two albums, and names that are taken.
  @EventLoopActor
  private func library() async throws -> TestLibrary {
    try await TestLibrary.make { files in
      for path in ["in/a", "in/b", "in/c"] { try files.directory(path) }
      for path in ["in/a/live.jpg", "in/a/live.mov", "in/a/two.jpg"] { try files.put(path, path) }
      for path in ["in/b/taken.jpg", "in/a/film.mov", "in/c/live.jpg"] { try files.put(path, path) }
      try files.link("in/a/two.jpg", "in/b/two.jpg")
    }
  }

  @EventLoopActor
  private func rename(_ library: TestLibrary, _ path: String, to names: [String]) async throws -> Asset? {
    let asset = try #require(try library.asset(path))
    let moves = library.monitor.edits.assetMoves
    guard let relocation = try moves.recordRename(asset, to: names.map { FileName($0) }) else { return nil }
    return try await moves.carryOut(relocation, of: asset.id)
  }

  @EventLoopActor
  private func expectEnded(_ library: TestLibrary) throws {
    #expect(try library.store.deleted.all().isEmpty)
    #expect(try library.indexed() == library.files.media(beneath: "in"))
  }

  @Test("S77: a live photo keeps its id and its movie under another name, and in another album")
  @EventLoopActor
  func livePhoto() async throws {
    let library = try await library()
    let id = try #require(try library.asset("a/live.jpg")?.id)
    let renamed = try #require(try await rename(library, "a/live.jpg", to: ["sea.jpg"]))
    #expect(renamed.id == id && renamed.mediaType == .livePhoto)
    #expect(try library.link("a/sea.mov")?.asset == id)
    try expectEnded(library)
    let c = try #require(library.directory("c"))
    let moves = library.monitor.edits.assetMoves
    let moved = try await moves.carryOut(
      try moves.recordMove(renamed, from: renamed.primary, into: c), of: id)
    #expect(moved.id == id && moved.albums == [c] && moved.mediaType == .livePhoto)
    #expect(try library.files.status("in/c/sea.mov").size > 0)
    try await library.settle()
    #expect(library.operations(id).contains(.moved(content: false)))
    #expect(!library.operations(id).contains(.removed))
    try expectEnded(library)
    library.end()
  }

  @Test("S77, S79: sidecars are called after their photo, and go with it into another album")
  @EventLoopActor
  func sidecars() async throws {
    let library = try await TestLibrary.make { files in
      for path in ["in/a", "in/c"] { try files.directory(path) }
      for name in ["one.jpg", "one.jpg.xmp", "one.AAE", "other.jpg", "other.xmp"] {
        try files.put("in/a/\(name)", name)
      }
      try files.put("in/c/sea.xmp", "nobody's")
    }
    let id = try #require(try library.asset("a/one.jpg")?.id)
    await #expect(throws: MoveRefusal.nameTaken) { try await rename(library, "a/one.jpg", to: ["other.jpg"]) }
    let renamed = try #require(try await rename(library, "a/one.jpg", to: ["sea.jpg"]))
    #expect(renamed.id == id && renamed.sidecars == 2)
    for name in ["a/sea.jpg.xmp", "a/sea.AAE"] { #expect(try library.link(name)?.asset == id, "\(name)") }
    let moves = library.monitor.edits.assetMoves
    let c = try #require(library.directory("c"))
    // What lies there beside nothing must not become a part of it.
    let moved = try await moves.carryOut(
      try moves.recordMove(renamed, from: renamed.primary, into: c), of: id)
    #expect(moved.id == id && moved.primary.name != FileName("sea.jpg") && moved.sidecars == 2)
    let stem = String(decoding: moved.primary.name.stem, as: UTF8.self)
    for name in ["c/\(stem).jpg.xmp", "c/\(stem).AAE"] {
      #expect(try library.link(name)?.asset == id, "\(name)")
    }
    #expect(try library.link("c/sea.xmp")?.asset == .nobody)
    try expectEnded(library)
    library.end()
  }

  @Test("S77: an asset in two albums has its new name in both, or in none")
  @EventLoopActor
  func twoAlbums() async throws {
    let library = try await library()
    let id = try library.asset("a/two.jpg")?.id
    await #expect(throws: MoveRefusal.nameTaken) { try await rename(library, "a/two.jpg", to: ["taken.jpg"]) }
    #expect(library.changes.isEmpty)
    let renamed = try await rename(library, "a/two.jpg", to: ["taken.jpg", "free.jpg"])
    #expect(renamed?.id == id && renamed?.links.map(\.name.description) == ["free.jpg", "free.jpg"])
    #expect(try await rename(library, "a/free.jpg", to: ["free.jpg"]) == nil)
    try expectEnded(library)
    library.end()
  }

  @Test("S77: not onto another file, known or not, nor beside a film that would be its movie")
  @EventLoopActor
  func taken() async throws {
    let library = try await library()
    await #expect(throws: MoveRefusal.nameTaken) { try await rename(library, "a/two.jpg", to: ["film.jpg"]) }
    try library.files.put("in/a/new.jpg", "precious")
    await #expect(throws: MoveRefusal.nameTaken) { try await rename(library, "a/two.jpg", to: ["new.jpg"]) }
    // The movie's name is taken, and the still has its name again.
    try library.files.directory("in/a/sun.mov")
    await #expect(throws: MoveRefusal.nameTaken) { try await rename(library, "a/live.jpg", to: ["sun.jpg"]) }
    #expect(try library.files.status("in/a/new.jpg").size == 8)
    #expect(try library.files.status("in/a/live.jpg").size > 0)
    #expect(try library.store.deleted.all().isEmpty)
    let c = try #require(library.directory("c"))
    let asset = try #require(try library.asset("a/live.jpg"))
    let moves = library.monitor.edits.assetMoves
    let moved = try await moves.carryOut(
      try moves.recordMove(asset, from: asset.primary, into: c), of: asset.id)
    #expect(moved.filename == FileName("live (2).jpg") && moved.mediaType == .livePhoto)
    library.end()
  }

  @Test("S43, S77: another file that has its name by now is not renamed")
  @EventLoopActor
  func replaced() async throws {
    let library = try await library()
    try library.files.put("out/new.jpg", "precious")
    try library.files.move("out/new.jpg", "in/a/live.jpg")
    let failed = await failure { _ = try await rename(library, "a/live.jpg", to: ["sea.jpg"]) }
    #expect(failed == .gone)
    #expect(try library.files.status("in/a/live.jpg").size == 8)
    library.end()
  }

  @Test("R2, S77: killed between two steps, the rest is done at the next start", arguments: 0...2)
  @EventLoopActor
  func killed(moved: Int) async throws {
    let library = try await library()
    let asset = try #require(try library.asset("a/live.jpg"))
    _ = try library.monitor.edits.assetMoves.recordRename(asset, to: [FileName("sea.jpg")])
    try await library.restart { files in
      let steps = [("in/a/live.jpg", "in/a/sea.jpg"), ("in/a/live.mov", "in/a/sea.mov")]
      for (origin, target) in steps.prefix(moved) { try files.move(origin, target) }
    }
    let renamed = try #require(try library.asset("a/sea.jpg"))
    #expect(renamed.id == asset.id && renamed.mediaType == .livePhoto)
    #expect(try library.link("a/sea.mov")?.asset == asset.id)
    try expectEnded(library)
    library.end()
  }

  @Test("R2, S77: killed while a file had a hidden name, it gets its new one, or its former one")
  @EventLoopActor
  func killedHidden() async throws {
    for isTaken in [false, true] {
      let library = try await library()
      let asset = try #require(try library.asset("a/live.jpg"))
      let moves = library.monitor.edits.assetMoves
      let relocation = try #require(try moves.recordRename(asset, to: [FileName("sea.jpg")]))
      try await library.restart { files in
        try files.directory("in/.albumd-deleted")
        try files.move("in/a/live.jpg", "in/a/sea.jpg")
        try files.move("in/a/live.mov", "in/.albumd-deleted/\(relocation.steps[1].key)")
        if isTaken { try files.put("in/a/sea.mov", "precious") }
      }
      let stem = isTaken ? "live" : "sea"
      let found = try #require(try library.asset("a/\(stem).jpg"))
      #expect(found.id == asset.id && found.mediaType == .livePhoto)
      #expect(try library.link("a/\(stem).mov")?.asset == asset.id)
      if isTaken { #expect(try library.files.status("in/a/sea.mov").size == 8) }
      try expectEnded(library)
      library.end()
    }
  }
}
