import EventLoop
import Glibc
import LibraryIO
import LibraryModel
import Storage
import Testing
import TestSupport

/// Roots that go, come back, and are replaced (S41).
@Suite(.runningLoop, .timeLimit(.minutes(30)))
struct LostRootTests {
  /// Has `in` show `out/disk`.
  private static func mountDisk(_ base: String) throws {
    try Mounting.show("\(base)/out/disk", at: "\(base)/in")
  }

  /// Makes `out/disk` a file system of its own.
  private static func makeDisk(_ base: String) {
    #expect(Mounting.disk(at: "\(base)/out/disk"))
  }

  /// Before the library is removed.
  @EventLoopActor
  private static func end(_ library: TestLibrary) {
    for path in [library.root, "\(library.outside)/disk"] { Mounting.unmount(path) }
    library.end()
  }

  @Test(
    "10, S41: what lies beneath a root that was unmounted is not the library, whatever is in it", .mounting,
    arguments: [false, true])
  @EventLoopActor
  func unmounted(isOtherFileSystem: Bool) async throws {
    let library = try await TestLibrary.make { files in
      try files.directory("out/disk")
      if isOtherFileSystem { Self.makeDisk(files.base) }
      try files.put("out/disk/a.jpg")
      try files.put("in/.keep")
      try files.put("in/stray.jpg")
      try Self.mountDisk(files.base)
    }
    defer { Self.end(library) }
    let id = try #require(try library.asset("a.jpg")?.id)
    Mounting.unmount(library.root)
    await library.until { $0.monitor.state.summary == .offline }
    library.monitor.rescan()
    #expect(library.monitor.state.summary == .offline)
    // As when the daemon is started before the mount.
    try await library.restart { _ in }
    #expect(library.monitor.state.summary == .offline)
    #expect(try library.indexed() == ["a.jpg"])
    #expect(library.changes.isEmpty)
    try library.files.put("out/disk/b.jpg")
    try Self.mountDisk(library.base)
    try await library.until { try $0.asset("b.jpg") != nil && $0.monitor.state.summary == .ready }
    #expect(try library.asset("a.jpg")?.id == id)
    #expect(library.operations(id).isEmpty)
  }

  @Test("10, S41: a filled disk that is mounted over a root is not the library", .mounting)
  @EventLoopActor
  func mountedOver() async throws {
    let library = try await TestLibrary.make { files in
      try files.directory("out/disk")
      Self.makeDisk(files.base)
      try files.put("out/disk/other.jpg")
      try files.put("in/a.jpg")
    }
    defer { Self.end(library) }
    let id = try #require(try library.asset("a.jpg")?.id)
    try Self.mountDisk(library.base)
    try await library.until { try $0.monitor.state.summary == .offline || $0.asset("a.jpg") == nil }
    try #require(try library.indexed() == ["a.jpg"])
    Mounting.unmount(library.root)
    await library.until { $0.monitor.state.summary == .ready }
    #expect(try library.asset("a.jpg")?.id == id)
    #expect(library.changes.isEmpty)
  }

  @Test("S41: what an owner accepts is the library, and what it does not hold is removed", .mounting)
  @EventLoopActor
  func accepted() async throws {
    let library = try await TestLibrary.make { files in
      try files.directory("out/disk")
      Self.makeDisk(files.base)
      try files.put("out/disk/b.jpg", "bb")
      for name in ["a", "b"] { try files.put("in/\(name).jpg") }
    }
    defer { Self.end(library) }
    let id = try #require(try library.asset("b.jpg")?.id)
    try Self.mountDisk(library.base)
    await library.until { $0.monitor.state.summary == .offline }
    library.monitor.rescan(accepting: [library.outside])
    #expect(library.monitor.state.summary == .offline)
    library.monitor.rescan(accepting: [library.root])
    await library.until { $0.monitor.state.summary == .ready && $0.store.files.assetCount == 1 }
    #expect(try library.asset("b.jpg")?.id == id)
    #expect(library.operations(id) == [.changed(content: true)])
    // From now on it is this one that must be there.
    Mounting.unmount(library.root)
    await library.until { $0.monitor.state.summary == .offline }
    #expect(library.store.files.assetCount == 1)
  }

  @Test("S41: an empty mount point gets its disk", .mounting)
  @EventLoopActor
  func firstMount() async throws {
    let library = try await TestLibrary.make { files in
      try files.directory("out/disk")
      Self.makeDisk(files.base)
      try files.put("out/disk/a.jpg")
    }
    defer { Self.end(library) }
    try Self.mountDisk(library.base)
    try await library.until { try $0.asset("a.jpg") != nil && $0.monitor.state.summary == .ready }
  }

  @Test("S41: a root that returns where no watch can tell is found all the same")
  @EventLoopActor
  func returnsUnseen() async throws {
    let library = try await TestLibrary.make(roots: ["link/in"]) { files in
      try files.directory("out/x/in")
      try files.symlink("out/x", "link")
      try files.put("out/x/in/a.jpg")
    }
    let id = try #require(try library.asset("a.jpg")?.id)
    try library.files.move("out/x", "out/y")
    // No event tells that a directory above it was moved.
    library.monitor.rescan()
    await library.until { $0.monitor.state.summary == .offline }
    // The nearest directory above that is there is the one with the link, where nothing happens.
    try library.files.move("out/y", "out/x")
    await library.until { $0.monitor.state.summary == .ready }
    #expect(try library.asset("a.jpg")?.id == id)
    library.end()
  }

  @Test("S41: two roots that are offline share the place above them")
  @EventLoopActor
  func sharedAncestor() async throws {
    let library = try await TestLibrary.make(roots: ["in", "in2"]) { files in
      try files.directory("in2")
      try files.put("in/a.jpg")
      try files.put("in2/b.jpg")
    }
    for name in ["in", "in2"] { try library.files.move(name, "out/\(name)") }
    await library.until { $0.monitor.state.summary == .offline }
    try library.files.move("out/in2", "in2")
    await library.until { $0.monitor.state.roots.count { $0.offline != nil } == 1 }
    try library.files.put("out/in/c.jpg")
    try library.files.move("out/in", "in")
    await library.until { $0.monitor.state.summary == .ready }
    #expect(try library.asset("c.jpg") != nil)
    library.end()
  }

  @Test("S41: what happens in a root is seen while it is also the place above another")
  @EventLoopActor
  func ancestorInRoot() async throws {
    let library = try await TestLibrary.make(roots: ["in", "in/sub/.other"]) { files in
      try files.directory("in/sub/.other")
    }
    try library.files.move("in/sub/.other", "out/other")
    await library.until { $0.monitor.state.roots.contains { $0.offline != nil } }
    try library.files.move("out/other", "in/sub/.other")
    await library.until { $0.monitor.state.summary == .ready }
    try library.files.put("in/sub/a.jpg")
    try await library.until { try $0.asset("sub/a.jpg") != nil }
    library.end()
  }

  @Test("S39, S41: an album that may have been moved into a root that went away is not said to have gone")
  @EventLoopActor
  func movedIntoAbsent() async throws {
    let library = try await TestLibrary.make(roots: ["in", "in2"]) { files in
      for directory in ["in/album", "in2"] { try files.directory(directory) }
      try files.put("in/album/a.jpg")
    }
    let (id, album) = (try library.asset("album/a.jpg")?.id, try #require(library.directory("album")))
    try library.files.move("in2", "out/in2")
    await library.until { $0.monitor.state.roots.contains { $0.offline != nil } }
    library.forget()
    try library.files.move("in/album", "out/in2/album")
    try await library.settle()
    library.monitor.rescan()
    await library.until { $0.monitor.state.summary != .scanning }
    try library.files.move("out/in2", "in2")
    try await library.until { try $0.asset("album/a.jpg", root: 2) != nil }
    #expect(try library.asset("album/a.jpg", root: 2)?.id == id)
    #expect(library.directory("album", root: 2) == album)
    #expect(library.operations(id).isEmpty)
    library.end()
  }

  @Test("S39, S41: but when the root stays away it is, with what was in it")
  @EventLoopActor
  func goneWhileAbsent() async throws {
    let library = try await TestLibrary.make(roots: ["in", "in2"]) { files in
      for directory in ["in/album", "in2"] { try files.directory(directory) }
      try files.put("in/album/a.jpg")
    }
    let id = try library.asset("album/a.jpg")?.id
    try library.files.move("in2", "out/in2")
    await library.until { $0.monitor.state.roots.contains { $0.offline != nil } }
    library.files.remove("in/album")
    await library.until { $0.operations(id) == [.removed] }
    // What was in it leaves before it, and there may be a turn of others in between.
    await library.until { $0.monitor.contents.albumCount == 0 }
    library.end()
  }

  @Test("a root that is taken out of the configuration leaves with all that is in it, and may come back")
  @EventLoopActor
  func takenOut() async throws {
    let library = try await TestLibrary.make(roots: ["in", "in2"]) { files in
      try files.directory("in2/album")
      for path in ["in/a.jpg", "in2/b.jpg", "in2/album/c.jpg"] { try files.put(path) }
    }
    let (b, c) = (
      try #require(try library.asset("b.jpg", root: 2)?.id),
      try #require(try library.asset("album/c.jpg", root: 2)?.id)
    )
    let album = try #require(library.directory("album", root: 2))
    try await library.restart(roots: ["in"]) { _ in }
    #expect(library.store.files.assetCount == 1)
    #expect(library.operations(b) == [.removed])
    #expect(library.operations(c) == [.removed])
    #expect(Set(library.changes.map(\.subject)) == [.asset(b), .asset(c), .album(album)])
    try await library.restart(roots: ["in", "in2"]) { _ in }
    #expect(library.store.files.assetCount == 3)
    #expect(try library.asset("b.jpg", root: 2) != nil)
    library.end()
  }

  @Test("5, 11: a root that was moved away is watched no more")
  @EventLoopActor
  func movedAway() async throws {
    let library = try await TestLibrary.make { try $0.put("in/a.jpg") }
    var status = stat()
    #expect(stat(library.root, &status) == 0)
    #expect(try Self.isWatched(status.st_ino))
    try library.files.move("in", "gone")
    await library.until { $0.monitor.state.summary == .offline }
    #expect(try !Self.isWatched(status.st_ino))
    library.end()
  }

  /// Whether any inotify instance of this process watches an inode (proc_pid_fdinfo(5)).
  private static func isWatched(_ inode: ino_t) throws -> Bool {
    let wanted = " ino:\(String(inode, radix: 16)) "
    for name in entries(of: "/proc/self/fdinfo") {
      guard let file = fopen("/proc/self/fdinfo/\(name)", "r") else { continue }
      defer { fclose(file) }
      var line = [CChar](repeating: 0, count: 512)
      while fgets(&line, CInt(line.count), file) != nil {
        let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        if text.hasPrefix("inotify "), text.contains(wanted) { return true }
      }
    }
    return false
  }
}
