import Authorization
import Testing

@Suite("Prompt fatigue")
struct FatigueTests {
  @Test("S11: not now decides nothing")
  func notNow() {
    let shell = Shell()
    shell.agent("agent")
    shell.request("a")
    #expect(shell.answer("agent", .notNow) == .accepted)
    #expect(shell.said(to: "a") == "notDetermined")
    #expect(shell.status() == .notDetermined)
    #expect(shell.request("b") == nil)
  }

  @Test("S13: after three, an hour, doubling to a day; a decision ends it")
  func doubling() throws {
    let shell = Shell()
    shell.agent("agent")
    func refuse() {
      #expect(shell.request("a") == nil)
      #expect(shell.answer("agent", .notNow) == .accepted)
      #expect(shell.said(to: "a") == "notDetermined")
    }
    for _ in 1...3 { refuse() }
    for hours: Int64 in [1, 2, 4, 8, 16, 24, 24] {
      #expect(shell.request("a") == "throttled \(hours * hour)")
      shell.now = shell.now.adding(seconds: hours * hour - 1)
      #expect(shell.request("a") == "throttled 1")
      shell.now = shell.now.adding(seconds: 1)
      refuse()
    }
    try shell.set(.denied, app().record(.readWrite))
    #expect(shell.stored.last == .refusals(app().record(.readWrite), nil))
    shell.reset([app().record(.readWrite)], by: "m2")
    #expect(shell.request("a") == nil)
  }

  @Test("S13: the count survives a restart, and each level has its own")
  func survives() {
    let count = RefusalRecord(count: 3, lastRefusedAt: noon)
    let shell = Shell(refusals: [app().record(.readWrite): count])
    shell.agent("agent")
    #expect(shell.request("a") == "throttled \(hour)")
    #expect(shell.request("b", .addOnly) == nil)
    shell.now = Timestamp(seconds: 0)
    shell.gone("b")
    #expect(shell.request("a") == nil, "a clock that was set back does not lengthen the pause")
  }

  @Test("S13: the count is stored with every not now")
  func stored() {
    let shell = Shell()
    shell.agent("agent")
    shell.request("a")
    shell.answer("agent", .notNow)
    #expect(
      shell.stored == [.refusals(app().record(.readWrite), RefusalRecord(count: 1, lastRefusedAt: noon))])
  }

  @Test("S11: an agent that goes away refused nothing")
  func agentGone() {
    let shell = Shell()
    shell.agent("agent")
    shell.request("a")
    shell.agentGone("agent")
    #expect(shell.said(to: "a") == "noAgent")
    #expect(shell.status() == .notDetermined)
    #expect(shell.machine.refusals.isEmpty)
  }

  @Test(
    "S13: questions are counted by app: after three that were refused in a row it waits, whatever it asks")
  func questions() {
    let shell = Shell()
    shell.agent("agent")
    func pick(_ photos: [String]) {
      #expect(shell.ask("a") == nil)
      #expect(shell.answer("agent", .question(photos)) == .accepted)
      #expect(shell.said(to: "a") == photos.joined())
    }
    func refuse() { pick([]) }
    for _ in 1...3 { refuse() }
    #expect(shell.ask("a") == "throttled \(hour)")
    #expect(shell.request("b") == nil, "access is asked for by itself")
    shell.gone("b")
    #expect(shell.ask("c", app: app("org.example.Other")) == nil)
    shell.gone("c")
    shell.now = shell.now.adding(seconds: hour)
    refuse()
    #expect(shell.ask("a") == "throttled \(2 * hour)")
    shell.reset([], of: "org.example.Other", by: "manager")
    shell.reset([], uid: 1001, by: "another manager")
    #expect(shell.ask("a") == "throttled \(2 * hour)")
    shell.now = shell.now.adding(seconds: 2 * hour)
    pick(["1"])
    for _ in 1...2 { refuse() }
    shell.now = shell.now.adding(seconds: 49 * hour)
    for _ in 1...2 { refuse() }
    #expect(shell.ask("a") == nil, "those of the day before yesterday do not count")
  }

  @Test(
    "S8, S13: an owner ends the pause of an app about which nothing was ever decided",
    arguments: [(app().appID, nil), (app().appID, 1000), (nil, 1000), (nil, nil)] as [(String?, UInt32?)])
  func questionsReset(appID: String?, uid: UInt32?) {
    let shell = Shell()
    shell.agent("agent")
    for _ in 1...3 {
      #expect(shell.ask("a") == nil)
      shell.answer("agent", .question([]))
      #expect(shell.said(to: "a") == "")
    }
    #expect(shell.ask("a") == "throttled \(hour)")
    shell.reset([], of: appID, uid: uid)
    #expect(shell.said(to: "manager") == "stored")
    #expect(shell.ask("a") == nil)
  }

  @Test("S13, S21: what an app did not ask itself neither makes it wait nor ends its pause")
  func notAskedByTheApp() {
    let shell = Shell()
    shell.agent("agent")
    func answer(_ photos: [String], asksItself: Bool) {
      #expect(shell.ask("a", asksItself: asksItself) == nil)
      #expect(shell.answer("agent", .question(photos)) == .accepted)
      #expect(shell.said(to: "a") == photos.joined())
    }
    for _ in 1...3 { answer([], asksItself: false) }
    for _ in 1...2 { answer([], asksItself: true) }
    answer(["1"], asksItself: false)
    answer([], asksItself: true)
    #expect(shell.ask("a") == "throttled \(hour)")
  }

  @Test("S13: programs without a manifest wait together: one that is called otherwise is no other")
  func programs() {
    let shell = Shell()
    shell.agent("agent")
    for name in ["/tmp/a", "/tmp/b", "/tmp/c"] {
      #expect(shell.ask("a", app: program(name)) == nil)
      shell.answer("agent", .question([]))
      #expect(shell.said(to: "a") == "")
    }
    #expect(shell.ask("a", app: program("/tmp/d")) == "throttled \(hour)")
    #expect(shell.ask("b", app: app()) == nil, "an app with a manifest answers for itself")
    shell.gone("b")
    #expect(shell.ask("b", app: program("/tmp/d", uid: 1001)) == nil, "and so does another user")
    shell.gone("b")
    shell.reset([], of: "/tmp/d")
    #expect(shell.ask("a", app: program("/tmp/e")) == "throttled \(hour)")
    shell.reset([], of: "/tmp/b", by: "owner")
    #expect(shell.ask("a", app: program("/tmp/e")) == nil)
  }

  @Test("S13: twenty prompts of a user a minute, also where each is withdrawn at once")
  func aMinute() {
    let shell = Shell()
    shell.agent("agent")
    for _ in 1...20 {
      #expect(shell.ask("a", app: app(uid: 2000)) == nil)
      shell.gone("a")
    }
    #expect(shell.ask("a", app: app(uid: 2000)) == "throttled 60")
    #expect(shell.request("b", app: app("org.example.Other", uid: 2000)) == "throttled 60")
    #expect(shell.ask("c", app: app(uid: 2001)) == nil)
    shell.now = shell.now.adding(seconds: 60)
    #expect(shell.ask("d", app: app(uid: 2000)) == nil)
  }

  @Test(
    "S13: a user's subordinate ids have the prompts of one user, waiting and in a minute, and one patience")
  func subordinateIDs() {
    let shell = Shell()
    shell.agent("agent")
    func subordinate(_ number: UInt32) -> PeerIdentity {
      app("org.example.A", uid: 100_000 + number).counted(against: 2000)
    }
    for number: UInt32 in 1...16 { #expect(shell.request("r\(number)", app: subordinate(number)) == nil) }
    #expect(shell.request("x", app: subordinate(17)) == "busy")
    for number in 1...16 { shell.gone("r\(number)") }
    for number: UInt32 in 18...21 {
      #expect(shell.ask("a", app: subordinate(number)) == nil)
      shell.gone("a")
    }
    #expect(shell.ask("a", app: subordinate(22)) == "throttled 60")
    shell.now = shell.now.adding(seconds: 60)
    for number: UInt32 in 1...3 {
      #expect(shell.ask("a", app: program("/tmp/a", uid: 100_000 + number).counted(against: 2000)) == nil)
      shell.answer("agent", .question([]))
      #expect(shell.said(to: "a") == "")
    }
    #expect(
      shell.ask("a", app: program("/tmp/a", uid: 100_004).counted(against: 2000)) == "throttled \(hour)")
    #expect(shell.ask("a", app: program("/tmp/a", uid: 2001)) == nil)
  }

  @Test("S13: one open prompt per app")
  func onePerApp() {
    let shell = Shell()
    shell.agent("agent")
    #expect(shell.request("a", .readWrite) == nil)
    #expect(shell.request("b", .addOnly) == "busy")
    #expect(shell.request("c", app: app(uid: 1001)) == nil, "another user's app is another")
  }

  @Test("S13: sixteen waiting prompts per user")
  func sixteenPerUser() {
    let shell = Shell()
    shell.agent("agent")
    for number in 1...16 { #expect(shell.request("r\(number)", app: app("org.example.A\(number)")) == nil) }
    #expect(shell.request("x", app: app("org.example.X")) == "busy")
    #expect(shell.request("join", app: app("org.example.A5")) == nil)
    #expect(shell.request("y", app: app("org.example.X", uid: 1001)) == nil)
    shell.answer("agent", .deny)
    #expect(shell.request("x", app: app("org.example.X")) == nil)
  }
}
