import CLinux
import EventLoop
import Glibc
import LibraryIO
import LibraryModel
import Storage
import Testing

/// The sequences of `6-races.md`, with real files and the real kernel.
@Suite(.runningLoop, .timeLimit(.minutes(10)))
struct RaceTests {
  @Test("1: mkdir -p and a file at once, then one more")
  @EventLoopActor
  func deepDirectory() async throws {
    let library = try await TestLibrary.make()
    try library.files.directory("in/a/b/c/d")
    try library.files.put("in/a/b/c/d/f1.jpg")
    try await library.until { try $0.asset("a/b/c/d/f1.jpg") != nil }
    try library.files.put("in/a/b/c/d/f2.jpg")
    try await library.until { try $0.asset("a/b/c/d/f2.jpg") != nil }
    library.end()
  }

  @Test("3: a directory that was renamed is reported under its new name only", arguments: [false, true])
  @EventLoopActor
  func renamedDirectory(withPause: Bool) async throws {
    let library = try await TestLibrary.make { files in
      try files.directory("in/d1/sub")
      try files.put("in/d1/sub/warm.jpg")
    }
    let warm = try library.asset("d1/sub/warm.jpg")
    let album = library.directory("d1")
    try library.files.move("in/d1", "in/d2")
    if withPause { await library.until { $0.directory("d2") != nil } }
    try library.files.move("in/d2", "in/d3")
    try library.files.put("in/d3/sub/g.jpg")
    try await library.until { try $0.asset("d3/sub/g.jpg") != nil }
    #expect(library.directory("d1") == nil)
    #expect(library.directory("d3") == album)
    #expect(try library.asset("d3/sub/warm.jpg")?.id == warm?.id)
    #expect(library.operations(warm?.id) == [])
    library.end()
  }

  @Test("4: a rename keeps the id; within an album it is a change, between albums a move")
  @EventLoopActor
  func renamedFile() async throws {
    let library = try await TestLibrary.make { files in
      try files.directory("in/x")
      try files.directory("in/y")
      try files.put("in/x/a.jpg")
    }
    let id = try #require(try library.asset("x/a.jpg")?.id)
    try library.files.move("in/x/a.jpg", "in/x/b.jpg")
    try await library.until { try $0.asset("x/b.jpg")?.id == id }
    #expect(library.operations(id) == [.changed(content: false)])
    try library.files.move("in/x/b.jpg", "in/y/b.jpg")
    try await library.until { try $0.asset("y/b.jpg")?.id == id }
    #expect(library.operations(id) == [.changed(content: false), .moved(content: false)])
    library.end()
  }

  @Test("4: a file moved out is removed, and has its id again when it comes back soon")
  @EventLoopActor
  func movedOutAndBack() async throws {
    let library = try await TestLibrary.make { try $0.put("in/a.jpg") }
    let id = try #require(try library.asset("a.jpg")?.id)
    try library.files.move("in/a.jpg", "out/a.jpg")
    try await library.until { try $0.asset("a.jpg") == nil }
    #expect(library.operations(id) == [.removed])
    try library.files.move("out/a.jpg", "in/c.jpg")
    try await library.until { try $0.asset("c.jpg")?.id == id }
    #expect(library.operations(id) == [.removed, .inserted])
    library.end()
  }

  @Test("5: a directory moved out is watched no more")
  @EventLoopActor
  func directoryMovedOut() async throws {
    let library = try await TestLibrary.make { files in
      try files.directory("in/d1/sub")
      try files.put("in/d1/sub/a.jpg")
    }
    let watches = library.monitor.statistics.watches
    try library.files.move("in/d1", "out/d1")
    await library.until { $0.directory("d1") == nil && $0.store.assetCount == 0 }
    try library.files.put("out/d1/sub/secret.jpg")
    try await library.settle()
    #expect(try library.indexed().allSatisfy { !$0.contains("secret") })
    #expect(library.monitor.statistics.watches == watches - 2)
    library.end()
  }

  @Test("2: a populated directory is moved in, then used")
  @EventLoopActor
  func directoryMovedIn() async throws {
    let library = try await TestLibrary.make { files in
      try files.directory("out/in/sub")
      try files.put("out/in/sub/h.jpg")
    }
    try library.files.move("out/in", "in/in")
    try await library.until { try $0.asset("in/sub/h.jpg") != nil }
    try library.files.put("in/in/sub/i.jpg")
    try await library.until { try $0.asset("in/sub/i.jpg") != nil }
    library.end()
  }

  @Test("1: what is deleted while a long listing is compared does not come back")
  @EventLoopActor
  func deletedDuringComparison() async throws {
    let library = try await TestLibrary.make { files in
      try files.directory("out/d")
      for index in 10000..<16000 { try files.put("out/d/\(index).jpg") }
    }
    try library.files.move("out/d", "in/d")
    // The comparison goes by name, in slices; the first has just been told of.
    await library.until { $0.store.assetCount > 0 }
    #expect(library.store.assetCount < 6000)
    for index in 14000..<16000 { try library.files.unlink("in/d/\(index).jpg") }
    await library.until { $0.store.assetCount == 4000 }
    try await library.settle("last.jpg")
    library.monitor.rescan()
    await library.until { $0.monitor.state.summary == .ready }
    #expect(try library.indexed().count == 4001)
    #expect(library.changes.count { $0.operation == .removed } == 0)
    library.end()
  }

  @Test("8: 20 times deleted and made again with a new file")
  @EventLoopActor
  func directoryRemade() async throws {
    let library = try await TestLibrary.make { files in
      try files.directory("in/d1")
      try files.put("in/d1/old.jpg")
    }
    for index in 0..<20 {
      library.files.remove("in/d1")
      try library.files.directory("in/d1")
      try library.files.put("in/d1/n\(index).jpg")
    }
    try await library.until { try $0.asset("d1/n19.jpg") != nil }
    try await library.settle("last.jpg")
    #expect(try library.indexed() == ["d1/n19.jpg", "last.jpg"])
    try library.files.put("in/d1/after.jpg")
    try await library.until { try $0.asset("d1/after.jpg") != nil }
    library.end()
  }

  @Test("15, S39: temporary name + rename over keeps the id and says that the content changed")
  @EventLoopActor
  func replacedByRename() async throws {
    let library = try await TestLibrary.make { try $0.put("in/p.jpg") }
    let id = try #require(try library.asset("p.jpg")?.id)
    try library.files.put("in/.p.jpg.Ab12", "new content")
    try library.files.move("in/.p.jpg.Ab12", "in/p.jpg")
    try await library.until { try $0.asset("p.jpg")?.byteCount == 11 }
    #expect(try library.asset("p.jpg")?.id == id)
    #expect(library.operations(id) == [.changed(content: true)])
    library.end()
  }

  @Test("15, S39: delete + create, and backup + create, keep the id")
  @EventLoopActor
  func deletedAndMadeAgain() async throws {
    let library = try await TestLibrary.make { try $0.put("in/p.jpg") }
    let id = try #require(try library.asset("p.jpg")?.id)
    try library.files.unlink("in/p.jpg")
    try await library.until { try $0.asset("p.jpg") == nil }
    try library.files.put("in/p.jpg", "again")
    try await library.until { try $0.asset("p.jpg")?.id == id }
    try library.files.move("in/p.jpg", "in/p.jpg~")
    try library.files.put("in/p.jpg", "saved anew")
    try await library.until { try $0.asset("p.jpg")?.byteCount == 10 }
    #expect(try library.asset("p.jpg")?.id == id)
    library.end()
  }

  @Test("15, S25: a write in place that leaves the length and sets the time back is told; chmod is not")
  @EventLoopActor
  func rewritten() async throws {
    let library = try await TestLibrary.make { try $0.put("in/p.jpg", "one") }
    let id = try library.asset("p.jpg")?.id
    var status = stat()
    #expect(stat("\(library.root)/p.jpg", &status) == 0)
    chmod("\(library.root)/p.jpg", 0o600)
    try await library.settle("one.jpg")
    #expect(library.operations(id) == [])
    let file = try library.files.open("in/p.jpg")
    #expect(write(file, "two", 3) == 3)
    try await library.settle("two.jpg")
    var times = [status.st_atim, status.st_mtim]
    futimens(file, &times)
    try await library.settle("three.jpg")
    close(file)
    await library.until { $0.operations(id) == [.changed(content: true)] }
    library.end()
  }

  @Test("two files that change places keep their ids")
  @EventLoopActor
  func exchanged() async throws {
    let library = try await TestLibrary.make { files in
      try files.put("in/a.jpg", "a")
      try files.put("in/b.jpg", "bb")
    }
    let (a, b) = (try library.asset("a.jpg"), try library.asset("b.jpg"))
    try library.files.exchange("in/a.jpg", "in/b.jpg")
    try await library.until { try $0.asset("a.jpg")?.id == b?.id }
    #expect(try library.asset("b.jpg")?.id == a?.id)
    library.end()
  }

  @Test("12, S25: two names of one file are one asset; a write by either is known")
  @EventLoopActor
  func hardLinks() async throws {
    let library = try await TestLibrary.make { files in
      try files.directory("in/x")
      try files.directory("in/y")
      try files.put("in/x/p.jpg")
    }
    let id = try #require(try library.asset("x/p.jpg")?.id)
    try library.files.link("in/x/p.jpg", "in/y/q.jpg")
    try await library.until { try $0.asset("y/q.jpg")?.id == id }
    #expect(try library.asset("x/p.jpg")?.albums.count == 2)
    try library.files.put("in/y/q.jpg", "changed")
    try await library.until { try $0.asset("x/p.jpg")?.byteCount == 7 }
    try library.files.unlink("in/x/p.jpg")
    try await library.until { try $0.asset("x/p.jpg") == nil }
    #expect(try library.asset("y/q.jpg")?.id == id)
    #expect(library.operations(id).contains(.removed) == false)
    #expect(library.store.assetCount == 1)
    library.end()
  }

  @Test("13: a symbolic link to a directory is not followed")
  @EventLoopActor
  func symbolicLink() async throws {
    let library = try await TestLibrary.make { files in
      try files.directory("out/t")
      try files.symlink("out/t", "in/link")
    }
    try library.files.put("out/t/z.jpg")
    try library.files.symlink("out/t", "in/later")
    try library.files.put("in/real.jpg")
    try library.files.symlink("in/real.jpg", "in/alias.jpg")
    try await library.settle("last.jpg")
    #expect(try library.indexed() == ["real.jpg", "last.jpg"])
    library.end()
  }

  @Test("14, S40: a file that is being written does not count until it is closed")
  @EventLoopActor
  func beingWritten() async throws {
    let library = try await TestLibrary.make()
    let file = try library.files.open("in/part.jpg")
    _ = write(file, "half", 4)
    try await library.settle()
    #expect(try library.asset("part.jpg") == nil)
    _ = write(file, "rest", 4)
    close(file)
    try await library.until { try $0.asset("part.jpg")?.byteCount == 8 }
    library.end()
  }

  @Test("S40: nor one that was found by listing; it counts when closed")
  @EventLoopActor
  func beingWrittenWhenListed() async throws {
    let library = try await TestLibrary.make()
    try library.files.directory("out/d")
    let file = try library.files.open("out/d/part.jpg")
    try library.files.put("out/d/whole.jpg")
    try library.files.move("out/d", "in/d")
    try await library.until { try $0.asset("d/whole.jpg") != nil }
    #expect(try library.asset("d/part.jpg") == nil)
    close(file)
    try await library.until { try $0.asset("d/part.jpg") != nil }
    library.end()
  }

  @Test("14, S40: nor is it told when it is looked at again, or by a scan in the middle of a copy")
  @EventLoopActor
  func beingWrittenForLong() async throws {
    let library = try await TestLibrary.make()
    try library.files.directory("out/d")
    let file = try library.files.open("out/d/part.jpg")
    _ = write(file, "half", 4)
    // Of an empty file the kernel does not tell: it counts when it is looked at again.
    try library.files.put("out/d/empty.jpg", "")
    try library.files.move("out/d", "in/d")
    library.monitor.rescan()
    try await library.until { try $0.asset("d/empty.jpg") != nil }
    #expect(try library.asset("d/part.jpg") == nil)
    _ = write(file, "rest", 4)
    close(file)
    try await library.until { try $0.asset("d/part.jpg")?.byteCount == 8 }
    #expect(library.operations(try library.asset("d/part.jpg")?.id) == [.inserted])
    library.end()
  }

  @Test("14, S40: attributes that change while a file is written do not make it count")
  @EventLoopActor
  func attributesWhileWritten() async throws {
    let library = try await TestLibrary.make()
    let file = try library.files.open("in/part.jpg")
    fchmod(file, 0o600)
    try await library.settle("one.jpg")
    #expect(try library.asset("part.jpg") == nil)
    _ = write(file, "half", 4)
    fchmod(file, 0o644)
    try await library.settle("two.jpg")
    #expect(try library.asset("part.jpg") == nil)
    close(file)
    try await library.until { try $0.asset("part.jpg") != nil }
    library.end()
  }

  @Test(
    "14, 15, S39, S40: a name that is made anew, slowly, is told when it is whole", arguments: [false, true])
  @EventLoopActor
  func remadeSlowly(withBackup: Bool) async throws {
    let library = try await TestLibrary.make { try $0.put("in/p.jpg", "former") }
    let id = try #require(try library.asset("p.jpg")?.id)
    if withBackup {
      try library.files.move("in/p.jpg", "in/p.jpg~")
    } else {
      try library.files.unlink("in/p.jpg")
    }
    let file = try library.files.open("in/p.jpg")
    _ = write(file, "half", 4)
    try await library.settle("one.jpg")
    #expect(try library.asset("p.jpg")?.byteCount != 4)
    #expect(library.operations(id).contains(.changed(content: true)) == false)
    _ = write(file, "rest", 4)
    close(file)
    try await library.until { try $0.asset("p.jpg")?.byteCount == 8 }
    #expect(try library.asset("p.jpg")?.id == id)
    library.end()
  }

  @Test("S40: a file linked into place from O_TMPFILE counts when closed")
  @EventLoopActor
  func unnamedFile() async throws {
    let library = try await TestLibrary.make()
    let directory = Glibc.open(library.root, O_RDONLY | O_DIRECTORY)
    let file = linux_open_unnamed(directory, 0o644)
    _ = write(file, "whole", 5)
    #expect(linux_link_descriptor(file, directory, "t.jpg") == 0)
    try await library.settle()
    close(file)
    try await library.until { try $0.asset("t.jpg")?.byteCount == 5 }
    close(directory)
    library.end()
  }

  @Test("16: names with a newline, of 255 bytes, and not UTF-8")
  @EventLoopActor
  func oddNames() async throws {
    let library = try await TestLibrary.make()
    let long = String(repeating: "n", count: 251) + ".jpg"
    try library.files.put("in/nl\nx.jpg")
    try library.files.put("in/\(long)")
    let name = FileName(Array("caf".utf8) + [0xE9] + Array(".jpg".utf8))
    let bytes = Array(library.root.utf8) + [0x2F] + name.bytes + [0]
    let file = bytes.withUnsafeBytes { creat($0.bindMemory(to: CChar.self).baseAddress!, 0o644) }
    close(file)
    let root = DirectoryID(of: RootID(rawValue: 1))
    try await library.until { try $0.store.link(at: Location(root, name)) != nil }
    try await library.until { try $0.asset("nl\nx.jpg") != nil && $0.asset(long) != nil }
    library.end()
  }

  @Test("6, S42: nothing is lost when the queue overflows")
  @EventLoopActor
  func overflow() async throws {
    let library = try await TestLibrary.make { try $0.put("in/old.jpg") }
    // The loop is this thread: while it makes files, nobody reads the queue.
    let limit = 12000
    for directory in 0..<4 {
      try library.files.directory("in/d\(directory)")
      for file in 0..<limit / 4 { try library.files.put("in/d\(directory)/\(file).jpg") }
    }
    for file in 0..<9000 { try library.files.put("in/\(file).jpg") }
    try library.files.unlink("in/old.jpg")
    await library.until { $0.store.assetCount == 21000 && $0.monitor.state.summary == .ready }
    #expect(library.monitor.statistics.overflows > 0)
    #expect(try library.asset("old.jpg") == nil)
    let told = library.changes.filter { $0.operation == .inserted && $0.snapshot != nil }
    #expect(Set(told.map(\.subject)).count == told.count)
    #expect(told.count == 21004)
    library.end()
  }

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
    #expect(library.store.assetCount == 2)
    let asset = try #require(try library.asset("b.jpg"))
    #expect(library.monitor.isOffline(asset))
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
    #expect(library.store.assetCount == 0)
    library.end()
  }

  @Test("10, S41: a file system mounted over the root puts it offline, and back when it is unmounted")
  @EventLoopActor
  func mountedOver() async throws {
    let library = try await TestLibrary.make { try $0.put("in/a.jpg") }
    guard mount("none", library.root, "tmpfs", 0, nil) == 0 else {
      library.end()
      return  // Only root may mount.
    }
    await library.until { $0.monitor.state.summary == .offline }
    #expect(library.store.assetCount == 1)
    #expect(umount(library.root) == 0)
    await library.until { $0.monitor.state.summary == .ready }
    #expect(library.store.assetCount == 1)
    try library.files.put("in/b.jpg")
    try await library.until { try $0.asset("b.jpg") != nil }
    library.end()
  }

  @Test("10, S41: a file system beneath the root that is unmounted keeps its assets, offline")
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
    let bind: UInt = 4096  // MS_BIND
    guard mount(disk, place, nil, bind, nil) == 0 else {
      library.end()
      return  // Only root may mount.
    }
    try await library.until { try $0.asset("m/album/a.jpg") != nil && $0.asset("m/b.jpg") != nil }
    let asset = try #require(try library.asset("m/album/a.jpg"))
    library.forget()
    #expect(umount(place) == 0)
    await library.until { $0.monitor.state.summary == .degraded }
    #expect(library.monitor.isOffline(asset))
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
    #expect(mount(disk, place, nil, bind, nil) == 0)
    try await library.until { try $0.asset("m/album/new.jpg") != nil && $0.monitor.state.summary == .ready }
    #expect(try library.asset("m/album/a.jpg")?.id == asset.id)
    #expect(!library.monitor.isOffline(asset))
    #expect(umount(place) == 0)
    // Mounted over an album that is not empty: that is kept, and what covers it is left alone.
    let covered = try library.asset("n/c.jpg")
    #expect(mount(disk, "\(library.root)/n", nil, bind, nil) == 0)
    await library.until { $0.monitor.state.problems.count == 2 }
    #expect(try library.asset("n/c.jpg")?.id == covered?.id && library.asset("n/b.jpg") == nil)
    #expect(umount("\(library.root)/n") == 0)
    await library.until { $0.monitor.state.problems.count == 1 }
    try library.files.put("in/n/d.jpg")
    try await library.until { try $0.asset("n/d.jpg") != nil }
    library.end()
  }

  @Test("7, S42: directories beyond the last watch are compared now and then, and the state says so")
  @EventLoopActor
  func outOfWatches() async throws {
    let library = try await TestLibrary.make(watchLimit: 5) { files in
      for index in 0..<12 { try files.directory("in/d\(index)") }
    }
    #expect(library.monitor.state.summary == .degraded)
    #expect(library.monitor.state.problems.contains { $0.contains("fs.inotify.max_user_watches") })
    for index in 0..<12 { try library.files.put("in/d\(index)/a.jpg") }
    await library.until { $0.store.assetCount == 12 }
    for index in 0..<12 { try library.files.unlink("in/d\(index)/a.jpg") }
    await library.until { $0.store.assetCount == 0 }
    for index in 0..<12 { library.files.remove("in/d\(index)") }
    await library.until { $0.monitor.state.summary == .ready }
    library.end()
  }
}
