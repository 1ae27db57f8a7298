import EventLoop
import Glibc
import LibraryIO
import LibraryModel
import Storage
import Testing

/// What is asked and done while an empty library fills.
@Suite(.runningLoop, .timeLimit(.minutes(1)))
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
    guard case .changes(let entries) = try library.store.changes(after: place, limit: 10) else {
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
}
