import Authorization
import Testing

@Suite("Requesting access")
struct RequestTests {
  @Test("S7: a request prompts when undecided, and returns any other status at once")
  func promptsOnlyWhenUndecided() throws {
    let shell = Shell()
    shell.agent("agent")
    #expect(shell.request("a") == nil)
    #expect(shell.shown["agent"] == [PromptID("p1")])
    #expect(shell.answer("agent", .deny) == .accepted)
    #expect(shell.said(to: "a") == "denied")
    #expect(shell.request("b") == "denied")
    #expect(shell.shown["agent"] == [])
  }

  @Test("S7: without an agent a decided status is returned all the same")
  func decidedNeedsNoAgent() throws {
    let shell = Shell(records: [
      try AuthorizationRecord(app().record(.readWrite), Decision(.limited, decidedAt: noon))
    ])
    #expect(shell.request("a") == "limited")
  }

  @Test("S2: each level is asked and stored by itself; readWrite implies adding")
  func levelsAreSeparate() {
    let shell = Shell()
    shell.agent("agent")
    shell.request("a", .addOnly)
    shell.answer("agent", .deny)
    #expect(shell.status(.addOnly) == .denied)
    #expect(shell.status(.readWrite) == .notDetermined)
    #expect(shell.machine.authorizations.recordForAdding(of: app(), at: noon) == nil)
    shell.request("a2", .readWrite)
    shell.answer("agent", .limited)
    #expect(shell.status(.addOnly) == .denied)
    #expect(shell.machine.authorizations.recordForAdding(of: app(), at: noon)?.accessLevel == .readWrite)
    shell.reset([app().record(.readWrite)], by: "manager")
    shell.request("a3", .readWrite)
    shell.answer("agent", .deny)
    #expect(shell.machine.authorizations.recordForAdding(of: app(), at: noon) == nil)
  }

  @Test("S2, S32: an app adds by the level at which it may read, where it has both")
  func levelForAdding() throws {
    let shell = Shell()
    try shell.set(.authorized, app().record(.addOnly))
    #expect(shell.machine.authorizations.recordForAdding(of: app(), at: noon)?.accessLevel == .addOnly)
    try shell.set(.limited, app().record(.readWrite), by: "another manager")
    #expect(shell.machine.authorizations.recordForAdding(of: app(), at: noon)?.accessLevel == .readWrite)
  }

  @Test("S3: another user's app of the same name is another record")
  func usersAreSeparate() {
    let shell = Shell(owners: [1000, 1001])
    shell.agent("agent")
    shell.request("a")
    shell.answer("agent", .allow)
    #expect(shell.status() == .authorized)
    #expect(shell.status(app: app(uid: 1001)) == .notDetermined)
    #expect(shell.status(app: app("org.example.Other")) == .notDetermined, "so is another app of the user's")
    #expect(shell.status(.addOnly) == .notDetermined, "and the other level")
  }

  @Test("S9: requests that arrive while the prompt is open join it and get its answer")
  func joins() {
    let shell = Shell()
    shell.agent("agent")
    for name in ["a", "b", "c"] { #expect(shell.request(name) == nil) }
    #expect(shell.shown["agent"] == [PromptID("p1")])
    shell.answer("agent", .limited, selection: Selection(assets: ["1"], albums: ["x"]))
    for name in ["a", "b", "c"] { #expect(shell.said(to: name) == "limited") }
    guard case .put(let record, let selection) = shell.stored.first else {
      Issue.record("nothing stored")
      return
    }
    #expect(record.decision.status == .limited)
    #expect(selection == Selection(assets: ["1"], albums: ["x"]))
  }

  @Test("S8: nothing is said before the decision is on disk, and who asks meanwhile joins")
  func repliesAfterCommit() {
    let shell = Shell()
    shell.commitsAtOnce = false
    shell.agent("agent")
    shell.request("a")
    #expect(shell.answer("agent", .allow) == nil)
    #expect(shell.said(to: "a") == nil)
    #expect(shell.status() == .notDetermined)
    #expect(shell.request("b") == nil)
    #expect(shell.pending.count == 1)
    shell.commit()
    #expect(shell.answerReplies == [.accepted])
    #expect(shell.said(to: "a") == "authorized")
    #expect(shell.said(to: "b") == "authorized")
    #expect(shell.changed == [app().record(.readWrite)])
  }

  @Test("S8: a decision that cannot be stored is none, and everyone is told")
  func storeFails() {
    let shell = Shell()
    shell.commitsAtOnce = false
    shell.agent("agent")
    shell.request("a")
    shell.answer("agent", .allow)
    shell.failStore("disk full")
    #expect(shell.answerReplies == [.notStored("disk full")])
    #expect(shell.said(to: "a") == "not stored: disk full")
    #expect(shell.status() == .notDetermined)
    #expect(shell.request("a") == nil, "the record can be asked about again")
  }

  @Test("S11, S12: no agent is an error at once, and no denial, unless the request waits")
  func noAgent() {
    let shell = Shell()
    #expect(shell.request("a") == "noAgent")
    #expect(shell.status() == .notDetermined)
    #expect(shell.request("w", wait: true) == nil)
    #expect(shell.request("a") == "noAgent", "joining what nobody sees is waiting, too")
    shell.agent("agent")
    #expect(shell.shown["agent"]?.count == 1)
    shell.answer("agent", .allow)
    #expect(shell.said(to: "w") == "authorized")
  }

  @Test("S12: a prompt waits for as long as somebody does")
  func noTimeout() {
    let shell = Shell()
    shell.agent("agent")
    shell.request("a")
    shell.request("next", app: app("org.example.Next"), wait: true)
    for _ in 1...3 {
      shell.now = shell.now.adding(seconds: 365 * 24 * hour)
      shell.run(shell.machine.expire(at: shell.now, inUse: []))
    }
    #expect(shell.withdrawn.isEmpty && shell.said(to: "a") == nil && shell.said(to: "next") == nil)
    #expect(shell.answer("agent", .allow) == .accepted)
    #expect(shell.said(to: "a") == "authorized" && shell.shown["agent"] == [PromptID("p2")])
  }

  @Test("S12: a prompt is withdrawn when its last requester has gone")
  func withdrawn() {
    let shell = Shell()
    shell.agent("agent")
    shell.request("a")
    shell.request("b")
    shell.gone("a")
    #expect(shell.withdrawn.isEmpty)
    shell.gone("b")
    #expect(shell.withdrawn.map(\.1) == [.requesterGone])
    #expect(shell.answer("agent", .authorization(.init(.allow)), to: PromptID("p1")) == .noSuchPrompt)
    #expect(shell.status() == .notDetermined)
    #expect(shell.request("c") == nil, "a new request opens a new prompt")
    #expect(shell.shown["agent"] == [PromptID("p3")])
  }

  @Test("S14: without a usage description for the level, the file and the key are named")
  func usageMissing() {
    let shell = Shell()
    shell.agent("agent")
    let asking = app(usage: [.readWrite])
    #expect(
      shell.request("a", .addOnly, app: asking)
        == "missing org.example.App addOnly /etc/albumd/apps.d/org.example.App.yaml")
    #expect(shell.request("b", .readWrite, app: asking) == nil)
  }

  @Test("S36: who matches no manifest is granted nothing by prompt")
  func unmatched() {
    let shell = Shell()
    shell.agent("agent")
    let stranger = PeerIdentity(
      appID: "/usr/bin/frobnicate", uid: 1000, evidence: .init(.executable, "/usr/bin/frobnicate"),
      isVerified: true, manifest: nil, manifestFile: "/etc/albumd/apps.d/frobnicate.yaml")
    #expect(
      shell.request("a", app: stranger)
        == "missing /usr/bin/frobnicate readWrite /etc/albumd/apps.d/frobnicate.yaml")
    #expect(shell.shown.isEmpty)
  }
}
