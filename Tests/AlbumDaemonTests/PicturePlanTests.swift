import Testing

@testable import AlbumDaemon

@Suite("Which picture is read by which process") struct PicturePlanTests {
  private var plan = PicturePlan(.init(processes: 2, waiting: 4))

  private func shown(_ user: UInt32) -> PictureDemand { .common(.shown, for: .user(user)) }

  @Test("S53: a process is started when there is work, and ends when there was none for a minute")
  mutating func rest() {
    #expect(plan.deadline == nil)
    #expect(plan.add(1, .shown, at: 0) == [.start(1)])
    #expect(plan.started(1, at: 100) == [.give(1, 1)])
    #expect(plan.answered(1, at: 200) == (true, []))
    #expect(plan.deadline == 60_000_200)
    #expect(plan.tick(at: 60_000_199) == [])
    #expect(plan.tick(at: 60_000_200) == [.end(1)])
    #expect(plan.gone(1, at: 60_000_300) == [])
    #expect(plan.deadline == nil && plan.processes.isEmpty)
  }

  @Test(
    "S53: there may be as many processes as there are CPUs, less one, at most four and at least one; four with those for others",
    arguments: [(1, 1, 4), (2, 1, 4), (3, 2, 4), (4, 3, 4), (5, 4, 5), (6, 4, 5), (64, 4, 5), (-1, 1, 4)])
  func processors(_ count: Int, _ processes: Int, _ most: Int) {
    let limits = PicturePlan.Limits(processors: count)
    #expect((limits.processes, limits.most) == (processes, most))
  }

  @Test("S53: there are no more processes than there may be, and each has one job at a time")
  mutating func limit() {
    #expect((1...4).flatMap { plan.add($0, .shown, at: 0) } == [.start(1), .start(2)])
    #expect(plan.started(1, at: 1) == [.give(1, 1)])
    #expect(plan.started(2, at: 1) == [.give(2, 2)])
    #expect(plan.answered(1, at: 2) == (true, [.give(3, 1)]))
    #expect(plan.answered(2, at: 2) == (true, [.give(4, 2)]))
  }

  @Test("more than may wait is refused at once")
  mutating func bound() {
    for job in 1...4 { _ = plan.add(job, .idle, at: 0) }
    #expect(plan.add(5, .idle, at: 0) == [.fail(5, .busy)])
    #expect(plan.add(6, .shown, at: 0).isEmpty)
  }

  @Test(
    "S52: what a process was about when it died is tried once more, in a fresh one, and then it is broken")
  mutating func broke() {
    _ = plan.add(1, .shown, at: 0)
    _ = plan.started(1, at: 0)
    _ = plan.answered(1, at: 0)
    _ = plan.add(2, .shown, at: 0)
    #expect(plan.lost(1, isOurLack: false, at: 1) == [.end(1), .start(2)])
    _ = plan.gone(1, at: 1)
    #expect(plan.started(2, at: 2) == [.give(2, 2)])
    #expect(plan.lost(2, isOurLack: false, at: 3) == [.end(2), .fail(2, .broke)])
  }

  @Test("a second try waits for no process that has served others")
  mutating func fresh() {
    plan = PicturePlan(.init(processes: 1))
    _ = plan.add(1, .idle, at: 0)
    _ = plan.started(1, at: 0)
    #expect(plan.lost(1, isOurLack: false, at: 1) == [.end(1), .start(2)])
    #expect(plan.started(2, at: 2) == [.giveWay(2), .give(1, 2)])
    #expect(plan.answered(2, at: 3) == (true, []))
  }

  @Test("S53: what nobody waits for is done by who gives way, once nobody else needs a process")
  mutating func idle() {
    plan = PicturePlan(.init(processes: 1))
    _ = plan.add(1, .shown, at: 0)
    _ = plan.started(1, at: 0)
    #expect(plan.add(2, .idle, at: 0) == [])
    #expect(plan.answered(1, at: 10) == (true, []))
    #expect(plan.deadline == 2_000_010)
    #expect(plan.tick(at: 2_000_010) == [.giveWay(1), .give(2, 1)])
    #expect(plan.add(3, .idle, at: 2_000_010) == [.give(3, 1)])
    #expect(plan.answered(1, at: 2_000_020) == (true, []))
    #expect(plan.job(of: 1) == 3)
  }

  @Test("T15: who gives way has the next job before its answer was read, and no more than one")
  mutating func next() {
    plan = PicturePlan(.init(processes: 1))
    _ = plan.add(1, .idle, at: 0)
    for job in 2...4 { #expect(plan.add(job, .idle, at: 0) == []) }
    #expect(plan.started(1, at: 0) == [.giveWay(1), .give(1, 1), .give(2, 1)])
    #expect(plan.answered(1, at: 1) == (true, [.give(3, 1)]))
    #expect(plan.cancel(3, at: 1).isEmpty)
    #expect(plan.answered(1, at: 2) == (true, [.give(4, 1)]))
    #expect(plan.answered(1, at: 3) == (false, []))
    #expect(plan.answered(1, at: 4) == (true, []))
    #expect(plan.job(of: 1) == nil)
  }

  @Test("T15: as long as there may be another process, it is started")
  mutating func nextOfAnother() {
    _ = plan.add(1, .idle, at: 0)
    #expect(plan.add(2, .idle, at: 0) == [.start(2)])
    #expect(plan.started(1, at: 0) == [.giveWay(1), .give(1, 1), .give(2, 1)])
    #expect(plan.started(2, at: 0) == [])
    #expect(plan.add(3, .idle, at: 0) == [.giveWay(2), .give(3, 2)])
  }

  @Test("S52: what a process would have done next is not held against its file, and comes after the other")
  mutating func nextOfDead() {
    plan = PicturePlan(.init(processes: 1))
    for job in 1...3 { _ = plan.add(job, .idle, at: 0) }
    #expect(plan.started(1, at: 0) == [.giveWay(1), .give(1, 1), .give(2, 1)])
    #expect(plan.lost(1, isOurLack: false, at: 1) == [.end(1), .start(2)])
    #expect(plan.gone(1, at: 2) == [])
    // What broke one has the fresh one to itself.
    #expect(plan.started(2, at: 2) == [.giveWay(2), .give(1, 2)])
    #expect(plan.lost(2, isOurLack: false, at: 3) == [.end(2), .fail(1, .broke), .start(3)])
    #expect(plan.started(3, at: 4) == [.giveWay(3), .give(2, 3), .give(3, 3)])
  }

  @Test("S53: where somebody waits, neither of the two is lost")
  mutating func nextOfEnded() {
    plan = PicturePlan(.init(processes: 1))
    for job in 1...3 { _ = plan.add(job, .idle, at: 0) }
    _ = plan.started(1, at: 0)
    #expect(plan.add(4, .shown, at: 1) == [.end(1), .start(2)])
    #expect(plan.started(2, at: 2) == [.give(4, 2)])
    #expect(plan.answered(2, at: 3) == (true, []))
    #expect(plan.tick(at: 3_000_000) == [.giveWay(2), .give(1, 2), .give(2, 2)])
  }

  @Test("S53: who waits has its process at once, and what gave way is done again later")
  mutating func preemption() {
    plan = PicturePlan(.init(processes: 1))
    _ = plan.add(1, .idle, at: 0)
    #expect(plan.started(1, at: 0) == [.giveWay(1), .give(1, 1)])
    #expect(plan.add(2, .soon, at: 1) == [.end(1), .start(2)])
    #expect(plan.gone(1, at: 2) == [])
    #expect(plan.started(2, at: 3) == [.give(2, 2)])
    #expect(plan.answered(2, at: 4) == (true, []))
    #expect(plan.tick(at: 3_000_000) == [.giveWay(2), .give(1, 2)])
  }

  @Test("what is on the screen goes before what will be")
  mutating func order() {
    plan = PicturePlan(.init(processes: 1))
    _ = plan.add(1, .soon, at: 0)
    _ = plan.add(2, .soon, at: 0)
    _ = plan.add(3, .shown, at: 0)
    #expect(plan.started(1, at: 0) == [.give(3, 1)])
    #expect(plan.answered(1, at: 0) == (true, [.give(1, 1)]))
  }

  @Test("a job that nobody wants any more is not begun; one that is, ends for nobody")
  mutating func cancelling() {
    plan = PicturePlan(.init(processes: 1))
    _ = plan.add(1, .shown, at: 0)
    _ = plan.add(2, .shown, at: 0)
    _ = plan.started(1, at: 0)
    #expect(plan.cancel(1, at: 0).isEmpty && plan.cancel(2, at: 0).isEmpty)
    #expect(plan.answered(1, at: 0) == (false, []))
    #expect(plan.lost(1, isOurLack: false, at: 0) == [.end(1)])
  }

  @Test("S52: where none can be started, who asks is told, and it is tried again after a while")
  mutating func unavailable() {
    _ = plan.add(1, .shown, at: 0)
    #expect(plan.failedToStart(1, at: 0) == [.fail(1, .unavailable)])
    #expect(plan.add(2, .shown, at: 999_999) == [.fail(2, .unavailable)])
    #expect(plan.add(3, .shown, at: 1_000_000) == [.start(2)])
    #expect(plan.failedToStart(2, at: 1_000_000) == [.fail(3, .unavailable)])
    #expect(plan.add(4, .shown, at: 2_999_999) == [.fail(4, .unavailable)])
    #expect(plan.add(5, .shown, at: 3_000_000) == [.start(3)])
    #expect(plan.started(3, at: 3_000_000) == [.give(5, 3)])
    #expect(!plan.isFailing)
  }

  @Test("those that hang where no signal ends them are counted: no more are made than as many again")
  mutating func hanging() {
    for job in 1...4 { _ = plan.add(job, .shown, at: 0) }
    _ = plan.started(1, at: 0)
    _ = plan.started(2, at: 0)
    #expect(plan.lost(1, isOurLack: false, at: 0) == [.end(1), .start(3)])
    #expect(plan.lost(2, isOurLack: false, at: 0) == [.end(2), .start(4)])
    _ = plan.started(3, at: 0)
    #expect(
      plan.lost(3, isOurLack: false, at: 0) == [.end(3), .fail(1, .broke)] || plan.processes.count == 4)
    #expect(plan.processes.count == 4)
    #expect(plan.gone(1, at: 1).contains(.start(5)))
  }

  @Test("S56: where files say they were taken is read for each user by processes that read nothing else")
  mutating func circles() {
    plan = PicturePlan(.init(processes: 3))
    _ = plan.add(1, .shown, at: 0)
    _ = plan.started(1, at: 0)
    _ = plan.answered(1, at: 0)
    #expect(plan.add(2, .places(of: 7), at: 0) == [.start(2)], "not by who has read something else")
    #expect(plan.started(2, at: 0) == [.give(2, 2)])
    _ = plan.answered(2, at: 0)
    #expect(plan.add(3, .places(of: 7), at: 0) == [.give(3, 2)])
    _ = plan.answered(2, at: 0)
    #expect(plan.add(4, .places(of: 8), at: 0) == [.start(3)], "not by who has read for another user")
    #expect(plan.started(3, at: 0) == [.give(4, 3)])
    #expect(plan.add(5, .shown, at: 0) == [.give(5, 1)], "nor is anything else read by them")
    #expect(plan.add(6, .shown, at: 0) == [.end(2), .start(4)])
  }

  @Test("S56: who dies while it looks for a place is followed by a fresh one, which is that user's as well")
  mutating func circleAfterDeath() {
    plan = PicturePlan(.init(processes: 1))
    _ = plan.add(1, .places(of: 7), at: 0)
    _ = plan.started(1, at: 0)
    #expect(plan.lost(1, isOurLack: false, at: 1) == [.end(1), .start(2)])
    _ = plan.gone(1, at: 1)
    #expect(plan.started(2, at: 1) == [.give(1, 2)])
    #expect(plan.add(2, .places(of: 8), at: 1) == [])
    #expect(plan.answered(2, at: 2) == (true, [.end(2), .start(3)]))
  }

  @Test("where there may be one process, each circle has its turn, and no start for every file")
  mutating func turns() {
    plan = PicturePlan(.init(processes: 1))
    _ = plan.add(1, .places(of: 7), at: 0)
    #expect(plan.started(1, at: 0) == [.give(1, 1)])
    _ = plan.add(2, .places(of: 8), at: 0)
    _ = plan.add(3, .places(of: 7), at: 0)
    _ = plan.add(4, .places(of: 7), at: 0)
    #expect(plan.answered(1, at: 249_999) == (true, [.give(3, 1)]))
    #expect(plan.answered(1, at: 250_000) == (true, [.end(1), .start(2)]))
    _ = plan.gone(1, at: 250_000)
    #expect(plan.started(2, at: 250_000) == [.give(2, 2)])
    #expect(plan.answered(2, at: 250_001) == (true, [.end(2), .start(3)]))
    _ = plan.gone(2, at: 250_001)
    #expect(plan.started(3, at: 250_002) == [.give(4, 3)])
  }

  @Test("S53: what nobody waits for is read when who looked for places has rested")
  mutating func idleAfterPlaces() {
    plan = PicturePlan(.init(processes: 1))
    _ = plan.add(1, .places(of: 7), at: 0)
    _ = plan.started(1, at: 0)
    _ = plan.add(2, .idle, at: 0)
    #expect(plan.answered(1, at: 10) == (true, []))
    #expect(plan.deadline == 2_000_010)
    #expect(plan.tick(at: 2_000_010) == [.end(1), .start(2)])
    #expect(plan.started(2, at: 2_000_020) == [.giveWay(2), .give(2, 2)])
  }

  @Test("of one user no more wait than may, and then others still may")
  mutating func boundOfUser() {
    plan = PicturePlan(.init(processes: 1, waiting: 6, waitingOfUser: 3))
    for job in 1...3 { #expect(!plan.add(job, .places(of: 7), at: 0).contains(.fail(job, .busy))) }
    #expect(plan.add(4, .places(of: 7), at: 0) == [.fail(4, .busy)])
    #expect(plan.add(5, .common(.shown, for: .user(7)), at: 0) == [.fail(5, .busy)], "whatever it is")
    #expect(plan.add(6, .places(of: 8), at: 0).isEmpty)
    for job in 7...8 { #expect(plan.add(job, .shown, at: 0).isEmpty) }
    #expect(plan.add(9, .places(of: 9), at: 0) == [.fail(9, .busy)], "no more of all")
  }

  @Test(
    "S53: beside one client's jobs, however long they take, each other has one at once, as long as there may be more"
  )
  mutating func beside() {
    plan = PicturePlan(.init(processes: 1, others: 2))
    #expect(plan.add(1, shown(1), at: 0) == [.start(1)])
    #expect(plan.started(1, at: 100) == [.give(1, 1)])
    // Whose own it is waits for it.
    #expect(plan.add(2, shown(1), at: 100).isEmpty && plan.deadline == nil)
    #expect(plan.add(3, shown(2), at: 100) == [.start(2)])
    #expect(plan.add(4, shown(2), at: 100).isEmpty, "and no second one")
    #expect(plan.started(2, at: 200) == [.give(3, 2)])
    #expect(plan.answered(2, at: 300) == (true, [.give(4, 2)]))
    // It is there for whoever comes next, and for nobody's second job.
    #expect(plan.answered(2, at: 400) == (true, []))
    #expect(plan.tick(at: 200_000).isEmpty && plan.deadline == 60_000_400)
    #expect(plan.add(5, shown(3), at: 200_000) == [.give(5, 2)])
    #expect(plan.add(6, shown(4), at: 200_000) == [.start(3)])
    #expect(plan.started(3, at: 200_001) == [.give(6, 3)])
    #expect(plan.add(7, shown(5), at: 200_001).isEmpty, "there may be no more")
    #expect(plan.answered(3, at: 200_002) == (true, [.give(7, 3)]))
    #expect(plan.answered(1, at: 200_003) == (true, [.give(2, 1)]))
  }

  @Test(
    "S53: a job whose answer nobody wants any more is its client's until it ends, or somebody needs its place"
  )
  mutating func unwanted() {
    plan = PicturePlan(.init(processes: 1, others: 1))
    _ = plan.add(1, shown(1), at: 0)
    _ = plan.started(1, at: 0)
    #expect(plan.cancel(1, at: 0).isEmpty)
    #expect(plan.add(2, shown(1), at: 0).isEmpty)
    #expect(plan.add(3, shown(2), at: 0) == [.start(2)])
    #expect(plan.started(2, at: 1) == [.give(3, 2)])
    #expect(plan.add(4, shown(3), at: 1) == [.end(1), .start(3)])
    #expect(plan.started(3, at: 2) == [.give(2, 3)], "who came first")
    #expect(plan.answered(2, at: 3) == (true, [.give(4, 2)]))
  }

  @Test(
    "S56: where one user's files are looked through, another's are at once, and by a process that is kept")
  mutating func placesBeside() {
    plan = PicturePlan(.init(processes: 1, others: 3))
    _ = plan.add(1, .places(of: 7), at: 0)
    _ = plan.started(1, at: 0)
    _ = plan.add(2, .places(of: 7), at: 0)
    #expect(plan.add(3, .places(of: 8), at: 0) == [.start(2)])
    #expect(plan.started(2, at: 1) == [.give(3, 2)])
    #expect(plan.answered(2, at: 2) == (true, []))
    // Whatever is to be done for the first, with its turn over as well.
    for job in 4...9 {
      let time = UInt64(job) * 1_000_000
      #expect(plan.add(job, .places(of: 8), at: time) == [.give(job, 2)])
      #expect(plan.answered(2, at: time + 1) == (true, []))
    }
    #expect(plan.answered(1, at: 10_000_000) == (true, [.give(2, 1)]))
  }

  @Test("S53: of the processes for others none is started for what nobody waits for")
  mutating func idleBeside() {
    plan = PicturePlan(.init(processes: 1, others: 2))
    for (job, user) in [(1, 7), (2, 8)] {
      _ = plan.add(job, .places(of: UInt32(user)), at: 0)
      _ = plan.started(job, at: 0)
    }
    #expect(plan.answered(1, at: 10) == (true, []))
    #expect(plan.add(3, .idle, at: 10).isEmpty && plan.deadline == 2_000_010)
    // One of two is not enough.
    #expect(plan.tick(at: 2_000_010).isEmpty && plan.deadline == 60_000_010)
    #expect(plan.answered(2, at: 3_000_000) == (true, []))
    #expect(plan.deadline == 5_000_000)
    #expect(plan.tick(at: 5_000_000) == [.end(1), .end(2), .start(3)])
    #expect(plan.started(3, at: 5_000_001) == [.giveWay(3), .give(3, 3)])
    #expect(plan.answered(3, at: 5_000_002) == (true, []))
    // Nor does one that has given way stay beside.
    #expect(plan.add(4, shown(7), at: 5_000_003) == [.end(3), .start(4)])
  }

  @Test("what cannot be done at a time is not looked at again and again until something happens")
  mutating func looking() {
    plan = PicturePlan(.init(processes: 1, others: 1))
    _ = plan.add(1, shown(1), at: 0)
    _ = plan.started(1, at: 0)
    _ = plan.add(2, shown(1), at: 0)
    _ = plan.add(3, .idle, at: 0)
    _ = plan.add(4, shown(2), at: 0)
    _ = plan.started(2, at: 1)
    #expect(plan.answered(2, at: 100) == (true, []))
    #expect(plan.deadline == 2_000_100)
    #expect(plan.tick(at: 2_000_100).isEmpty && plan.deadline == 60_000_100)
  }

  @Test("S53: where one more cannot be started, it is tried again after a while, and nothing before")
  mutating func besideInVain() {
    plan = PicturePlan(.init(processes: 1, others: 1))
    _ = plan.add(1, shown(1), at: 0)
    _ = plan.started(1, at: 0)
    _ = plan.add(2, shown(1), at: 0)
    #expect(plan.add(3, shown(2), at: 0) == [.start(2)])
    #expect(plan.failedToStart(2, at: 1).isEmpty && plan.deadline == 1_000_001)
    #expect(plan.tick(at: 1_000_000).isEmpty && plan.tick(at: 1_000_001) == [.start(3)])
    _ = plan.failedToStart(3, at: 1_000_002)
    #expect(plan.cancel(3, at: 1_000_002).isEmpty)
    #expect(plan.tick(at: 3_000_002).isEmpty && plan.deadline == nil)
  }

  @Test("who has one waits for no more than one of each other's")
  mutating func rounds() {
    plan = PicturePlan(.init(processes: 1))
    for job in 1...4 { _ = plan.add(job, .common(.shown, for: .user(7)), at: 0) }
    _ = plan.add(5, .common(.shown, for: .user(8)), at: 0)
    #expect(plan.started(1, at: 0) == [.give(1, 1)])
    #expect(plan.answered(1, at: 0) == (true, [.give(5, 1)]))
    _ = plan.add(6, .common(.shown, for: .user(9)), at: 0)
    _ = plan.add(7, .common(.shown, for: .user(8)), at: 0)
    let order = (0..<5).compactMap { _ in plan.answered(1, at: 0).1.first }
    #expect(order == [6, 2, 7, 3, 4].map { .give($0, 1) })
  }

  @Test("an answer for which there is no descriptor left says nothing about the file")
  mutating func lack() {
    _ = plan.add(1, .shown, at: 0)
    _ = plan.started(1, at: 0)
    #expect(plan.lost(1, isOurLack: true, at: 1) == [.end(1), .fail(1, .busy)])
  }
}

extension PictureDemand {
  fileprivate static let shown = common(.shown, for: .daemon)
  fileprivate static let soon = common(.soon, for: .daemon)
  fileprivate static let idle = common(.idle, for: .daemon)

  fileprivate static func places(of user: UInt32) -> PictureDemand { places(for: .user(user)) }
}
