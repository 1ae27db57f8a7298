import EventLoop
import Glibc
import Inotify
@testable import LibraryIO
import LibraryModel
import Storage
import Testing

/// What becomes of directories while they are watched and listed: sequences of `6-races.md`, with real files and the real kernel.
@Suite(.runningLoop, .timeLimit(.minutes(30)))
struct DirectoryRaceTests {
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

  @Test(
    "S26: of a directory that moves to another root, all in it are told to be there, also where a scan finds it",
    arguments: [false, true])
  @EventLoopActor
  func otherRoot(isWhileDown: Bool) async throws {
    let library = try await TestLibrary.make(roots: ["in", "out"]) { try $0.directory("in/a/b/c") }
    let ids = try ["a", "a/b", "a/b/c"].map { try #require(library.directory($0)) }
    if isWhileDown {
      try await library.restart { try $0.move("in/a", "out/a") }
    } else {
      try library.files.move("in/a", "out/a")
    }
    await library.until { $0.directory("a/b/c", root: 2) == ids[2] }
    for (id, name) in zip(ids, ["a", "b", "c"]) {
      let told = library.changes.filter { $0.subject == .album(id) }
      #expect(told.last?.snapshot == .album(name: FileName(name), root: RootID(rawValue: 2)))
      #expect(isWhileDown || told.count == 1)
    }
    library.end()
  }

  @Test(
    "7, S42: a directory that is found to be gone while something is taken in is sought, though nobody tells")
  @EventLoopActor
  func lostWhileTakenIn() async throws {
    let library = try await TestLibrary.make { try $0.directory("in/d") }
    let directory = try #require(library.directory("d"))
    library.monitor.watches.queue?.isAwaited = false
    try library.files.move("in/d", "out/d")
    #expect(try library.monitor.edits.editor.takeIn(Location(directory, FileName("a.jpg"))) == nil)
    await library.until { $0.directory("d") == nil }
    library.end()
  }

  @Test("1: what is deleted while a long listing is compared does not come back")
  @EventLoopActor
  func deletedDuringComparison() async throws {
    let library = try await TestLibrary.make(in: "/dev/shm") { files in
      try files.directory("out/d")
      for index in 10000..<16000 { try files.put("out/d/\(index).jpg") }
    }
    // The comparison goes by name, in slices; it rests after the first files, however late this goes on.
    library.whenTold = { [unowned library] in
      if library.store.files.assetCount > 0 { library.monitor.batches.pause() }
    }
    try library.files.move("out/d", "in/d")
    await library.until { $0.store.files.assetCount > 0 }
    library.whenTold = {}
    #expect(library.store.files.assetCount < 4000)
    for index in 14000..<16000 { try library.files.unlink("in/d/\(index).jpg") }
    library.monitor.batches.goOn()
    await library.until { $0.store.files.assetCount == 4000 }
    try await library.settle("last.jpg")
    library.monitor.rescan()
    await library.until { $0.monitor.state.summary == .ready }
    #expect(try library.indexed().count == 4001)
    #expect(library.changes.count { $0.operation == .removed } == 0)
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

  @Test("5: a directory moved out is watched no more")
  @EventLoopActor
  func directoryMovedOut() async throws {
    let library = try await TestLibrary.make { files in
      try files.directory("in/d1/sub")
      try files.put("in/d1/sub/a.jpg")
    }
    let watches = library.monitor.statistics.watches
    try library.files.move("in/d1", "out/d1")
    await library.until { $0.directory("d1") == nil && $0.store.files.assetCount == 0 }
    try library.files.put("out/d1/sub/secret.jpg")
    try await library.settle()
    #expect(try library.indexed().allSatisfy { !$0.contains("secret") })
    #expect(library.monitor.statistics.watches == watches - 2)
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
    try await library.until { try $0.store.files.link(at: Location(root, name)) != nil }
    try await library.until { try $0.asset("nl\nx.jpg") != nil && $0.asset(long) != nil }
    library.end()
  }

  @Test("9: directories that vanish while they are being watched and listed disturb nothing")
  @EventLoopActor
  func vanishing() async throws {
    let library = try await TestLibrary.make()
    for round in 0..<200 {
      try library.files.directory("in/v/x/y")
      try library.files.put("in/v/x/y/\(round).jpg")
      if round.isMultiple(of: 3) { await Task.yield() }
      try library.files.move("in/v/x", "in/w")
      if round.isMultiple(of: 5) { await Task.yield() }
      library.files.remove("in/w")
      library.files.remove("in/v")
    }
    try library.files.directory("in/v")
    try library.files.put("in/v/last.jpg")
    try await library.until { try $0.asset("v/last.jpg") != nil && $0.store.files.assetCount == 1 }
    await library.until { $0.monitor.state.summary == .ready }
    #expect(library.paths == ["v"] && library.monitor.state.problems.isEmpty)
    library.end()
  }
}
