import Testing

@testable import LibraryModel

@Suite("Which directories are listed at once where a root may not answer")
struct ListingTurnsTests {
  private func directory(_ number: Int) -> DirectoryID { DirectoryID(rawValue: Int64(number)) }

  @Test("52: a few of each root, the others when one of them is done, and each once")
  func turns() {
    let (one, other) = (RootID(rawValue: 1), RootID(rawValue: 2))
    var turns = ListingTurns()
    var listed: [DirectoryID] = []
    let most = ListingTurns.most
    for number in 0..<(3 * most) where turns.begin(directory(number), of: one) {
      listed.append(directory(number))
    }
    #expect(listed == (0..<most).map(directory))
    let isOthersTurn = turns.begin(directory(1000), of: other)
    #expect(isOthersTurn, "a root waits for none but itself")
    while let next = turns.end(one) { listed.append(next) }
    #expect(listed == (0..<(3 * most)).map(directory), "in their order")
    // One is done, so that there is room for one.
    let isNext = turns.begin(directory(2000), of: one)
    let isMore = turns.begin(directory(2001), of: one)
    #expect(isNext && !isMore)
    #expect(turns.end(one) == directory(2001))
    for _ in 0..<most { #expect(turns.end(one) == nil) }
    #expect(turns.end(other) == nil)
  }
}
