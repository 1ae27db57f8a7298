import EventLoop
import LibraryModel
import LoopTesting
import Testing

@testable import LibraryIO

/// Users take turns where edits wait for one another (0149).
@Suite(.runningLoop, .timeLimit(.minutes(30)))
struct EditTurnsTests {
  @Test("S41: a user's many edits keep another's waiting for the one under way, and one more")
  @EventLoopActor
  func turns() async throws {
    let library = try await TestLibrary.make { try $0.put("in/a.jpg") }
    let root = DirectoryID(of: RootID(rawValue: 1))
    var (letGo, begun): (CheckedContinuation<Void, Never>?, [UInt32]) = (nil, [])
    func edit(of user: UInt32) -> Task<Void, any Error> {
      Task { @EventLoopActor in
        try await library.monitor.between.editing([root], mayBegin: MayBegin(by: user) { begun.append(user) })
        {
          if letGo == nil { await withCheckedContinuation { letGo = $0 } }
        }
      }
    }
    // One after the other comes to where it waits.
    var edits: [Task<Void, any Error>] = []
    for user: UInt32 in [1, 1, 1, 1, 2, 2, 3] {
      edits.append(edit(of: user))
      for _ in 0..<50 { await EventLoopActor.giveWay() }
    }
    #expect(begun == [1])
    letGo?.resume()
    for edit in edits { try await edit.value }
    #expect(begun == [1, 1, 2, 3, 1, 2, 1])
    library.end()
  }
}
