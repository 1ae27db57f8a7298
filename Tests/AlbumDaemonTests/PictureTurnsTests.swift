import Testing

@testable import AlbumDaemon

@Suite("Whose picture is ended for another's (S53)") struct PictureTurnsTests {
  /// Processes of which each takes a tenth of a second to start, and users who ask.
  private struct Scene {
    private enum Event {
      case started(Int)
      case answered(Int, job: Int)
      case gone(Int)
      case asked
    }

    var plan: PicturePlan
    private(set) var now: UInt64 = 0
    private var coming: [(time: UInt64, event: Event)] = []
    private var running: [Int: Int] = [:]
    /// How long each job takes.
    private var lengths: [Int: UInt64] = [:]
    private(set) var done: Set<Int> = []
    /// How often each was begun.
    private(set) var begun: [Int: Int] = [:]
    /// Since when the user waits who asks again and again.
    private var since: UInt64 = 0
    private var latest = 1000
    private(set) var longestWait: UInt64 = 0

    init(_ plan: PicturePlan) { self.plan = plan }

    mutating func add(_ job: Int, of user: UInt32, taking length: UInt64) {
      lengths[job] = length
      perform(plan.add(job, .common(.shown, for: .user(user)), at: now))
    }

    /// A user who asks for the next picture as soon as there was one.
    mutating func askAgainAndAgain(from time: UInt64) { coming.append((time, .asked)) }

    private mutating func perform(_ actions: [PicturePlan.Action]) {
      for action in actions {
        switch action {
        case .start(let process): coming.append((now + 100_000, .started(process)))
        case .end(let process):
          running[process] = nil
          coming.append((now + 1000, .gone(process)))
        case .give(let job, let process):
          running[process] = job
          begun[job, default: 0] += 1
          coming.append((now + (lengths[job] ?? 0), .answered(process, job: job)))
        case .giveWay: break
        case .fail(let job, let failure): Issue.record("\(job): \(failure)")
        }
      }
    }

    mutating func step() {
      let index = coming.indices.min { coming[$0].time < coming[$1].time }
      if let deadline = plan.deadline, deadline <= index.map({ coming[$0].time }) ?? .max {
        now = max(now, deadline)
        return perform(plan.tick(at: now))
      }
      guard let index else { return }
      let (time, event) = coming.remove(at: index)
      now = max(now, time)
      switch event {
      case .started(let process): perform(plan.started(process, at: now))
      case .gone(let process): perform(plan.gone(process, at: now))
      case .answered(let process, let job):
        guard running[process] == job else { return }
        running[process] = nil
        done.insert(job)
        if job == latest {
          longestWait = max(longestWait, now - since)
          coming.append((now + 10_000, .asked))
        }
        perform(plan.answered(process, at: now).1)
      case .asked:
        latest += 1
        since = now
        add(latest, of: 99, taking: 50_000)
      }
    }
  }

  private func shown(_ user: UInt32) -> PictureDemand { .common(.shown, for: .user(user)) }

  /// A plan with four places, where four users' films have been read since then.
  private func films(_ times: [UInt64] = [0, 0, 0, 0]) -> PicturePlan {
    var plan = PicturePlan(.init(processes: 1, others: 3))
    for (index, time) in times.enumerated() {
      #expect(plan.add(index + 1, shown(UInt32(index)), at: time) == [.start(index + 1)])
      #expect(plan.started(index + 1, at: time) == [.give(index + 1, index + 1)])
    }
    return plan
  }

  @Test(
    "S53: who waits beside four users' films has the place of the one that was begun last, once it had its turn"
  )
  func fifth() {
    var plan = films([0, 1, 2, 3])
    #expect(plan.add(5, shown(9), at: 10).isEmpty && plan.deadline == 250_000)
    #expect(plan.tick(at: 249_999).isEmpty)
    #expect(plan.tick(at: 250_000) == [.end(1), .start(5)])
    #expect(plan.tick(at: 250_050).isEmpty, "one place is enough")
    #expect(plan.gone(1, at: 250_100).isEmpty)
    #expect(plan.started(5, at: 250_200) == [.give(5, 5)])
    // What was ended begins anew after it, and has nobody else's ended.
    #expect(plan.tick(at: 9_000_000).isEmpty)
    #expect(plan.answered(5, at: 9_000_000) == (true, [.give(1, 5)]))
    #expect(plan.add(6, shown(9), at: 10_000_000) == [.end(4), .start(6)])
  }

  @Test("S53: what was ended for others is let end, as long as a place is left for those that come")
  func kept() {
    var plan = films()
    for (process, job) in [(4, 4), (3, 3), (2, 2)] {
      let (other, time) = (10 + job, UInt64(5 - job) * 1_000_000)
      let next = plan.nextProcess + 1
      #expect(plan.add(other, shown(9), at: time) == [.end(process), .start(next)])
      _ = plan.gone(process, at: time)
      #expect(plan.started(next, at: time) == [.give(other, next)])
      #expect(plan.answered(next, at: time) == (true, [.give(job, next)]))
    }
    // Only the first can be ended now.
    for (other, process) in [(21, 1), (22, 8), (23, 9)] {
      let time = UInt64(other) * 1_000_000
      #expect(plan.add(other, shown(9), at: time) == [.end(process), .start(plan.nextProcess)])
      _ = plan.gone(process, at: time)
      #expect(plan.started(plan.nextProcess, at: time) == [.give(other, plan.nextProcess)])
      #expect(plan.answered(plan.nextProcess, at: time) == (true, [.give(1, plan.nextProcess)]))
    }
  }

  @Test(
    "S53: beside a user who asks all the time every film comes to its end, and that user waits for no more than a turn"
  )
  func together() {
    var scene = Scene(PicturePlan(.init(processes: 1, others: 3)))
    for user in 1...6 { scene.add(user, of: UInt32(user), taking: 10_000_000) }
    scene.askAgainAndAgain(from: 3_000_000)
    while !scene.done.isSuperset(of: 1...6), scene.now < 120_000_000 { scene.step() }
    #expect(scene.done.isSuperset(of: 1...6) && scene.now < 60_000_000)
    // A turn, a start, and the picture; and a turn and a start of what is let end from then on.
    #expect(scene.longestWait <= 2 * (250_000 + 100_000) + 50_000)
  }

  @Test(
    "S53: nobody's one place is taken while somebody has more, and of those one that was ended is let end")
  func several() {
    var plan = PicturePlan(.init(processes: 3, others: 1))
    for job in 1...3 {
      _ = plan.add(job, shown(1), at: 0)
      _ = plan.started(job, at: 0)
    }
    _ = plan.add(4, shown(2), at: 0)
    _ = plan.started(4, at: 0)
    // Nobody's who has one process, as long as there is one who has more.
    #expect(plan.add(5, shown(3), at: 300_000) == [.end(3), .start(5)])
    _ = plan.gone(3, at: 300_000)
    #expect(plan.started(5, at: 300_000) == [.give(5, 5)])
    #expect(plan.add(6, shown(4), at: 600_000) == [.end(2), .start(6)])
    _ = plan.gone(2, at: 600_000)
    #expect(plan.started(6, at: 600_000) == [.give(6, 6)])
    #expect(
      plan.answered(5, at: 600_001) == (true, []), "three are done at a time, but for the first of each")
    #expect(plan.answered(6, at: 600_002) == (true, [.give(3, 5)]))
    #expect(plan.answered(4, at: 600_003) == (true, [.give(2, 4)]))
    #expect(plan.kept == [5])
  }

  @Test("S53: what nobody wants any more ends with its turn, and at once where another user waits")
  func unwanted() {
    var plan = films()
    #expect(plan.add(5, shown(9), at: 1).isEmpty)
    #expect(plan.cancel(2, at: 2) == [.end(2), .start(5)])
    #expect(plan.gone(2, at: 3).isEmpty && plan.started(5, at: 3) == [.give(5, 5)])
    #expect(plan.cancel(3, at: 4).isEmpty && plan.deadline == 250_000)
    #expect(plan.tick(at: 250_000) == [.end(3)])
    #expect(plan.cancel(4, at: 300_000) == [.end(4)])
    #expect(plan.job(of: 1) == 1 && plan.job(of: 5) == 5, "of what is wanted nothing is ended")
  }

  @Test("S53: what is ended for nobody leaves what it would have done next")
  func nextOfUnwanted() {
    var plan = PicturePlan(.init(processes: 1))
    for job in 1...2 { _ = plan.add(job, .common(.idle, for: .daemon), at: 0) }
    #expect(plan.started(1, at: 0) == [.giveWay(1), .give(1, 1), .give(2, 1)])
    #expect(plan.cancel(1, at: 250_000) == [.end(1), .start(2)])
    _ = plan.gone(1, at: 250_000)
    #expect(plan.started(2, at: 250_000) == [.giveWay(2), .give(2, 2)])
  }
}
