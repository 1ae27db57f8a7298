import AlbumAPI
import Authorization
import DaemonConfiguration
import EventLoop
import Glibc
import LoopTesting
import TestSupport
import Testing
import Varlink
import VarlinkTransport

@testable import AlbumDaemon

@Suite("What is picked and selected, looked up in slices", .blocking, .timeLimit(.minutes(30)))
struct PicksInSlicesTests {
  private let services: ServiceTests

  init() throws { services = try ServiceTests(connectionsPerUser: 8) }

  private static let named = (0..<PickerInterface.mostPreselected).map { "no-such-\($0)" }

  @Test("R6, S105: what is picked at first is looked up fifty at a time")
  func preselected() async throws {
    let scene = try await NamedScene(services, files: 1)
    try scene.set(.authorized)
    let agent = try await scene.agent()
    let turns = try await scene.turns {
      try scene.app.send(
        Call(PickerInterface.Pick.self, .init(preselected: Self.named), wantsMore: true))
      let prompt = try scene.prompt(agent)
      #expect(prompt.kind == .picker && prompt.selection == nil)
    }
    #expect(turns == Self.named.count / 50 - 1)
  }

  @Test("R6, S12: where nobody is there to be asked, that is said, and nothing is looked up")
  func nobody() async throws {
    let scene = try await NamedScene(services, files: 1)
    try scene.set(.authorized)
    let turns = try await scene.turns {
      try scene.app.send(Call(PickerInterface.Pick.self, .init(preselected: Self.named), wantsMore: true))
      #expect(try scene.app.receive().reply.error == AuthorizationInterface.NoAgent.name)
    }
    #expect(turns == 0)
  }

  @Test("R6, S22: what an owner selects is looked up fifty at a time")
  func selected() async throws {
    let scene = try await NamedScene(services, files: 400)
    try scene.set(.limited)
    let turns = try await scene.turns { try scene.select(scene.ids) }
    #expect(turns == 7)
  }

  @Test("R6, S23: what an owner picks is looked up fifty at a time, for the answer and for the app")
  func picked() async throws {
    let scene = try await NamedScene(services, files: 400)
    try scene.set(.limited)
    let agent = try await scene.agent()
    try scene.app.send(Call(PickerInterface.Pick.self, .init(requestAccess: true), wantsMore: true))
    let prompt = try scene.prompt(agent)
    let turns = try await scene.turns {
      _ = try scene.owner.call(
        AgentInterface.Respond.self,
        .init(prompt: prompt.id, answer: .init(decision: .allow, assets: scene.ids)))
      // All of them were found before the question about access is asked.
      let question = try scene.prompt(agent)
      #expect(question.kind == .photoAccess && question.assets == scene.ids)
    }
    #expect(14...16 ~= turns)
  }

  @Test("R6, S9: a prompt that another answer ends while one is looked at is not there any more")
  func answeredMeanwhile() async throws {
    let scene = try await NamedScene(services, files: 400)
    try scene.set(.limited)
    let agent = try await scene.agent()
    try scene.app.send(Call(PickerInterface.Pick.self, .init(), wantsMore: true))
    let prompt = try scene.prompt(agent)
    await scene.afterFirstSlice { daemon in
      daemon.parts.center.answer(AuthorizationAnswer(.notNow), to: PromptID(prompt.id), from: getuid()) { _ in
      }
    }
    try scene.owner.send(
      Call(
        AgentInterface.Respond.self,
        .init(prompt: prompt.id, answer: .init(decision: .allow, assets: scene.ids))))
    #expect(try scene.owner.receive().reply.error == AgentInterface.NoSuchPrompt.name)
    let reply = try scene.app.receive().reply
    let picked = try JSONDecoding.decode(PickerInterface.Pick.Reply.self, from: .object(reply.parameters))
    #expect(picked.items.isEmpty)
  }

  @Test("S29, S44: who is no owner any more when all that is named was looked up selects nothing")
  func selectedByNoOwner() async throws {
    let scene = try await NamedScene(services, files: 400)
    try scene.set(.limited)
    await scene.afterFirstSlice { $0.makeApp() }
    let error = #expect(throws: RemoteError.self) { try scene.select(scene.ids) }
    #expect(error?.name == ManagerInterface.NotAnOwner.name)
  }

  @Test("S29, S44: nor does its answer count")
  func answeredByNoOwner() async throws {
    let scene = try await NamedScene(services, files: 400)
    try scene.set(.limited)
    let agent = try await scene.agent()
    try scene.app.send(Call(PickerInterface.Pick.self, .init(), wantsMore: true))
    let prompt = try scene.prompt(agent)
    await scene.afterFirstSlice { $0.makeApp() }
    try scene.owner.send(
      Call(
        AgentInterface.Respond.self,
        .init(prompt: prompt.id, answer: .init(decision: .allow, assets: scene.ids))))
    #expect(try scene.owner.receive().reply.error == AgentInterface.NotAnOwner.name)
  }
}

extension Daemon {
  /// Whom a manifest describes is an app from now on, and no owner.
  @EventLoopActor
  func makeApp() {
    let known = parts.identification.manifests.manifests.values.map { app in
      AppManifest(
        appID: app.appID, name: app.name, bindings: app.bindings, usage: app.usage, manages: false,
        file: app.file, fileToWrite: app.fileToWrite)
    }
    parts.identification.reload(
      manifests: ManifestCatalog(known, directory: ""), owners: parts.identification.owners,
      subordinates: SubordinateIDs())
  }
}
