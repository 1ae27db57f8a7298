import EventLoop
import Glibc
import LibraryIO
import LibraryModel
import Testing

@testable import Storage

/// Files and indexes that give errors.
@Suite(.runningLoop, .timeLimit(.minutes(1)))
struct UnreadableTests {
  @Test("S26: a root that cannot be noted takes the batch back, and what was in it is told once")
  @EventLoopActor
  func rootNotNoted() async throws {
    let library = try await TestLibrary.make(roots: ["in", "in2"]) { files in
      try files.directory("in2")
      try files.put("in2/b.jpg")
    }
    let place = library.store.place
    try library.store.run(
      "CREATE TEMP TRIGGER broken BEFORE INSERT ON root BEGIN SELECT RAISE(ABORT, 'broken'); END")
    // In one turn, and so in one batch, because the loop is this thread.
    try library.files.put("in/a.jpg")
    try library.files.move("in2", "out/in2")
    try library.files.directory("in2")
    try library.files.put("in2/b.jpg", "bb")
    await library.until { $0.monitor.state.problems.contains { $0.contains("broken") } }
    try library.store.run("DROP TRIGGER broken")
    try await library.until {
      try $0.asset("a.jpg") != nil && $0.asset("b.jpg", root: 2)?.byteCount == 2
        && $0.monitor.state.summary == .ready
    }
    let told = library.places.filter { $0 > place }
    #expect(told == (0..<told.count).map { Place(rawValue: place.rawValue + 1 + Int64($0)) })
    #expect(library.operations(try library.asset("a.jpg")?.id) == [.inserted])
    library.end()
  }
}
