import EventLoop
import LibraryModel
import Storage
import TestSupport
import Testing

@testable import LibraryIO

@Suite(.runningLoop, .timeLimit(.minutes(30)))
struct ReturningAlbumTests {
  @EventLoopActor
  private func library() async throws -> (TestLibrary, album: AlbumID, key: AssetID) {
    let library = try await TestLibrary.make { files in
      try files.directory("in/a")
      try files.put("in/a/p.jpg")
    }
    let (album, key) = (try #require(library.directory("a")), try #require(try library.asset("a/p.jpg")?.id))
    try library.monitor.edits.albumKeys.choose(key, of: album)
    return (library, album, key)
  }

  @EventLoopActor
  private func hasGone(_ album: AlbumID, _ library: TestLibrary) -> Bool {
    library.changes.contains { $0.subject == .album(album) && $0.operation == .removed }
  }

  @Test("S39, S102: an album that is moved away and back is the same one, with its key photo")
  @EventLoopActor
  func moved() async throws {
    let (library, album, key) = try await library()
    try library.files.move("in/a", "out/a")
    await library.until { hasGone(album, $0) }
    try library.files.move("out/a", "in/a")
    try await library.until { try $0.asset("a/p.jpg") != nil }
    #expect(try library.directory("a") == album && library.asset("a/p.jpg")?.id == key)
    #expect(try library.store.keyPhotos.keyAsset(of: album) == key)
    library.end()
  }

  @Test(
    "S39, S76, S102: an album that is deleted and comes back with what was in it has its key photo",
    arguments: [false, true])
  @EventLoopActor
  func restored(restarts: Bool) async throws {
    let (library, album, key) = try await library()
    let asset = try #require(try library.asset("a/p.jpg"))
    let deletions = library.monitor.edits.deletions
    try await deletions.carryOut(deletions.record(asset, by: nil, at: 1))
    try await library.monitor.edits.albumRemovals.remove(album)
    #expect(hasGone(album, library))
    if restarts { try await library.restart { _ in } }
    let restorations = library.monitor.edits.restorations
    let back = try await restorations.carryOut(restorations.record(key))
    #expect(try back.albums == [album] && library.store.keyPhotos.keyAsset(of: album) == key)
    library.end()
  }
}
