import Testing

@testable import LibraryModel

/// The order in which evidence counts, with texts for listings.
@Suite("What a scan does next (S41, S42)")
struct ScanPlanTests {
  private let root = DirectoryID(of: RootID(rawValue: 1))
  private func directory(_ number: Int64) -> DirectoryID { DirectoryID(rawValue: number) }

  private func situation(
    hints: Int = 0, orphans: Bool = false, taken: UInt64 = 0, now: UInt64 = 0, absentUntil: UInt64? = nil
  ) -> ScanPlan<String>.Situation {
    .init(hints: hints, hasOrphans: orphans, taken: taken, now: now, absentUntil: absentUntil)
  }

  /// What is done next, as a word.
  private func next(
    _ plan: inout ScanPlan<String>, _ situation: ScanPlan<String>.Situation? = nil,
    isHalfMoved: (Location) -> Bool = { _ in false }
  ) -> String {
    let now = situation ?? self.situation()
    let hasWork = plan.hasWork(now, isHalfMoved: isHalfMoved)
    let action = plan.next(now, isHalfMoved: isHalfMoved)
    let word =
      switch action {
      case .leave: "leave"
      case .follow: "follow"
      case .seek(let directory): "seek \(directory.rawValue)"
      case .decide: "decide"
      case .begin(let directory, let listing, let descends):
        "begin \(directory.rawValue) \(listing)\(descends ? " descending" : "")"
      case .reconcile: "reconcile"
      case .list: "list"
      case .removeOrphans: "remove"
      case .wait: "wait"
      case .rest: "rest"
      }
    // One ladder: to ask whether there is work is to ask what it is. Doubts that are raised by asking may have to wait.
    if word != "wait" { #expect(hasWork == (word != "rest")) }
    return word
  }

  private func doubt(_ name: String, present: FileIdentity? = nil) -> Doubts {
    var doubts = Doubts()
    doubts.files = [
      Doubt(
        location: Location(root, FileName(name)), former: FileIdentity(volume: .test, inode: 1, birthTime: 1),
        present: present)
    ]
    return doubts
  }

  @Test("S98: what is left is what is to be listed, is being listed, and is to be compared")
  func left() {
    var plan = ScanPlan<String>()
    #expect(plan.leftCount == 0)
    _ = plan.scan([root, directory(1)], from: [root])
    #expect(plan.leftCount == 1, "of what lies in it nothing is known yet")
    #expect(plan.takeToList { _ in true } == root && plan.leftCount == 1)
    _ = plan.listed(root, "root")
    #expect(plan.leftCount == 1)
    _ = next(&plan)
    plan.list(found: [directory(1), directory(2)])
    #expect(plan.leftCount == 3)
    plan.endComparing()
    #expect(plan.leftCount == 2)
  }

  @Test("hints first, then listings; a scan ends when all that is known was listed and compared")
  func scan() {
    var plan = ScanPlan<String>()
    #expect(next(&plan) == "rest")
    #expect(plan.scan([root, directory(1)], from: [root]).isEmpty)
    #expect(plan.isScanning && next(&plan, situation(hints: 1)) == "follow")
    #expect(next(&plan) == "list")
    #expect(plan.takeToList { _ in true } == root)
    #expect(plan.takeToList { _ in true } == nil)
    #expect(next(&plan) == "wait", "it is being listed")
    #expect(plan.listed(root, "root") == true)
    #expect(next(&plan) == "begin \(root.rawValue) root descending")
    plan.list(found: [directory(2)])
    #expect(next(&plan) == "reconcile" && plan.compared == root)
    plan.endComparing()
    #expect(next(&plan) == "list" && plan.takeToList { _ in true } == directory(2))
    #expect(plan.listed(directory(2), nil) == true, "it could not be read")
    // What the scan has not come by.
    #expect(next(&plan) == "list" && plan.takeToList { _ in true } == directory(1))
    #expect(plan.listed(directory(1), "one") == true)
    #expect(next(&plan) == "begin 1 one")
    plan.endComparing()
    #expect(plan.endScan(situation(hints: 1)) { _ in false } == false)
    #expect(next(&plan) == "rest" && plan.endScan(situation()) { _ in false } && !plan.isScanning)
    #expect(plan.endScan(situation()) { _ in false } == false)
  }

  @Test("what is to be listed once more while it is being listed counts only then")
  func again() {
    var plan = ScanPlan<String>()
    plan.list(root, descends: false)
    #expect(plan.takeToList { _ in true } == root)
    plan.list(root, descends: true)
    #expect(plan.takeToList { _ in true } == nil)
    #expect(plan.listed(root, "old") == false)
    #expect(next(&plan) == "list" && plan.takeToList { _ in true } == root)
    #expect(plan.listed(root, "new") && next(&plan) == "begin \(root.rawValue) new descending")
    // One that is not compared to its end gives way, and what it was to descend to is not forgotten.
    plan.list(root, descends: false)
    #expect(plan.takeToList { _ in true } == root && plan.compared == nil)
    #expect(plan.listed(root, "newest") && next(&plan) == "begin \(root.rawValue) newest descending")
    #expect(plan.reset() == [root] && next(&plan) == "rest")
  }

  @Test("only so many listings are under way or wait: the memory of a scan is bounded")
  func bounded() {
    var plan = ScanPlan<String>()
    for number in 1...100 { plan.list(directory(Int64(number)), descends: false) }
    var taken: [DirectoryID] = []
    while let next = plan.takeToList(isKnown: { $0.rawValue != 50 }) { taken.append(next) }
    #expect(taken.count == ScanPlan<String>.listingsInFlight && next(&plan) == "wait")
    for directory in taken { #expect(plan.listed(directory, "") == true) }
    #expect(plan.takeToList { _ in true } == nil, "none is compared yet")
    #expect(next(&plan).hasPrefix("begin"))
    plan.endComparing()
    #expect(plan.takeToList { _ in true } != nil)
  }

  @Test(
    "doubts wait for what was told before, for the second half of a rename, and for what is still to be listed"
  )
  func doubts() {
    var plan = ScanPlan<String>()
    let (half, present) = (doubt("half"), FileIdentity(volume: .test, inode: 2, birthTime: 2))
    let isHalf: (Location) -> Bool = { $0.name == FileName("half") }
    plan.raise(half)
    #expect(next(&plan, isHalfMoved: isHalf) == "wait")
    plan.raise(doubt("other"))
    #expect(next(&plan, isHalfMoved: isHalf) == "decide")
    let ripe = plan.takeRipe(taken: 5, more: 0)
    let decided = plan.decidable(ripe, situation(), isHalfMoved: isHalf)
    #expect(ripe.count == 2 && decided.files.map(\.location.name) == [FileName("other")])
    #expect(next(&plan, isHalfMoved: isHalf) == "wait")
    #expect(next(&plan) == "decide" && plan.takeRipe(taken: 5, more: 0).count == 1)

    // As long as something is to be listed, nobody knows where a file is; that one has gone is told.
    plan.list(root, descends: false)
    var both = doubt("gone")
    both.append(doubt("replaced", present: present))
    #expect(plan.decidable(both, situation()) { _ in false }.files.map(\.location.name) == [FileName("gone")])
    #expect(plan.takeToList { _ in true } == root && plan.listed(root, nil))
    #expect(next(&plan) == "decide" && plan.takeRipe(taken: 9, more: 0).count == 1)
  }

  @Test("50: what was told is taken in between a few doubts and the next few, however many there are")
  func fewAtOnce() {
    var plan = ScanPlan<String>()
    let most = ScanPlan<String>.decidedAtOnce
    var many = Doubts()
    for number in 0..<(10 * most) { many.append(doubt("\(number)")) }
    plan.putOff(many)
    for _ in 0..<10 {
      #expect(next(&plan) == "decide" && plan.takeRipe(taken: 0, more: 0).count == most)
      #expect(next(&plan, situation(hints: 1)) == "follow")
    }
    #expect(next(&plan) == "rest")
  }

  @Test(
    "6, S39: one that was renamed, and not to where anybody listened, has not gone while something is still to be listed"
  )
  func renamed() {
    var plan = ScanPlan<String>()
    var left = doubt("left")
    left.files[0].hasLeft = true
    plan.list(root, descends: true)
    var both = doubt("gone")
    both.append(left)
    #expect(plan.decidable(both, situation()) { _ in false } == doubt("gone"))
    #expect(plan.takeToList { _ in true } == root && plan.listed(root, nil))
    #expect(next(&plan) == "decide")
    let ripe = plan.takeRipe(taken: 0, more: 0)
    #expect(ripe == left && plan.decidable(ripe, situation()) { _ in false } == left)

    // Only so many wait.
    var many = Doubts()
    for _ in 0..<ScanPlan<String>.doubtsDeferred { many.append(left) }
    plan.list(root, descends: true)
    #expect(plan.decidable(many, situation()) { _ in false }.count == 0)
    #expect(plan.decidable(left, situation()) { _ in false } == left)
  }

  @Test(
    "S41: what seems to have gone is not said to have while it may be in a root that went offline a moment ago"
  )
  func absence() {
    var plan = ScanPlan<String>()
    let away = situation(orphans: true, now: 5, absentUntil: 10)
    #expect(plan.decidable(doubt("gone"), away) { _ in false }.count == 0)
    #expect(next(&plan, away) == "rest" && plan.awaitsReturn(hasOrphans: false))
    #expect(next(&plan, situation(orphans: true, now: 10, absentUntil: 10)) == "decide")
    #expect(plan.takeRipe(taken: 0, more: 0).count == 1)
    #expect(next(&plan, situation(orphans: true, now: 10, absentUntil: 10)) == "remove")
  }

  @Test("what has left is removed when all is known that was told until then, or after a second")
  func removal() {
    var plan = ScanPlan<String>()
    plan.left(told: 100, now: 7)
    #expect(next(&plan, situation(orphans: true, taken: 99, now: 8)) == "rest")
    #expect(next(&plan, situation(orphans: true, taken: 100, now: 8)) == "remove")
    plan.left(told: 200, now: 9)
    plan.left(told: 300, now: 900_000)
    #expect(next(&plan, situation(orphans: true, taken: 100, now: 1_000_009)) == "rest")
    #expect(next(&plan, situation(orphans: true, taken: 100, now: 1_000_010)) == "remove")
  }

  @Test("nothing is decided before what is lost was sought once; sought in vain, it is not waited for again")
  func lost() {
    var plan = ScanPlan<String>()
    plan.lose(directory(1))
    #expect(next(&plan) == "wait" && plan.hasLost && plan.isListing)
    let isNew = plan.seek()
    #expect(isNew && !plan.hasLost && next(&plan) == "seek 1")
    plan.sought(directory(1), isThere: true, parent: nil)
    #expect(next(&plan) == "list" && plan.takeToList { _ in true } == directory(1))
    plan.notListed(directory(1))
    plan.lose(directory(1))
    #expect(next(&plan) == "rest")
    let isNewStill = plan.seek()
    #expect(!isNewStill && next(&plan) == "seek 1")
    plan.sought(directory(1), isThere: nil, parent: nil)
    plan.find(directory(1))
    plan.lose([directory(2)])
    plan.listLost { $0.filter { $0 == directory(2) } }
    #expect(!plan.hasLost && plan.takeToList { _ in true } == directory(2))
  }

  @Test(
    "S42, 32: what is found and lost again, as where each look is late, is waited for once more, and sought more slowly"
  )
  func lostAgain() {
    var plan = ScanPlan<String>()
    func listed() {
      #expect(next(&plan) == "seek 1")
      plan.sought(directory(1), isThere: true, parent: nil)
      #expect(next(&plan) == "list" && plan.takeToList { _ in true } == directory(1))
      plan.notListed(directory(1))
      plan.find(directory(1))
      #expect(!plan.hasLost && plan.hasSought)
      plan.lose(directory(1))
    }
    plan.lose(directory(1))
    var isNew = plan.seek()
    #expect(isNew)
    listed()
    #expect(next(&plan) == "wait")
    for _ in 0..<3 {
      isNew = plan.seek()
      #expect(!isNew)
      listed()
      #expect(next(&plan) == "rest")
    }
    plan.find(directory(1))
    plan.endSeeking()
    #expect(!plan.hasLost && !plan.hasSought)
    plan.lose(directory(1))
    isNew = plan.seek()
    #expect(isNew, "then it is new again")
  }

  @Test("S42, 32: what nobody could look at while its directory was listed is found by listing it once more")
  func lostWhileListed() {
    var plan = ScanPlan<String>()
    plan.list(directory(1), descends: false)
    #expect(plan.takeToList { _ in true } == directory(1))
    plan.noteApart(directory(1))
    // An event has told of a name, which the listing is not trusted about any more, and nobody could look at it.
    plan.lose(directory(1))
    #expect(plan.listed(directory(1), "old") && !plan.hasLost && next(&plan) == "begin 1 old")
    plan.endComparing()
    #expect(next(&plan) == "list" && plan.takeToList { _ in true } == directory(1))
    #expect(plan.listed(directory(1), "new") && next(&plan) == "begin 1 new")
    plan.endComparing()
    #expect(next(&plan) == "rest")
  }

  @Test("20: however many are sought beneath a directory, it is looked at once")
  func seekingCostsWhatIsLost() {
    var plan = ScanPlan<String>()
    for depth in Int64(1)...800 { plan.lose(directory(depth)) }
    let isNew = plan.seek()
    #expect(isNew)
    var looks = 0
    while case .seek(let sought) = plan.next(situation(), isHalfMoved: { _ in false }) {
      looks += 1
      let depth = sought.rawValue
      plan.sought(sought, isThere: depth == 0, parent: depth > 0 ? directory(depth - 1) : nil)
    }
    #expect(looks == 801)
    #expect(plan.takeToList { _ in true } == directory(0))
  }
}
