import Authorization
import Testing

@Suite("Answers")
struct AnswerTests {
  @Test("S10: addOnly is not offered limited, and a wrong answer leaves the prompt open")
  func addOnlyIsNotLimited() {
    let shell = Shell()
    shell.agent("agent")
    shell.request("a", .addOnly)
    #expect(
      shell.answer("agent", .limited)
        == .invalid(
          InvalidAnswer(reason: "limited is not offered for addOnly; offered are allow, deny, notNow")))
    #expect(shell.said(to: "a") == nil)
    #expect(shell.answer("agent", .allow) == .accepted)
    #expect(shell.said(to: "a") == "authorized")
  }

  @Test(
    "S10: what does not fit is refused with the reason",
    arguments: [
      (AuthorizationAnswer(.allow, duration: .until(noon)), "has passed"),
      (AuthorizationAnswer(.notNow, duration: .always), "takes no duration"),
      (AuthorizationAnswer(.allow, selection: Selection(assets: ["1"])), "only limited takes"),
    ])
  func invalid(answer: AuthorizationAnswer, why: String) throws {
    let shell = Shell()
    shell.agent("agent")
    shell.request("a")
    guard case .invalid(let error) = shell.answer("agent", .authorization(answer)) else {
      Issue.record("accepted")
      return
    }
    #expect(error.reason.contains(why))
    #expect(shell.shown["agent"]?.count == 1)
    #expect(shell.pending.isEmpty && shell.stored.isEmpty)
  }

  @Test("S46: a prompt is the owner's whose agent is shown it; another's answer finds none")
  func boundToAgent() {
    let shell = Shell(owners: [1000, 1001])
    shell.agent("first", uid: 1000)
    shell.agent("second", uid: 1001)
    let kid = app(uid: 2000)
    shell.request("a", app: kid)
    #expect(shell.shown == ["second": [PromptID("p1")]])
    #expect(shell.answer("first", .authorization(.init(.allow)), to: PromptID("p1")) == .noSuchPrompt)
    #expect(shell.answer("second", .allow) == .accepted)
    #expect(shell.answer("second", .authorization(.init(.deny)), to: PromptID("p1")) == .noSuchPrompt)
    #expect(shell.status(app: kid) == .authorized)
  }

  @Test("S17: limited to nothing is nothing, whatever was selected before the app was asked about")
  func limitedToNothing() throws {
    let shell = Shell()
    shell.agent("agent")
    shell.request("a")
    #expect(shell.answer("agent", .limited) == .accepted)
    let record = try AuthorizationRecord(app().record(.readWrite), Decision(.limited, decidedAt: noon))
    #expect(shell.stored == [.put(record, selection: Selection())])
  }

  @Test("S10: until a time: then undecided again, and asked again")
  func untilTime() {
    let shell = Shell()
    shell.agent("agent")
    shell.request("a")
    let end = noon.adding(seconds: 60)
    shell.answer("agent", .allow, duration: .until(end))
    #expect(shell.said(to: "a") == "authorized")
    #expect(shell.machine.authorizations.nextExpiry == end)
    shell.now = Timestamp(microseconds: end.microseconds - 1)
    #expect(shell.status() == .authorized)
    shell.now = end
    #expect(shell.status() == .notDetermined, "also before the timer has fired")
    shell.run(shell.machine.expire(at: end, inUse: []))
    #expect(shell.stored.last == .remove(app().record(.readWrite)))
    #expect(shell.machine.authorizations.nextExpiry == nil)
    #expect(shell.request("b") == nil)
  }

  @Test("S10: until the app exits: bound to the process that asked, by start time and boot")
  func untilExit() {
    let shell = Shell()
    shell.agent("agent")
    shell.request("a", pid: 7)
    shell.request("b", pid: 8)
    shell.answer("agent", .allow, duration: .untilExit)
    #expect(shell.watched == [process(7)])
    shell.run(shell.machine.processExited(process(8)))
    shell.run(shell.machine.processExited(ProcessInstance(pid: 7, startTime: 700, bootID: "another boot")))
    shell.run(shell.machine.processExited(ProcessInstance(pid: 7, startTime: 701, bootID: "boot")))
    #expect(shell.status() == .authorized)
    shell.run(shell.machine.processExited(process(7)))
    #expect(shell.status() == .notDetermined)
    #expect(shell.stored.last == .remove(app().record(.readWrite)))
  }

  @Test("S10: a grant read from the registry still ends with its process")
  func untilExitAfterRestart() throws {
    let key = app().record(.readWrite)
    let grant = Decision(.authorized, decidedAt: noon, duration: .untilExit(process(7)))
    let shell = Shell(records: [try AuthorizationRecord(key, grant)])
    #expect(shell.machine.authorizations.processes == [process(7)])
    #expect(shell.status() == .authorized)
    shell.run(shell.machine.processExited(process(7)))
    #expect(shell.status() == .notDetermined)
  }

  @Test("S10: the end of a process does not remove a newer decision that is on its way to disk")
  func exitDuringCommit() throws {
    let key = app().record(.readWrite)
    let grant = Decision(.limited, decidedAt: noon, duration: .untilExit(process(7)))
    let shell = Shell(records: [try AuthorizationRecord(key, grant)])
    shell.commitsAtOnce = false
    try shell.set(.authorized, key)
    shell.run(shell.machine.processExited(process(7)))
    #expect(shell.status() == .notDetermined)
    #expect(shell.pending.count == 1)
    shell.commit()
    #expect(shell.status() == .authorized)
  }

  @Test("S23: questions of other kinds share the queue; their answers are checked and passed on")
  func questions() {
    let shell = Shell()
    shell.agent("agent")
    #expect(shell.ask("a", limit: 1) == nil)
    #expect(shell.ask("a2") == "busy")
    #expect(shell.request("b", app: app("org.example.Other")) == nil)
    #expect(shell.shown["agent"] == [PromptID("p1")])
    #expect(
      shell.answer("agent", .question(["1", "2"])) == .invalid(InvalidAnswer(reason: "at most 1 photos")))
    guard case .invalid = shell.answer("agent", .allow) else {
      Issue.record("an authorization answer is none to a picker")
      return
    }
    #expect(shell.answer("agent", .question(["1"])) == .accepted)
    #expect(shell.said(to: "a") == "1")
    #expect(shell.shown["agent"] == [PromptID("p3")])
    #expect(shell.stored.isEmpty)
  }
}
