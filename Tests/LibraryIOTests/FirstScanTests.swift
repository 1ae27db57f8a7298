import EventLoop
import Glibc
import LibraryIO
import LibraryModel
import Storage
import Testing

/// What is asked and done while an empty library fills.
@Suite(.runningLoop, .timeLimit(.minutes(30)))
struct FirstScanTests {
  @Test("S27: who was given a place during the first scan is told at its end to fetch anew")
  @EventLoopActor
  func placeDuringScan() async throws {
    let library = try await TestLibrary.make(waits: false) { files in
      for index in 0..<100 { try files.put("in/\(index).jpg") }
    }
    // What everybody was given who asked until now.
    let place = Place.start
    await library.until { $0.monitor.state.summary == .ready }
    #expect(library.store.place > place)
    #expect(library.places == [library.store.place])
    guard case .changes(let entries) = try library.store.journal.changes(after: place, limit: 10) else {
      Issue.record("the journal covers it")
      return
    }
    var filter = ChangeFilter(.assets(albums: nil, ids: nil), view: .everything)
    var rest = entries[...]
    #expect(ChangeDetails(taking: &rest, through: &filter, now: nil, limit: 10).isLost)
    // Once: what comes next is told as it is.
    library.forget()
    try library.files.put("in/next.jpg")
    try await library.until { try $0.asset("next.jpg") != nil }
    #expect(library.changes.map(\.operation) == [.inserted])
    try await library.restart { _ in }
    #expect(library.places.isEmpty)
    library.end()
  }

  @Test("S39, S42: a file that was moved during the first scan, when the queue overflowed, keeps its id")
  @EventLoopActor
  func overflow() async throws {
    let moved = Moved()
    let library = try await TestLibrary.make(in: "/dev/shm") { files in
      for index in 0..<40 {
        try files.directory("in/d\(index)")
        for file in 0..<400 { try files.put("in/d\(index)/\(file).jpg") }
      }
    } whenFilling: { library in
      // Nobody is told of anything yet.
      try #require(library.monitor.state.summary == .scanning)
      let (known, unknown) = try Self.split(library)
      moved.id = try library.asset("\(known)/0.jpg")?.id
      moved.album = unknown
      // The loop is this thread: nobody reads the queue while it overflows. Two names by turns, because the
      // kernel melts events together that say the same.
      let noise = ["x", "y"].map { "\(library.root)/\(known)/\($0).part" }
      for path in noise { close(open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)) }
      for index in 0..<10_000 { for path in noise { chmod(path, index % 2 == 0 ? 0o600 : 0o640) } }
      try library.files.move("in/\(known)/0.jpg", "in/\(unknown)/moved.jpg")
    }
    defer { library.end() }
    await library.until { $0.monitor.state.summary == .ready && $0.store.files.assetCount == 16_000 }
    #expect(library.monitor.statistics.overflows > 0)
    let id = try #require(moved.id)
    #expect(try library.asset("\(moved.album)/moved.jpg")?.id == id)
  }

  /// What was moved in the middle of the scan.
  @EventLoopActor
  private final class Moved {
    var id: AssetID?
    var album = ""
  }

  /// An album that is in the index, and one whose files are not.
  @EventLoopActor
  private static func split(_ library: TestLibrary) throws -> (known: String, unknown: String) {
    let names = (0..<40).map { "d\($0)" }
    let known = try names.first { try library.asset("\($0)/0.jpg") != nil }
    let unknown = try names.first { try library.asset("\($0)/0.jpg") == nil }
    return (try #require(known), try #require(unknown))
  }
}
