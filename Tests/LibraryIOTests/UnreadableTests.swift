import EventLoop
import LibraryModel
import Testing

@testable import LibraryIO
@testable import Storage

/// Files and indexes that give errors.
@Suite(.runningLoop, .timeLimit(.minutes(30)))
struct UnreadableTests {
  @Test("S26: a root that cannot be noted takes the batch back, and what was in it is told once")
  @EventLoopActor
  func rootNotNoted() async throws {
    let library = try await TestLibrary.make(roots: ["in", "in2"]) { files in
      try files.directory("in2")
      try files.put("in2/b.jpg")
    }
    let place = library.store.place
    try library.store.execute(
      "CREATE TEMP TRIGGER broken BEFORE INSERT ON root BEGIN SELECT RAISE(ABORT, 'broken'); END")
    // In one turn, and so in one batch, because the loop is this thread.
    try library.files.put("in/a.jpg")
    try library.files.move("in2", "out/in2")
    try library.files.directory("in2")
    try library.files.put("in2/b.jpg", "bb")
    await library.until { $0.monitor.state.problems.contains { "\($0)".contains("broken") } }
    try library.store.execute("DROP TRIGGER broken")
    try await library.until {
      try $0.asset("a.jpg") != nil && $0.asset("b.jpg", root: 2)?.byteCount == 2
        && $0.monitor.state.summary == .ready
    }
    let told = library.places.filter { $0 > place }
    #expect(told == (0..<told.count).map { Place(rawValue: place.rawValue + 1 + Int64($0)) })
    #expect(library.operations(try library.asset("a.jpg")?.id) == [.inserted])
    library.end()
  }

  @Test(
    "S42: a file that cannot be looked at is kept, and looked for less and less often",
    .enabled(if: Mounting.isDeadPossible, "mounting is not permitted"))
  @EventLoopActor
  func deadFile() async throws {
    let library = try await TestLibrary.make { files in
      try files.put("in/a.jpg")
      try files.put("in/b.jpg")
    }
    defer { library.end() }
    let id = try #require(try library.asset("a.jpg")?.id)
    #expect(Mounting.dead(over: "\(library.root)/a.jpg"))
    defer { Mounting.unmount("\(library.root)/a.jpg") }
    library.monitor.rescan()
    try await library.settle("one.jpg")
    await library.until { $0.monitor.state.summary == .degraded }
    for _ in 0..<3 {
      let (delay, listings) = (
        library.monitor.scan.unreadableRetry.delay, library.monitor.statistics.listings
      )
      // As its timer does, which nobody waits for here.
      library.monitor.scan.unreadableRetry.tryNow()
      while library.monitor.statistics.listings == listings { await EventLoopActor.giveWay() }
      try await library.settle()
      #expect(
        library.monitor.scan.unreadableRetry.delay >= delay * 2, "that it fails again is no new trouble")
      #expect(library.monitor.statistics.listings - listings < 4)
    }
    #expect(try library.asset("a.jpg")?.id == id)
    Mounting.unmount("\(library.root)/a.jpg")
    try library.files.put("in/a.jpg", "changed")
    try await library.until { try $0.asset("a.jpg")?.byteCount == 7 }
    #expect(try library.asset("a.jpg")?.id == id)
  }
}

extension LibraryStore {
  fileprivate func execute(_ sql: String) throws {
    try begin()
    try connection.run(sql)
    try commit()
  }
}
