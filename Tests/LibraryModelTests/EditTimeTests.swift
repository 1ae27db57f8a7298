import Testing

@testable import LibraryModel

/// An edit of several steps on a file system that may not answer, which has 3 s for all of them.
@Suite("The time of an edit")
struct EditTimeTests {
  private static let second: UInt64 = 1_000_000

  @Test("40: nothing of an edit's time goes while it waits for its turn")
  func waits() {
    var time = EditTime(limit: 3 * Self.second, whole: 0, 10 * Self.second)
    time.wait(11 * Self.second)
    #expect(time.left(500 * Self.second) == 2 * Self.second)
    time.goOn(600 * Self.second)
    #expect(time.left(601 * Self.second) == Self.second)
    time.wait(601 * Self.second)
    time.goOn(700 * Self.second)
    #expect(time.left(701 * Self.second - 1) == 1)
    #expect(time.left(701 * Self.second) == 0)
    #expect(time.left(900 * Self.second) == 0)
  }

  @Test("47: all the time of an edit goes for whether it begins another step, waiting or not")
  func whole() {
    var time = EditTime(limit: 3 * Self.second, whole: 30 * Self.second, 10 * Self.second)
    time.wait(10 * Self.second)
    #expect(!time.isOver(40 * Self.second - 1))
    #expect(time.isOver(40 * Self.second))
    time.goOn(41 * Self.second)
    #expect(time.isOver(41 * Self.second))
    #expect(time.left(41 * Self.second) == 3 * Self.second, "what it was at work is another matter")
  }

  @Test("40: what was never begun goes on once, and clocks that tell an earlier time give no time back")
  func order() {
    var time = EditTime(limit: Self.second, whole: 0, 5)
    time.goOn(Self.second)
    #expect(time.left(Self.second) == 5)
    time.wait(Self.second)
    time.goOn(2 * Self.second)
    // The answer is known later than the step had its turn.
    time.goOn(9 * Self.second)
    #expect(time.left(2 * Self.second + 1) == 4)
    #expect(time.left(Self.second) == 5)
  }
}
