import AlbumAPI
import Glibc
import TestSupport
import Testing
import Varlink

@Suite("What owners and administrators are told, over the wire", .blocking)
struct ManagerTests {
  private static let policy = """
    effect: restrict
    apps: ["org.example.Wall*", com.example.None]
    users: [root]
    accessLevels: [readWrite]
    reason: {en: "Managed by your parents.", zh-Hans: "由家长管理。"}

    """

  @Test("S37: the policies in force, in the caller's language, and about how many apps")
  func policies() throws {
    let host = try Host {
      try $0.policy("children", Self.policy)
      try $0.policy("all", "effect: authorize\napps: [com.example.*]\n")
    }
    func list(_ language: String?) throws -> [ManagerInterface.Policy] {
      try host.connect().call(ManagerInterface.ListPolicies.self, .init(language: language)).policies
    }
    let policies = try list("zh_CN.UTF-8")
    #expect(policies.map(\.name) == ["children", "all"], "what restricts decides first")
    #expect(
      policies.first
        == ManagerInterface.Policy(
          name: "children", file: "\(host.library.directory)/policies.d/children.yaml", effect: .restrict,
          apps: ["org.example.Wall*", "com.example.None"], users: ["root"], accessLevels: [.readWrite],
          reason: "由家长管理。", appCount: 1))
    #expect(try list(nil).first?.reason == "Managed by your parents.")
    #expect(policies.last?.appCount == 0)
    #expect(policies.last?.users == nil)
  }

  @Test("statistics count what there is and what happened")
  func statistics() throws {
    let host = try Host { try $0.add("Holiday/a.jpg") }
    func get() throws -> ManagerInterface.GetStatistics.Reply {
      try host.connect().call(ManagerInterface.GetStatistics.self, .init())
    }
    let before = try get()
    #expect(before.assets == 1)
    #expect(before.albums == 1)
    #expect(before.agents == 0)
    #expect(before.watches == 2)
    #expect(before.memoryBytes > 1 << 20)
    let agent = try host.agent()
    let subscriber = try host.owner().subscribe()
    let app = try host.app().connect()
    try app.beginRequest()
    _ = try agent.prompt()
    try host.library.add("Holiday/b.jpg")
    _ = try subscriber.collect(1)
    let after = try get()
    #expect(after.agents == 1)
    #expect(after.subscriptions == 1)
    #expect(after.promptsWaiting == 1)
    #expect(after.assets == 2)
    #expect(after.journalLast > before.journalLast)
    #expect(try #require(after.journalFirst) <= after.journalLast)
    #expect(after.calls > before.calls)
    #expect(after.started == before.started)
  }

  private func check(_ host: Host) throws -> [ManagerInterface.Finding] {
    try host.connect().call(ManagerInterface.Check.self, .init()).findings
  }

  @Test("S38: the check reads the files as they are now, and the daemon goes on with what it has")
  func configuration() throws {
    let host = try Host()
    #expect(try check(host).allSatisfy { $0.severity != .error })
    try host.library.policy("broken", "effect: forbid\napps: [\"*\"]\n")
    let found = try #require(try check(host).first { $0.severity == .error })
    #expect(found.subject.hasSuffix("policies.d/broken.yaml:1:9"))
    #expect(try host.app().connect().status() == .notDetermined)
  }

  @Test("the check speaks the language of who asks, by a translator's file as well; else English")
  func language() throws {
    let host = try Host()
    func agents(_ language: String?) throws -> String? {
      let found = try host.connect().call(ManagerInterface.Check.self, .init(language: language)).findings
      return found.first { $0.subject == "agents" }?.message
    }
    let english = try agents(nil)
    #expect(english?.hasPrefix("none is registered") == true)
    #expect(try agents("zh-CN")?.hasPrefix("没有注册的代理") == true)
    #expect(try agents("de") == english)
    let words = "\(host.library.directory)/words"
    try #require(mkdir(words, 0o700) == 0)
    try host.library.write("\(words)/de.yaml", "agentsNone: \"keiner ist angemeldet\"\nalow: \"x\"\n")
    #expect(try agents("de-AT") == "keiner ist angemeldet", "without a reload")
    let subjects = try check(host).filter { $0.severity == .warning }.map(\.subject)
    #expect(subjects.contains("\(words)/de.yaml") && subjects.contains("\(words)/de.yaml:2"))
  }

  @Test("S12: the check tells whether somebody could answer a prompt")
  func agents() throws {
    let host = try Host()
    func agents() throws -> ManagerInterface.Severity? {
      try check(host).first { $0.subject == "agents" }?.severity
    }
    #expect(try agents() == .warning)
    let agent = try host.agent()
    #expect(try agents() == .ok)
    #expect(try agent.isQuiet)
  }

  @Test("S41: the check names a root that has gone")
  func roots() throws {
    let host = try Host()
    try host.library.remove("../photos")
    try host.connect().call(ManagerInterface.Rescan.self, .init())
    try host.daemon.waitForStatus { $0.hasPrefix("offline") }
    let found = try #require(try check(host).first { $0.subject == host.library.photos })
    #expect(found.severity == .error)
  }

  @Test("S44: none of it is for apps")
  func notAnOwner() throws {
    let host = try Host()
    let app = try host.app().connect()
    let calls: [() throws -> Void] = [
      { try app.call(ManagerInterface.ListPolicies.self, .init()) },
      { try app.call(ManagerInterface.GetStatistics.self, .init()) },
      { try app.call(ManagerInterface.Check.self, .init()) },
    ]
    for call in calls { #expect(try failure(call).name == ManagerInterface.NotAnOwner.name) }
  }

  @Test("a grant tells when it was last used, and how much is selected")
  func lastUsed() throws {
    let host = try Host { try $0.add("a.jpg") }
    func grant() throws -> ManagerInterface.Grant? {
      let apps = try host.connect().call(ManagerInterface.ListApps.self, .init()).apps
      return apps.first { $0.id == AppDescription.wallpapers.id }?.grants.first {
        $0.accessLevel == .readWrite
      }
    }
    let id = try host.owner().asset("a.jpg").id
    let app = try host.app().connect()
    try host.limit(app, assets: [id])
    #expect(try grant()?.lastUsed == nil)
    #expect(try grant()?.selectionCount == 1)
    _ = try app.assets()
    let used = try #require(try grant()?.lastUsed)
    // It survives, and so does the selection.
    try host.daemon.restart()
    #expect(try grant()?.lastUsed == used)
    #expect(try grant()?.selectionCount == 1)
  }

  @Test("S5: asking for the status writes nothing, and lists the app all the same; its next call is kept")
  func askingWritesNothing() throws {
    let host = try Host()
    func isListed() throws -> Bool {
      let apps = try host.connect().call(ManagerInterface.ListApps.self, .init()).apps
      return apps.contains { $0.id == AppDescription.wallpapers.id && $0.firstSeen != nil }
    }
    let process = try host.app()
    for asksMore in [false, true] {
      let app = try process.connect()
      _ = try app.call(AuthorizationInterface.WhoAmI.self, .init())
      _ = try app.status()
      if asksMore { _ = try app.info() }
      #expect(try isListed())
      try host.daemon.restart()
      #expect(try isListed() == asksMore)
    }
  }
}
