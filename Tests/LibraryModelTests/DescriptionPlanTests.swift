import LibraryModel
import Testing

@Suite("What is read next") struct DescriptionPlanTests {
  private var plan = DescriptionPlan()

  private static func ids(_ numbers: Range<Int64>) -> [AssetID] { numbers.map { AssetID(rawValue: $0) } }
  private static func id(_ number: Int64) -> AssetID { AssetID(rawValue: number) }

  @Test("S50: what is asked for comes first, then what has just come, then the index from the most recent on")
  mutating func order() {
    #expect(plan.needsPage)
    plan.add(page: Self.ids(1..<4), isLast: true)
    plan.changed(Self.id(9))
    plan.ask(for: [Self.id(3), Self.id(7)])
    var order: [Int64] = []
    while let job = plan.next() {
      order.append(job.asset.rawValue)
      #expect(job.isAwaited == (order.count <= 2))
      plan.finished(job)
    }
    #expect(order == [3, 7, 9, 1, 2])
    #expect(plan.isIdle && !plan.needsPage)
  }

  @Test("what changes while it is read is read once more")
  mutating func again() throws {
    plan.add(page: Self.ids(1..<2), isLast: true)
    let first = plan.next()
    let job = try #require(first)
    plan.changed(job.asset)
    plan.changed(job.asset)
    plan.ask(for: [job.asset])
    let none = plan.next()
    #expect(none == nil)
    plan.finished(job)
    let next = plan.next()
    #expect(next?.asset == job.asset)
  }

  @Test("what could not be read for now is read later, and nothing is lost")
  mutating func putOff() throws {
    plan.add(page: Self.ids(1..<3), isLast: true)
    let first = plan.next()
    let job = try #require(first)
    plan.putOff(job)
    #expect(!plan.isIdle && plan.readingCount == 0)
    let next = plan.next()
    #expect(next?.asset == job.asset)
  }

  @Test("S50: it remembers no more than it may, and asks the index for the others")
  mutating func bounded() {
    plan.add(page: [], isLast: true)
    for asset in Self.ids(1..<Int64(2 * DescriptionPlan.capacity)) { plan.changed(asset) }
    var count = 0
    while let job = plan.next() {
      plan.finished(job)
      count += 1
    }
    #expect(count == DescriptionPlan.capacity)
    #expect(plan.needsPage && !plan.isIdle)
    plan.add(page: [], isLast: true)
    #expect(plan.needsPage, "what came before is on a page that was read already")
    plan.add(page: [], isLast: true)
    #expect(plan.isIdle)
  }
}
