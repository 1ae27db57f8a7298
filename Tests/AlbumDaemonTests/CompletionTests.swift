import Authorization
import EventLoop
import LoopTesting
import Testing
import TestSupport

@testable import AlbumDaemon

/// Whoever gives a completion may be in the middle of writing what it reads.
@Suite("Nothing that is given a completion calls it before it has returned", .timeLimit(.minutes(30)))
struct CompletionTests {
  init() {
    LoopThread.start()
  }

  /// Which of the calls told somebody before they had returned.
  @EventLoopActor
  private final class Calls {
    private(set) var early: [String] = []
    private(set) var completed: Set<String> = []
    private var running: String?

    func make(_ name: String, _ call: (@escaping @EventLoopActor () -> Void) -> Void) {
      running = name
      call { [self] in
        if running == name { early.append(name) }
        completed.insert(name)
      }
      running = nil
    }
  }

  @Test("of the center, whatever is asked of it, and of the limited picker")
  func center() async throws {
    let directory = try TemporaryDirectory()
    let calls = try await callEverything(directory.path)
    #expect(await calls.early == [])
    #expect(
      await calls.completed == [
        "request", "ask", "answer", "set nothing", "set", "select nothing", "reset nothing", "picker",
        "agent", "gone",
      ])
  }

  @EventLoopActor
  private func callEverything(_ directory: String) async throws -> Calls {
    let center = try makeCenter(directory)
    let calls = Calls()
    let one = app("org.example.One")
    let owner = AccessEvent.Author(.settings, uid: 0)
    // No agent, nothing to be changed: each has its answer at once.
    calls.make("request") { told in
      _ = center.request(
        .readWrite, app: one, process: ProcessInstance(pid: 1, startTime: 1, bootID: "boot"),
        waitForAgent: false, identity: { one }
      ) { _ in told() }
    }
    calls.make("ask") { told in
      _ = center.ask(.deletion(["a"]), app: one, asksItself: true, identity: { one }) { _ in told() }
    }
    calls.make("answer") { told in
      center.answer(AuthorizationAnswer(.allow), to: PromptID("none"), from: 0) { _ in told() }
    }
    calls.make("set nothing") { told in center.set([], by: owner) { _ in told() } }
    calls.make("select nothing") { told in
      center.changeSelection(of: [], by: [], author: owner) { _ in told() }
    }
    calls.make("reset nothing") { told in
      center.reset([], appID: nil, uid: nil, by: owner) { _ in told() }
    }
    calls.make("picker") { told in _ = LimitedPicker(center, one) { _ in told() }.present() }
    let denial = try AuthorizationRecord(one.record(.readWrite), Decision(.denied, decidedAt: .now))
    calls.make("set") { told in center.set([denial], by: owner) { _ in told() } }
    // A prompt that waits already.
    _ = request("org.example.Two", of: center)
    var shown: PromptID?
    var agent: AuthorizationCenter.AgentHandle?
    calls.make("agent") { told in
      agent = center.register(uid: 0, mayActAsOwner: { true }) {
        if case .show(let prompt) = $0 { shown = prompt.id }
        told()
      }
    }
    while shown == nil { await EventLoopActor.giveWay() }
    let prompt = try #require(shown)
    calls.make("gone") { told in
      center.answer(AuthorizationAnswer(.allow), to: prompt, from: 0) { _ in told() }
      if let agent { center.gone(agent) }
    }
    while !calls.completed.isSuperset(of: ["set", "gone", "set nothing"]) { await EventLoopActor.giveWay() }
    return calls
  }
}
