import Testing

@testable import LibraryModel

/// A file system that the loop waits for, 100 ms at most each time.
@Suite("A file system that is slow")
struct SlowAnswersTests {
  private static let patience: UInt64 = 100_000
  private static let second: UInt64 = 1_000_000

  /// How often the loop waits in vain, and since when it waits no more in vain.
  ///
  /// - Parameter isLate: whether it does not answer in time.
  private static func run(for time: UInt64, isLate: (UInt64) -> Bool) -> (lateCount: Int, answered: UInt64?) {
    var answers = SlowAnswers()
    var now = second
    let end = now + time
    var (lateCount, answered) = (0, UInt64?.none)
    while now < end {
      if !answers.mayWait(now) {
        now += 1000
      } else if isLate(now - second) {
        now += patience
        answers.noteLate(now)
        (lateCount, answered) = (lateCount + 1, nil)
      } else {
        answered = answered ?? now - second
        now += 1000
      }
    }
    return (lateCount, answered)
  }

  @Test("21: what is slow for a moment is waited for again a moment later", arguments: [1, 50, 200, 900])
  func moment(milliseconds: UInt64) throws {
    let (lateCount, answered) = Self.run(for: 10 * Self.second) { $0 < milliseconds * 1000 }
    #expect(lateCount > 0)
    #expect(try #require(answered) <= 3 * milliseconds * 1000 + 2 * Self.patience)
  }

  @Test("21: what is slow all the time is hardly waited for")
  func always() {
    #expect(Self.run(for: 600 * Self.second) { _ in true }.lateCount < 600 / 5 + 8)
  }

  @Test("21: nor is what is slow now and then, or that alone takes the loop's time")
  func nowAndThen() {
    // In time for as long as it is late, and for much longer.
    for period in [200_000, 500_000, 3 * Self.second] {
      let lateCount = Self.run(for: 600 * Self.second) { $0 % period < Self.patience }.lateCount
      #expect(lateCount < 600 / 5 + 8, "\(period)")
    }
  }

  @Test("21: what was slow, and is in time for long, is waited for again at once when it is slow")
  func recovered() {
    var answers = SlowAnswers()
    var now = Self.second
    for _ in 0..<20 {
      answers.noteLate(now)
      while !answers.mayWait(now) { now += 1000 }
    }
    #expect(!answers.mayWait(now - 1000))
    now += 10 * Self.second
    answers.noteLate(now)
    #expect(!answers.mayWait(now + 99_999))
    #expect(answers.mayWait(now + 100_000))
  }

  @Test(
    "21: what was late once may be waited for again when it has answered; what is late over and over, not before its rest"
  )
  func answered() {
    var answers = SlowAnswers()
    answers.noteLate(1_000_000)
    #expect(!answers.mayWait(1_050_000))
    answers.noteAnswered(1_050_000)
    #expect(answers.mayWait(1_050_000))
    answers.noteLate(1_060_000)
    answers.noteAnswered(1_070_000)
    #expect(!answers.mayWait(1_259_999) && answers.mayWait(1_260_000))
  }
}
