import EventLoop
import Glibc
import LibraryIO
import LibraryModel
import Linux
import Storage
import Testing

/// RAW and its photo on a disk: found, opened, and going together (S99).
@Suite(.runningLoop, .timeLimit(.minutes(30)))
struct RawLibraryTests {
  @EventLoopActor
  private func library() async throws -> TestLibrary {
    try await TestLibrary.make { files in
      for album in ["a", "b"] { try files.directory("in/\(album)") }
      try files.put("in/a/p.jpg", "photo")
      try files.put("in/a/p.CR3", "raw")
      try files.put("in/a/p.mov", "movie")
      try files.put("in/a/p.CR3.xmp", "packet")
    }
  }

  @EventLoopActor
  private func isWhole(_ stem: String, _ id: AssetID, _ library: TestLibrary) throws -> Bool {
    guard let asset = try library.asset("\(stem).jpg"), let raw = try library.link("\(stem).CR3") else {
      return false
    }
    return asset.id == id && asset.hasRaw && asset.mediaType == .livePhoto && asset.sidecars == 1
      && raw.resource == .alternatePhoto && raw.asset == id
  }

  @Test("S99: a scan finds three files as one asset, and so does the next start, with nothing to tell")
  @EventLoopActor
  func scanned() async throws {
    let library = try await library()
    let asset = try #require(try library.asset("a/p.jpg"))
    #expect(try isWhole("a/p", asset.id, library) && library.store.files.assetCount == 1)
    #expect(library.monitor.contents.album(try #require(library.directory("a")))?.assetCount == 1)
    guard let raw = try library.monitor.contents.open(.alternatePhoto, of: asset) else {
      Issue.record("no RAW")
      return
    }
    #expect(raw.name == FileName("p.CR3"))
    let file = raw.take()
    var status = stat()
    #expect(fstat(file.number, &status) == 0 && status.st_size == 3)
    try await library.restart { _ in }
    #expect(try library.asset("a/p.jpg") == asset && library.changes.isEmpty)
    library.end()
  }

  @Test(
    "S99: RAW and photo come in either order; without its photo RAW is an asset, until that is back",
    arguments: [true, false])
  @EventLoopActor
  func told(rawFirst: Bool) async throws {
    let library = try await TestLibrary.make { _ in }
    let names = rawFirst ? ["n.nef", "n.jpg"] : ["n.jpg", "n.nef"]
    for name in names {
      try library.files.put("in/\(name)", name)
      try await library.until { try $0.link(name) != nil }
    }
    try await library.until { try $0.asset("n.jpg")?.hasRaw == true }
    #expect(library.store.files.assetCount == 1)
    let id = try library.asset("n.jpg")?.id
    try library.files.unlink("in/n.jpg")
    try await library.until { try $0.link("n.nef")?.resource == .main && $0.link("n.jpg") == nil }
    #expect(library.operations(id).last == .removed && library.store.files.assetCount == 1)
    try library.files.put("in/n.jpg", "again")
    try await library.until { try $0.asset("n.jpg")?.hasRaw == true }
    #expect(try library.asset("n.jpg")?.id == id && library.store.files.assetCount == 1)
    library.end()
  }

  @Test(
    "S99, S34, S33, S39, S77: put into albums, taken out, renamed, moved, deleted and restored, they go together"
  )
  @EventLoopActor
  func together() async throws {
    let library = try await library()
    let id = try #require(try library.asset("a/p.jpg")?.id)
    let (a, b) = (try #require(library.directory("a")), try #require(library.directory("b")))
    let edits = library.monitor.edits
    try await edits.editor.link(try #require(try library.asset("a/p.jpg")), into: b)
    #expect(try isWhole("b/p", id, library))
    // Each lies in both, so nothing stays.
    try await edits.removals.unlink(try #require(try library.asset("a/p.jpg")), from: a)
    let four = ["b/p.jpg", "b/p.CR3", "b/p.mov", "b/p.CR3.xmp"]
    #expect(Set(library.files.media(beneath: "in")) == Set(four))

    let here = try #require(try library.asset("b/p.jpg"))
    let rename = try #require(try edits.assetMoves.recordRename(here, to: [FileName("sea.jpg")]))
    #expect(try await edits.assetMoves.carryOut(rename, of: id).id == id)
    #expect(try isWhole("b/sea", id, library))
    let renamed = try #require(try library.asset("b/sea.jpg"))
    let move = try edits.assetMoves.recordMove(renamed, from: renamed.primary, into: a)
    _ = try await edits.assetMoves.carryOut(move, of: id)
    #expect(try isWhole("a/sea", id, library) && library.store.files.assetCount == 1)

    let moved = try #require(try library.asset("a/sea.jpg"))
    try await edits.deletions.carryOut(edits.deletions.record(moved, by: nil, at: 1))
    #expect(library.files.media(beneath: "in").isEmpty && library.store.files.assetCount == 0)
    // Only RAW's name is taken: all get the number.
    try library.files.put("in/a/sea.CR3", "another")
    try await library.until { try $0.asset("a/sea.CR3") != nil }
    _ = try await edits.restorations.carryOut(try await edits.restorations.record(id))
    #expect(try isWhole("a/sea (2)", id, library) && library.store.files.assetCount == 2)
    library.end()
  }

  @Test(
    "S99, R2: killed after any of its files was put away, it is deleted at the next start", arguments: 0...4)
  @EventLoopActor
  func killed(moved: Int) async throws {
    let library = try await library()
    let asset = try #require(try library.asset("a/p.jpg"))
    let record = try library.monitor.edits.deletions.record(asset, by: nil, at: 1)
    try #require(record.files.count == 4)
    try await library.restart { files in
      try files.directory("in/.albumd-deleted")
      for file in record.files.prefix(moved) {
        try files.move("in/a/\(file.location.name)", "in/.albumd-deleted/\(file.name)")
      }
    }
    #expect(library.files.media(beneath: "in").isEmpty)
    let restoration = try await library.monitor.edits.restorations.record(asset.id)
    _ = try await library.monitor.edits.restorations.carryOut(restoration)
    #expect(try isWhole("a/p", asset.id, library))
    library.end()
  }

  @Test(
    "S16, S91, S99: RAW that has come since a hidden photo's deletion was written down stays, and is hidden")
  @EventLoopActor
  func cameDuringDeletion() async throws {
    let library = try await TestLibrary.make { files in
      try files.directory("in/a")
      try files.put("in/a/p.jpg")
    }
    let edits = library.monitor.edits
    try await edits.flags.set(.hidden, true, of: try #require(try library.asset("a/p.jpg")))
    let record = try edits.deletions.record(try #require(try library.asset("a/p.jpg")), by: nil, at: 1)
    try library.files.put("in/a/p.dng")
    try await library.until { try $0.asset("a/p.jpg")?.hasRaw == true }
    try await edits.deletions.carryOut(record)
    let raw = try #require(try library.asset("a/p.dng"))
    #expect(raw.isHidden && library.store.files.assetCount == 1)
    let inserted = library.changes.filter { $0.subject == .asset(raw.id) }
    #expect(inserted.map(\.operation) == [.inserted] && inserted.last?.snapshot?.isHidden == true)
    library.end()
  }

  @Test(
    "S99, S91: an index from before takes them together at its next start; who had hidden RAW has the photo hidden"
  )
  @EventLoopActor
  func formerIndex() async throws {
    let library = try await TestLibrary.make { files in
      try files.directory("in/a")
      try files.directory("in/c")
      try files.put("in/a/p.jpg")
      try files.put("in/c/p.dng")
    }
    let raw = try #require(try library.asset("c/p.dng"))
    try await library.monitor.edits.flags.set(.hidden, true, of: raw)
    let photo = try #require(try library.asset("a/p.jpg")?.id)
    let (a, c) = (try #require(library.directory("a")), try #require(library.directory("c")))
    // RAW beside the photo, and both are assets: as it was before.
    var row = try #require(try library.link("c/p.dng"))
    let hidden = try #require(try library.asset("c/p.dng"))
    let store = library.store
    try await library.restart { files in
      try store.begin()
      try store.index.files.removeLink(at: row.location)
      row.location = Location(a, row.location.name)
      _ = try store.index.files.insert(row)
      try store.index.files.update(
        Asset(
          id: raw.id, mediaType: .image, identity: hidden.identity, byteCount: hidden.byteCount,
          created: hidden.created, modified: hidden.modified, primary: row.location, isDescribed: true,
          flags: hidden.flags))
      try store.index.directories.setCounts(NameCounts(names: 2, companions: 1), of: a)
      try store.index.directories.setCounts(.none, of: c)
      try store.commit()
      try files.move("in/c/p.dng", "in/a/p.dng")
    }
    let asset = try #require(try library.asset("a/p.jpg"))
    #expect(asset.id == photo && asset.hasRaw && asset.isHidden && library.store.files.assetCount == 1)
    #expect(library.operations(raw.id) == [.removed])
    library.end()
  }
}
