import AlbumAPI
import Glibc
import TestSupport
import Testing
import Varlink

@Suite("The access log, over the wire", .blocking)
struct AccessLogTests {
  typealias Entry = ManagerInterface.AccessLogEntry

  private func list(
    _ host: Host, app: AppDescription? = nil, since: Instant? = nil
  ) throws -> [Entry] {
    try host.accessLog(app, since: since)
  }

  @Test("S8: requests and decisions are told: who, what, when, by whom")
  func decisions() throws {
    let host = try Host()
    let agent = try host.agent()
    let app = try host.app().connect()
    try app.beginRequest()
    try agent.answer(agent.prompt(), .allow)
    _ = try app.requestReply()
    try host.set(.wallpapers, .denied)
    try host.connect().call(ManagerInterface.Reset.self, .init(appId: AppDescription.wallpapers.id))

    let entries = try list(host, app: .wallpapers)
    #expect(entries.allSatisfy { $0.appId == AppDescription.wallpapers.id && $0.uid == Int(getuid()) })
    #expect(entries.allSatisfy { $0.accessLevel == .readWrite && $0.count == 1 })
    #expect(
      Set(entries.map { [$0.kind.rawValue, $0.outcome, $0.by?.rawValue] }) == [
        ["request", "authorized", nil], ["decision", "authorized", "agent"],
        ["decision", "denied", "settings"],
        ["decision", "notDetermined", "settings"],
      ])
    #expect(entries.filter { $0.kind == .decision }.allSatisfy { $0.byUid == Int(getuid()) })
    #expect(try list(host, app: .mail).isEmpty)
    #expect(try list(host).contains { $0.kind == .agent })
  }

  @Test("what is repeated is one entry with a count; what was refused is told as well")
  func uses() throws {
    let host = try Host { try $0.add("a.jpg") }
    let app = try host.app().connect()
    _ = try failure { _ = try app.assets() }
    try host.set(.wallpapers, .authorized)
    let id = try app.asset("a.jpg").id
    for _ in 1...5 { _ = try app.open(id) }
    let entries = try list(host, app: .wallpapers)
    let opened = try #require(entries.first { $0.kind == .open })
    #expect(opened.count == 5)
    #expect(try #require(opened.lastTime) >= opened.time)
    let refused = try #require(entries.first { $0.kind == .refused })
    #expect(refused.outcome == "notDetermined")
    #expect(refused.detail == "FetchAssets")
    #expect(try list(host, app: .wallpapers, since: Instant("2100-01-01")).isEmpty)
  }

  @Test("S37: a policy that comes or goes is told with what it did to a decision")
  func policies() throws {
    let host = try Host()
    try host.set(.wallpapers, .authorized)
    try host.library.policy("children", "effect: restrict\napps: [\"*\"]\n")
    try host.daemon.reload()
    try host.library.removePolicy("children")
    try host.daemon.reload()
    let told = try list(host, app: .wallpapers).filter { $0.by != .settings }
    #expect(told.map(\.outcome) == ["restricted", "authorized"])
    #expect(told.map(\.by) == [.policy, .policyEnd], "S6: the owner's decision returns")
    #expect(told.map(\.detail) == ["children", "children"])
  }

  @Test("S6, S37: what a policy opens to an app about which nothing was decided is told as well")
  func policyAboutUndecided() throws {
    let host = try Host()
    _ = try host.app().connect().status()
    try host.library.policy("everyone", "effect: authorize\napps: [\"*\"]\naccessLevels: [readWrite]\n")
    try host.daemon.reload()
    try host.library.removePolicy("everyone")
    try host.daemon.reload()
    let told = try list(host, app: .wallpapers).filter { $0.kind == .decision }
    #expect(told.map(\.outcome) == ["authorized", "notDetermined"])
    #expect(told.map(\.by) == [.policy, .policyEnd])
    #expect(told.allSatisfy { $0.accessLevel == .readWrite })
    let lines = host.daemon.log.split(separator: "\n").filter { $0.contains("Wallpapers: readWrite is ") }
    #expect(lines.count == 2 && lines[0].contains("is authorized") && lines[1].contains("is notDetermined"))
  }

  @Test("S6: a decision that is taken back beneath a policy is told without a status")
  func resetBeneathPolicy() throws {
    let host = try Host()
    try host.set(.wallpapers, .authorized)
    try host.library.policy("children", "effect: restrict\napps: [\"*\"]\n")
    try host.daemon.reload()
    try host.connect().call(ManagerInterface.Reset.self, .init(appId: AppDescription.wallpapers.id))
    let told = try list(host, app: .wallpapers).filter { $0.kind == .decision && $0.by == .settings }
    #expect(told.map(\.outcome) == ["authorized", nil])
  }

  @Test("S10: a grant that ends by itself is told with why")
  func ends() throws {
    let host = try Host()
    let agent = try host.agent()
    let process = try host.app()
    let app = try process.connect()
    let monitor = try host.app().connect()
    try monitor.begin(AuthorizationInterface.Monitor.self, .init(), more: true)
    for _ in 1...2 { _ = try monitor.receive(AuthorizationInterface.Monitor.self) }
    try app.beginRequest()
    try agent.answer(agent.prompt(), .init(decision: .allow, duration: .untilExit))
    _ = try app.requestReply()
    #expect(try monitor.receive(AuthorizationInterface.Monitor.self).status == .authorized)
    try process.end()
    #expect(try monitor.receive(AuthorizationInterface.Monitor.self).status == .notDetermined)
    let ended = try #require(try list(host, app: .wallpapers).first { $0.by == .exit })
    #expect(ended.outcome == "notDetermined")
  }

  @Test("S33: deletions are told, refused ones too, and what an owner restores or removes for good")
  func deletions() throws {
    let host = try Host { try $0.add("a.jpg") }
    try host.set(.wallpapers, .authorized)
    let agent = try host.agent()
    let app = try host.app().connect()
    let id = try app.asset("a.jpg").id
    for decision in [AgentInterface.Decision.deny, .allow] {
      try app.begin(LibraryInterface.DeleteAssets.self, .init(ids: [id]))
      try agent.answer(agent.prompt(), decision)
      _ = try? app.receive(LibraryInterface.DeleteAssets.self)
    }
    try host.connect().call(ManagerInterface.RestoreDeleted.self, .init(ids: [id]))
    let deletions = try list(host, app: .wallpapers).filter { $0.kind == .delete }
    #expect(deletions.map(\.outcome) == ["userRefused", nil])
    #expect(deletions.map(\.assets) == [1, 1])
    #expect(try list(host).contains { $0.kind == .restore && $0.assets == 1 })
  }

  @Test("S22: a selection that an owner changes is told")
  func selections() throws {
    let host = try Host { try $0.add("a.jpg") }
    let id = try host.owner().asset("a.jpg").id
    try host.set(.wallpapers, .limited)
    try host.connect().call(
      ManagerInterface.SetSelection.self,
      .init(appId: AppDescription.wallpapers.id, assets: [id], albums: [], operation: .add))
    let told = try #require(try list(host, app: .wallpapers).first { $0.kind == .settings })
    #expect(told.detail == "selection")
    #expect(told.byUid == Int(getuid()))
    #expect(told.byUser == getpwuid(getuid()).map { String(cString: $0.pointee.pw_name) })
  }

  @Test("S20: what an owner selects by an agent is told with who that was")
  func selectedByAgent() throws {
    let host = try Host { try $0.add("a.jpg") }
    let id = try host.owner().asset("a.jpg").id
    try host.set(.wallpapers, .limited)
    let agent = try host.agent()
    let app = try host.app().connect()
    for answer in [AgentInterface.Answer(decision: .limited, assets: [id]), .init(decision: .allow)] {
      try app.begin(AuthorizationInterface.PresentLimitedPicker.self, .init())
      try agent.answer(agent.prompt(), answer)
      _ = try app.receive(AuthorizationInterface.PresentLimitedPicker.self)
    }
    let told = try list(host, app: .wallpapers).filter { $0.by == .agent }
    #expect(told.map(\.kind) == [.settings, .decision])
    #expect(told.allSatisfy { $0.byUid == Int(getuid()) })
  }

  @Test("the log of an app that nobody knows is no empty log")
  func unknownApp() throws {
    let host = try Host()
    let unknown = AppDescription(id: "org.example.None", program: "none")
    let error = try #require(
      try failure { _ = try list(host, app: unknown) }.typed(ManagerInterface.NoSuchApp.self))
    #expect(error.id == unknown.id)
    let command = try host.albumctl("log", "--app", unknown.id)
    #expect(command.status == 1 && command.output.contains("org.example.None"), "\(command.output)")
    #expect(try host.albumctl("log", "--app", AppDescription.mail.id).status == 0)
    // What is told of many apps together is no app, and can be asked for.
    #expect(try list(host, app: .init(id: "*", program: "none")).isEmpty)
  }

  @Test("S45: a connection that takes the owner's view is told")
  func owner() throws {
    let host = try Host()
    _ = try host.owner()
    #expect(try list(host).contains { $0.kind == .owner && $0.uid == Int(getuid()) })
  }

  @Test("what was noted is there after a restart, and after a kill what was written before")
  func restart() throws {
    let host = try Host()
    try host.set(.wallpapers, .denied)
    try host.daemon.restart()
    #expect(try list(host, app: .wallpapers).map(\.outcome) == ["denied"])
    try host.set(.wallpapers, .authorized)
    // Reading writes first what it answers.
    #expect(try list(host, app: .wallpapers).map(\.outcome) == ["denied", "authorized"])
    try host.daemon.kill()
    try host.daemon.start()
    #expect(try list(host, app: .wallpapers).map(\.outcome) == ["denied", "authorized"])
  }

  @Test("with keepDays: 0 nothing is noted, and what was noted before is gone, also when it is kept again")
  func notKept() throws {
    let host = try Host()
    try host.set(.wallpapers, .denied)
    for days in [0, 90] {
      host.library.options = ["accessLog: {keepDays: \(days)}"]
      try host.library.configure()
      try host.daemon.restart()
      #expect(try list(host, app: .wallpapers).isEmpty)
      if days == 0 { try host.set(.wallpapers, .authorized) }
      #expect(try list(host, app: .wallpapers).isEmpty)
    }
  }

  @Test("a follower is told what is there, and then what happens")
  func follow() throws {
    let host = try Host()
    try host.set(.wallpapers, .denied)
    let connection = try host.connect()
    try connection.begin(
      ManagerInterface.ListAccessLog.self, .init(appId: AppDescription.wallpapers.id, follow: true),
      more: true)
    func next() throws -> [Entry] { try connection.receive(ManagerInterface.ListAccessLog.self).entries }
    #expect(try next().map(\.outcome) == ["denied"])
    try host.set(.mail, .denied)
    try host.set(.wallpapers, .authorized)
    #expect(try next().map(\.outcome) == ["authorized"])
    // A repetition is told when it is written, which a list brings about.
    try host.set(.wallpapers, .authorized)
    _ = try list(host)
    let again = try #require(try next().first)
    #expect(again.outcome == "authorized")
    #expect(again.count == 2)
  }

  @Test("an app that nobody knows cannot be followed: its follower would wait for ever")
  func followUnknown() throws {
    let host = try Host()
    let follower = try host.connect()
    try follower.begin(
      ManagerInterface.ListAccessLog.self, .init(appId: "org.example.None", follow: true), more: true)
    let error = try failure { _ = try follower.receive(ManagerInterface.ListAccessLog.self) }
    #expect(error.name == ManagerInterface.NoSuchApp.name)
  }

  @Test("a follower that begins with nothing is told so at once")
  func followNothing() throws {
    let host = try Host()
    let connection = try host.connect()
    try connection.begin(
      ManagerInterface.ListAccessLog.self, .init(appId: AppDescription.mail.id, follow: true), more: true)
    #expect(try connection.receive(ManagerInterface.ListAccessLog.self).entries.isEmpty)
  }

  @Test("S44: an app does not read the log")
  func notAnOwner() throws {
    let host = try Host()
    let app = try host.app().connect()
    let error = try failure {
      try app.begin(ManagerInterface.ListAccessLog.self, .init(), more: true)
      _ = try app.receive(ManagerInterface.ListAccessLog.self)
    }
    #expect(error.name == ManagerInterface.NotAnOwner.name)
  }

  @Test("a damaged log does not keep the daemon from serving")
  func damaged() throws {
    let host = try Host()
    try host.daemon.stop()
    try host.library.write("\(host.library.state)/access.sqlite", String(repeating: "damage", count: 4096))
    try host.daemon.start()
    #expect(host.daemon.log.contains("access log was damaged"))
    try host.set(.wallpapers, .denied)
    #expect(try list(host, app: .wallpapers).count == 1)
  }
}
