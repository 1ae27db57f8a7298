import AlbumAPI
import AlbumTerminal
import Testing
import Words

private func entry(_ id: Int, count: Int = 1) -> ManagerInterface.AccessLogEntry {
  .init(
    id: id, time: Instant(microseconds: 0), count: count, appId: "org.example.Wallpapers", uid: 1000,
    kind: .open, accessLevel: .readWrite)
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
    let returned = line {
      ($0.kind, $0.accessLevel, $0.outcome) = (.decision, .readWrite, "authorized")
      ($0.by, $0.detail) = (.policyEnd, "children")
    }
    #expect(returned.hasSuffix("readWrite is authorized, since a policy ended (children)"))
    let putOff = line {
      $0.kind = .decision
      $0.accessLevel = .readWrite
      $0.outcome = "notNow"
      $0.count = 3
      $0.by = .agent
      $0.byUid = 7
      $0.byUser = "bob"
      $0.user = "alice"
    }
    #expect(putOff.hasSuffix("readWrite was put off 3 times, an answer of bob"))
    #expect(line { $0.detail = "\u{1B}[2J" }.hasSuffix("(\\e[2J)"))
  }

  @Test(
    "what was repeated is told with all its assets; what was refused is not told as done",
    arguments: [
      (
        .fetch, 2, 900, nil, "listed what it sees 2 times (900 assets in all)", "列出了它能看到的内容，2 次（共 900 项）"
      ),
      (.delete, 1, 1, nil, "deleted (1 asset)", "删除（1 项）"),
      (.delete, 2, 5, nil, "deleted 2 times (5 assets in all)", "删除，2 次（共 5 项）"),
      (.restore, 2, 2, nil, "restored 2 times (2 assets in all)", "恢复，2 次（共 2 项）"),
      (
        .delete, 2, 5, "userRefused",
        "wanted to delete 2 times (5 assets in all): the owner did not agree",
        "想要删除，2 次（共 5 项）：所有者没有同意"
      ),
      (
        .replace, 1, 1, "userRefused", "wanted to overwrite (1 asset): the owner did not agree",
        "想要覆盖（1 项）：所有者没有同意"
      ),
      (
        .pick, 3, nil, "userRefused", "wanted photos to be picked 3 times: the owner did not agree",
        "想要为它挑选照片，3 次：所有者没有同意"
      ),
      (.createAlbum, 1, nil, nil, "created an album", "创建了一个相簿"),
      (.createAlbum, 2, nil, nil, "created albums 2 times", "创建了相簿，2 次"),
      (.moveAlbum, 1, nil, nil, "renamed or moved an album", "重命名或移动了一个相簿"),
      (.moveAlbum, 2, nil, nil, "renamed or moved albums 2 times", "重命名或移动了相簿，2 次"),
      (.deleteAlbum, 1, nil, nil, "deleted an album", "删除了一个相簿"),
      (.deleteAlbum, 2, 3, nil, "deleted albums 2 times (3 assets in all)", "删除了相簿，2 次（共 3 项）"),
      (.renameAsset, 1, 1, nil, "renamed (1 asset)", "重命名（1 项）"),
      (.moveAssets, 1, 3, nil, "moved to an album (3 assets)", "移到相簿（3 项）"),
      (.favorite, 1, 3, nil, "marked as favourites or not (3 assets)", "更改个人收藏（3 项）"),
      (.hide, 1, 1, nil, "hidden or shown again (1 asset)", "隐藏或重新显示（1 项）"),
      (.arrangeAlbum, 2, nil, nil, "arranged an album 2 times", "整理相簿，2 次"),
      (.addToAlbum, 1, 3, nil, "added to an album (3 assets)", "加入相簿（3 项）"),
      (.removeFromAlbum, 2, 3, nil, "took out of an album 2 times (3 assets in all)", "移出相簿，2 次（共 3 项）"),
    ] as [(ManagerInterface.AccessKind, Int, Int?, String?, String, String)])
  func assets(
    kind: ManagerInterface.AccessKind, count: Int, assets: Int?, outcome: String?, english: String,
    chinese: String
  ) {
    var entry = entry(1, count: count)
    (entry.kind, entry.assets, entry.outcome) = (kind, assets, outcome)
    #expect(AccessLogLine(entry).description.hasSuffix("(1000)  \(english)"))
    #expect(AccessLogLine(entry, .matching(["zh"])).description.hasSuffix("(1000)  \(chinese)"))
  }

  @Test("S45: what a connection did to the library as the owner is told as that")
  func owner() {
    var entry = entry(1)
    entry.accessLevel = nil
    for kind in [
      .fetch, .open, .add, .delete, .replace, .createAlbum, .addToAlbum, .removeFromAlbum,
      .moveAlbum, .deleteAlbum, .renameAsset, .moveAssets, .favorite, .hide, .arrangeAlbum,
    ]
      as [ManagerInterface.AccessKind]
    {
      entry.kind = kind
      #expect(AccessLogLine(entry).description.hasSuffix(", as the owner"))
      #expect(AccessLogLine(entry, .matching(["zh"])).description.hasSuffix("，以所有者身份"))
    }
    entry.kind = .restore
    #expect(AccessLogLine(entry).description.hasSuffix("  restored"))
    // Of apps that are told together, it is not known.
    (entry.kind, entry.appId) = (.open, "*")
    #expect(AccessLogLine(entry).description.hasSuffix("  opened a file"))
  }

  @Test("what came of it is said in words, whatever the daemon can note", arguments: [["en"], ["zh-CN"]])
  func outcomes(languages: [String]) {
    let words = Words.matching(languages)
    let statuses = AuthorizationInterface.AuthorizationStatus.allCases.map(\.rawValue)
    let others = [
      "notNow", "userRefused", "noAgent", "throttled", "busy", "usageDescriptionMissing", "unidentifiedPeer",
      "lockedByPolicy", "notStored",
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
    #expect(
      line { ($0.kind, $0.accessLevel, $0.outcome) = (.request, nil, "NewError") }.hasSuffix(
        "asked for access: NewError"))
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
    (entry.outcome, entry.byUid, entry.byUser) = ("notNow", 1000, "alice")
    #expect(AccessLogLine(entry, words).description.hasSuffix("“访问和添加”权限：以后再说，alice 的回答"))
    (entry.appId, entry.user) = ("*", nil)
    #expect(AccessLogLine(entry, words).description.contains("  多个应用 (1000)  "))
    for (kind, detail, expected) in [
      (.purge, "?", "永久删除（?）"),
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
