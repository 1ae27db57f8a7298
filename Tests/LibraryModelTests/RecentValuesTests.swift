import Testing

@testable import LibraryModel

@Suite("What was noticed last")
struct RecentValuesTests {
  @Test("the last ones are known, however many there were before, and those of long ago are forgotten")
  func bounds() {
    var values = RecentValues<Int, Int>(capacity: 8)
    for number in 0..<100 {
      values[number] = number
      for recent in max(0, number - 7)...number { #expect(values[recent] == recent) }
      #expect((0...number).count { values[$0] != nil } <= 16)
    }
    values[99] = nil
    #expect(values[99] == nil && values[98] == 98)
  }

  @Test("a value that is set again is the newer one, whichever half it was in")
  func overwritten() {
    var values = RecentValues<Int, Int>(capacity: 2)
    for (key, value) in [(1, 1), (2, 2), (3, 3), (1, 4)] { values[key] = value }
    #expect(values[1] == 4 && values[3] == 3)
  }

  @Test("an update says what the value was, whichever half it was in, and forgets what a setting forgets")
  func updates() {
    var set = RecentValues<Int, Int>(capacity: 4)
    var updated = set
    for number in 0..<200 {
      let key = number * 7 % 11 % 9
      let former = set[key]
      set[key] = number
      #expect(updated.update(key, to: number) == former)
      for key in 0..<11 { #expect(updated[key] == set[key]) }
    }
  }
}
