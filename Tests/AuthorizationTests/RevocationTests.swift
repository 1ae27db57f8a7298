import Authorization
import Testing

@Suite("What is taken away counts at once")
struct RevocationTests {
  private let key = app().record(.readWrite)

  private func shell(_ status: DecidedStatus, _ selection: Selection = Selection()) throws -> Shell {
    let shell = Shell()
    try shell.set(status, key)
    shell.run(
      shell.machine.changeSelection(of: [key], by: [.replace(selection)], author: owner, for: "first"))
    shell.commitsAtOnce = false
    return shell
  }

  private func selected(_ shell: Shell) -> Selection {
    shell.machine.authorizations.selections[key] ?? Selection()
  }

  @Test("S29: a denial counts before it is on disk, and when the disk does not take it")
  func denial() throws {
    let shell = try shell(.authorized)
    try shell.set(.denied, key, by: "owner")
    #expect(shell.status() == .denied && shell.said(to: "owner") == nil)
    shell.failStore("full")
    #expect(shell.said(to: "owner") == "counts: full" && shell.status() == .denied)
  }

  @Test("S29: so does a denial in a prompt, and who gave it is told; a grant does not")
  func answers() throws {
    for (choice, reply) in [
      (PromptChoice.deny, AnswerReply.acceptedUnsaved("full")), (.allow, .notStored("full")),
    ] {
      let shell = Shell()
      shell.commitsAtOnce = false
      shell.agent("agent")
      shell.request("app")
      shell.answer("agent", choice)
      shell.failStore("full")
      #expect(shell.answerReplies == [reply])
      #expect(shell.status() == (choice == .deny ? .denied : .notDetermined))
      let told = AccessEvent(
        .decision, accessLevel: .readWrite, outcome: "denied", by: .init(.agent, uid: 1000))
      #expect(shell.noted.map(\.event) == (choice == .deny ? [told] : []))
    }
  }

  @Test("S29: so does a reset, and the app may be asked about again")
  func reset() throws {
    let shell = try shell(.authorized, Selection(assets: ["1"]))
    shell.agent("agent")
    shell.reset([key], by: "owner")
    #expect(shell.status() == .notDetermined && selected(shell).isEmpty)
    #expect(shell.request("app") == nil && shell.shown["agent"]?.isEmpty ?? true)
    shell.failStore("full")
    #expect(shell.said(to: "owner") == "counts: full" && shell.status() == .notDetermined)
    #expect(shell.shown["agent"]?.count == 1)
  }

  @Test("S16, S29: a limit in the place of full access counts at once; full access does not")
  func limit() throws {
    let shell = try shell(.authorized, Selection(assets: ["1"]))
    try shell.set(.limited, key, by: "owner")
    #expect(shell.status() == .limited && selected(shell) == Selection(assets: ["1"]))
    shell.failStore("full")
    #expect(shell.said(to: "owner") == "counts: full" && shell.status() == .limited)
    try shell.set(.authorized, key, by: "again")
    #expect(shell.status() == .limited)
    shell.failStore("full")
    #expect(shell.said(to: "again") == "not stored: full" && shell.status() == .limited)
  }

  @Test("S22, S29: what leaves a selection leaves at once; what joins it joins on disk")
  func selection() throws {
    let shell = try shell(.limited, Selection(assets: ["1", "2"]))
    shell.run(
      shell.machine.changeSelection(
        of: [key], by: [.replace(Selection(assets: ["2", "3"]))], author: owner, for: "owner"))
    #expect(selected(shell) == Selection(assets: ["2"]))
    #expect(shell.pending.last?.revocations == [.select(key, .remove(Selection(assets: ["1"])))])
    shell.failStore("full")
    #expect(shell.said(to: "owner") == "not stored: full" && selected(shell) == Selection(assets: ["2"]))
    shell.run(
      shell.machine.changeSelection(
        of: [key], by: [.remove(Selection(assets: ["2"]))], author: owner, for: "owner"))
    #expect(selected(shell).isEmpty)
    shell.failStore("full")
    #expect(shell.said(to: "owner") == "counts: full")
  }

  @Test(
    "S29: of a denial and a grant that are both on their way the denial counts, until the grant is on disk")
  func order() throws {
    let shell = try shell(.authorized)
    try shell.set(.denied, key, by: "one")
    try shell.set(.authorized, key, by: "two")
    #expect(shell.status() == .denied)
    shell.commitFirst()
    #expect(shell.status() == .denied)
    shell.commitFirst()
    #expect(shell.status() == .authorized)
  }

  @Test("S16: what is taken out while it is on its way into a selection never comes into it")
  func removedMeanwhile() throws {
    let shell = try shell(.limited)
    let one = Selection(assets: ["1"])
    shell.run(shell.machine.changeSelection(of: [key], by: [.add(one)], author: owner, for: "adds"))
    shell.run(shell.machine.changeSelection(of: [key], by: [.remove(one)], author: owner, for: "removes"))
    shell.commitFirst()
    #expect(selected(shell).isEmpty)
    shell.failStore("full")
    #expect(selected(shell).isEmpty && shell.said(to: "removes") == "counts: full")
  }

  @Test(
    "S22, S29: taking a photo out of a large selection costs what it names: nothing of it is copied, however it ends"
  )
  func large() throws {
    let shell = try shell(.limited, Selection(assets: Set((0..<1000).map { "\($0)" })))
    /// Where the set lies in memory.
    func place() -> UInt { unsafeBitCast(selected(shell).assets, to: UInt.self) }
    func remove(_ id: String) {
      let change = SelectionChange.remove(Selection(assets: [id]))
      shell.run(shell.machine.changeSelection(of: [key], by: [change], author: owner, for: id))
    }
    // What was selected has it as well, until then.
    remove("0")
    shell.commitFirst()
    let first = place()
    for (id, isStored) in [("1", true), ("2", false)] {
      remove(id)
      #expect(!selected(shell).assets.contains(id) && place() == first)
      // Nothing is taken from it.
      remove("none \(id)")
      if isStored { shell.commitFirst() } else { shell.failStore("full") }
      #expect(!selected(shell).assets.contains(id) && place() == first)
      shell.commitFirst()
      #expect(selected(shell).assets.count == 999 - (Int(id) ?? 0) && place() == first)
    }
  }
}
