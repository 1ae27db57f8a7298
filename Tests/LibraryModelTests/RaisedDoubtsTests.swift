@testable import LibraryModel
import Testing

@Suite
struct RaisedDoubtsTests {
  private func doubts(_ names: String...) -> Doubts {
    var doubts = Doubts()
    doubts.files = names.map { name in
      Doubt(
        location: Location(DirectoryID(rawValue: 1), FileName(name)),
        former: FileIdentity(volume: .test, inode: 1, birthTime: 1), present: nil)
    }
    return doubts
  }

  @Test("S39: all are decided when nothing more is told")
  func nothingMore() {
    var raised = RaisedDoubts()
    raised.append(doubts("a.jpg"))
    #expect(raised.takeRipe(taken: 10, more: 5).count == 0)
    raised.append(doubts("b.jpg"))
    #expect(raised.takeRipe(taken: 12, more: 0) == doubts("a.jpg", "b.jpg"))
    #expect(raised.count == 0)
  }

  @Test("S39: where more is always told, each is decided when all is taken in that was told before it arose")
  func alwaysMore() {
    var raised = RaisedDoubts()
    raised.append(doubts("a.jpg"))
    #expect(raised.takeRipe(taken: 10, more: 5).count == 0)
    raised.append(doubts("b.jpg"))
    #expect(raised.takeRipe(taken: 14, more: 9).count == 0)
    raised.append(doubts("c.jpg"))
    // What was kept when the first was noticed; the others begin to wait now.
    #expect(raised.takeRipe(taken: 15, more: 9) == doubts("a.jpg"))
    #expect(raised.count == 2)
    #expect(raised.takeRipe(taken: 23, more: 9).count == 0)
    #expect(raised.takeRipe(taken: 24, more: 9) == doubts("b.jpg", "c.jpg"))
    #expect(raised.count == 0)
  }

  @Test("there are no more of them than were raised while so much was taken in as the kernel keeps")
  func bounded() {
    var raised = RaisedDoubts()
    var most = 0
    for turn in 0..<1000 as Range<UInt64> {
      raised.append(doubts("a.jpg"))
      most = max(most, raised.count)
      _ = raised.takeRipe(taken: turn * 10, more: 100)
    }
    #expect(most <= 21)
  }
}
