import EventLoop
import LibraryModel
import LoopTesting
import Testing

@testable import LibraryIO

@Suite("What is told, and what is tried again", .runningLoop)
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

  @Test("what is tried again is tried later each time, and soon where there is another reason")
  @EventLoopActor
  func retry() async {
    var tries = 0
    let retry = Retry(after: .seconds(100), atMost: .seconds(300)) { tries += 1 }
    #expect(!retry.isAwaited)
    retry.later()
    #expect(retry.isAwaited && retry.delay == .seconds(100))
    for seconds in [200, 300, 300] {
      retry.tryNow()
      #expect(retry.delay == .seconds(seconds))
    }
    retry.soon()
    #expect(tries == 3 && retry.isAwaited && retry.delay == .seconds(100))
    retry.tryNow()
    retry.reset()
    #expect(retry.delay == .seconds(100))
    retry.stop()
    #expect(!retry.isAwaited)
  }

  @Test("what is tried again is tried when its time has come, and once only")
  @EventLoopActor
  func tried() async {
    var retry: Retry?
    var tries = 0
    await withCheckedContinuation { continuation in
      let made = Retry(every: .milliseconds(1)) {
        tries += 1
        continuation.resume()
      }
      retry = made
      made.later()
      made.later()
    }
    #expect(tries == 1 && retry?.isAwaited == false)
  }
}
