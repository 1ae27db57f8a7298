import Testing

@testable import LibraryModel

@Suite("Comparing while nothing happens")
struct IdleRoundTests {
  private func id(_ number: Int) -> DirectoryID { DirectoryID(rawValue: Int64(number)) }

  @Test("S88: a round compares every directory once, a bounded portion at a time")
  func portions() {
    var round = IdleRound()
    #expect(round.isOver)
    round.begin([id(0)])
    // A directory with a thousand in it, which hold a thousand names each.
    func look(_ directory: DirectoryID) -> IdleRound.Directory? {
      directory == id(0)
        ? .init(names: 0, children: (1...1000).map(id)) : .init(names: 1000, children: [])
    }
    var compared: [DirectoryID] = []
    var portions = 0
    while !round.isOver {
      let portion = round.takePortion(look)
      #expect(portion.count <= 16, "\(portion.count) thousand names at a time")
      compared += portion
      portions += 1
    }
    #expect(compared.count == 1001 && Set(compared).count == 1001)
    #expect((1_000_000 / IdleRound.portion...1_100_000 / IdleRound.portion).contains(portions))
  }

  @Test("S88: a directory that is larger than a portion is followed by the pauses that it should have had")
  func largeDirectory() {
    var round = IdleRound()
    round.begin([id(2), id(1)])
    let portions = (0..<7).map { _ in
      round.takePortion {
        $0 == id(1) ? .init(names: 5 * IdleRound.portion, children: []) : .init(names: 1, children: [])
      }
    }
    #expect(portions == [[id(1)], [], [], [], [], [id(2)], []])
  }

  @Test("S88: what cannot have changed is left out, with all beneath it")
  func leftOut() {
    var round = IdleRound()
    round.begin([id(1), id(2)])
    let portion = round.takePortion {
      $0 == id(1) ? nil : .init(names: 1, children: $0 == id(2) ? [id(1), id(3)] : [])
    }
    #expect(portion == [id(2), id(3)] && round.isOver)
  }

  @Test("S88: a disk that was read for long is left to others for a hundred times as long")
  func rest() {
    #expect(IdleRound.rest(after: 50_000, atLeast: 60_000_000) == 60_000_000)
    #expect(IdleRound.rest(after: 10_000_000, atLeast: 60_000_000) == 1_000_000_000)
    #expect(IdleRound.rest(after: .max, atLeast: 60) == 6000)
  }
}
