import Testing

@testable import AlbumDaemon

/// Days that have passed, whatever the clock says (0145).
@Suite("Counted days (S33)")
struct CountedDaysTests {
  private static let day: Int64 = 86_400
  private static let begin: Int64 = 1_800_000_000

  /// A daemon whose days are counted, a machine that runs, and a clock that says what a test likes.
  private struct Machine {
    var days: CountedDays
    var clock = CountedDaysTests.begin
    var sinceBoot: UInt64 = 5_000_000

    init() { days = CountedDays(clock: clock, sinceBoot: sinceBoot) }

    mutating func run(_ seconds: Int64) {
      clock += seconds
      sinceBoot += UInt64(seconds) * 1_000_000
      days.look(clock: clock, sinceBoot: sinceBoot)
    }

    mutating func set(_ clock: Int64) {
      self.clock = clock
      days.look(clock: clock, sinceBoot: sinceBoot)
    }

    /// The machine is off until the clock says this.
    mutating func restart(at clock: Int64) throws {
      let written = try #require(CountedDaysFile.parse(CountedDaysFile.text(of: days)))
      self.clock = clock
      sinceBoot = 9_000_000
      days = try #require(
        CountedDays(spans: written.spans, latest: written.latest, clock: clock, sinceBoot: sinceBoot))
    }

    /// How many seconds what was deleted then still rests, of thirty days.
    func left(of deleted: Int64) -> Int64 { days.time(30 * CountedDaysTests.day, after: deleted) - clock }
  }

  @Test("S33: with a clock that is right, days are the clock's, to the second")
  func right() throws {
    var machine = Machine()
    let deleted = machine.clock
    machine.run(10 * Self.day)
    #expect(machine.left(of: deleted) == 20 * Self.day)
    // Off at night.
    for _ in 0..<10 {
      try machine.restart(at: machine.clock + Self.day / 3)
      machine.run(Self.day - Self.day / 3)
    }
    #expect(machine.left(of: deleted) == 10 * Self.day)
    #expect(machine.days.spans.count == 1)
    // It is slewed, and what was deleted since is told by it all the same.
    machine.clock += 20
    machine.run(10 * Self.day)
    #expect(abs(machine.left(of: deleted)) <= 20)
  }

  @Test(
    "S33: the clock says one second more, when its seconds begin before those that are counted, and no day ends early"
  )
  func phases() {
    var machine = Machine()
    machine.clock += 1
    machine.sinceBoot += 900_000
    machine.set(machine.clock)
    #expect(machine.left(of: machine.clock) == 30 * Self.day)
    machine.run(Self.day)
    #expect(machine.left(of: machine.clock) == 30 * Self.day)
  }

  @Test("34, S33: a clock that jumps while the daemon runs ends no day, there and back")
  func jumps() {
    var machine = Machine()
    let deleted = machine.clock
    machine.run(Self.day)
    machine.set(machine.clock + 5 * 365 * Self.day)
    #expect(machine.left(of: deleted) == 29 * Self.day)
    let ahead = machine.clock
    machine.run(Self.day)
    #expect(machine.left(of: deleted) == 28 * Self.day)
    #expect(machine.left(of: ahead) == 29 * Self.day)
    machine.set(Self.begin + 2 * Self.day)
    #expect(machine.left(of: deleted) == 28 * Self.day)
    #expect(machine.left(of: ahead) == 29 * Self.day)
    machine.set(0)
    #expect(machine.left(of: deleted) == 28 * Self.day)
  }

  @Test(
    "34, S33: an absence counts for a day at most, and a clock that is ahead at each start for one in all")
  func absences() throws {
    var machine = Machine()
    let deleted = machine.clock
    try machine.restart(at: machine.clock + 40 * Self.day)
    #expect(machine.left(of: deleted) == 29 * Self.day)
    let truth = machine.clock
    for number in 0..<100 {
      // Ahead by five years until the time is asked for, a minute later.
      try machine.restart(at: truth + 5 * 365 * Self.day + Int64(number) * 300)
      machine.run(60)
      machine.set(truth + Int64(number + 1) * 120)
    }
    // A hundred minutes, a day for the first time, and what lay between the others.
    #expect(machine.left(of: deleted) > 27 * Self.day)
    // Back at what it was: nothing counts that the clock had said before.
    try machine.restart(at: truth + 20 * Self.day)
    #expect(machine.left(of: deleted) > 27 * Self.day)
  }

  @Test("S33: what is older than what was counted rests from now on, what is to come from when it comes")
  func unknown() throws {
    var machine = Machine()
    #expect(machine.left(of: 5) == 30 * Self.day)
    #expect(machine.left(of: machine.clock + 10 * 365 * Self.day) == 30 * Self.day)
    machine.run(29 * Self.day)
    #expect(machine.left(of: 5) == Self.day)
    #expect(machine.left(of: machine.clock + 10 * 365 * Self.day) == 30 * Self.day)
    machine.run(Self.day)
    #expect(machine.left(of: 5) == 0)
  }

  @Test(
    "34: however the clock is set, at every step what rests does so for as long as time has passed since, or longer"
  )
  func random() throws {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<200 {
      var machine = Machine()
      var passed: Int64 = 0
      var deleted: [(stamp: Int64, passed: Int64)] = []
      for _ in 0..<60 {
        deleted.append((machine.clock, passed))
        switch Int.random(in: 0..<4, using: &generator) {
        case 0:
          let seconds = Int64.random(in: 0...3 * Self.day, using: &generator)
          machine.run(seconds)
          passed += seconds
        case 1: machine.set(Int64.random(in: 0...4_000_000_000, using: &generator))
        case 2:
          // Off for so long; the clock may be right afterwards or not.
          let seconds = Int64.random(in: Self.day...9 * Self.day, using: &generator)
          passed += seconds
          let isRight = Bool.random(using: &generator)
          try machine.restart(
            at: isRight ? machine.clock + seconds : Int64.random(in: 0...4_000_000_000, using: &generator))
        default: machine.set(machine.clock + Int64.random(in: -50...50, using: &generator))
        }
        for one in deleted {
          let counted = 30 * Self.day - machine.left(of: one.stamp)
          #expect(counted <= passed - one.passed + 61 * 60)
        }
      }
    }
  }

  @Test(
    "34, S33: what was deleted before a crash, or before a jump that was seen late, rests for all of its days"
  )
  func unseen() throws {
    var machine = Machine()
    machine.run(10 * Self.day)
    // Ahead by a year for a minute, thirty-five days ago.
    machine.set(machine.clock + 365 * Self.day)
    machine.run(60)
    machine.set(Self.begin + 10 * Self.day + 60)
    machine.run(35 * Self.day)
    let text = CountedDaysFile.text(of: machine.days)
    let deleted = machine.clock + 600
    let written = try #require(CountedDaysFile.parse(text))
    // Nothing was written down any more.
    machine.clock += 900
    machine.days = try #require(
      CountedDays(
        spans: written.spans, latest: written.latest, clock: machine.clock, sinceBoot: machine.sinceBoot))
    #expect(machine.left(of: deleted) >= 29 * Self.day)

    // Without a battery: the time is asked for twenty minutes after the start.
    machine = Machine()
    machine.run(40 * Self.day)
    let truth = machine.clock
    try machine.restart(at: 1000)
    machine.sinceBoot += 1_200_000_000
    machine.set(truth + 1200)
    #expect(machine.left(of: 1600) >= 29 * Self.day)
  }

  @Test(
    "34, S33: what was deleted just before a crash rests for its days and no longer, though the clock is set back since"
  )
  func setBackByCrash() throws {
    var machine = Machine()
    machine.run(10 * Self.day)
    let written = try #require(CountedDaysFile.parse(CountedDaysFile.text(of: machine.days)))
    let deleted = machine.clock + 3000
    // Without a battery: at this start, and at those that follow, the clock begins anew.
    machine.clock = 1000
    machine.sinceBoot = 9_000_000
    machine.days = try #require(
      CountedDays(
        spans: written.spans, latest: written.latest, clock: machine.clock, sinceBoot: machine.sinceBoot))
    #expect(machine.left(of: deleted) == 30 * Self.day)
    machine.run(20 * Self.day)
    #expect(machine.left(of: deleted) == 10 * Self.day)
    try machine.restart(at: 1000)
    machine.run(9 * Self.day)
    #expect(machine.left(of: deleted) == Self.day)
    // It is right again.
    machine.set(deleted + 40 * Self.day)
    #expect(machine.left(of: deleted) == Self.day)
  }

  @Test("S33: a clock that begins in 1970 is one like any other")
  func seventies() throws {
    var machine = Machine()
    machine.set(0)
    let deleted = machine.clock
    machine.run(10 * Self.day)
    try machine.restart(at: machine.clock)
    #expect(machine.left(of: deleted) == 20 * Self.day)
  }

  @Test("S33: more jumps than are remembered end no day earlier, and do not grow what is written")
  func bounded() throws {
    var machine = Machine()
    let deleted = machine.clock
    for number in 0..<2 * CountedDays.mostSpans {
      machine.run(60)
      machine.set(Self.begin + Int64(number % 2) * 1_000_000 + Int64(number) * 60)
    }
    #expect(machine.days.spans.count == CountedDays.mostSpans)
    let passed = Int64(2 * CountedDays.mostSpans * 60)
    #expect(machine.left(of: deleted) >= 30 * Self.day - passed)
    #expect(CountedDaysFile.text(of: machine.days).utf8.count < 1 << 18)
    try machine.restart(at: machine.clock)
  }

  @Test(
    "S33: what is no such file, or not all of one, is none",
    arguments: [
      "", "albumd counted days 1\n", "albumd counted days 1\nlatest 5\nend\n",
      "albumd counted days 1\nlatest 5\nspan 1 2 3", "albumd counted days 1\nlatest 5\nspan 1 2\nend\n",
      "albumd counted days 1\nlatest x\nspan 1 2 0\nend\n",
      "albumd counted days 2\nlatest 5\nspan 1 2 0\nend\n",
      "albumd counted days 1\nlatest 5\nspan 1 2 -9\nend\n",
      "albumd counted days 1\nlatest 5\nspan 9 5 1\nspan 10 2 0\nend\n",
      "albumd counted days 1\nlatest 9223372036854775807\nspan 1 2 0\nend\n",
      "albumd counted days 1\nlatest 5\nspan 9223372036854775807 2 0\nend\n",
      "albumd counted days 1\nlatest -5\nspan 1 2 0\nend\n",
    ])
  func damaged(_ text: String) {
    let days = CountedDaysFile.parse(text).flatMap {
      CountedDays(spans: $0.spans, latest: $0.latest, clock: 100, sinceBoot: 0)
    }
    #expect(days == nil)
  }
}
