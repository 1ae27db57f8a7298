import AlbumAPI
import Testing
import Words

@testable import AlbumTerminal

private let noon = Instant(microseconds: 0)

private func prompt(_ id: String, _ choices: [AgentInterface.Decision] = [.allow, .limited, .deny, .notNow])
  -> AgentInterface.Prompt
{
  AgentInterface.Prompt(
    id: id, kind: .authorization,
    app: .init(id: "org.example.\(id)", name: "App \(id)", verified: false, user: "alice"),
    accessLevel: .readWrite, usageDescription: "To show\nyour photos.\u{1B}[2J", choices: choices)
}

extension AgentDialog {
  fileprivate mutating func press(_ keys: String) -> [Action] {
    keys.flatMap { press($0 == "\n" ? .enter : .character($0), now: noon) }
  }

  fileprivate var text: String { screen(columns: 80, rows: 50).map(\.text).joined(separator: "\n") }
}

@Suite struct AgentDialogTests {
  @Test(
    "S10: each choice has its key, a grant has its duration",
    arguments: [
      ("aa", AgentInterface.Answer(decision: .allow, duration: .always)),
      ("ae", .init(decision: .allow, duration: .untilExit)),
      ("ath", .init(decision: .allow, duration: .until, expires: .init(microseconds: 3_600_000_000))),
      ("d", .init(decision: .deny)),
      ("n", .init(decision: .notNow)),
      // Keys that mean nothing change nothing.
      ("xza7a", .init(decision: .allow, duration: .always)),
    ])
  func answers(keys: String, answer: AgentInterface.Answer) {
    var dialog = AgentDialog()
    dialog.show(prompt("1"))
    #expect(dialog.press(keys) == [.respond(prompt: "1", answer: answer)])
    #expect(dialog.answer == answer)
    // It was answered once: a further key does not answer again.
    #expect(dialog.press("aadn") == [])
  }

  @Test("S55: the app's reason for location is shown with a switch, which is off until the person sets it")
  func location() {
    var asking = prompt("1")
    asking.locationUsageDescription = "To show\na map.\u{1B}[2J"
    for (keys, location) in [("aa", nil), ("laa", true), ("llaa", nil), ("ld", nil), ("ln", nil)]
      as [(String, Bool?)]
    {
      var dialog = AgentDialog()
      dialog.show(asking)
      #expect(dialog.text.contains("“To show a map.") && dialog.text.contains("not told"))
      _ = dialog.press(keys)
      #expect(dialog.answer?.location == location && dialog.answer != nil, "\(keys)")
    }
    // Where there is no reason there is no switch, and what was set for one prompt is not for the next.
    var dialog = AgentDialog()
    dialog.show(prompt("1"))
    #expect(!dialog.text.contains("Where photos were taken"))
    _ = dialog.press("laa")
    #expect(dialog.answer?.location == nil)
    var second = AgentDialog()
    second.show(asking)
    var next = asking
    next.id = "2"
    second.show(next)
    _ = second.press("ld")
    _ = second.answered(now: noon)
    _ = second.press(.character("a"), now: .init(microseconds: 10_000_000))
    _ = second.press(.character("a"), now: .init(microseconds: 10_000_000))
    #expect(second.answer?.location == nil && second.answer?.decision == .allow)
  }

  @Test("S10: what the prompt does not offer has no key")
  func addOnly() {
    var dialog = AgentDialog()
    dialog.show(prompt("1", [.allow, .deny, .notNow]))
    #expect(dialog.press("s") == [])
    #expect(!dialog.text.contains("Select"))
  }

  @Test("S10, S20: where some photos can be selected, allowing is said to mean all")
  func allowAll() {
    var addOnly = prompt("1", [.allow, .deny, .notNow])
    addOnly.accessLevel = .addOnly
    var limited = prompt("1", [.limited, .allow, .notNow])
    limited.kind = .limitedPicker
    for (prompt, title) in [
      (prompt("1"), "a  Allow all photos"), (limited, "a  Allow all photos"), (addOnly, "a  Allow\n"),
    ] {
      var dialog = AgentDialog()
      dialog.show(prompt)
      #expect(dialog.text.contains(title))
    }
  }

  @Test("S9: one prompt at a time, oldest first")
  func queue() {
    var dialog = AgentDialog()
    dialog.show(prompt("1"))
    dialog.show(prompt("2"))
    #expect(dialog.text.contains("1 more waiting"))
    #expect(!dialog.text.contains("App 2"))
    _ = dialog.press("d")
    // The record tells what was answered, of which app.
    #expect(
      dialog.answered() == [
        .report(
          "not allowed: App 1 (org.example.1) wants to see your photos and videos, and add to them.")
      ])
    #expect(dialog.text.contains("App 2"))
    #expect(dialog.press("n") == [.respond(prompt: "2", answer: .init(decision: .notNow))])
  }

  @Test("a withdrawn prompt disappears with its reason, open, waiting or answered")
  func withdrawal() {
    var dialog = AgentDialog()
    dialog.show(prompt("1"))
    dialog.show(prompt("2"))
    #expect(
      dialog.withdraw(.init(id: "2", reason: "gone\u{7}")) == [
        .report("App 2 (org.example.2): no answer needed any more (gone\\u{7})")
      ])
    _ = dialog.press("a")
    #expect(dialog.withdraw(.init(id: "1", reason: "the app left")).count == 1)
    #expect(!dialog.isOpen)
    #expect(dialog.screen(columns: 80, rows: 24).isEmpty)
    #expect(dialog.withdraw(.init(id: "1", reason: "again")) == [])
    #expect(dialog.answered() == [])
  }

  @Test("S11: leaving, or losing the daemon, answers nothing")
  func leaving() {
    var dialog = AgentDialog()
    dialog.show(prompt("1"))
    #expect(dialog.press("q") == [.end])
    dialog.connectionLost()
    #expect(!dialog.isOpen)
    #expect(dialog.press("a") == [])
  }

  @Test("an answer that does not fit can be given again; one that comes too late cannot")
  func failures() {
    var dialog = AgentDialog()
    dialog.show(prompt("1"))
    _ = dialog.press("d")
    #expect(dialog.answerFailed("nothing selected", isFinal: false) == [])
    #expect(dialog.text.contains("nothing selected"))
    _ = dialog.press("d")
    #expect(dialog.answerFailed("too late", isFinal: true).count == 1)
    #expect(!dialog.isOpen)
  }

  @Test("a prompt that was answered or withdrawn meanwhile is said to be in the person's language")
  func tooLate() {
    var dialog = AgentDialog(words: .matching(["zh-CN"]))
    dialog.show(prompt("1"))
    _ = dialog.press("d")
    let line = "App 1 (org.example.1)：未能回答。请求已有回答，或已被撤回。"
    #expect(dialog.answerFailed("The prompt was answered", isFinal: true) == [.report(line)])
  }

  @Test("an app that is not verified is shown so, and its texts do nothing to the terminal")
  func screen() {
    var dialog = AgentDialog()
    dialog.show(prompt("1"))
    #expect(dialog.text.contains("NOT VERIFIED"))
    #expect(dialog.text.contains("“To show your photos.\\e[2J”"))
    #expect(dialog.text.contains("see your photos and videos, and add to them"))
    #expect(!dialog.text.unicodeScalars.contains("\u{1B}"))
    #expect(dialog.text.contains("alice"))
  }

  @Test("a screen of any size is never overrun", arguments: [(1, 1), (20, 5), (33, 10), (200, 80)])
  func size(columns: Int, rows: Int) {
    var dialog = AgentDialog()
    dialog.show(prompt("1"))
    let lines = dialog.screen(columns: columns, rows: rows)
    #expect(lines.count <= rows)
    #expect(lines.allSatisfy { TextWidth.columns(of: $0.text) <= columns })
  }

  @Test("a small screen keeps the question and every key")
  func smallScreen() {
    var dialog = AgentDialog()
    dialog.show(prompt("1"))
    let text = dialog.screen(columns: 30, rows: 8).map(\.text).joined(separator: "\n")
    for word in [
      "App 1 wants to", "a Allow", "s Select", "d Don't allow", "n Not now", "q Leave", "too small",
    ] {
      #expect(text.contains(word))
    }
    let roomy = dialog.screen(columns: 80, rows: 9).map(\.text).joined(separator: "\n")
    #expect(roomy.contains("NOT VERIFIED"))
    #expect(roomy.contains("org.example.1"))
    #expect(!roomy.contains("To show"))
  }

  @Test("a script answers what is offered and puts off the rest")
  func script() throws {
    let script = try ScriptedAnswer(.limited, albums: ["d1"], duration: "2h", now: noon)
    var dialog = AgentDialog()
    dialog.show(prompt("1"))
    #expect(
      dialog.answer(with: script, now: noon) == [
        .respond(
          prompt: "1",
          answer: .init(
            decision: .limited, assets: [], albums: ["d1"], duration: .until,
            expires: .init(microseconds: 7_200_000_000)))
      ])
    #expect(dialog.answer(with: script, now: noon) == [])
    #expect(script.answer(to: prompt("2", [.allow, .deny]), now: noon) == .init(decision: .notNow))
  }

  @Test("S20, S23: a script picks where it is asked to pick, and allows nothing else by it")
  func pickingScript() throws {
    let script = try ScriptedAnswer(.allow, assets: ["a1", "a2"], duration: "always", now: noon)
    var asked = prompt("1")
    #expect(script.answer(to: asked, now: noon) == .init(decision: .allow, duration: .always))
    asked.kind = .picker
    asked.choices = [.allow, .notNow]
    #expect(script.answer(to: asked, now: noon) == .init(decision: .allow, assets: ["a1", "a2"]))
    #expect(try ScriptedAnswer(.allow, now: noon).answer(to: asked, now: noon) == .init(decision: .notNow))
    asked.kind = .photoAccess
    asked.assets = ["a2", "a3"]
    asked.choices = [.allow, .limited, .deny, .notNow]
    #expect(script.answer(to: asked, now: noon) == .init(decision: .allow))
    let limited = try ScriptedAnswer(
      .limited, assets: ["a1", "a2"], albums: ["d1"], duration: "2h", now: noon)
    #expect(limited.answer(to: asked, now: noon) == .init(decision: .limited, assets: ["a2"]))
    asked.kind = .limitedPicker
    #expect(
      limited.answer(to: asked, now: noon) == .init(decision: .limited, assets: ["a1", "a2"], albums: ["d1"]))
    asked.kind = .deletion
    asked.choices = [.allow, .deny, .notNow]
    #expect(limited.answer(to: asked, now: noon) == .init(decision: .notNow))
    #expect(script.answer(to: asked, now: noon) == .init(decision: .allow))
  }

  @Test("S11: a script that names nothing to select leaves a limited app's selection as it was")
  func emptyScript() throws {
    var asked = prompt("1", [.limited, .allow, .notNow])
    asked.kind = .limitedPicker
    #expect(try ScriptedAnswer(.limited, now: noon).answer(to: asked, now: noon) == .init(decision: .notNow))
  }

  @Test("S10: a script's span counts from each answer; a day that is over by then puts off")
  func spans() throws {
    let day = Instant(microseconds: 86_400_000_000)
    let span = try ScriptedAnswer(.allow, duration: "2h", now: noon)
    let later = span.answer(to: prompt("1"), now: day)
    #expect(later.expires == Instant(microseconds: day.microseconds + 7_200_000_000))
    let time = try ScriptedAnswer(.allow, duration: "1970-01-01T12:00:00Z", now: noon)
    #expect(time.answer(to: prompt("1"), now: noon).decision == .allow)
    #expect(time.answer(to: prompt("1"), now: day) == .init(decision: .notNow))
    #expect(throws: ScriptedAnswer.Problem.self) {
      try ScriptedAnswer(.allow, duration: "1969-12-30", now: noon)
    }
  }

  @Test("S9: a key that is held answers one prompt, not the next that appears under it")
  func heldKey() {
    func at(_ milliseconds: Int64) -> Instant { Instant(microseconds: milliseconds * 1000) }
    var dialog = AgentDialog()
    var deletion = prompt("2", [.allow, .deny, .notNow])
    deletion.kind = .deletion
    dialog.show(prompt("1"), now: at(0))
    dialog.show(deletion, now: at(0))
    #expect(dialog.press(.character("a"), now: at(100)) == [])
    #expect(dialog.press(.character("a"), now: at(2000)) == [])
    #expect(dialog.press(.character("a"), now: at(2660)).count == 1)
    _ = dialog.answered(now: at(2670))
    // The key repeats, first after 660 ms, then every 30.
    for time in stride(from: Int64(3330), to: 9000, by: 30) {
      #expect(dialog.press(.character("a"), now: at(time)) == [])
    }
    #expect(dialog.press(.character("a"), now: at(9800)).count == 1)
    // A clock that is set back does not lock anybody out.
    _ = dialog.answered(now: at(9810))
    dialog.show(prompt("3"), now: at(9820))
    #expect(dialog.press(.character("d"), now: at(10)) == [])
    #expect(dialog.press(.character("d"), now: at(1010)).count == 1)
  }

  @Test("S9: keys are faint for as long as they are not taken, in a small window too", arguments: [8, 24])
  func faintKeys(rows: Int) {
    func at(_ milliseconds: Int64) -> Instant { Instant(microseconds: milliseconds * 1000) }
    var dialog = AgentDialog()
    dialog.show(prompt("1"), now: at(0))
    var faint: [Bool] { dialog.screen(columns: 80, rows: rows).map(\.isFaint) }
    #expect(dialog.settle(now: at(100)) == 650)
    #expect(faint.last == true && faint.first == false, "what is asked can be read")
    #expect(dialog.press(.character("a"), now: at(700)) == [])
    // A key that is held puts it off.
    #expect(dialog.settle(now: at(800)) == 650 && faint.last == true)
    #expect(dialog.settle(now: at(1450)) == nil && !faint.contains(true))
    #expect(dialog.press(.character("d"), now: at(1450)).count == 1)
    // Nobody waits for a clock that was set back by an hour.
    _ = dialog.answered(now: at(5_000_000))
    dialog.show(prompt("2"), now: at(5_000_000))
    #expect(dialog.settle(now: at(0)) == 750)
  }

  @Test(
    "who asks stays on the screen, however long the app's name",
    arguments: [(80, 24), (80, 12), (40, 14), (30, 12)])
  func longName(columns: Int, rows: Int) throws {
    let path = "/home/alice/" + String(repeating: "very/", count: 400) + "long"
    var asked = prompt("1")
    asked.app = .init(id: path, name: path, verified: false, user: "alice")
    var dialog = AgentDialog()
    dialog.show(asked)
    let lines = dialog.screen(columns: columns, rows: rows).map(\.text)
    let warning = try #require(lines.firstIndex { $0.contains("NOT VERIFIED") })
    let id = try #require(
      lines.firstIndex { $0.contains("App") && $0.contains("/home/al") && $0.hasSuffix("long") })
    #expect(warning < id)
    #expect(lines.contains { $0.contains("User") && $0.contains("alice") })
    #expect(lines.contains { $0.contains("n Not now") || $0.contains("n  Not now") })
  }

  @Test("photos of a question that cannot be read are asked for again by a key, not by drawing")
  func subjectsFailure() {
    var asked = AgentInterface.Prompt(
      id: "1", kind: .deletion, app: .init(id: "a", name: "A", verified: true, user: "u"),
      choices: [.allow, .deny])
    asked.assets = ["id1"]
    var dialog = AgentDialog()
    guard case .load(let request)? = dialog.show(asked).first else {
      Issue.record("nothing is read")
      return
    }
    dialog.loadFailed("the daemon is gone", for: request)
    #expect(dialog.resize(rows: 24) == [])
    #expect(dialog.screen(columns: 80, rows: 24).contains { $0.text.contains("the daemon is gone") })
    #expect(dialog.press(.down, now: Instant(microseconds: 0)) == [.load(request)])
  }

  @Test("a script that makes no sense is refused")
  func badScripts() {
    #expect(throws: ScriptedAnswer.Problem.self) { try ScriptedAnswer(.allow, albums: ["1"], now: noon) }
    #expect(throws: ScriptedAnswer.Problem.self) { try ScriptedAnswer(.deny, assets: ["1"], now: noon) }
    #expect(throws: ScriptedAnswer.Problem.self) { try ScriptedAnswer(.deny, duration: "2h", now: noon) }
    #expect(throws: ScriptedAnswer.Problem.self) { try ScriptedAnswer(.allow, duration: "soon", now: noon) }
  }
}
