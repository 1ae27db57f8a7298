import AlbumAPI
import Authorization
import DaemonConfiguration
import EventLoop
import Glibc
import LoopTesting
import Storage
import TestSupport
import Testing
import Varlink
import VarlinkServer
import VarlinkTransport

@testable import AlbumDaemon

@Suite("Answers that the disk does not take", .timeLimit(.minutes(30)))
struct UnsavedAnswerTests {
  private let services: ServiceTests

  init() throws { services = try ServiceTests() }

  @Test(
    "S29: who denies in a prompt is told that it counts and is not on disk; it is written as soon as it can be"
  )
  func denial() async throws {
    let (reply, status) = try await answer(.deny) { daemon in
      #expect(daemon.parts.center.debts.isOwing)
    }
    #expect(reply.reply?.stored == false && reply.reply?.reason?.contains("no room") == true)
    #expect(status == .denied)
  }

  @Test("S8, S89: who allows is told that nothing was decided, and so is who asked, in their language")
  func grant() async throws {
    let (reply, status) = try await answer(.allow) { daemon in
      #expect(!daemon.parts.center.debts.isOwing)
    }
    #expect(reply.reply == nil && reply.failure?.name == SystemFailure.name)
    #expect(reply.asked?.error == SystemFailure.name)
    #expect(reply.asked?.parameters["message"] == "无法保存这个决定，原因见 albumd 的日志", "S89")
    #expect(status == .notDetermined)
  }

  @Test("an answer that is on disk says no more than that")
  func stored() async throws {
    let (reply, status) = try await answer(.deny, blocked: false) { _ in }
    #expect(reply.reply?.stored == nil && reply.reply?.reason == nil && reply.failure == nil)
    #expect(status == .denied)
  }

  private struct Outcome {
    var reply: AgentInterface.Respond.Reply?
    var failure: RemoteError?
    /// What the app is told that has asked in Chinese.
    var asked: Reply?
  }

  /// What an agent is told of its answer, and what then holds.
  private func answer(
    _ decision: AgentInterface.Decision, blocked: Bool = true, then look: @EventLoopActor (Daemon) -> Void
  ) async throws -> (Outcome, AuthorizationInterface.AuthorizationStatus) {
    try services.describe("manages: true\nusage: {readWrite: {en: To test.}}")
    let daemon = try await services.makeDaemon()
    let (agent, app, answers) = (
      try await services.connect(daemon), try await services.connect(daemon),
      try await services.connect(daemon)
    )
    try agent.send(Call(AgentInterface.Register.self, .init(name: "test"), wantsMore: true))
    _ = try agent.receive()
    try app.send(
      Call(AuthorizationInterface.Request.self, .init(accessLevel: .readWrite, language: "zh-Hans")))
    let shown = try agent.receive().reply
    let prompt = try #require(
      try JSONDecoding.decode(AgentInterface.Register.Reply.self, from: .object(shown.parameters)).prompt)
    let registry = await "\(daemon.parts.configuration.initial.state)/registry.sqlite"
    if blocked {
      try execute(
        "CREATE TRIGGER noRoom BEFORE INSERT ON decision BEGIN SELECT RAISE(ABORT, 'no room'); END",
        on: registry)
    }
    var outcome = Outcome()
    do {
      outcome.reply = try answers.call(
        AgentInterface.Respond.self, .init(prompt: prompt.id, answer: .init(decision: decision))
      ).reply
    } catch let error as RemoteError { outcome.failure = error }
    await look(daemon)
    outcome.asked = try app.receive().reply
    let status = try app.call(AuthorizationInterface.GetStatus.self, .init(accessLevel: .readWrite)).reply
      .status
    if blocked {
      try execute("DROP TRIGGER noRoom", on: registry)
      while await daemon.parts.center.debts.isOwing { await EventLoopActor.run {} }
    }
    let records = try await daemon.parts.registry.load().records
    #expect(records.map(\.decision.status.rawValue) == (status == .denied ? ["denied"] : []))
    return (outcome, status)
  }
}
