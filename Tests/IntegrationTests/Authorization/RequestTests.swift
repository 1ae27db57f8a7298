import AlbumAPI
import TestSupport
import Testing
import Varlink

@Suite("Requests, over the wire", .blocking)
struct RequestTests {
  @Test("S2: each access level is a record of its own")
  func levels() throws {
    let host = try Host()
    let agent = try host.agent()
    let app = try host.app().connect()
    try app.beginRequest(.addOnly)
    try agent.answer(agent.prompt(), .deny)
    #expect(try app.requestReply().status == .denied)
    #expect(try app.status(.readWrite) == .notDetermined)
    try app.beginRequest(.readWrite)
    try agent.answer(agent.prompt(), .allow)
    #expect(try app.requestReply().status == .authorized)
    #expect(try app.status(.addOnly) == .denied)
  }

  @Test("S5: asking for the status neither prompts nor waits", arguments: [true, false])
  func statusOnly(hasAgent: Bool) throws {
    let host = try Host()
    let agent = hasAgent ? try host.agent() : nil
    let app = try host.app().connect()
    #expect(try app.status(.readWrite) == .notDetermined)
    #expect(try app.status(.addOnly) == .notDetermined)
    if let agent { #expect(try agent.isQuiet) }
    let apps = try host.connect().call(ManagerInterface.ListApps.self, .init()).apps
    #expect(apps.first { $0.id == AppDescription.wallpapers.id }?.grants.count == 2)
    #expect(apps.allSatisfy { $0.grants.allSatisfy { $0.status == .notDetermined && $0.decided == nil } })
  }

  @Test("S5: while a prompt is open the status is told at once, and is the old one")
  func statusWhileOpen() throws {
    let host = try Host()
    let agent = try host.agent()
    let app = try host.app()
    let asking = try app.connect()
    try asking.beginRequest()
    let prompt = try agent.prompt()
    #expect(try app.connect().status() == .notDetermined)
    try agent.answer(prompt, .deny)
    #expect(try asking.requestReply().status == .denied)
    #expect(try app.connect().status() == .denied)
  }

  @Test("S7: every decided status is returned at once", arguments: [true, false])
  func decided(hasAgent: Bool) throws {
    let host = try Host()
    let agent = hasAgent ? try host.agent() : nil
    let app = try host.app().connect()
    for status in [AuthorizationInterface.AuthorizationStatus.denied, .limited, .authorized] {
      try host.set(.wallpapers, status)
      #expect(try app.request().status == status)
    }
    if let agent { #expect(try agent.isQuiet) }
  }

  @Test("S7, S8: one prompt, then the stored answer, for good")
  func onePrompt() throws {
    let host = try Host()
    let agent = try host.agent()
    let app = try host.app().connect()
    #expect(try app.status() == .notDetermined)
    try app.beginRequest()
    try agent.answer(agent.prompt(), .allow)
    #expect(try app.requestReply().status == .authorized)
    #expect(try app.request().status == .authorized)
    #expect(try app.status() == .authorized)
    #expect(try agent.isQuiet)
    try host.daemon.restart()
    #expect(try host.app().connect().request().status == .authorized)
  }

  @Test("S9: requests for an open prompt join it and get its answer")
  func joining() throws {
    let host = try Host()
    let agent = try host.agent()
    let app = try host.app()
    let (first, second) = (try app.connect(), try app.connect())
    try first.beginRequest()
    let prompt = try agent.prompt()
    try second.beginRequest()
    #expect(try agent.isQuiet)
    try agent.answer(prompt, .deny)
    #expect(try first.requestReply().status == .denied)
    #expect(try second.requestReply().status == .denied)
  }

  @Test("S9: an agent is shown one prompt at a time, oldest first")
  func queueing() throws {
    let apps = (0..<4).map { AppDescription(id: "org.example.App\($0)", program: "app\($0)") }
    let host = try Host { library in for app in apps { try library.describe(app) } }
    let agent = try host.agent()
    var asking: [Connection] = []
    for app in apps {
      let connection = try host.app(app).connect()
      try connection.beginRequest()
      // Heard before the next one asks.
      try host.connect().roundTrip()
      asking.append(connection)
    }
    for (app, connection) in zip(apps, asking) {
      let prompt = try agent.prompt()
      #expect(prompt.app.id == app.id)
      #expect(try agent.isQuiet)
      try agent.answer(prompt, .allow)
      #expect(try connection.requestReply().status == .authorized)
    }
    #expect(try agent.isQuiet)
  }

  @Test("S10: what may be answered for each level")
  func choices() throws {
    let host = try Host()
    let agent = try host.agent()
    let app = try host.app().connect()
    try app.beginRequest(.addOnly)
    let prompt = try agent.prompt()
    #expect(Set(prompt.choices) == [.allow, .deny, .notNow])
    let error = try failure { try agent.answer(prompt, .limited) }
    #expect(error.name == AgentInterface.InvalidAnswer.name)
    // The prompt is still open.
    try agent.answer(prompt, .allow)
    #expect(try app.requestReply().status == .authorized)
    try app.beginRequest(.readWrite)
    #expect(try Set(agent.prompt().choices) == [.allow, .limited, .deny, .notNow])
  }

  @Test("S11: not now decides nothing")
  func notNow() throws {
    let host = try Host()
    let agent = try host.agent()
    let app = try host.app().connect()
    try app.beginRequest()
    try agent.answer(agent.prompt(), .notNow)
    #expect(try app.requestReply().status == .notDetermined)
    #expect(try app.status() == .notDetermined)
    try app.beginRequest()
    try agent.answer(agent.prompt(), .allow)
    #expect(try app.requestReply().status == .authorized)
  }

  @Test("S12: a prompt is withdrawn when the last of its requesters has gone")
  func withdrawn() throws {
    let host = try Host()
    let agent = try host.agent()
    let app = try host.app()
    var first: Connection? = try app.connect()
    var second: Connection? = try app.connect()
    // Whoever has an answer is known, and what it asks next is heard before what others ask later.
    try second?.roundTrip()
    try first?.beginRequest()
    let prompt = try agent.prompt()
    try second?.beginRequest()
    #expect(try agent.isQuiet)
    first = nil
    #expect(try agent.isQuiet)
    second = nil
    let withdrawal = try agent.withdrawal()
    #expect(withdrawal.id == prompt.id)
    #expect(!withdrawal.reason.isEmpty)
    let error = try failure { try agent.answer(prompt, .allow) }
    #expect(error.name == AgentInterface.NoSuchPrompt.name)
    #expect(try app.connect().status() == .notDetermined)
  }

  @Test("S12: a prompt is withdrawn when the app's process is killed")
  func killed() throws {
    let host = try Host()
    let agent = try host.agent()
    let app = try host.app()
    try {
      let connection = try app.connect()
      try connection.beginRequest()
      _ = try agent.prompt()
    }()
    try app.end()
    _ = try agent.withdrawal()
  }

  @Test("S11, S12: without an agent NoAgent, which is no denial, or the request waits")
  func noAgent() throws {
    let host = try Host()
    let app = try host.app().connect()
    #expect(try failure { _ = try app.request() }.name == AuthorizationInterface.NoAgent.name)
    #expect(try app.status() == .notDetermined)
    try app.beginRequest(waitForAgent: true)
    let agent = try host.agent()
    try agent.answer(agent.prompt(), .allow)
    #expect(try app.requestReply().status == .authorized)
  }

  @Test("S13: after three times not now requests are refused for an hour, also after a restart")
  func throttled() throws {
    let host = try Host()
    let agent = try host.agent()
    let app = try host.app().connect()
    for _ in 1...3 {
      try app.beginRequest()
      try agent.answer(agent.prompt(), .notNow)
      #expect(try app.requestReply().status == .notDetermined)
    }
    let error = try #require(
      try failure { _ = try app.request() }.typed(AuthorizationInterface.Throttled.self))
    #expect((3500...3600).contains(error.retryAfterSeconds))
    #expect(try agent.isQuiet)

    try host.daemon.restart()
    let later = try host.app().connect()
    #expect(
      try failure { _ = try later.request(waitForAgent: true) }.name == AuthorizationInterface.Throttled.name)
  }

  @Test("S13: one open prompt per app")
  func busy() throws {
    let host = try Host()
    let agent = try host.agent()
    let app = try host.app()
    let (first, second) = (try app.connect(), try app.connect())
    try first.beginRequest(.readWrite)
    _ = try agent.prompt()
    #expect(try failure { _ = try second.request(.addOnly) }.name == AuthorizationInterface.Busy.name)
  }

  @Test("S13: sixteen waiting prompts per user")
  func busyUser() throws {
    let apps = (0..<17).map { AppDescription(id: "org.example.App\($0)", program: "app\($0)") }
    let host = try Host { library in for app in apps { try library.describe(app) } }
    let agent = try host.agent()
    var waiting: [Connection] = []
    for app in apps.prefix(16) {
      let connection = try host.app(app).connect()
      try connection.beginRequest()
      waiting.append(connection)
    }
    _ = try agent.prompt()
    #expect(try agent.isQuiet)
    let last = try host.app(apps[16]).connect()
    #expect(try failure { _ = try last.request() }.name == AuthorizationInterface.Busy.name)
  }

  @Test("S14: without a usage description the error names the file and the key")
  func usageDescriptionMissing() throws {
    let silent = AppDescription(
      id: "org.example.Silent", program: "silent", describesAdding: true, describesReading: false)
    let host = try Host { try $0.describe(silent) }
    let agent = try host.agent()
    let app = try host.app(silent).connect()
    let error = try #require(
      try failure { _ = try app.request() }.typed(AuthorizationInterface.UsageDescriptionMissing.self))
    #expect(error.appId == silent.id)
    #expect(error.accessLevel == .readWrite)
    #expect(error.manifest.contains("\(host.library.directory)/apps.d/org.example.Silent.yaml"))
    #expect(error.manifest.contains("usage.readWrite"))
    #expect(try agent.isQuiet)
  }

  @Test("S14: the prompt speaks the owner's language")
  func language() throws {
    let host = try Host()
    let agent = try host.agent(languages: ["zh-Hans-CN", "en"])
    let app = try host.app().connect()
    try app.beginRequest()
    let prompt = try agent.prompt()
    #expect(prompt.app.name == AppDescription.wallpapers.chineseName)
    #expect(prompt.usageDescription == AppDescription.chineseReason)
  }

  @Test("S14: a prompt that is open when the configuration is read again says what the manifest says now")
  func reloaded() throws {
    let host = try Host()
    let agent = try host.agent()
    let app = try host.app().connect()
    try app.beginRequest()
    let before = try agent.prompt()
    var renamed = AppDescription.wallpapers
    renamed.name = "Posters"
    try host.library.describe(renamed)
    try host.daemon.reload()
    #expect(try agent.withdrawal().id == before.id)
    let after = try agent.prompt()
    #expect(after.app.name == "Posters" && after.id != before.id)
    #expect(
      try failure { try agent.answer(before, .allow) }.name == AgentInterface.NoSuchPrompt.name,
      "what was agreed to was another text")
    try host.daemon.reload()
    #expect(try agent.isQuiet, "the same text is not shown twice")
    try agent.answer(after, .allow)
    #expect(try app.requestReply().status == .authorized)
  }

  @Test(
    "S35: one whose app is another by the manifests that are read again is withdrawn, and decides nothing")
  func becomesAnother() throws {
    let host = try Host()
    let agent = try host.agent()
    let app = try host.app().connect()
    try app.beginRequest()
    let prompt = try agent.prompt()
    var other = AppDescription.wallpapers
    other.id = "org.example.Other"
    try host.library.undescribe(.wallpapers)
    try host.library.describe(other)
    try host.daemon.reload()
    #expect(try agent.withdrawal().id == prompt.id)
    #expect(try failure { _ = try app.requestReply() }.name == AuthorizationInterface.UnidentifiedPeer.name)
    try app.beginRequest()
    #expect(try agent.prompt().app.id == other.id)
  }

  @Test("S14: one whose manifest gives no reason any more is withdrawn")
  func losesReason() throws {
    let host = try Host()
    let agent = try host.agent()
    let app = try host.app().connect()
    try app.beginRequest()
    let prompt = try agent.prompt()
    var silent = AppDescription.wallpapers
    silent.describesReading = false
    try host.library.describe(silent)
    try host.daemon.reload()
    #expect(try agent.withdrawal().id == prompt.id)
    #expect(
      try failure { _ = try app.requestReply() }.name == AuthorizationInterface.UsageDescriptionMissing.name)
  }

  @Test("S15: a refusal carries a guide in the app's language")
  func guide() throws {
    let host = try Host()
    try host.set(.wallpapers, .denied)
    let app = try host.app().connect()
    let english = try #require(try app.request(language: "en").guide)
    #expect(english.title.contains("Wallpapers"))
    #expect(!english.steps.isEmpty)
    #expect(english.settingsCommand == "albumctl settings org.example.Wallpapers")
    let chinese = try #require(try app.request(language: "zh-Hans").guide)
    #expect(chinese.title.contains("壁纸"))
    #expect(chinese.message.contains("照片"))
    #expect(chinese.steps.count == english.steps.count)
  }

  @Test("S6, S15: what is not granted is NotAuthorized, with the status and the guide")
  func notAuthorized() throws {
    let host = try Host()
    let app = try host.app().connect()
    func refusal() throws -> LibraryInterface.NotAuthorized? {
      try failure { _ = try app.assets() }.typed(LibraryInterface.NotAuthorized.self)
    }
    #expect(try refusal()?.status == .notDetermined)
    try host.set(.wallpapers, .denied)
    let denied = try #require(try refusal())
    #expect(denied.status == .denied)
    #expect(denied.accessLevel == .readWrite)
    #expect(denied.guide.settingsCommand != nil)
    for status in [AuthorizationInterface.AuthorizationStatus.authorized, .limited] {
      try host.set(.wallpapers, status)
      #expect(try app.assets().isEmpty)
    }
    // What a policy restricts, neither the app nor the owner changes; what was decided waits beneath it.
    try host.bring(.wallpapers, to: .restricted)
    let agent = try host.agent()
    #expect(try app.request().status == .restricted)
    let locked = try failure { try host.set(.wallpapers, .authorized) }
    #expect(locked.name == ManagerInterface.LockedByPolicy.name)
    #expect(try agent.isQuiet)
    let restricted = try #require(try refusal())
    #expect(restricted.status == .restricted && restricted.guide.settingsCommand == nil)
    try host.library.removePolicy("all")
    try host.daemon.reload()
    #expect(try app.status() == .limited)
  }
}
