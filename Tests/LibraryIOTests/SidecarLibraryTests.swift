import EventLoop
import Glibc
import LibraryIO
import LibraryModel
import Linux
import Storage
import Testing

/// Sidecars on a disk: found, opened, and going where their photo goes (S78, S79).
@Suite(.runningLoop, .timeLimit(.minutes(30)))
struct SidecarLibraryTests {
  /// A photo in two albums with three sidecars, of which one lies in both albums.
  @EventLoopActor
  private func library() async throws -> TestLibrary {
    try await TestLibrary.make { files in
      try files.directory("in/a")
      try files.directory("in/b")
      try files.put("in/a/p.jpg", "old")
      try files.link("in/a/p.jpg", "in/b/q.jpg")
      try files.put("in/a/p.AAE", "adjusted")
      try files.put("in/a/p.jpg.xmp", "packet")
      try files.put("in/a/p.xmp", "shared")
      try files.link("in/a/p.xmp", "in/b/q.xmp")
      try files.put("in/a/other.jpg")
    }
  }

  /// In the order in which a record numbers them.
  private let names = ["a/p.jpg", "b/q.jpg", "a/p.AAE", "a/p.jpg.xmp", "a/p.xmp", "b/q.xmp"]

  @EventLoopActor
  private func contents(of asset: Asset, _ library: TestLibrary) throws -> [String] {
    var found: [String] = []
    for number in 0..<asset.sidecars {
      guard let sidecar = try library.monitor.contents.openSidecar(number, of: asset) else { continue }
      let ending = asset.ending(of: sidecar.name)
      let file = sidecar.take()
      var bytes = [UInt8](repeating: 0, count: 64)
      let count = read(file.number, &bytes, bytes.count)
      found.append("\(ending): \(String(decoding: bytes.prefix(max(0, count)), as: UTF8.self))")
    }
    return found
  }

  private let all = ["AAE: adjusted", "jpg.xmp: packet", "xmp: shared"]

  @Test("S78: a scan finds them, each file once, and so does the next start, with nothing to tell")
  @EventLoopActor
  func scanned() async throws {
    let library = try await library()
    let asset = try #require(try library.asset("a/p.jpg"))
    #expect(asset.sidecars == 3 && library.store.files.assetCount == 2)
    #expect(try contents(of: asset, library) == all)
    #expect(library.monitor.contents.album(try #require(library.directory("a")))?.assetCount == 2)
    try await library.restart { try $0.put("in/a/other.xmp", "later") }
    #expect(try library.asset("a/p.jpg") == asset)
    let other = try #require(try library.asset("a/other.jpg"))
    #expect(other.sidecars == 1 && library.operations(other.id) == [.changed(content: true)])
    #expect(library.changes.count == 1)
    // Without its row, there is nothing to open.
    #expect(try library.monitor.contents.openSidecar(1, of: other) == nil)
    library.end()
  }

  @Test("S78, S43: what was put in a sidecar's place is opened when it is known as such, not before")
  @EventLoopActor
  func replaced() async throws {
    let library = try await library()
    let other = try #require(try library.asset("a/other.jpg"))
    try library.files.put("in/a/other.xmp", "one")
    try await library.until { try $0.asset("a/other.jpg")?.sidecars == 1 }
    let asset = try #require(try library.asset("a/other.jpg"))
    try library.files.put("in/a/.new", "two")
    try library.files.move("in/a/.new", "in/a/other.xmp")
    #expect(failure { _ = try library.monitor.contents.openSidecar(0, of: asset) } == .replaced)
    await library.until { $0.operations(other.id).count == 2 }
    #expect(try contents(of: asset, library) == ["xmp: two"])
    library.end()
  }

  @EventLoopActor
  private func delete(_ library: TestLibrary) async throws -> AssetID {
    let asset = try #require(try library.asset("a/p.jpg"))
    try await library.monitor.edits.deletions.carryOut(
      library.monitor.edits.deletions.record(asset, by: nil, at: 1))
    return asset.id
  }

  @EventLoopActor
  private func expectBack(_ id: AssetID, _ library: TestLibrary) async throws {
    try await library.settle("z.jpg")
    #expect(Set(library.files.media(beneath: "in")) == Set(names + ["a/other.jpg", "z.jpg"]))
    let asset = try #require(try library.asset("a/p.jpg"))
    #expect(asset.id == id && asset.links.count == 2)
    #expect(try contents(of: asset, library) == all)
    #expect(try library.monitor.edits.records.all().isEmpty)
  }

  @Test("S79, S39: deleted with its photo, and restored with it; told once, with all of them")
  @EventLoopActor
  func deleted() async throws {
    let library = try await library()
    let id = try await delete(library)
    #expect(library.files.media(beneath: "in") == ["a/other.jpg"])
    #expect(try library.indexed() == ["a/other.jpg"])
    #expect(library.operations(id) == [.removed])
    let record = try await library.monitor.edits.restorations.record(id)
    #expect(try await library.monitor.edits.restorations.carryOut(record).sidecars == 3)
    try await expectBack(id, library)
    library.end()
  }

  @Test("S79: restored where a sidecar's name is taken, all of them get the number")
  @EventLoopActor
  func numbered() async throws {
    let library = try await library()
    let id = try await delete(library)
    try library.files.put("in/a/p.jpg.xmp", "of nobody")
    try await library.settle("a/s.jpg")
    #expect(try library.link("a/p.jpg.xmp") != nil)
    let record = try await library.monitor.edits.restorations.record(id)
    let asset = try await library.monitor.edits.restorations.carryOut(record)
    #expect(asset.id == id && asset.sidecars == 3)
    let back = ["a/p (2).AAE", "a/p (2).jpg.xmp", "a/p (2).xmp", "a/p (2).jpg", "b/q.jpg", "b/q.xmp"]
    #expect(Set(library.files.media(beneath: "in")) == Set(back + ["a/p.jpg.xmp", "a/other.jpg", "a/s.jpg"]))
    library.end()
  }

  @Test(
    "S79, R2: killed after any of its files was put away, it is deleted at the next start", arguments: 0...6)
  @EventLoopActor
  func killedDeleting(moved: Int) async throws {
    let library = try await library()
    let asset = try #require(try library.asset("a/p.jpg"))
    let record = try library.monitor.edits.deletions.record(asset, by: nil, at: 1)
    #expect(record.files.count == names.count)
    try await library.restart { files in
      try files.directory("in/.albumd-deleted")
      for number in 0..<moved {
        try files.move("in/\(names[number])", "in/.albumd-deleted/\(record.key.name(number))")
      }
    }
    #expect(library.files.media(beneath: "in") == ["a/other.jpg"])
    #expect(try library.indexed() == ["a/other.jpg"])
    let restoration = try await library.monitor.edits.restorations.record(asset.id)
    _ = try await library.monitor.edits.restorations.carryOut(restoration)
    try await expectBack(asset.id, library)
    library.end()
  }

  @Test(
    "S79, R2: killed after any of its files was put back, it is restored at the next start", arguments: 0...6)
  @EventLoopActor
  func killedRestoring(moved: Int) async throws {
    let library = try await library()
    let id = try await delete(library)
    let record = try await library.monitor.edits.restorations.record(id)
    try await library.restart { files in
      for number in 0..<moved {
        try files.move("in/.albumd-deleted/\(record.key.name(number))", "in/\(names[number])")
      }
    }
    try await expectBack(id, library)
    library.end()
  }

  @Test("S79: a sidecar that is written anew while its photo is deleted stays; the photo goes all the same")
  @EventLoopActor
  func rewritten() async throws {
    let library = try await library()
    let asset = try #require(try library.asset("a/p.jpg"))
    let record = try library.monitor.edits.deletions.record(asset, by: nil, at: 1)
    try library.files.put("in/a/.new", "newer")
    try library.files.move("in/a/.new", "in/a/p.jpg.xmp")
    try await library.monitor.edits.deletions.carryOut(record)
    #expect(Set(library.files.media(beneath: "in")) == ["a/p.jpg.xmp", "a/other.jpg"])
    library.end()
  }

  @Test("S79, S34: put into an album with its photo; taken out, what has no other name stays")
  @EventLoopActor
  func albums() async throws {
    let library = try await library()
    try library.files.directory("in/c")
    try library.files.put("in/c/p.xmp", "of nobody")
    try await library.settle("c/s.jpg")
    #expect(try library.link("c/p.xmp") != nil)
    let (a, c) = (try #require(library.directory("a")), try #require(library.directory("c")))
    try await library.monitor.edits.editor.link(try #require(try library.asset("a/p.jpg")), into: c)
    let linked = ["c/p (2).jpg", "c/p (2).AAE", "c/p (2).jpg.xmp", "c/p (2).xmp"]
    #expect(
      Set(library.files.media(beneath: "in")) == Set(names + linked + ["a/other.jpg", "c/p.xmp", "c/s.jpg"]))
    #expect(try library.asset("a/p.jpg")?.sidecars == 3)
    // One is written anew where it lies, as most programs write.
    try library.files.put("in/a/.new", "newer")
    try library.files.move("in/a/.new", "in/a/p.AAE")
    try await library.until { try $0.asset("b/q.jpg")?.sidecars == 4 }
    try await library.monitor.edits.removals.unlink(try #require(try library.asset("b/q.jpg")), from: a)
    let left = ["b/q.jpg", "b/q.xmp", "a/p.AAE", "a/other.jpg", "c/p.xmp", "c/s.jpg"]
    #expect(Set(library.files.media(beneath: "in")) == Set(linked + left))
    try await library.settle()
    #expect(try library.asset("b/q.jpg")?.sidecars == 3)
    library.end()
  }
}
