import EventLoop
import Glibc
import LibraryIO
import LibraryModel
import Storage
import Testing

/// What the kernel does not tell (S42): sequences of `6-races.md`, with real files and the real kernel.
@Suite(.runningLoop, .timeLimit(.minutes(10)))
struct UnheardTests {
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
