import Authorization
import Testing

@Suite("Asking for the status")
struct StatusTests {
  @Test("S5: it shows no prompt, waits for none and writes nothing, not even the end of a grant")
  func askingOnly() throws {
    let end = noon.adding(seconds: 60)
    let key = app().record(.readWrite)
    let grant = Decision(.authorized, decidedAt: noon, duration: .until(end))
    let shell = Shell(records: [try AuthorizationRecord(key, grant)])
    shell.agent("agent")
    #expect(shell.status(.readWrite) == .authorized)
    #expect(shell.status(.addOnly) == .notDetermined)
    shell.now = end
    #expect(shell.status(.readWrite) == .notDetermined)
    #expect(shell.machine.prompts.isEmpty && shell.shown.isEmpty)
    #expect(shell.stored.isEmpty && shell.pending.isEmpty)
    #expect(shell.machine.authorizations.decisions[key] == grant, "that it is over is written by the timer")
  }

  @Test("S5: while a prompt is open, and while its answer is on its way to disk, it is the old one")
  func whileOpen() {
    let shell = Shell()
    shell.commitsAtOnce = false
    shell.agent("agent")
    shell.request("a")
    #expect(shell.status() == .notDetermined)
    shell.answer("agent", .allow)
    #expect(shell.status() == .notDetermined)
    #expect(shell.shown["agent"] == [PromptID("p1")] && shell.machine.prompts.isEmpty)
    shell.commit()
    #expect(shell.status() == .authorized)
  }

  @Test("S7: every other status is returned at once, with an agent or without", arguments: [true, false])
  func decided(hasAgent: Bool) throws {
    for status in DecidedStatus.allCases {
      let record = try AuthorizationRecord(app().record(.readWrite), Decision(status, decidedAt: noon))
      let shell = Shell(records: [record])
      if hasAgent { shell.agent("agent") }
      #expect(shell.request("a") == status.rawValue)
      #expect(shell.shown.isEmpty)
    }
    for effect in Policy.Effect.allCases {
      let shell = Shell(policies: [policy("p", effect)])
      if hasAgent { shell.agent("agent") }
      #expect(shell.request("a") == effect.status.rawValue)
      #expect(shell.shown.isEmpty)
    }
  }

  @Test("S10: what each level offers, and that every grant and denial has three durations")
  func choices() {
    #expect(PromptChoice.offered(for: .readWrite) == [.allow, .limited, .deny, .notNow])
    #expect(PromptChoice.offered(for: .addOnly) == [.allow, .deny, .notNow])
    let end = noon.adding(seconds: 60)
    let durations: [(AuthorizationAnswer.Duration?, GrantDuration)] = [
      (nil, .always), (.always, .always), (.untilExit, .untilExit(process(7))), (.until(end), .until(end)),
    ]
    for level in AccessLevel.allCases {
      for choice in PromptChoice.offered(for: level) {
        guard let decided = choice.decided else { continue }
        for (duration, stored) in durations {
          let shell = Shell()
          shell.agent("agent")
          shell.request("a", level, pid: 7)
          #expect(shell.answer("agent", choice, duration: duration) == .accepted)
          let decision = shell.machine.authorizations.decisions[app().record(level)]
          #expect(decision == Decision(decided, decidedAt: noon, duration: stored))
        }
      }
    }
  }
}
