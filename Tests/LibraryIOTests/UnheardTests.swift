import EventLoop
import Glibc
@testable import LibraryIO
import LibraryModel
import Linux
import Storage
import Testing

/// What the kernel does not tell (S42): sequences of `6-races.md`, with real files and the real kernel.
@Suite(.runningLoop, .timeLimit(.minutes(30)))
struct UnheardTests {
  @Test("6, S42: nothing is lost when the queue overflows")
  @EventLoopActor
  func overflow() async throws {
    let library = try await TestLibrary.make { files in
      for name in ["in/old.jpg", "in/.a", "in/.b"] { try files.put(name) }
    }
    // The loop is this thread: meanwhile nobody reads the queue. Two names in turns: the same event again is one.
    let limit = try #require(Self.queueLimit)
    for number in 0...limit { utimensat(AT_FDCWD, library.root + (number % 2 == 0 ? "/.a" : "/.b"), nil, 0) }
    for directory in 0..<4 {
      try library.files.directory("in/d\(directory)")
      for file in 0..<100 { try library.files.put("in/d\(directory)/\(file).jpg") }
    }
    for file in 0..<200 { try library.files.put("in/\(file).jpg") }
    try library.files.unlink("in/old.jpg")
    await library.until { $0.store.files.assetCount == 600 && $0.monitor.state.summary == .ready }
    #expect(library.monitor.statistics.overflows > 0)
    #expect(try library.asset("old.jpg") == nil)
    let told = library.changes.filter { $0.operation == .inserted && $0.snapshot != nil }
    #expect(Set(told.map(\.subject)).count == told.count)
    #expect(told.count == 604)
    library.end()
  }

  @Test("6: what is made and removed is told though there is always more to read than one turn can")
  @EventLoopActor
  func withoutPause() async throws {
    let library = try await TestLibrary.make { files in
      for name in ["in/old.jpg", "in/.a", "in/.b"] { try files.put(name) }
    }
    func write(_ count: Int) {
      for number in 0..<count {
        utimensat(AT_FDCWD, library.root + (number % 2 == 0 ? "/.a" : "/.b"), nil, 0)
      }
    }
    try library.files.put("in/new.jpg")
    try library.files.unlink("in/old.jpg")
    // The loop is this thread: nobody else reads. At a time, half of these are read.
    write(16_000)
    library.monitor.turns.now()
    for _ in 0..<10 {
      write(8192)
      library.monitor.turns.now()
    }
    #expect(try library.asset("new.jpg") != nil && library.asset("old.jpg") == nil)
    #expect(library.monitor.statistics.overflows == 0)
    library.end()
  }

  /// Events that the kernel keeps for one that does not read (inotify(7)).
  private static var queueLimit: Int? {
    let file = open("/proc/sys/fs/inotify/max_queued_events", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 32)
    let count = read(file, &bytes, bytes.count)
    return Int(String(decoding: bytes.prefix(max(0, count)).prefix { $0 != 0x0A }, as: UTF8.self))
  }

  @Test("7, S42: directories beyond the last watch are compared now and then, and the state says so")
  @EventLoopActor
  func outOfWatches() async throws {
    let library = try await TestLibrary.make(watchLimit: 5) { files in
      for index in 0..<12 { try files.directory("in/d\(index)") }
    }
    #expect(library.monitor.state.summary == .degraded)
    #expect(library.monitor.state.problems.contains { if case .unwatched = $0 { true } else { false } })
    for index in 0..<12 { try library.files.put("in/d\(index)/a.jpg") }
    await library.until { $0.store.files.assetCount == 12 }
    for index in 0..<12 { try library.files.unlink("in/d\(index)/a.jpg") }
    await library.until { $0.store.files.assetCount == 0 }
    for index in 0..<12 { library.files.remove("in/d\(index)") }
    await library.until { $0.monitor.state.summary == .ready }
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
      let file = try library.monitor.contents.open(asset)
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
}
