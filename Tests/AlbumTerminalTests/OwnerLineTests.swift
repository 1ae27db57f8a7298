import AlbumAPI
import AlbumTerminal
import Testing
import Words

private func entry(_ id: Int, count: Int = 1) -> ManagerInterface.AccessLogEntry {
  .init(
    id: id, time: Instant(microseconds: 0), count: count, appId: "org.example.Wallpapers", uid: 1000,
    kind: .open)
}

@Suite("Lines of the access log")
struct AccessLogLineTests {
  private func line(_ change: (inout ManagerInterface.AccessLogEntry) -> Void) -> String {
    var entry = entry(1)
    change(&entry)
    return AccessLogLine(entry).description
  }

  @Test("every kind is a sentence, with who, how often and by whose decision")
  func sentences() {
    for kind in ManagerInterface.AccessKind.allCases {
      #expect(line { $0.kind = kind }.contains("org.example.Wallpapers (1000)  "))
    }
    #expect(line { $0.user = "alice" }.hasSuffix("org.example.Wallpapers (alice)  opened a file"))
    #expect(line { $0.count = 12 }.hasSuffix("opened files 12 times"))
    #expect(line { $0.appId = "*" }.contains("several apps (1000)"))
    let decided = line {
      $0.kind = .decision
      $0.accessLevel = .readWrite
      $0.outcome = "denied"
      $0.by = .agent
      $0.byUid = 7
    }
    #expect(decided.hasSuffix("readWrite is denied, an answer of user 7"))
    let putOff = line {
      $0.kind = .decision
      $0.accessLevel = .readWrite
      $0.outcome = "notNow"
      $0.count = 3
      $0.by = .agent
      $0.byUid = 1000
      $0.user = "alice"
    }
    #expect(putOff.hasSuffix("readWrite was put off 3 times, an answer of alice"))
    #expect(line { $0.detail = "\u{1B}[2J" }.hasSuffix("(\\e[2J)"))
  }

  @Test("what came of it is said in words, whatever the daemon can note", arguments: [["en"], ["zh-CN"]])
  func outcomes(languages: [String]) {
    let words = Words.matching(languages)
    let statuses = AuthorizationInterface.AuthorizationStatus.allCases.map(\.rawValue)
    let others = [
      "notNow", "userRefused", "noAgent", "throttled", "busy", "usageDescriptionMissing", "lockedByPolicy",
      "notStored", "unidentifiedPeer",
    ]
    var seen: Set<String> = []
    for outcome in statuses + others {
      var entry = entry(1)
      entry.kind = .request
      entry.accessLevel = .readWrite
      entry.outcome = outcome
      let line = AccessLogLine(entry, words).description
      #expect(!line.contains("{"))
      #expect(seen.insert(line).inserted, "each is another: \(line)")
      #expect(!others.contains(outcome) || outcome == "busy" || !line.contains(outcome), "\(line)")
    }
    #expect(line { ($0.kind, $0.outcome) = (.request, "NewError") }.hasSuffix("asked for access: NewError"))
  }

  @Test("in Chinese, every kind, alone and often, by everybody who decides")
  func chinese() {
    let words = Words.matching(["zh-CN"])
    for kind in ManagerInterface.AccessKind.allCases {
      for (count, level) in [(1, nil), (3, AuthorizationInterface.AccessLevel.addOnly)] {
        for author in [nil] + ManagerInterface.AccessAuthor.allCases {
          var entry = entry(1, count: count)
          (entry.kind, entry.accessLevel, entry.by, entry.outcome) = (kind, level, author, "denied")
          let what = AccessLogLine(entry, words).description.split(separator: "(1000)  ").last ?? ""
          #expect(!what.contains { $0.isASCII && $0.isLetter || $0 == "{" }, "\(what)")
          #expect(count == 1 || what.contains("3 次"))
        }
      }
    }
    var entry = entry(1)
    (entry.kind, entry.accessLevel, entry.outcome, entry.by, entry.byUid) = (
      .decision, .readWrite, "denied", .agent, 7
    )
    #expect(AccessLogLine(entry, words).description.hasSuffix("“访问和添加”权限：已拒绝，用户 7 的回答"))
    (entry.outcome, entry.byUid, entry.user) = ("notNow", 1000, "alice")
    #expect(AccessLogLine(entry, words).description.hasSuffix("“访问和添加”权限：以后再说，alice 的回答"))
    (entry.appId, entry.user) = ("*", nil)
    #expect(AccessLogLine(entry, words).description.contains("  多个应用 (1000)  "))
    for (kind, detail, expected) in [
      (.delete, "3 assets", "删除（3 项）"), (.restore, "1 asset", "恢复（1 项）"), (.purge, "?", "永久删除（?）"),
      (.settings, "selection", "设置已更改（选择）"), (.refused, "3 OpenAsset", "被拒绝（3 OpenAsset）"),
    ] as [(ManagerInterface.AccessKind, String, String)] {
      entry = .init(
        id: 1, time: entry.time, count: 1, appId: "a", uid: 7, kind: kind, detail: detail)
      #expect(AccessLogLine(entry, words).description.hasSuffix("a (7)  \(expected)"))
    }
  }
}

@Suite("Findings of the doctor")
struct FindingTextTests {
  @Test("a line with what is the matter, and one with what to do; nothing moves the cursor")
  func lines() {
    let finding = ManagerInterface.Finding(
      severity: .error, subject: "/srv\u{1B}", message: "gone", advice: "mount it")
    #expect(FindingText(finding).description == "ERROR    /srv\\e: gone\n          → mount it\n")
    #expect(
      FindingText(.init(severity: .ok, subject: "clock", message: "set")).description
        == "ok       clock: set\n")
  }

  @Test("in Chinese, subjects stand below one another as well")
  func chinese() {
    let lines = ManagerInterface.Severity.allCases.map { severity in
      let finding = ManagerInterface.Finding(severity: severity, subject: "clock", message: "x", advice: "y")
      return FindingText(finding, .matching(["zh"])).description
    }
    #expect(lines == ["正常", "警告", "错误"].map { "\($0)  clock: x\n       → y\n" })
  }
}
