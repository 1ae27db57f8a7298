import EventLoop
import LibraryModel
import LoopTesting
import Testing

@testable import LibraryIO

@Suite("What is told", .runningLoop)
struct TellingTests {
  @Test("S26: who is told of a change may make others: nothing is half changed, and those are told after it")
  @EventLoopActor
  func changedWhileTold() async throws {
    let library = try await TestLibrary.make()
    let root = DirectoryID(of: RootID(rawValue: 1))
    var made = 0
    library.whenTold = { [unowned library] in
      #expect(!library.monitor.turns.isUnderWay && !library.monitor.batches.isOpen)
      guard made < 3 else { return }
      made += 1
      _ = Task.onLoopNow {
        do { _ = try await library.monitor.edits.editor.makeAlbum(FileName("album"), in: root) } catch {
          Issue.record(error)
        }
      }
    }
    try library.files.put("in/p.jpg")
    await library.until { $0.changes.count == 4 }
    #expect(try library.asset("p.jpg") != nil && library.paths.count == 3)
    #expect(library.places == library.places.sorted())
    library.whenTold = {}
    library.end()
  }
}
