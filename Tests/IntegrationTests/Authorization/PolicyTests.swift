import AlbumAPI
import Foundation
import Glibc
import Testing
import TestSupport
import Varlink

@Suite("Policies and settings, over the wire", .blocking)
struct PolicyTests {
  private static let restricting = """
    effect: restrict
    apps: ["org.example.Wall*"]
    accessLevels: [readWrite]
    reason: {en: "Managed by your parents.", zh-Hans: "由家长管理。"}
    """
  private static let authorizing = "effect: authorize\napps: [\"*\"]\naccessLevels: [readWrite]\n"

  @Test("S4, S37: a policy restricts without a prompt, and the guide gives its reason")
  func restricts() throws {
    let host = try Host { try $0.policy("children", Self.restricting) }
    let agent = try host.agent()
    let app = try host.app().connect()
    let reply = try app.request(language: "zh-Hans")
    #expect(reply.status == .restricted)
    #expect(reply.guide?.message.contains("由家长管理。") == true)
    #expect(reply.guide?.settingsCommand == nil)
    #expect(try agent.isQuiet)
    #expect(try app.status(.addOnly) == .notDetermined)
    #expect(try host.app(.mail).connect().status() == .notDetermined)
  }

  @Test("S37: restrict beats authorize")
  func strictest() throws {
    let host = try Host {
      try $0.policy("children", Self.restricting)
      try $0.policy("everyone", Self.authorizing)
    }
    #expect(try host.app(.wallpapers).connect().status() == .restricted)
    #expect(try host.app(.mail).connect().status() == .authorized)
  }

  @Test("S37: a policy for other users does not match", .enabled(if: isRoot, needsRoot))
  func users() throws {
    let host = try Host { try $0.policy("nobody", Self.authorizing + "users: [nobody]\n") }
    #expect(try host.app(.wallpapers).connect().status() == .notDetermined)
    #expect(try host.app(.mail, uid: 65534).connect().status() == .authorized)
  }

  @Test("S37: a policy for a group is about its members", .enabled(if: isRoot, needsRoot))
  func groups() throws {
    let host = try Host { try $0.policy("staff", Self.authorizing + "groups: [root]\n") }
    #expect(try host.app(.wallpapers).connect().status() == .authorized)
    #expect(try host.app(.mail, uid: 65534).connect().status() == .notDetermined)
  }

  @Test("S37: a vendor's policy counts until the administrator has a file of the same name")
  func vendor() throws {
    let host = try Host {
      try FileManager.default.createDirectory(
        atPath: "\($0.directory)/vendor/policies.d", withIntermediateDirectories: true)
      try $0.write("\($0.directory)/vendor/policies.d/children.yaml", Self.authorizing)
    }
    let app = try host.app().connect()
    #expect(try app.status() == .authorized)
    try host.library.policy("children", Self.restricting)
    try host.daemon.reload()
    #expect(try app.status() == .restricted)
    try host.library.removePolicy("children")
    try host.daemon.reload()
    #expect(try app.status() == .authorized)
  }

  @Test("S6, S37: what a policy grants, an owner cannot take back; what was decided waits underneath")
  func authorizedByPolicy() throws {
    let host = try Host()
    try host.set(.wallpapers, .denied)
    try host.library.policy("everyone", Self.authorizing)
    try host.daemon.reload()
    let app = try host.app().connect()
    #expect(try app.request().status == .authorized)
    let error = try failure { try host.set(.wallpapers, .denied) }
    #expect(error.name == ManagerInterface.LockedByPolicy.name)
    try host.library.removePolicy("everyone")
    try host.daemon.reload()
    #expect(try app.status() == .denied)
  }

  @Test("S38: a policy that is wrong changes nothing, and monitors are not told anything")
  func wrong() throws {
    let host = try Host { try $0.policy("children", Self.restricting) }
    let monitor = try host.app().connect()
    try monitor.begin(AuthorizationInterface.Monitor.self, .init(), more: true)
    for _ in 1...2 { _ = try monitor.receive(AuthorizationInterface.Monitor.self) }
    try host.library.policy("children", "effect: authorize\napps: []\n")
    let error = try failure { try host.connect().call(ManagerInterface.Reload.self, .init()) }
    let wrong = try #require(error.typed(ManagerInterface.InvalidConfiguration.self))
    #expect(wrong.errors.contains { $0.contains("policies.d/children.yaml:2:7") })
    #expect(try host.app().connect().status() == .restricted)
    #expect(monitor.isQuiet)
  }

  @Test("S37: what a policy says, an owner cannot change: LockedByPolicy")
  func locked() throws {
    let host = try Host { try $0.policy("children", Self.restricting) }
    _ = try host.app().connect().status()
    let error = try failure { try host.set(.wallpapers, .authorized) }
    let locked = try #require(error.typed(ManagerInterface.LockedByPolicy.self))
    #expect(locked.policy == "\(host.library.directory)/policies.d/children.yaml")
    try host.set(.wallpapers, .authorized, .addOnly)
  }

  @Test("S6, S29: a policy that is read again is pushed, and what was decided before returns with its end")
  func reload() throws {
    let host = try Host()
    let process = try host.app()
    try host.set(.wallpapers, .authorized)
    let monitor = try process.connect()
    try monitor.begin(AuthorizationInterface.Monitor.self, .init(), more: true)
    let first = try (0..<2).map { _ in try monitor.receive(AuthorizationInterface.Monitor.self) }
    #expect(Set(first.map(\.accessLevel)) == [.addOnly, .readWrite])

    try host.library.policy("children", Self.restricting)
    try host.daemon.reload()
    let change = try monitor.receive(AuthorizationInterface.Monitor.self)
    #expect(change == .init(accessLevel: .readWrite, status: .restricted))
    #expect(try process.connect().request().status == .restricted)

    try host.library.removePolicy("children")
    try host.daemon.reload()
    let back = try monitor.receive(AuthorizationInterface.Monitor.self)
    #expect(back == .init(accessLevel: .readWrite, status: .authorized, location: false))
  }

  @Test("S6: a grant returns from beneath a policy also when that goes between two runs of the daemon")
  func restart() throws {
    let host = try Host { $0.options = ["grants: {expireUnusedAfterDays: 30}"] }
    try host.set(.wallpapers, .authorized)
    try host.daemon.stop()
    try host.library.policy("children", Self.restricting)
    let long = (time(nil) - 100 * 86_400) * 1_000_000
    try execute(
      "UPDATE decision SET decidedAt = \(long), lastUsed = \(long)",
      on: "\(host.library.state)/registry.sqlite")
    try host.daemon.start()
    #expect(try host.app().connect().status() == .restricted)
    try host.daemon.stop()
    try host.library.removePolicy("children")
    try host.daemon.start()
    #expect(try host.app().connect().status() == .authorized)
  }

  @Test("S37: an open prompt that a new policy decides is withdrawn and answered")
  func openPrompt() throws {
    let host = try Host()
    let agent = try host.agent()
    let app = try host.app().connect()
    try app.beginRequest()
    let prompt = try agent.prompt()
    try host.library.policy("children", Self.restricting)
    try host.daemon.reload()
    #expect(try agent.withdrawal().id == prompt.id)
    #expect(try app.requestReply().status == .restricted)
  }

  // MARK: Settings

  @Test("S8: the owner changes a decision in settings; monitors hear of it at once")
  func settings() throws {
    let host = try Host()
    let monitor = try host.app().connect()
    try monitor.begin(AuthorizationInterface.Monitor.self, .init(), more: true)
    for _ in 1...2 { _ = try monitor.receive(AuthorizationInterface.Monitor.self) }
    for status in [AuthorizationInterface.AuthorizationStatus.authorized, .denied, .limited] {
      try host.set(.wallpapers, status)
      let change = try monitor.receive(AuthorizationInterface.Monitor.self)
      #expect(change.status == status)
      #expect(change.selectionCount == (status == .limited ? 0 : nil))
    }
    let count = try host.connect().call(
      ManagerInterface.Reset.self, .init(appId: AppDescription.wallpapers.id)
    ).count
    #expect(count == 1)
    #expect(try monitor.receive(AuthorizationInterface.Monitor.self).status == .notDetermined)
  }

  @Test("S8: a decision in settings answers the open prompt")
  func settingsAndPrompt() throws {
    let host = try Host()
    let agent = try host.agent()
    let app = try host.app().connect()
    try app.beginRequest()
    let prompt = try agent.prompt()
    try host.set(.wallpapers, .denied)
    #expect(try agent.withdrawal().id == prompt.id)
    #expect(try app.requestReply().status == .denied)
  }

  @Test("S8: after a reset the next request prompts again")
  func reset() throws {
    let host = try Host()
    let agent = try host.agent()
    let app = try host.app().connect()
    for decision in [AgentInterface.Decision.deny, .allow] {
      try app.beginRequest()
      try agent.answer(agent.prompt(), decision)
      _ = try app.requestReply()
      try host.connect().call(ManagerInterface.Reset.self, .init(appId: AppDescription.wallpapers.id))
      #expect(try app.status() == .notDetermined)
    }
  }

  @Test("S1: addOnly is never limited; what an owner can set is checked")
  func invalidSettings() throws {
    let host = try Host()
    _ = try host.app().connect().status()
    for (status, level) in [
      (AuthorizationInterface.AuthorizationStatus.limited, AuthorizationInterface.AccessLevel.addOnly),
      (.restricted, .readWrite), (.notDetermined, .readWrite),
    ] {
      let error = try failure { try host.set(.wallpapers, status, level) }
      #expect(error.typed(InvalidParameter.self)?.parameter == "status")
    }
    let unknown = AppDescription(id: "org.example.Unknown", program: "unknown")
    let error = try failure { try host.set(unknown, .authorized) }
    #expect(error.typed(ManagerInterface.NoSuchApp.self)?.id == unknown.id)
  }

  @Test("S3: a record is a user's, an app's and a level's", .enabled(if: isRoot, needsRoot))
  func perUser() throws {
    let host = try Host()
    try host.set(.wallpapers, .authorized, uid: 65534)
    #expect(try host.app(.wallpapers, uid: 65534).connect().status() == .authorized)
    #expect(try host.app(.wallpapers).connect().status() == .notDetermined)
    #expect(try host.app(.wallpapers, uid: 65534).connect().status(.addOnly) == .notDetermined)
    #expect(try host.app(.mail, uid: 65534).connect().status() == .notDetermined)
  }

  @Test("the list of apps tells every app, its access and since when")
  func list() throws {
    let host = try Host()
    try host.set(.wallpapers, .denied)
    _ = try host.app(.wallpapers).connect().status()
    _ = try host.app(.mail).connect().status()
    let apps = try host.connect().call(ManagerInterface.ListApps.self, .init()).apps
    let wallpapers = try #require(apps.first { $0.id == AppDescription.wallpapers.id })
    #expect(wallpapers.name == "Wallpapers")
    #expect(wallpapers.uid == Int(getuid()))
    #expect(wallpapers.firstSeen != nil)
    let grant = try #require(wallpapers.grants.first { $0.accessLevel == .readWrite })
    #expect(grant.status == .denied)
    #expect(grant.decided != nil)
    #expect(apps.contains { $0.id == AppDescription.mail.id })
  }
}
