import AlbumAPI
import EventLoop
import Glibc
import Linux
import LoopTesting
import TestSupport
import Testing
import Varlink
import VarlinkTransport

@testable import AlbumDaemon

@Suite("Long selections, told to owners", .blocking, .timeLimit(.minutes(30)))
struct LongSelectionTests {
  private let services: ServiceTests

  init() throws { services = try ServiceTests(connectionsPerUser: 8) }

  @Test("R6, S22: a long selection is written on a thread, and others are served meanwhile")
  func written() async throws {
    let scene = try await SearchScene(services)
    try scene.select(scene.ids, .add)
    let gate = await hold(scene.daemon)
    try scene.owner.send(try call(scene))
    // Whatever an owner asks for does not wait for it.
    _ = try scene.app.call(AuthorizationInterface.WhoAmI.self, .init())
    gate.open()
    let reply = try scene.owner.receive().reply
    let selection = try JSONDecoding.decode(
      ManagerInterface.GetSelection.Reply.self, from: .object(reply.parameters))
    #expect(selection.assets == scene.ids.sorted() && selection.albums.isEmpty)
  }

  @Test(
    "R6, S16: for an app that asks for its status a thousand of what is selected are looked at in a turn, once"
  )
  func counted() async throws {
    let scene = try await SearchScene(services)
    try scene.set(.limited)
    try scene.select(scene.ids, .add)
    for expected in [2, 0] {
      let turns = try await TurnCount.turns(of: scene.daemon) {
        let status = try scene.app.call(
          AuthorizationInterface.GetStatus.self, .init(accessLevel: .readWrite)
        ).reply
        #expect(status.status == .limited && status.selectionCount == scene.ids.count)
      }
      #expect(turns == expected)
    }
  }

  @Test("R6, S16, S29: who is denied while that is counted is told that")
  func countedForNobody() async throws {
    let scene = try await SearchScene(services)
    try scene.set(.limited)
    try scene.select(scene.ids, .add)
    try await scene.denyAfterFirstSlice()
    let status = try scene.app.call(
      AuthorizationInterface.GetStatus.self, .init(accessLevel: .readWrite)
    ).reply
    #expect(status.status == .denied && status.selectionCount == nil)
  }

  @Test("R6, S16: who is told of its status is told when all that is selected was counted")
  func monitored() async throws {
    let scene = try await SearchScene(services)
    try scene.set(.limited)
    try scene.select(scene.ids, .add)
    try scene.app.send(Call(AuthorizationInterface.Monitor.self, .init(), wantsMore: true))
    func next() throws -> AuthorizationInterface.Monitor.Reply {
      try JSONDecoding.decode(
        AuthorizationInterface.Monitor.Reply.self, from: .object(try scene.app.receive().reply.parameters))
    }
    let first = [try next(), try next()]
    #expect(Set(first.map(\.accessLevel)) == [.readWrite, .addOnly])
    #expect(first.compactMap(\.selectionCount) == [scene.ids.count])
    try scene.select([scene.ids[0]], .remove)
    #expect(try next().selectionCount == scene.ids.count - 1)
  }

  @Test("R6, S20: a prompt with a long selection is written on a thread, and others are served meanwhile")
  func prompt() async throws {
    let (scene, agent) = try await withAgent()
    try scene.select(scene.ids, .add)
    let gate = await hold(scene.daemon)
    try scene.app.send(Call(AuthorizationInterface.PresentLimitedPicker.self, .init()))
    _ = try scene.owner.call(AuthorizationInterface.WhoAmI.self, .init())
    gate.open()
    let prompt = try #require(try shown(agent).prompt)
    #expect(prompt.kind == .limitedPicker && prompt.selection == scene.ids.sorted())
  }

  @Test("S9, S12: a prompt that is withdrawn before its long selection was written is not shown")
  func withdrawn() async throws {
    let (scene, agent) = try await withAgent()
    try scene.select(scene.ids, .add)
    let gate = await hold(scene.daemon)
    do {
      let gone = try await services.connect(scene.daemon)
      try gone.send(Call(AuthorizationInterface.PresentLimitedPicker.self, .init()))
      await until(scene.daemon, prompts: 1)
      withExtendedLifetime(gone) {}
    }
    await until(scene.daemon, prompts: 0)
    try scene.select(Array(scene.ids[...3]), .replace)
    try scene.app.send(Call(AuthorizationInterface.PresentLimitedPicker.self, .init()))
    await until(scene.daemon, prompts: 1)
    gate.open()
    let next = try shown(agent)
    #expect(next.withdrawn == nil && next.prompt?.selection == scene.ids[...3].sorted())
  }

  /// An app that is limited, and somebody who is asked about it.
  private func withAgent() async throws -> (SearchScene, ClientConnection) {
    try services.describe("manages: true\nusage: {readWrite: {en: To test.}}")
    let scene = try await SearchScene(services)
    try scene.set(.limited)
    let agent = try await services.connect(scene.daemon)
    try agent.send(Call(AgentInterface.Register.self, .init(name: "test"), wantsMore: true))
    _ = try agent.receive()
    return (scene, agent)
  }

  private func shown(_ agent: ClientConnection) throws -> AgentInterface.Register.Reply {
    try JSONDecoding.decode(
      AgentInterface.Register.Reply.self, from: .object(try agent.receive().reply.parameters))
  }

  @EventLoopActor
  private func until(_ daemon: Daemon, prompts: Int) async {
    while daemon.parts.center.decisions.promptCount != prompts { await EventLoopActor.giveWay() }
  }

  @Test("S29, S44: who is no owner any more when it has been written is not told")
  func noOwner() async throws {
    let scene = try await SearchScene(services)
    let other = try await services.connect(scene.daemon)
    try scene.select(scene.ids, .add)
    let gate = await hold(scene.daemon)
    try scene.owner.send(try call(scene))
    for _ in 0..<3 { _ = try other.call(AuthorizationInterface.WhoAmI.self, .init()) }
    try services.isAnApp()
    _ = try other.call(ManagerInterface.Reload.self, .init())
    gate.open()
    #expect(try scene.owner.receive().reply.error == ManagerInterface.NotAnOwner.name)
  }

  private func call(_ scene: SearchScene) throws -> Call {
    let me = try scene.app.call(AuthorizationInterface.WhoAmI.self, .init()).reply.identity
    return try Call(ManagerInterface.GetSelection.self, .init(appId: me.appId, uid: me.uid))
  }

  /// Keeps the thread busy.
  private func hold(_ daemon: Daemon) async -> Gate {
    let gate = Gate()
    await EventLoopActor.run { daemon.parts.codec.async(for: UInt32.max) { gate.wait() } }
    await gate.untilReached()
    return gate
  }
}
