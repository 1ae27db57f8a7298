@testable import LibraryModel
import Testing

@Suite
struct RaisedDoubtsTests {
  private func doubts(_ names: String...) -> Doubts { doubts(names) }

  private func doubts(_ names: [String]) -> Doubts {
    var doubts = Doubts()
    doubts.files += names.map { name in
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
    #expect(raised.takeRipe(atMost: 64, taken: 10, more: 5).count == 0)
    raised.append(doubts("b.jpg"))
    #expect(raised.takeRipe(atMost: 64, taken: 12, more: 0) == doubts("a.jpg", "b.jpg"))
    #expect(raised.count == 0)
  }

  @Test("S39: where more is always told, each is decided when all is taken in that was told before it arose")
  func alwaysMore() {
    var raised = RaisedDoubts()
    raised.append(doubts("a.jpg"))
    #expect(raised.takeRipe(atMost: 64, taken: 10, more: 5).count == 0)
    raised.append(doubts("b.jpg"))
    #expect(raised.takeRipe(atMost: 64, taken: 14, more: 9).count == 0)
    raised.append(doubts("c.jpg"))
    // What was kept when the first was noticed; the others begin to wait now.
    #expect(raised.takeRipe(atMost: 64, taken: 15, more: 9) == doubts("a.jpg"))
    #expect(raised.count == 2)
    #expect(raised.takeRipe(atMost: 64, taken: 23, more: 9).count == 0)
    #expect(raised.takeRipe(atMost: 64, taken: 24, more: 9) == doubts("b.jpg", "c.jpg"))
    #expect(raised.count == 0)
  }

  @Test("there are no more of them than were raised while so much was taken in as the kernel keeps")
  func bounded() {
    var raised = RaisedDoubts()
    var most = 0
    for turn in 0..<1000 as Range<UInt64> {
      raised.append(doubts("a.jpg"))
      most = max(most, raised.count)
      _ = raised.takeRipe(atMost: 64, taken: turn * 10, more: 100)
    }
    #expect(most <= 21)
  }

  @Test("50: few are taken at once, in their order; what arises meanwhile comes after them")
  func fewAtOnce() {
    var raised = RaisedDoubts()
    raised.append(doubts((0..<20).map { "\($0).jpg" }))
    var taken: [FileName] = []
    for turn in 0..<3 as Range<UInt64> {
      // All of them were raised before anything was told: nor do the others wait for what is told by now.
      let ripe = raised.takeRipe(atMost: 8, taken: 10 + turn, more: turn == 0 ? 0 : 100)
      #expect(ripe.count == (turn == 2 ? 4 : 8))
      taken += ripe.files.map(\.location.name)
      if turn == 0 { raised.append(doubts("later.jpg")) }
    }
    #expect(taken == (0..<20).map { FileName("\($0).jpg") })
    #expect(raised.takeRipe(atMost: 8, taken: 111, more: 100).count == 0)
    #expect(raised.takeRipe(atMost: 8, taken: 112, more: 100) == doubts("later.jpg"))
  }

  @Test("50, S39: directories are decided about before files, however few are taken at once")
  func directoriesFirst() {
    var (files, directories, raised) = (doubts("a.jpg", "b.jpg"), Doubts(), RaisedDoubts())
    directories.missing = doubts("album").files
    directories.remade = doubts("made anew").files
    files.append(directories)
    raised.append(files)
    var order: [FileName] = []
    while raised.count > 0 {
      let next = raised.takeRipe(atMost: 1, taken: 0, more: 0)
      order += (next.remade + next.missing + next.files).map(\.location.name)
    }
    #expect(order == ["made anew", "album", "a.jpg", "b.jpg"].map { FileName($0) })
  }
}
