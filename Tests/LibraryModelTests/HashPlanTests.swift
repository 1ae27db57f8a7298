import LibraryModel
import Testing

@Suite("What is hashed next") struct HashPlanTests {
  private var plan = HashPlan()

  private static func id(_ number: Int64) -> AssetID { AssetID(rawValue: number) }
  private static func ids(_ numbers: Range<Int64>) -> [AssetID] { numbers.map(id) }

  /// The next one, which is begun.
  private mutating func next() -> HashPlan.Job? { plan.next() }

  @Test("S96: one at a time: what has just come first, then the index in its order")
  mutating func order() throws {
    #expect(plan.needsPage)
    plan.add(page: Self.ids(1..<4), isLast: true)
    plan.changed(Self.id(9))
    var order: [Int64] = []
    while let job = next() {
      #expect(plan.isBusy)
      let other = next()
      #expect(other == nil)
      order.append(job.asset.rawValue)
      plan.finished(job)
    }
    #expect(order == [9, 1, 2, 3])
    #expect(plan.isIdle && !plan.needsPage)
  }

  @Test("S96: what changes while it is hashed is hashed once more")
  mutating func again() throws {
    plan.add(page: Self.ids(1..<2), isLast: true)
    let job = try #require(next())
    plan.changed(job.asset)
    plan.changed(job.asset)
    let isAgain = plan.finished(job)
    #expect(isAgain)
    let second = try #require(next())
    #expect(second.asset == job.asset && !second.isContinued)
    plan.finished(second)
    #expect(plan.isIdle)
  }

  @Test("S96: a long file lets others go before its next turn, and goes on")
  mutating func turns() throws {
    plan.add(page: Self.ids(1..<100), isLast: true)
    var job = try #require(next())
    let long = job.asset
    plan.paused(job)
    var between: [Int] = []
    for _ in 0..<3 {
      var others = 0
      while true {
        job = try #require(next())
        guard job.asset != long else { break }
        others += 1
        plan.finished(job)
      }
      #expect(job.isContinued)
      between.append(others)
      plan.paused(job)
    }
    #expect(between == [HashPlan.othersBetween - 1, HashPlan.othersBetween, HashPlan.othersBetween])
  }

  @Test("S96: where nothing else is to be done, a long file goes on at once; some are open and no more")
  mutating func long() throws {
    plan.add(page: Self.ids(1..<5), isLast: true)
    var open: Set<AssetID> = []
    for _ in 0..<200 {
      let job = try #require(next())
      if job.isContinued {
        #expect(open.contains(job.asset))
        plan.paused(job)
      } else if plan.hasRoomForLong {
        open.insert(job.asset)
        plan.paused(job)
      } else {
        plan.putBehindLong(job)
      }
      #expect(open.count <= HashPlan.mostLong)
    }
    #expect(open.count == HashPlan.mostLong)
    // One is done: the next is begun.
    let job = try #require(next())
    plan.finished(job)
    var begun: HashPlan.Job?
    while begun == nil {
      let other = try #require(next())
      if other.isContinued { plan.paused(other) } else { begun = other }
    }
    #expect(plan.hasRoomForLong)
  }

  @Test("S96: what is written to again and again rests each time, and after some is left until that is told")
  mutating func rest() throws {
    plan.add(page: Self.ids(1..<2), isLast: true)
    for _ in 0..<HashPlan.mostTries {
      let job = try #require(next())
      plan.rest(job)
      let none = next()
      #expect(none == nil && plan.hasResting && !plan.isIdle)
      plan.rested()
    }
    let last = try #require(next())
    plan.rest(last)
    #expect(!plan.hasResting && plan.isIdle)
    // Anything that is told of it, and of nothing else.
    plan.touched(Self.id(7))
    #expect(plan.isIdle)
    plan.touched(last.asset)
    let job = try #require(next())
    #expect(job.asset == last.asset)
    plan.finished(job)
    plan.touched(last.asset)
    #expect(plan.isIdle)
    plan.changed(last.asset)
    let again = next()
    #expect(again?.asset == last.asset)
  }

  @Test("S96: what cannot be opened for now is hashed later")
  mutating func putOff() throws {
    plan.add(page: Self.ids(1..<2), isLast: true)
    let job = try #require(next())
    plan.putOff(job)
    #expect(!plan.isIdle && !plan.isBusy)
    let again = next()
    #expect(again?.asset == job.asset)
  }

  @Test("S96: it remembers no more than it may, and asks the index for the others")
  mutating func bounded() {
    plan.add(page: [], isLast: true)
    for asset in Self.ids(1..<Int64(2 * HashPlan.capacity)) { plan.changed(asset) }
    var count = 0
    while let job = next() {
      plan.finished(job)
      count += 1
    }
    #expect(count == HashPlan.capacity && plan.needsPage)
    // All that it can remember rests: to read the index meanwhile would come to nothing.
    for asset in Self.ids(1..<Int64(HashPlan.capacity + 10)) { plan.changed(asset) }
    while let job = next() { plan.rest(job) }
    #expect(plan.hasResting && !plan.needsPage)
    plan.rested()
    let job = next()
    #expect(job != nil)
  }
}
