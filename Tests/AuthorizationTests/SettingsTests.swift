import Authorization
import Testing

@Suite("Settings and policies")
struct SettingsTests {
  let key = app().record(.readWrite)
  /// Another user's.
  let other = app(uid: 1001).record(.readWrite)

  @Test("S8: a decision in settings withdraws the open prompt and answers who waits")
  func setWhileOpen() throws {
    let shell = Shell()
    shell.agent("agent")
    shell.request("a")
    try shell.set(.limited, key)
    #expect(shell.withdrawn.map(\.1) == [.decidedElsewhere])
    #expect(shell.said(to: "a") == "limited")
    #expect(shell.said(to: "manager") == "stored")
  }

  @Test("S8: settings after an answer that is not yet on disk: the last one counts")
  func setDuringCommit() throws {
    let shell = Shell()
    shell.commitsAtOnce = false
    shell.agent("agent")
    shell.request("a")
    shell.answer("agent", .allow)
    try shell.set(.denied, key)
    shell.commit()
    #expect(shell.said(to: "a") == "denied")
    #expect(shell.status() == .denied)
  }

  @Test("S8: after a reset the owner is asked again")
  func reset() throws {
    let shell = Shell()
    shell.agent("agent")
    try shell.set(.denied, key)
    shell.reset([key, app().record(.addOnly)], by: "m")
    #expect(shell.said(to: "m") == "stored")
    #expect(shell.request("a") == nil)
  }

  @Test("S1: there are these statuses, and no others")
  func statuses() {
    #expect(
      AuthorizationStatus.allCases.map(\.rawValue) == [
        "notDetermined", "restricted", "denied", "authorized", "limited",
      ])
  }

  @Test("S1: addOnly is never limited")
  func addOnlyIsNeverLimited() {
    #expect(throws: AddOnlyIsNeverLimited.self) {
      try AuthorizationRecord(app().record(.addOnly), Decision(.limited, decidedAt: noon))
    }
  }

  @Test("S22: a selection is changed beside its decision, and those who watch are told when it is on disk")
  func selection() throws {
    let shell = Shell()
    try shell.set(.limited, key)
    shell.commitsAtOnce = false
    let changes = [SelectionChange.add(Selection(assets: ["1"]))]
    shell.run(shell.machine.changeSelection(of: [key], by: changes, author: owner, for: "m"))
    #expect(shell.said(to: "m") == nil)
    shell.commit()
    #expect(shell.said(to: "m") == "stored")
    #expect(shell.changed == [key, key])
    #expect(shell.stored.last == .select(key, changes[0]))
    #expect(shell.status() == .limited)
    shell.run(shell.machine.changeSelection(of: [key], by: changes, author: owner, for: "m"))
    shell.failStore("full")
    #expect(shell.said(to: "m") == "not stored: full")
  }

  @Test("S18, S22: changes to a selection that meet are all kept")
  func selectionsMeet() {
    var selection = Selection(assets: ["1", "2"], albums: ["1"])
    selection.apply(.add(Selection(assets: ["3"], albums: ["2"])))
    selection.apply(.remove(Selection(assets: ["1", "9"], albums: ["1"])))
    #expect(selection == Selection(assets: ["2", "3"], albums: ["2"]))
    selection.apply(.replace(Selection(assets: ["4"])))
    #expect(selection == Selection(assets: ["4"]))
  }

  @Test("S37: where a policy decides, a selection cannot be changed")
  func lockedSelection() {
    let shell = Shell(policies: [policy("children", .restrict, users: [1000], levels: [.readWrite])])
    shell.run(shell.machine.changeSelection(of: [key], by: [.replace(Selection())], author: owner, for: "m"))
    #expect(shell.said(to: "m") == "locked by children")
    // Nor those of others that are to be changed with it.
    shell.run(
      shell.machine.changeSelection(of: [other, key], by: [.replace(Selection())], author: owner, for: "m2"))
    #expect(shell.said(to: "m2") == "locked by children" && shell.stored.isEmpty)
  }

  @Test("S37: what a policy decides, the owner cannot change")
  func locked() throws {
    let shell = Shell(policies: [policy("children", .restrict, users: [1000], levels: [.readWrite])])
    try shell.set(.authorized, key)
    #expect(shell.said(to: "manager") == "locked by children")
    try shell.set(.authorized, app().record(.addOnly), by: "m2")
    #expect(shell.said(to: "m2") == "stored")
  }

  @Test(
    "S37: of several records one that a policy decides leaves all as they were; else all are decided at once")
  func lockedOfSeveral() throws {
    let shell = Shell(policies: [policy("children", .restrict, users: [1000], levels: [.readWrite])])
    shell.agent("agent")
    shell.request("a", app: app(uid: 1001))
    try shell.set(.denied, other, key)
    #expect(shell.said(to: "manager") == "locked by children")
    #expect(shell.stored.isEmpty && shell.withdrawn.isEmpty)
    shell.commitsAtOnce = false
    try shell.set(.denied, other, app().record(.addOnly), by: "m2")
    shell.commitFirst()
    #expect(shell.said(to: "m2") == "stored" && shell.said(to: "a") == "denied")
    // When it counts, and when it is on disk.
    #expect(Set(shell.changed) == [other, app().record(.addOnly)])
  }

  @Test("S6: a decision is kept beneath a policy and returns when the policy goes")
  func beneath() throws {
    let shell = Shell()
    try shell.set(.authorized, key)
    shell.run(shell.machine.policiesChanged(PolicySet([policy("p", .restrict)]), seen: [], at: noon))
    #expect(shell.status() == .restricted)
    #expect(shell.request("a") == "restricted")
    shell.run(shell.machine.policiesChanged(PolicySet(), seen: [], at: noon))
    #expect(shell.status() == .authorized)
  }

  @Test("S37: a policy that arrives while a prompt is open withdraws it", arguments: Policy.Effect.allCases)
  func policyWhileOpen(effect: Policy.Effect) {
    let shell = Shell()
    shell.agent("agent")
    shell.request("a")
    shell.run(shell.machine.policiesChanged(PolicySet([policy("p", effect)]), seen: [], at: noon))
    #expect(shell.withdrawn.map(\.1) == [.decidedElsewhere])
    #expect(shell.said(to: "a") == effect.status.rawValue)
  }

  @Test("S4: a policy that arrives while an answer is on its way to disk wins")
  func policyDuringCommit() {
    let shell = Shell()
    shell.commitsAtOnce = false
    shell.agent("agent")
    shell.request("a")
    shell.answer("agent", .allow)
    shell.run(shell.machine.policiesChanged(PolicySet([policy("p", .restrict)]), seen: [], at: noon))
    shell.commit()
    #expect(shell.said(to: "a") == "restricted")
  }

  @Test("S37: restrict beats authorize, and the policy that decided is named")
  func restrictWins() {
    let set = PolicySet([policy("a", .authorize), policy("z", .restrict, apps: ["org.example.*"])])
    #expect(set.policy(for: key)?.effect == .restrict)
    #expect(set.policy(for: key)?.name == "z")
    #expect(set.policy(for: app("com.other.App").record(.addOnly))?.effect == .authorize)
    #expect(PolicySet([policy("k", .restrict, users: [7])]).policy(for: key) == nil)
    #expect(PolicySet([policy("none", .restrict, users: [])]).policy(for: key) == nil)
  }

  @Test(
    "S4: policy, else decision, else undecided",
    arguments: [
      (
        Policy.Effect.restrict as Policy.Effect?, DecidedStatus.authorized as DecidedStatus?,
        AuthorizationStatus.restricted
      ),
      (.authorize, .denied, .authorized),
      (nil, .denied, .denied),
      (nil, nil, .notDetermined),
    ])
  func effective(effect: Policy.Effect?, decided: DecidedStatus?, expected: AuthorizationStatus) throws {
    let records = try decided.map { [try AuthorizationRecord(key, Decision($0, decidedAt: noon))] } ?? []
    let policies = PolicySet(effect.map { [policy("p", $0)] } ?? [])
    let effective = Authorizations(policies: policies, records: records).status(of: key, at: noon)
    #expect(effective.status == expected)
    #expect((effective.policy == nil) == (effect == nil))
  }

  @Test("S6: usable is authorized and limited")
  func usable() {
    #expect(AuthorizationStatus.allCases.filter(\.isUsable) == [.authorized, .limited])
  }

  @Test("S7: who asks while a decision is being taken back is asked about, when that is on disk")
  func requestDuringReset() throws {
    let key = app().record(.readWrite)
    let shell = Shell(records: [try AuthorizationRecord(key, Decision(.denied, decidedAt: noon))])
    shell.agent("agent")
    shell.commitsAtOnce = false
    shell.reset([key], by: "manager")
    #expect(shell.request("early") == nil && shell.status() == .notDetermined)
    try shell.set(.authorized, key, by: "other")
    shell.reset([key], by: "third")
    shell.commitFirst()
    #expect(shell.request("a") == nil && shell.request("gone") == nil && shell.request("b") == nil)
    shell.gone("gone")
    shell.commit()
    #expect(shell.said(to: "a") == nil && shell.said(to: "b") == nil)
    #expect(shell.shown["agent"]?.count == 1)
    shell.answer("agent", .allow)
    shell.commit()
    #expect(shell.said(to: "a") == "authorized" && shell.said(to: "b") == "authorized")
  }
}
