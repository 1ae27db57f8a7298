import EventLoop
import Glibc
import LibraryIO
import LibraryModel
import Storage
import Testing

/// Roots and file systems that go and come back (S41): sequences of `6-races.md`, with real files and the real kernel.
@Suite(.runningLoop, .timeLimit(.minutes(30)))
struct MountTests {
  @Test("11, S41: a root that is deleted is offline and keeps its assets; made again, it is compared")
  @EventLoopActor
  func rootMadeAgain() async throws {
    let library = try await TestLibrary.make { files in
      try files.put("in/a.jpg")
      try files.put("in/b.jpg")
    }
    let id = try #require(try library.asset("b.jpg")?.id)
    try library.files.move("in", "gone")
    await library.until { $0.monitor.state.summary == .offline }
    #expect(library.store.files.assetCount == 2)
    let asset = try #require(try library.asset("b.jpg"))
    #expect(library.monitor.contents.isOffline(asset))
    try library.files.directory("in")
    try library.files.put("in/b.jpg", "bb")
    try await library.until { try $0.asset("b.jpg")?.byteCount == 2 && $0.asset("a.jpg") == nil }
    #expect(try library.asset("b.jpg")?.id == id)
    try library.files.put("in/c.jpg")
    try await library.until { try $0.asset("c.jpg") != nil }
    library.end()
  }

  @Test("S41: a root that must be a mount point, and is none, is offline; nothing is deleted")
  @EventLoopActor
  func notMounted() async throws {
    let library = try await TestLibrary.make(requiresMountPoint: true) { try $0.put("in/a.jpg") }
    #expect(library.monitor.state.summary == .offline)
    #expect(library.store.files.assetCount == 0)
    library.end()
  }

  @Test(
    "10, S41: a file system mounted over the root puts it offline, and back when it is unmounted", .mounting)
  @EventLoopActor
  func mountedOver() async throws {
    let library = try await TestLibrary.make { try $0.put("in/a.jpg") }
    #expect(Mounting.disk(at: library.root))
    await library.until { $0.monitor.state.summary == .offline }
    #expect(library.store.files.assetCount == 1)
    #expect(umount(library.root) == 0)
    await library.until { $0.monitor.state.summary == .ready }
    #expect(library.store.files.assetCount == 1)
    try library.files.put("in/b.jpg")
    try await library.until { try $0.asset("b.jpg") != nil }
    library.end()
  }

  @Test("10, S41: a file system beneath the root that is unmounted keeps its assets, offline", .mounting)
  @EventLoopActor
  func mountBeneathRoot() async throws {
    let library = try await TestLibrary.make { files in
      try files.directory("out/disk/album")
      try files.put("out/disk/album/a.jpg")
      try files.put("out/disk/b.jpg")
      try files.directory("in/m")
      try files.directory("in/n")
      try files.put("in/n/c.jpg")
    }
    let (disk, place) = ("\(library.outside)/disk", "\(library.root)/m")
    try Mounting.show(disk, at: place)
    try await library.until { try $0.asset("m/album/a.jpg") != nil && $0.asset("m/b.jpg") != nil }
    let asset = try #require(try library.asset("m/album/a.jpg"))
    library.forget()
    #expect(umount(place) == 0)
    await library.until { $0.monitor.state.summary == .degraded }
    #expect(library.monitor.contents.isOffline(asset))
    // Neither a stray file nor a scan, a restart or the removal of the place makes it a deletion.
    try library.files.put("in/m/stray.jpg")
    try await library.settle("one.jpg")
    library.monitor.rescan()
    await library.until { $0.monitor.state.summary == .degraded }
    try await library.restart { files in
      files.remove("in/m")
    }
    await library.until { $0.monitor.state.summary == .degraded }
    #expect(try library.asset("m/album/a.jpg")?.id == asset.id && library.asset("m/b.jpg") != nil)
    #expect(library.changes.isEmpty)
    // Back again, with what was done to it meanwhile.
    try library.files.put("out/disk/album/new.jpg")
    try library.files.directory("in/m")
    try Mounting.show(disk, at: place)
    try await library.until { try $0.asset("m/album/new.jpg") != nil && $0.monitor.state.summary == .ready }
    #expect(try library.asset("m/album/a.jpg")?.id == asset.id)
    #expect(!library.monitor.contents.isOffline(asset))
    #expect(umount(place) == 0)
    // Mounted over an album that is not empty: that is kept, and what covers it is left alone.
    let covered = try library.asset("n/c.jpg")
    try Mounting.show(disk, at: "\(library.root)/n")
    await library.until { $0.monitor.state.problems.count == 2 }
    #expect(try library.asset("n/c.jpg")?.id == covered?.id && library.asset("n/b.jpg") == nil)
    #expect(umount("\(library.root)/n") == 0)
    await library.until { $0.monitor.state.problems.count == 1 }
    try library.files.put("in/n/d.jpg")
    try await library.until { try $0.asset("n/d.jpg") != nil }
    library.end()
  }

  @Test(
    "38, S41: an album that is mounted over an empty one is followed once, at rest, and over a restart",
    .mounting)
  @EventLoopActor
  func mountedTwice() async throws {
    let library = try await TestLibrary.make { files in
      for name in ["a", "b"] { try files.directory("in/\(name)") }
      try files.put("in/a/1.jpg")
    }
    let (id, other) = (try library.asset("a/1.jpg")?.id, library.directory("b"))
    let place = library.root + "/b"
    try Mounting.show(library.root + "/a", at: place)
    defer { Mounting.unmount(place) }
    await library.until { $0.monitor.state.problems == [.away(place)] }
    try library.files.put("in/a/2.jpg")
    try await library.until { try $0.asset("a/2.jpg") != nil }
    try await library.settle()
    let listings = library.monitor.statistics.listings
    for _ in 0..<10 { try await library.settle() }
    #expect(library.monitor.statistics.listings < listings + 10, "nothing is compared again and again")
    try await library.restart { files in try files.put("in/a/3.jpg") }
    await library.until { $0.monitor.scanProgress == nil && $0.monitor.state.problems == [.away(place)] }
    #expect(try library.asset("a/1.jpg")?.id == id && library.asset("a/3.jpg") != nil)
    try #require(umount(place) == 0)
    await library.until { $0.monitor.state.summary == .ready }
    try library.files.put("in/b/4.jpg")
    try await library.until { try $0.asset("b/4.jpg") != nil }
    #expect(try library.directory("b") == other && library.indexed() == library.files.media(beneath: "in"))
    library.end()
  }

  @Test(
    "38, S41: the disk of a root that is offline, mounted over an album of another, takes nothing from either",
    .mounting)
  @EventLoopActor
  func overAlbumOfOtherRoot() async throws {
    let library = try await TestLibrary.make(roots: ["in", "two"]) { files in
      for path in ["in/a", "two", "out/disk/album"] { try files.directory(path) }
      try files.put("in/a/1.jpg")
      for name in ["2.jpg", "album/3.jpg"] { try files.put("out/disk/\(name)") }
      #expect(Mounting.disk(at: files.base + "/two"))
      try Mounting.show(files.base + "/out/disk", at: files.base + "/two")
    }
    let (disk, two, place) = (library.outside + "/disk", library.base + "/two", library.root + "/a")
    func ids() throws -> [AssetID?] {
      try [library.asset("a/1.jpg"), library.asset("2.jpg", root: 2), library.asset("album/3.jpg", root: 2)]
        .map { $0?.id }
    }
    let before = try ids()
    #expect(!before.contains(nil))
    library.forget()
    // What is beneath is another file system.
    #expect(umount(two) == 0)
    await library.until { $0.monitor.state.roots.last?.offline != nil }
    try Mounting.show(disk, at: place)
    await library.until { $0.monitor.state.problems.contains(.away(place)) }
    try library.files.put("out/disk/album/4.jpg")
    library.monitor.rescan()
    try await library.settle("one.jpg")
    #expect(try ids() == before)
    #expect(umount(place) == 0)
    try Mounting.show(disk, at: two)
    try await library.until { library in
      try library.asset("album/4.jpg", root: 2) != nil && library.monitor.state.summary == .ready
    }
    #expect(try ids() == before)
    for id in before { #expect(library.operations(id).isEmpty) }
    for _ in 0..<2 { Mounting.unmount(two) }
    library.end()
  }

  @Test("38, S41: an album that is mounted over itself is what it was", .mounting)
  @EventLoopActor
  func mountedOverItself() async throws {
    let library = try await TestLibrary.make { files in
      try files.directory("in/a")
      try files.put("in/a/1.jpg")
    }
    let (place, id) = (library.root + "/a", try library.asset("a/1.jpg")?.id)
    try Mounting.show(place, at: place)
    defer { Mounting.unmount(place) }
    for name in ["2", "3"] {
      library.monitor.rescan()
      try library.files.put("in/a/\(name).jpg")
      try await library.until { library in
        try library.asset("a/\(name).jpg") != nil && library.monitor.state.summary == .ready
      }
      Mounting.unmount(place)
    }
    #expect(try library.asset("a/1.jpg")?.id == id)
    library.end()
  }

  @Test(
    "41, S39, S41: a photo that another file is mounted over is away, also over a restart, and itself afterwards",
    .mounting)
  @EventLoopActor
  func fileMountedOver() async throws {
    let library = try await TestLibrary.make { files in
      try files.put("in/1.jpg", "one")
      try files.put("in/2.jpg", "other")
    }
    let before = try ["1.jpg", "2.jpg"].map { try library.asset($0)?.id }
    for cover in ["\(library.root)/2.jpg", "/dev/null"] {
      let place = library.root + "/1.jpg"
      try Mounting.show(cover, at: place)
      defer { Mounting.unmount(place) }
      try await compareAll(library)
      let asset = try #require(try library.asset("1.jpg"))
      let failure = #expect(throws: LibraryFileError.self) {
        _ = try library.monitor.contents.open(asset)
      }
      #expect(failure?.code == .offline)
      try await library.restart { _ in }
      try await compareAll(library)
      try #require(umount(place) == 0)
      try await compareAll(library)
      #expect(try ["1.jpg", "2.jpg"].map { try library.asset($0)?.id } == before)
      _ = try library.monitor.contents.open(asset)
    }
    for id in before { #expect(id != nil && library.operations(id).isEmpty) }
    library.end()
  }

  @EventLoopActor
  private func compareAll(_ library: TestLibrary) async throws {
    library.monitor.rescan()
    try await library.settle()
    await library.until { $0.monitor.scanProgress == nil }
  }
}
