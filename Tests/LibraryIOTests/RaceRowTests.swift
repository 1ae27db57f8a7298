import CLinux
import EventLoop
import Glibc
import LibraryIO
import LibraryModel
import Linux
import Storage
import Testing

/// More of the sequences of `6-races.md`, with real files and the real kernel.
@Suite(.runningLoop, .timeLimit(.minutes(10)))
struct RaceRowTests {
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
    try await library.until { try $0.asset("v/last.jpg") != nil && $0.store.assetCount == 1 }
    await library.until { $0.monitor.state.summary == .ready }
    #expect(library.paths == ["v"] && library.monitor.state.problems.isEmpty)
    library.end()
  }

  @Test("12, S25: a write by mmap after the file was closed, of which no event tells, is found by comparing")
  @EventLoopActor
  func mapped() async throws {
    let library = try await TestLibrary.make { try $0.put("in/p.jpg", "former") }
    let id = try library.asset("p.jpg")?.id
    let file = try library.files.open("in/p.jpg")
    let memory = try #require(mmap(nil, 6, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0))
    close(file)
    try await library.settle("one.jpg")
    #expect(library.operations(id) == [])
    memcpy(memory, "latter", 6)
    #expect(msync(memory, 6, MS_SYNC) == 0)
    munmap(memory, 6)
    library.monitor.rescan()
    await library.until { $0.operations(id) == [.changed(content: true)] }
    library.end()
  }

  @Test("18: what the daemon itself reads causes no events")
  @EventLoopActor
  func ownReading() async throws {
    let library = try await TestLibrary.make { files in
      try files.directory("in/d")
      for index in 0..<50 { try files.put("in/d/\(index).jpg") }
    }
    let events = library.monitor.statistics.events
    let asset = try #require(try library.asset("d/7.jpg"))
    for _ in 0..<3 {
      let file = try library.monitor.open(asset)
      var byte: UInt8 = 0
      #expect(read(file.number, &byte, 1) == 1)
      _ = consume file
      // Lists, looks at every file and asks for its writers.
      library.monitor.rescan()
      await library.until { $0.monitor.state.summary == .ready }
    }
    #expect(library.monitor.statistics.events == events)
    library.end()
  }

  @Test("10: requests that come together share the directories that they opened, and leave none open")
  @EventLoopActor
  func sharedDirectories() async throws {
    let library = try await TestLibrary.make { files in
      try files.directory("in/d")
      try files.put("in/d/a.jpg")
    }
    let asset = try #require(try library.asset("d/a.jpg"))
    _ = try library.monitor.open(asset).number
    #expect(Self.openPaths(beneath: library.root) == [])
    let requests = [linux_eventfd(), linux_eventfd()]
    var open: [Set<String>] = []
    let sources = try requests.map { number in
      try IOSource(number, .readable) { _ in
        var count: UInt64 = 0
        _ = read(number, &count, 8)
        do { _ = try library.monitor.open(asset).number } catch { Issue.record(error) }
        open.append(Self.openPaths(beneath: library.root))
      }
    }
    for number in requests {
      var one: UInt64 = 1
      try #require(write(number, &one, 8) == 8)
    }
    while open.count < 2 { await EventLoopActor.giveWay() }
    #expect(open == [[library.root, library.root + "/d"], [library.root, library.root + "/d"]])
    #expect(Self.openPaths(beneath: library.root) == [])
    for source in sources { source.cancel() }
    for number in requests { close(number) }
    library.end()
  }

  /// What this process has open there (proc_pid_fd(5)), each path once.
  private static func openPaths(beneath root: String) -> Set<String> {
    var paths: Set<String> = []
    for number in 0..<CInt(1024) {
      var path = [CChar](repeating: 0, count: Int(PATH_MAX))
      guard readlink("/proc/self/fd/\(number)", &path, path.count - 1) > 0 else { continue }
      let text = String(decoding: path.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      if text.hasPrefix(root) { paths.insert(text) }
    }
    return paths
  }

  @Test("4, S39: a rename to another case is a rename")
  @EventLoopActor
  func otherCase() async throws {
    let library = try await TestLibrary.make { files in
      try files.directory("in/Trip")
      try files.put("in/Trip/IMG.jpg")
    }
    let (id, album) = (try library.asset("Trip/IMG.jpg")?.id, library.directory("Trip"))
    try library.files.move("in/Trip/IMG.jpg", "in/Trip/img.jpg")
    try library.files.move("in/Trip", "in/TRIP")
    try await library.until { try $0.asset("TRIP/img.jpg")?.id == id }
    #expect(library.directory("TRIP") == album && library.store.assetCount == 1)
    #expect(library.operations(id) == [.changed(content: false)])
    library.end()
  }
}
