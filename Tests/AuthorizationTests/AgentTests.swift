import Authorization
import Testing

@Suite("Agents")
struct AgentTests {
  @Test("S9: an agent is shown one prompt at a time, oldest first")
  func oneAtATime() {
    let shell = Shell()
    shell.agent("agent")
    for name in ["A", "B", "C"] { shell.request(name, app: app("org.example.\(name)")) }
    #expect(shell.shown["agent"] == [PromptID("p1")])
    shell.answer("agent", .allow)
    #expect(shell.shown["agent"] == [PromptID("p2")])
    shell.gone("B")
    #expect(shell.shown["agent"] == [PromptID("p3")])
  }

  @Test("S9, S46: what an owner's own programs ask takes the place of what others ask, which comes again")
  func ownFirst() {
    let shell = Shell()
    shell.agent("agent")
    shell.request("kid", app: app(uid: 2000))
    shell.request("kid2", app: app("org.example.B", uid: 2000))
    #expect(shell.shown["agent"] == [PromptID("p1")])
    shell.request("own", app: app("org.example.C"))
    #expect(shell.withdrawn.map(\.1) == [.ownFirst] && shell.shown["agent"] == [PromptID("p3")])
    shell.request("own2", app: app("org.example.D"))
    #expect(shell.shown["agent"] == [PromptID("p3")], "an owner's own wait for each other")
    shell.answer("agent", .allow)
    #expect(shell.shown["agent"] == [PromptID("p4")])
    shell.answer("agent", .allow)
    #expect(shell.shown["agent"] == [PromptID("p1")])
    shell.answer("agent", .allow)
    #expect(shell.said(to: "kid") == "authorized")
  }

  @Test("S46: the asking owner's own agents only; the newest first")
  func ownAgent() {
    let shell = Shell(owners: [1000, 1001])
    shell.agent("other", uid: 1001)
    #expect(shell.request("a") == "noAgent", "another owner's agent is not asked")
    shell.agent("old")
    shell.agent("new")
    shell.agent("other2", uid: 1001)
    shell.request("a")
    #expect(shell.shown == ["new": [PromptID("p2")]])
  }

  @Test("S46: a user who is no owner: any owner's agent, the newest first")
  func anyOwner() {
    let shell = Shell(owners: [1000, 1001])
    shell.agent("one", uid: 1000)
    shell.agent("two", uid: 1001)
    shell.request("kid", app: app(uid: 2000))
    #expect(shell.shown == ["two": [PromptID("p1")]])
  }

  @Test("S46: when it goes away, the next; shown to one at a time")
  func next() {
    let shell = Shell()
    shell.agent("old")
    shell.agent("new")
    shell.request("a")
    shell.request("b", app: app("org.example.B"))
    #expect(shell.shown == ["new": [PromptID("p1")]], "the second waits for the agent that is asked")
    shell.agentGone("new")
    #expect(shell.shown == ["old": [PromptID("p1")]])
    #expect(shell.answer("old", .allow) == .accepted)
    #expect(shell.said(to: "a") == "authorized")
    #expect(shell.shown == ["old": [PromptID("p2")]])
  }

  @Test("S12: the last agent gone: no agent, or waiting again")
  func lastGone() {
    let shell = Shell()
    shell.agent("agent")
    shell.request("now")
    shell.request("patient", wait: true)
    shell.request("other", app: app("org.example.B"))
    shell.agentGone("agent")
    #expect(shell.said(to: "now") == "noAgent")
    #expect(shell.said(to: "other") == "noAgent")
    #expect(shell.said(to: "patient") == nil)
    shell.agent("agent2")
    #expect(shell.shown == ["agent2": [PromptID("p1")]])
    shell.answer("agent2", .deny)
    #expect(shell.said(to: "patient") == "denied")
  }

  @Test("S44: who is no owner any more is no agent any more")
  func ownersChanged() {
    let shell = Shell(owners: [1000, 1001])
    shell.agent("agent", uid: 1000)
    shell.request("a", wait: true)
    shell.run(shell.machine.ownersChanged(OwnerRules(uids: [1001])))
    #expect(shell.withdrawn.map(\.1) == [.notAnOwner] && shell.dismissed == ["agent"])
    #expect(shell.answer("agent", .authorization(.init(.allow)), to: PromptID("p1")) == .noSuchPrompt)
    shell.agent("other", uid: 1001)
    #expect(
      shell.shown["other"] == [PromptID("p1")], "the asking user is no owner now, so any owner's will do")
  }

  @Test("S44, S46: agents that may not act as owners any more are shown nothing, not each other's either")
  func dropped() {
    let shell = Shell(owners: [1000])
    shell.agent("stays", uid: 1000)
    shell.agent("first", uid: 1000)
    shell.agent("second", uid: 1000)
    shell.request("a")
    #expect(shell.shown["second"] == [PromptID("p1")])
    shell.run(shell.machine.ownersChanged(OwnerRules(uids: [1000]), dropping: ["first", "second"]))
    #expect(shell.withdrawn.map(\.1) == [.notAnOwner])
    #expect(shell.shown["first"] == nil && shell.shown["stays"] == [PromptID("p1")])
    #expect(shell.dismissed == ["first", "second"])
    shell.answer("stays", .allow)
    #expect(shell.said(to: "a") == "authorized")
    // With the last one goes whoever did not ask to wait.
    shell.request("b", app: app("org.example.Other"))
    shell.run(shell.machine.ownersChanged(OwnerRules(uids: [1000]), dropping: ["stays"]))
    #expect(shell.said(to: "b") == "noAgent")
  }

  /// A prompt that two have asked for.
  private func joined() -> Shell {
    let shell = Shell()
    shell.agent("agent")
    shell.request("a")
    shell.request("joined", pid: 2)
    return shell
  }

  @Test("S14: an open prompt says what the manifests say that were read again, in its place of the queue")
  func restated() {
    let shell = joined()
    shell.request("next", app: app("org.example.Next"))
    shell.identities([:])
    #expect(shell.withdrawn.isEmpty && shell.shown["agent"] == [PromptID("p1")], "nothing is otherwise")
    shell.identities(["a": app(usage: [.readWrite]), "joined": app(usage: [.readWrite])])
    #expect(shell.withdrawn.map(\.1) == [.restated])
    #expect(shell.shown["agent"] == [PromptID("p4")])
    #expect(shell.machine.prompts.first?.app == app(usage: [.readWrite]))
    #expect(shell.answer("agent", .authorization(.init(.allow)), to: PromptID("p1")) == .noSuchPrompt)
    shell.request("late", pid: 3)
    shell.answer("agent", .allow)
    for requester in ["a", "joined", "late"] { #expect(shell.said(to: requester) == "authorized") }
    #expect(shell.shown["agent"] == [PromptID("p3")])
  }

  @Test("S35, S11: who is another app by then is told so and decides nothing; who is the same waits on")
  func anotherApp() {
    let shell = joined()
    shell.ask("asks", app: app("org.example.Next"))
    shell.identities(["a": app("org.example.Other"), "asks": nil])
    #expect(shell.said(to: "a") == "another app" && shell.said(to: "asks") == "another app")
    #expect(shell.said(to: "joined") == nil && shell.shown["agent"] == [PromptID("p1")])
    shell.identities(["joined": app("org.example.Other")])
    #expect(shell.said(to: "joined") == "another app")
    #expect(shell.shown["agent"]?.isEmpty != false && shell.machine.prompts.isEmpty)
    #expect(shell.status() == .notDetermined)
    #expect(shell.request("b") == nil, "its record can be asked for again")
  }

  @Test("S14: an app whose manifest gives no reason any more is told what is missing")
  func reasonGone() {
    let shell = Shell()
    shell.agent("agent")
    shell.request("a")
    shell.identities(["a": app(usage: [.addOnly])])
    #expect(shell.said(to: "a")?.hasPrefix("missing org.example.App readWrite") == true)
    #expect(shell.machine.prompts.isEmpty)
  }

  @Test("S35: so is who asked while a decision of the record was on its way to disk")
  func anotherAppLate() throws {
    let shell = Shell()
    shell.commitsAtOnce = false
    shell.agent("agent")
    try shell.set(.authorized, app().record(.readWrite))
    shell.request("late")
    shell.identities(["late": app("org.example.Other")])
    #expect(shell.said(to: "late") == "another app")
    shell.commit()
    #expect(shell.said(to: "late") == nil)
  }

  @Test(
    "S46: an agent that goes while its answer is on its way to disk: that is stored, and told who brought it")
  func goneDuringCommit() {
    let shell = Shell()
    shell.commitsAtOnce = false
    shell.agent("agent")
    shell.request("a")
    shell.answer("agent", .allow)
    shell.agentGone("agent")
    shell.commit()
    #expect(shell.answerReplies == [.accepted])
    #expect(shell.said(to: "a") == "authorized")
  }
}
