import AlbumAPI
import TestSupport
import Testing
import Varlink

@Suite("Agents, over the wire", .blocking)
struct AgentTests {
  @Test(
    "S12: why a prompt is withdrawn is told in the agent's language, by the words that are installed",
    arguments: [
      ([], "the app does not wait any more"), (["zh_CN.UTF-8"], "应用不再等待"), (["de-AT", "zh-CN"], "Weg."),
    ])
  func reasons(languages: [String], reason: String) throws {
    let host = try Host {
      try $0.makeAlbum("../words")
      try $0.write($0.path("../words/de.yaml"), "goneRequester: \"Weg.\"\n")
    }
    let agent = try host.agent(languages: languages)
    let app = try host.app()
    var request: Connection? = try app.connect()
    try request?.beginRequest()
    _ = try agent.prompt()
    request = nil
    #expect(try agent.withdrawal().reason == reason)
  }

  @Test("S46: the newest agent is asked")
  func newest() throws {
    let host = try Host()
    let older = try host.agent()
    let newer = try host.agent()
    let app = try host.app().connect()
    try app.beginRequest()
    try newer.answer(newer.prompt(), .allow)
    #expect(try older.isQuiet)
    #expect(try app.requestReply().status == .authorized)
  }

  @Test("S46: an agent that goes away leaves its prompt to the next")
  func next() throws {
    let host = try Host()
    let older = try host.agent()
    var newer: Agent? = try host.agent()
    let app = try host.app().connect()
    try app.beginRequest()
    let prompt = try #require(try newer?.prompt())
    newer = nil
    let again = try older.prompt()
    #expect(again.app == prompt.app)
    try older.answer(again, .allow)
    #expect(try app.requestReply().status == .authorized)
  }

  @Test("S11, S12: the last agent's end is no denial; who asked to wait waits on")
  func lastAgent() throws {
    let host = try Host()
    var agent: Agent? = try host.agent()
    let app = try host.app()
    let (patient, hasty) = (try app.connect(), try app.connect())
    try patient.beginRequest(waitForAgent: true)
    _ = try agent?.prompt()
    try hasty.beginRequest()
    #expect(try agent?.isQuiet == true)
    agent = nil
    #expect(try failure { _ = try hasty.requestReply() }.name == AuthorizationInterface.NoAgent.name)
    #expect(try app.connect().status() == .notDetermined)
    let next = try host.agent()
    try next.answer(next.prompt(), .allow)
    #expect(try patient.requestReply().status == .authorized)
  }

  @Test("S46: a prompt is answered once")
  func once() throws {
    let host = try Host()
    let agent = try host.agent()
    let app = try host.app().connect()
    try app.beginRequest()
    let prompt = try agent.prompt()
    try agent.answer(prompt, .allow)
    let error = try failure { try agent.answer(prompt, .deny) }
    #expect(error.typed(AgentInterface.NoSuchPrompt.self)?.id == prompt.id)
    #expect(try app.requestReply().status == .authorized)
    #expect(try app.status() == .authorized)
  }

  @Test("S44: an app is no agent, no manager and not the owner: no method of theirs is for it")
  func apps() throws {
    let host = try Host()
    let app = try host.app().connect()
    for (text, error) in [
      (AgentInterface.definition, AgentInterface.NotAnOwner.name),
      (ManagerInterface.definition, ManagerInterface.NotAnOwner.name),
    ] {
      let interface = try InterfaceDescription(parsing: text)
      #expect(interface.methods.count > 1)
      for method in interface.methods.values {
        try app.send(
          "\(interface.name).\(method.name)", interface.leastParameters(of: method), more: method.requiresMore
        )
        // Of what is served all the same the next reply may never come.
        try #require(try app.receive().reply.error == error, "\(method.name)")
      }
    }
    try app.send("io.systemd.service.Reload")
    #expect(try app.receive().reply.error == "org.varlink.service.PermissionDenied")
    #expect(try app.status() == .notDetermined)
  }

  @Test("S44: a process whose manifest says manages acts as an owner")
  func manages() throws {
    let tools = AppDescription(id: "org.example.Tools", program: "tools", manages: true)
    let host = try Host { try $0.describe(tools) }
    let process = try host.app(tools)
    let agent = try Agent { try process.connect() }
    let app = try host.app().connect()
    try app.beginRequest()
    try agent.answer(agent.prompt(), .allow)
    #expect(try app.requestReply().status == .authorized)
  }

  @Test("S44, S46: an agent whose process becomes an app is dismissed; its prompt is the next one's")
  func becomesApp() throws {
    let late = AppDescription(id: "org.example.Late", program: "late")
    let host = try Host()
    let process = try host.app(late)
    let stays = try host.agent()
    let dismissed = try Agent { try process.connect() }
    let log = try process.connect()
    try log.begin(ManagerInterface.ListAccessLog.self, .init(follow: true), more: true)
    _ = try log.receive(ManagerInterface.ListAccessLog.self)
    let app = try host.app().connect()
    try app.beginRequest()
    let prompt = try dismissed.prompt()
    try host.library.describe(late)
    try host.daemon.reload()
    #expect(try dismissed.withdrawal().id == prompt.id)
    #expect(try failure { _ = try dismissed.prompt() }.name == AgentInterface.NotAnOwner.name)
    #expect(try failure { try dismissed.answer(prompt, .allow) }.name == AgentInterface.NotAnOwner.name)
    #expect(
      try failure { while true { _ = try log.receive(ManagerInterface.ListAccessLog.self) } }.name
        == ManagerInterface.NotAnOwner.name)
    try stays.answer(stays.prompt(), .allow)
    #expect(try app.requestReply().status == .authorized)
  }

  @Test("S12, S44: the only agent being dismissed, who did not ask to wait is told that there is none")
  func lastBecomesApp() throws {
    let late = AppDescription(id: "org.example.Late", program: "late")
    let host = try Host()
    let process = try host.app(late)
    let dismissed = try Agent { try process.connect() }
    let app = try host.app()
    let (hasty, next) = (try app.connect(), try app.connect())
    try hasty.beginRequest()
    _ = try dismissed.prompt()
    try host.library.describe(late)
    try host.daemon.reload()
    #expect(try failure { _ = try hasty.requestReply() }.name == AuthorizationInterface.NoAgent.name)
    #expect(try failure { _ = try next.request() }.name == AuthorizationInterface.NoAgent.name)
  }

  @Test(
    "S44: another user's process is no owner until it is named, directly or by group",
    .enabled(if: isRoot, needsRoot), arguments: ["users: [nobody]", "groups: [nogroup]"])
  func otherUser(owners: String) throws {
    let stranger = AppDescription(id: "unused", program: "stranger")
    let host = try Host()
    let process = try host.app(stranger, uid: 65534)
    let error = try failure { try process.connect().call(ManagerInterface.ActAsOwner.self, .init()) }
    #expect(error.name == ManagerInterface.NotAnOwner.name)
    host.library.options = ["owners: {\(owners)}"]
    try host.library.configure()
    try host.daemon.reload()
    try process.connect().call(ManagerInterface.ActAsOwner.self, .init())
  }

  @Test("S46: a prompt goes to the agents of its user, if an owner", .enabled(if: isRoot, needsRoot))
  func ownersFirst() throws {
    let host = try Host { $0.options = ["owners: {users: [nobody]}"] }
    let nobody = try host.app(AppDescription(id: "unused", program: "stranger"), uid: 65534)
    let theirs = try Agent { try nobody.connect() }
    let ours = try host.agent()
    let app = try host.app(.wallpapers, uid: 65534).connect()
    try app.beginRequest()
    let prompt = try theirs.prompt()
    #expect(prompt.app.user == "nobody")
    #expect(try ours.isQuiet)
    // What one agent was shown, another user's cannot answer.
    #expect(try failure { try ours.answer(prompt, .allow) }.name == AgentInterface.NoSuchPrompt.name)
    try theirs.answer(prompt, .deny)
    #expect(try app.requestReply().status == .denied)
  }

  @Test(
    "S46: the prompt of a user who is no owner goes to any owner's agent", .enabled(if: isRoot, needsRoot))
  func anyOwner() throws {
    let host = try Host()
    let agent = try host.agent()
    let app = try host.app(.wallpapers, uid: 65534).connect()
    try app.beginRequest()
    let prompt = try agent.prompt()
    #expect(prompt.app.user == "nobody")
    try agent.answer(prompt, .allow)
    #expect(try app.requestReply().status == .authorized)
  }

  @Test("S45: being an owner opens nothing in the library by itself")
  func ownersView() throws {
    let host = try Host { try $0.add("a.jpg") }
    let connection = try host.connect()
    #expect(try failure { _ = try connection.assets() }.name == LibraryInterface.NotAuthorized.name)
    try connection.call(ManagerInterface.ActAsOwner.self, .init())
    #expect(try connection.assets().map(\.filename) == ["a.jpg"])
    #expect(host.daemon.log.contains("acts as the owner"))
    // Only that connection.
    #expect(try failure { _ = try host.connect().assets() }.name == LibraryInterface.NotAuthorized.name)
  }
}
