import AlbumAPI
import Testing
import Words

@testable import AlbumTerminal

private let noon = Instant(microseconds: 0)
private let wallpapers = "org.example.Wallpapers"

private func app(_ grants: [ManagerInterface.Grant], uid: Int = 1000) -> ManagerInterface.App {
  .init(
    id: wallpapers, name: "Wall\u{1B}papers", uid: uid, user: "user\(uid)", manifest: "/etc/m.yaml",
    grants: grants
  )
}

private let undecided: [ManagerInterface.Grant] = [
  .init(accessLevel: .addOnly, status: .notDetermined),
  .init(accessLevel: .readWrite, status: .notDetermined),
]

private func entry(
  _ id: Int, count: Int = 1, app: String = wallpapers, uid: Int = 1000
) -> ManagerInterface.AccessLogEntry {
  .init(id: id, time: noon, count: count, appId: app, uid: uid, kind: .open, accessLevel: .readWrite)
}

@Suite struct LocationSettingsTests {
  private func page(_ location: Bool?, reason: String?, policy: String? = nil) -> SettingsDialog {
    var app = app([.init(accessLevel: .readWrite, status: .authorized, policy: policy, location: location)])
    app.locationUsageDescription = reason
    return SettingsDialog(app)
  }

  private func text(_ page: SettingsDialog) -> String {
    page.screen(columns: 120, rows: 40).map(\.text).joined(separator: "\n") + page.report
  }

  @Test("S55: the page says who learns where photos were taken, and why, and changes that alone")
  func location() {
    var with = page(true, reason: "To show a map.")
    #expect(text(with).contains("learns where photos were taken: “To show a map.”"))
    #expect(
      with.press("l") == [.setLocation(.init(appId: wallpapers, uid: 1000, location: false))])
    var without = page(false, reason: "To show a map.")
    #expect(text(without).contains("does not learn"))
    #expect(
      without.press("l") == [.setLocation(.init(appId: wallpapers, uid: 1000, location: true))])
    // From before it had to be said what for: it keeps it, and can lose it.
    var former = page(true, reason: nil)
    #expect(text(former).contains("as before that was asked about"))
    #expect(
      former.press("l") == [.setLocation(.init(appId: wallpapers, uid: 1000, location: false))])
    for var page in [
      page(false, reason: nil), page(nil, reason: "To show a map."), page(true, reason: "", policy: "p"),
    ] {
      #expect(page.press("l") == [])
      #expect(!page.report.contains("--location"))
    }
  }
}

extension SettingsDialog {
  fileprivate init(_ apps: ManagerInterface.App...) {
    self.init(appID: wallpapers)
    show(apps)
  }

  /// Letters are keys; `^` is Escape, `v` arrow down, `\n` Enter.
  fileprivate mutating func press(_ keys: String) -> [Action] {
    keys.flatMap { key in
      switch key {
      case "^": press(.escape, now: noon)
      case "v": press(.down, now: noon)
      default: press(.character(key), now: noon)
      }
    }
  }

  fileprivate var text: String { screen(columns: 100, rows: 40).map(\.text).joined(separator: "\n") }
}

@Suite("The settings page")
struct SettingsDialogTests {
  private typealias Decision = ManagerInterface.SetAuthorization.Parameters

  @Test(
    "S8: each key decides about the line that it stands on, for as long as is chosen",
    arguments: [
      ("aa", AuthorizationInterface.AccessLevel.addOnly, .authorized, nil),
      ("vaa", .readWrite, .authorized, nil), ("vsa", .readWrite, .limited, nil),
      ("vda", .readWrite, .denied, nil), ("vvvda", .readWrite, .denied, nil),
      ("ath", .addOnly, .authorized, 3_600_000_000), ("vdtd", .readWrite, .denied, 86_400_000_000),
      // Back, and another way.
      ("vat^^da", .readWrite, .denied, nil), ("xvz7aa", .readWrite, .authorized, nil),
    ] as [(String, AuthorizationInterface.AccessLevel, AuthorizationInterface.AuthorizationStatus, Int64?)])
  func decides(
    keys: String, level: AuthorizationInterface.AccessLevel,
    status: AuthorizationInterface.AuthorizationStatus, expires: Int64?
  ) {
    var dialog = SettingsDialog(app(undecided))
    #expect(
      dialog.press(keys) == [
        .set(
          .init(
            appId: wallpapers, uid: 1000, accessLevel: level, status: status,
            expires: expires.map { Instant(microseconds: $0) }))
      ])
  }

  @Test("S1: adding is never limited; S37: what a policy decides cannot be changed, and it says so")
  func refused() {
    var dialog = SettingsDialog(
      app([undecided[0], .init(accessLevel: .readWrite, status: .restricted, policy: "/etc/p.yaml")]))
    #expect(dialog.press("s").isEmpty)
    #expect(dialog.text.contains("Adding needs no selection"))
    _ = dialog.press("v")
    for key in ["a", "s", "d"] {
      #expect(dialog.press(key).isEmpty)
      #expect(dialog.text.contains("only the administrator can change it"))
    }
    #expect(!dialog.text.contains("a allow") && !dialog.text.contains("d don't allow"))
    #expect(dialog.text.contains("r forget") && dialog.text.contains("q leave"))
  }

  @Test("S2: where adding is refused and readWrite is not, the page says that it is possible all the same")
  func addingAnyway() {
    for (adding, reading, isSaid) in [
      (.denied, .limited, true), (.restricted, .authorized, true), (.denied, .denied, false),
      (.notDetermined, .authorized, false), (.authorized, .authorized, false),
    ] as [(AuthorizationInterface.AuthorizationStatus, AuthorizationInterface.AuthorizationStatus, Bool)] {
      let app = app([
        .init(accessLevel: .addOnly, status: adding), .init(accessLevel: .readWrite, status: reading),
      ])
      #expect(SettingsDialog(app).text.contains("It may add all the same") == isSaid, "\(adding), \(reading)")
      var chinese = SettingsDialog(appID: wallpapers, words: .matching(["zh"]))
      chinese.show([app])
      #expect(chinese.text.contains("它仍然可以添加") == isSaid)
    }
  }

  @Test(
    "until when a grant holds is said where it holds, and not beneath a policy", arguments: [nil, "/p.yaml"])
  func untilExit(policy: String?) {
    let dialog = SettingsDialog(
      app([
        undecided[0], .init(accessLevel: .readWrite, status: .authorized, untilExit: true, policy: policy),
      ]))
    #expect(dialog.text.contains("granted, until it exits") == (policy == nil))
    #expect(dialog.report.contains("granted, until it exits") == (policy == nil))
  }

  @Test("of several users of an app, each is told what can be changed, and which policy decides")
  func report() {
    let locked = ManagerInterface.Grant(accessLevel: .readWrite, status: .restricted, policy: "/etc/p.yaml")
    var dialog = SettingsDialog(app(undecided, uid: 1000), app([undecided[0], locked], uid: 1001))
    dialog.note([entry(1), entry(2, count: 7)])
    let report = dialog.report
    for expected in [
      "  described in /etc/m.yaml\n",
      "user user1000", "user user1001", "readWrite: decided by the policy /etc/p.yaml",
      "albumctl allow \(wallpapers) --level readWrite --uid 1000 [--until TIME]",
      "albumctl limit \(wallpapers) --uid 1000 [IDS]",
      "albumctl deny \(wallpapers) --level addOnly --uid 1001",
      "opened files 7 times", "albumctl reset \(wallpapers), so that it may ask again",
    ] {
      #expect(report.contains(expected), "\(expected) in \(report)")
    }
    #expect(!report.contains("readWrite --uid 1001") && !report.contains("limit \(wallpapers) --uid 1001"))
    #expect(report.hasSuffix("\n") && !report.contains("\u{1B}"))
    let newest = report.split(separator: "\n").first { $0.contains("opened") }
    #expect(newest?.contains("7 times") == true, "the newest first")
  }

  @Test("what an app did for one user is not lost among what it did for another")
  func logOfUsers() {
    var dialog = SettingsDialog(app(undecided, uid: 1000), app(undecided, uid: 1001))
    dialog.note([entry(1, count: 7)])
    for id in 2...100 { dialog.note([entry(id, uid: 1001)]) }
    #expect(dialog.log.count { $0.uid == 1000 } == 1 && dialog.log.count { $0.uid == 1001 } == 50)
    #expect(dialog.log.last?.id == 100)
    #expect(dialog.report.contains("opened files 7 times"))
  }

  @Test("S8: forgetting asks once more; any key but y leaves the decision")
  func reset() {
    var dialog = SettingsDialog(app(undecided))
    for key in ["n", "r", "^", "q"] { #expect(dialog.press("r\(key)").isEmpty) }
    #expect(dialog.press("vry") == [.reset(.init(appId: wallpapers, uid: 1000, accessLevel: .readWrite))])
  }

  @Test(
    "S8: what was begun about a line that goes meanwhile is not decided about another",
    arguments: ["vaa", "vdth", "vry", "vl", "vra"])
  func lineGoes(keys: String) {
    var tells = app([.init(accessLevel: .readWrite, status: .authorized, location: true)], uid: 1000)
    tells.locationUsageDescription = "To show a map."
    var other = tells
    other.uid = 1001
    for split in 1..<keys.count {
      var dialog = SettingsDialog(tells, other)
      #expect(dialog.press(String(keys.prefix(split))).isEmpty)
      dialog.show([tells])
      #expect(dialog.row == nil)
      #expect(dialog.press(String(keys.dropFirst(split))).isEmpty, "\(split)")
    }
    // Another line is chosen first.
    var dialog = SettingsDialog(tells, other)
    #expect(dialog.press("vd").isEmpty)
    dialog.show([tells])
    #expect(dialog.text.contains("Left as it was."))
    #expect(
      dialog.press("vda") == [
        .set(.init(appId: wallpapers, uid: 1000, accessLevel: .readWrite, status: .denied))
      ])
  }

  @Test("nothing shows as changed before the daemon says so, and keys meanwhile do nothing")
  func sending() {
    var dialog = SettingsDialog(app(undecided))
    #expect(dialog.press("aa").count == 1)
    #expect(dialog.press("daq").isEmpty)
    #expect(dialog.text.contains("notDetermined") && !dialog.text.contains("authorized"))
    dialog.show([app([.init(accessLevel: .addOnly, status: .authorized), undecided[1]])])
    dialog.done()
    #expect(dialog.text.contains("Done.") && dialog.text.contains("authorized: granted"))
    _ = dialog.press("da")
    dialog.failed("The disk is\u{1B}[2J full.")
    #expect(dialog.text.contains("The disk is\\e[2J full."))
    #expect(dialog.press("q") == [.end])
  }

  @Test("an app of several users has a line for each; the line stays when the list changes")
  func users() {
    var dialog = SettingsDialog(app(undecided, uid: 1000), app(undecided, uid: 1001))
    #expect(dialog.text.contains("user1000") && dialog.text.contains("user1001"))
    _ = dialog.press("vvv")
    dialog.show([app(undecided, uid: 999), app(undecided, uid: 1000), app(undecided, uid: 1001)])
    #expect(
      dialog.press("da") == [
        .set(.init(appId: wallpapers, uid: 1001, accessLevel: .readWrite, status: .denied))
      ])
  }

  @Test("S17, S22: what a limited app sees is chosen from its line; other lines have nothing to choose")
  func selection() {
    let wallpapers = app([
      .init(accessLevel: .addOnly, status: .authorized),
      .init(accessLevel: .readWrite, status: .limited, selectionCount: 3),
    ])
    var dialog = SettingsDialog(wallpapers)
    #expect(dialog.press("e").isEmpty && dialog.text.contains("first s, then e"))
    #expect(dialog.press("ve") == [.select(wallpapers)] && !dialog.text.contains("e which ones"))
    dialog.left()
    #expect(dialog.text.contains("Left as it was.") && dialog.text.contains("e which ones"))
    #expect(dialog.press("e") == [.select(wallpapers)])
    dialog.done()
    #expect(dialog.text.contains("Done."))
  }

  @Test("everything that is known is on the page, and nothing of it moves the cursor")
  func page() {
    var dialog = SettingsDialog(
      app([
        .init(accessLevel: .addOnly, status: .authorized, decided: noon, untilExit: true),
        .init(
          accessLevel: .readWrite, status: .limited, decided: noon, expires: Instant(microseconds: 1),
          lastUsed: noon, selectionCount: 3),
      ]))
    dialog.note([entry(1), entry(2), entry(3, app: "org.example.Other")])
    dialog.note([entry(1, count: 7)])
    let text = dialog.text
    for expected in [
      "Wall\\epapers (org.example.Wallpapers)", "/etc/m.yaml", "until it exits", "3 selected", "until 19",
      "decided 19", "last used 19", "opened files 7 times",
    ] {
      #expect(text.contains(expected), "\(expected) in \(text)")
    }
    #expect(!text.contains("Other"))
    #expect(text.split(separator: "\n").count { $0.contains("opened") } == 2, "an entry is there once")
  }

  @Test(
    "the page fits every screen; what can be pressed is always on it", arguments: [4, 6, 8, 24], [20, 80])
  func fits(rows: Int, columns: Int) {
    var dialog = SettingsDialog(app(undecided))
    dialog.note((0..<100).map { entry($0) })
    let lines = dialog.screen(columns: columns, rows: rows)
    #expect(lines.count <= rows)
    #expect(lines.allSatisfy { TextWidth.columns(of: $0.text) <= columns })
    let keys = lines.map(\.text).joined(separator: " ")
    #expect(keys.contains("a allow") && keys.hasSuffix("q leave"), "\(lines)")
  }

  @Test("of many users the one that keys change is on the page, wherever it stands", arguments: [8, 24])
  func manyUsers(rows: Int) {
    var dialog = SettingsDialog(appID: wallpapers)
    dialog.show((0..<40).map { app(undecided, uid: 1000 + $0) })
    dialog.note((0..<100).map { entry($0) })
    for position in 0..<80 {
      let lines = dialog.screen(columns: 100, rows: rows).map(\.text)
      #expect(lines.count <= rows)
      #expect(lines.contains { $0.hasPrefix("> user\(1000 + position / 2)") }, "\(position): \(lines)")
      #expect(lines.contains { $0.hasSuffix("q leave") })
      _ = dialog.press("v")
    }
  }

  @Test("S1: what can be selected is offered only where it can")
  func keysOfLine() {
    var dialog = SettingsDialog(app(undecided))
    #expect(!dialog.text.contains("s selected") && dialog.text.contains("↑↓ line"))
    _ = dialog.press("v")
    #expect(dialog.text.contains("s selected photos only"))
  }

  @Test(
    "in Chinese: every line in it, below one another, and no wider than the screen", arguments: [20, 41, 80])
  func chinese(columns: Int) throws {
    var dialog = SettingsDialog(appID: wallpapers, words: .matching(["zh-CN"]))
    dialog.show([
      app([
        .init(accessLevel: .addOnly, status: .authorized, decided: noon, lastUsed: noon),
        .init(accessLevel: .readWrite, status: .limited, expires: noon, selectionCount: 3),
      ])
    ])
    dialog.note([entry(1, count: 7)])
    _ = dialog.press("vs")
    for keys in ["", "t", "^^r", "ne"] {
      _ = dialog.press(keys)
      let lines = dialog.screen(columns: columns, rows: 40).map(\.text)
      #expect(lines.allSatisfy { TextWidth.columns(of: $0) <= columns && !$0.contains("{") })
      // The names of an app and its files stay as they are.
      let english = ["authorized", "limited", "until", "opened", "allow", "decided", "addOnly", "back"]
      #expect(lines.allSatisfy { line in !english.contains { line.contains($0) } }, "\(lines)")
    }
    guard columns == 80 else { return }
    let lines = dialog.screen(columns: columns, rows: 40).map(\.text)
    #expect(lines.contains("  仅添加      已允许：已授予"))
    #expect(lines.contains("> 访问和添加  部分允许：已授予，仅限选中的照片，已选 3 项，直到 \(LocalTime(noon))"))
    #expect(lines.contains { $0.hasSuffix("\(wallpapers) (1000)  打开了文件，7 次") })
    dialog.left()
    #expect(dialog.text.contains("没有更改。"))
  }

  @Test("an app that has gone is said to be unknown, and nothing can be changed")
  func unknown() {
    var dialog = SettingsDialog(appID: wallpapers)
    #expect(dialog.press("aaryda").isEmpty)
    #expect(dialog.text.contains("No app org.example.Wallpapers is known."))
  }
}
