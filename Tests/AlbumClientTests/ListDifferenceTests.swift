import Testing
import TestSupport

@testable import AlbumClient

/// Applies differences to lists, in PhotoKit's order.
func apply<Element>(_ difference: ListDifference, to old: [Element], from new: [Element]) -> [Element] {
  var list = old
  for place in difference.removed.reversed() { list.remove(at: place) }
  for place in difference.inserted { list.insert(new[difference.intermediate[place]], at: place) }
  for place in difference.changed { list[place] = new[difference.intermediate[place]] }
  for move in difference.moves { list.insert(list.remove(at: move.from), at: move.to) }
  return list
}

@Suite("Differences of lists, in PhotoKit's order of application")
struct ListDifferenceTests {
  private func difference(_ old: [Int], _ new: [Int], changed: Set<Int> = []) throws -> ListDifference {
    try #require(
      ListDifference(
        destinations: old.map { new.firstIndex(of: $0) }, count: new.count,
        changed: Set(new.indices.filter { changed.contains(new[$0]) })))
  }

  @Test("applied to the old list, a difference gives the new list", arguments: 0..<20)
  func property(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<500 {
      let old = (0..<Int.random(in: 0...12, using: &random)).map { $0 }
      var new = old.filter { _ in Int.random(in: 0..<4, using: &random) > 0 }
      new += (0..<Int.random(in: 0...4, using: &random)).map { 100 + $0 }
      new.shuffle(using: &random)
      let changed = Set(new.filter { $0 < 100 && Bool.random(using: &random) })
      let difference = try difference(old, new, changed: changed)
      // What changed shows in the applied list only where the difference says so.
      let result = apply(
        difference, to: old.map { Element(id: $0, version: 0) },
        from: new.map { Element(id: $0, version: changed.contains($0) ? 1 : 0) })
      #expect(result == new.map { Element(id: $0, version: changed.contains($0) ? 1 : 0) }, "\(old) → \(new)")
      #expect(difference.removed == old.indices.filter { !new.contains(old[$0]) })
      #expect(difference.inserted.count == new.count { $0 >= 100 })
      #expect(difference.changed.count == changed.count)
    }
  }

  @Test("as few move as can", arguments: 0..<5)
  func fewMoves(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<100 {
      let old = Array(0..<Int.random(in: 0...7, using: &random))
      let new = old.shuffled(using: &random)
      #expect(try difference(old, new).moves.count <= old.count - longestInOrder(new))
    }
  }

  @Test("PhotoKit's example of places: each kind counts in the list that the kinds before it leave")
  func places() throws {
    let difference = try difference([1, 2, 3, 4], [4, 9, 2, 3], changed: [3])
    #expect(difference.removed == [0])
    #expect(difference.inserted == [0] || difference.inserted == [1])
    #expect(difference.moves.count == 1)
    #expect(apply(difference, to: [1, 2, 3, 4], from: [4, 9, 2, 3]) == [4, 9, 2, 3])
  }

  @Test("so many moves in so long a list, that nobody wants them one by one, are none")
  func tooManyMoves() {
    let order = Array((0..<100).reversed())
    #expect(ListDifference(destinations: order, count: 100, changed: [], bound: 99 * 100) != nil)
    #expect(ListDifference(destinations: order, count: 100, changed: [], bound: 98 * 100) == nil)
    // A list that is only long has its difference.
    #expect(ListDifference(destinations: Array(0..<100), count: 100, changed: [], bound: 0) != nil)
  }

  @Test("a list that stays as it is has no difference")
  func nothing() throws {
    #expect(try difference([1, 2, 3], [1, 2, 3]).isEmpty)
    #expect(try difference([], []).isEmpty)
  }

  private func longestInOrder(_ list: [Int]) -> Int {
    var best: [Int] = []
    for (index, number) in list.enumerated() {
      best.append(1 + (zip(list, best).prefix(index).filter { $0.0 < number }.map(\.1).max() ?? 0))
    }
    return best.max() ?? 0
  }

  private struct Element: Equatable {
    let id: Int
    let version: Int
  }
}
