import Authorization
import EventLoop
import Glibc
import Linux
import Logging
import LoopTesting
import Storage
import Testing
import TestSupport

@testable import AlbumDaemon

@Suite("What the model says is done in its order", .timeLimit(.minutes(30)))
struct CenterTests {
  init() {
    LoopThread.start()
  }

  @Test("S46: an agent that goes away while it is told something: the next prompt is the next agent's")
  func agentGoesWhileTold() async throws {
    let directory = try TemporaryDirectory()
    try await agentGoesWhileTold(directory.path)
  }

  @EventLoopActor
  private func agentGoesWhileTold(_ directory: String) async throws {
    let center = try makeCenter(directory)
    var shownToOld: [PromptID] = []
    _ = center.register(uid: 0, mayActAsOwner: { true }) {
      if case .show(let prompt) = $0 { shownToOld.append(prompt.id) }
    }
    // Its connection breaks when the withdrawal is written to it.
    let newer = AuthorizationCenter.AgentHandle(number: 2)
    let registered = center.register(uid: 0, mayActAsOwner: { true }) {
      if case .withdraw = $0 { center.gone(newer) }
    }
    try #require(registered == newer)
    let first = request("org.example.One", of: center)
    _ = request("org.example.Two", of: center)
    await EventLoopActor.giveWay()
    center.gone(first)
    while shownToOld.isEmpty { await EventLoopActor.giveWay() }
    let prompt = try #require(shownToOld.last)
    var reply: AnswerReply?
    center.answer(AuthorizationAnswer(.notNow), to: prompt, from: 0) { reply = $0 }
    await EventLoopActor.giveWay()
    #expect(reply == .accepted)
  }

  @Test("S35: whoever looks at reload who asks may look as well at what was decided")
  func looksAtDecisions() async throws {
    let directory = try TemporaryDirectory()
    try await lookAtDecisions(directory.path)
  }

  @EventLoopActor
  private func lookAtDecisions(_ directory: String) async throws {
    let center = try makeCenter(directory)
    let asking = app("org.example.One")
    var looks = 0
    // Where an app is another by now, one is forgotten about which nothing was decided.
    _ = center.request(
      .readWrite, app: asking, process: ProcessInstance(pid: 1, startTime: 1, bootID: "boot"),
      waitForAgent: true,
      identity: {
        looks += center.decisions.all.isEmpty ? 1 : 0
        return asking
      }, reply: { _ in })
    await EventLoopActor.giveWay()
    center.reload(policies: PolicySet(), owners: OwnerRules(), expireUnusedAfterDays: nil)
    #expect(looks == 1)
  }

  @Test("S46: a prompt is answered once; a second answer is refused and the first is not forgotten")
  func secondAnswer() async throws {
    let directory = try TemporaryDirectory()
    let replies = try await answerTwice(directory.path)
    #expect(replies == [.accepted, .noSuchPrompt])
  }

  @EventLoopActor
  private func answerTwice(_ directory: String) async throws -> [AnswerReply] {
    let center = try makeCenter(directory)
    var shown: PromptID?
    _ = center.register(uid: 0, mayActAsOwner: { true }) {
      if case .show(let prompt) = $0 { shown = prompt.id }
    }
    _ = request("org.example.One", of: center)
    await EventLoopActor.giveWay()
    let prompt = try #require(shown)
    var first: AnswerReply?
    var second: AnswerReply?
    center.answer(AuthorizationAnswer(.allow), to: prompt, from: 0) { first = $0 }
    center.answer(AuthorizationAnswer(.deny), to: prompt, from: 0) { second = $0 }
    while first == nil || second == nil { await Task.yield() }
    return [first, second].compactMap { $0 }
  }

  @Test("S18, S29: what an app adds never brings back an access that was taken away meanwhile")
  func extensionAfterDenial() async throws {
    let directory = try TemporaryDirectory()
    try await extendDuringDenial(directory.path)
    let stored = try Registry(directory: directory.path).load()
    #expect(stored.records.map(\.decision.status) == [.denied])
  }

  @EventLoopActor
  private func extendDuringDenial(_ directory: String) async throws {
    let center = try makeCenter(directory)
    let key = RecordKey(uid: 0, appID: "org.example.One", accessLevel: .readWrite)
    await center.decide(key, .limited)
    var isDenied = false
    let denial = try AuthorizationRecord(key, Decision(.denied, decidedAt: .now))
    center.set([denial], by: .init(.settings, uid: 0)) { _ in isDenied = true }
    #expect(
      !isDenied && center.decisions.status(of: key).status == .denied, "the denial is on its way to disk")
    await center.extendSelection(of: key, by: ["0123456789abcdef"])
    while !isDenied { await Task.yield() }
    #expect(center.decisions.status(of: key).status == .denied)
  }

  @Test("S4, S29: a grant ends by the clock of days, also when the machine sleeps or the clock is set")
  func expiryByTheClockOfDays() async throws {
    let directory = try TemporaryDirectory()
    let center = try await grantForAnHour(directory.path)
    // The loop arms the kernel's timer when it waits the next time: proc_pid_fdinfo(5).
    while await EventLoopActor.run({ armedTimersOfDays() == 0 }) {
      try Task.checkCancellation()
      await Task.yield()
    }
    await EventLoopActor.run { withExtendedLifetime(center) {} }
  }

  @EventLoopActor
  private func grantForAnHour(_ directory: String) async throws -> AuthorizationCenter {
    let center = try makeCenter(directory)
    let key = RecordKey(uid: 0, appID: "org.example.One", accessLevel: .readWrite)
    let end = Timestamp.now.adding(seconds: 3600)
    let record = try AuthorizationRecord(key, Decision(.authorized, decidedAt: .now, duration: .until(end)))
    var isSet = false
    center.set([record], by: .init(.settings, uid: 0)) { _ in isSet = true }
    while !isSet { await Task.yield() }
    return center
  }

  /// How many timers of this process fire when CLOCK_REALTIME shows a time.
  private func armedTimersOfDays() -> Int {
    entries(of: "/proc/self/fdinfo").count { number in
      guard let file = fopen("/proc/self/fdinfo/\(number)", "r") else { return false }
      defer { fclose(file) }
      var text = [CChar](repeating: 0, count: 1024)
      let count = fread(&text, 1, text.count - 1, file)
      let lines = String(decoding: text.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self).split(
        separator: "\n")
      return lines.contains("clockid: 0") && lines.contains("settime flags: 01")
        && lines.contains { $0.hasPrefix("it_value: (") && !$0.hasPrefix("it_value: (0, 0)") }
    }
  }

  @Test("S8: a decision is told to the access log, also when its agent has gone before it was on disk")
  func agentGoesAfterItsAnswer() async throws {
    let directory = try TemporaryDirectory()
    let told = try await answerAndGo(directory.path)
    #expect(told.map(\.event.outcome) == ["authorized"])
    #expect(told.map(\.event.by) == [.init(.agent, uid: 0)])
  }

  @EventLoopActor
  private func answerAndGo(_ directory: String) async throws -> [AccessEntry] {
    let registry = try Registry(directory: directory)
    let accessLog = try AccessLog(directory)
    let center = try makeCenter(registry, accessLog)
    var shown: PromptID?
    let agent = center.register(uid: 0, mayActAsOwner: { true }) {
      if case .show(let prompt) = $0 { shown = prompt.id }
    }
    _ = request("org.example.One", of: center)
    await EventLoopActor.giveWay()
    center.answer(AuthorizationAnswer(.allow), to: try #require(shown), from: 0) { _ in }
    center.gone(agent)
    while center.decisions.status(of: app("org.example.One").record(.readWrite)).status != .authorized {
      await Task.yield()
    }
    return try await accessLog.rows().filter { $0.event.kind == .decision }
  }

  @Test("S8, S20: full access that the picker grants does not undo a denial that is on its way to disk")
  func allowDuringDenial() async throws {
    let directory = try TemporaryDirectory()
    #expect(try await allowDuringDenial(directory.path) == .denied)
  }

  @EventLoopActor
  private func allowDuringDenial(_ directory: String) async throws -> AuthorizationStatus {
    let center = try makeCenter(directory)
    let app = app("org.example.One")
    let key = app.record(.readWrite)
    await center.decide(key, .limited)
    var shown: PromptID?
    _ = center.register(uid: 0, mayActAsOwner: { true }) {
      if case .show(let prompt) = $0 { shown = prompt.id }
    }
    var isDone = false
    _ = LimitedPicker(center, app) { _ in isDone = true }.present()
    await EventLoopActor.giveWay()
    var isDenied = false
    let denial = try AuthorizationRecord(key, Decision(.denied, decidedAt: .now))
    center.set([denial], by: .init(.settings, uid: 0)) { _ in isDenied = true }
    center.answer(AuthorizationAnswer(.allow), to: try #require(shown), from: 0) { _ in }
    while !isDone || !isDenied { await Task.yield() }
    return center.decisions.status(of: key).status
  }

  @Test("S20: the limited picker answers with what is newly selected, and keeps the status")
  func limitedPicker() async throws {
    let directory = try TemporaryDirectory()
    let answer = AuthorizationAnswer(.limited, selection: Selection(assets: ["b", "c"], albums: ["x"]))
    let picked = try await pick(directory.path, .limited, answer)
    #expect(picked.added == ["c"])
    #expect(picked.status == .limited)
    #expect(picked.selection == Selection(assets: ["b", "c"], albums: ["x"]))
  }

  @Test(
    "S20: full access instead, and nothing for who puts it off", arguments: [PromptChoice.allow, .notNow])
  func limitedPickerWithoutSelection(_ choice: PromptChoice) async throws {
    let directory = try TemporaryDirectory()
    let picked = try await pick(directory.path, .limited, AuthorizationAnswer(choice))
    #expect(picked.added == [])
    #expect(picked.status == (choice == .allow ? .authorized : .limited))
    #expect(picked.selection == Selection(assets: ["a", "b"]))
  }

  @Test("S20: in any other status it asks nobody", arguments: [DecidedStatus.denied, .authorized, nil])
  func limitedPickerElsewhere(_ status: DecidedStatus?) async throws {
    let directory = try TemporaryDirectory()
    let picked = try await pick(directory.path, status, AuthorizationAnswer(.allow))
    #expect(!picked.wasAsked && picked.added == [])
    #expect(picked.status == (status?.status ?? .notDetermined))
  }

  @Test("S8, S17: a reset reaches what was selected for an app about which nothing was decided")
  func resetsSelection() async throws {
    let directory = try TemporaryDirectory()
    let left = try await resetSelection(directory.path)
    #expect(left == Selection())
    #expect(try Registry(directory: directory.path).load().selections.isEmpty)
  }

  @EventLoopActor
  private func resetSelection(_ directory: String) async throws -> Selection {
    let center = try makeCenter(directory)
    let key = app("org.example.One").record(.readWrite)
    await center.extendSelection(of: key, by: ["0123456789abcdef"])
    await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
      center.reset(center.decisions.resettableKeys, appID: nil, uid: nil, by: .init(.settings, uid: 0)) { _ in
        done.resume()
      }
    }
    return center.decisions.selection(of: key)
  }

  @Test("S13, S21: the automatic picker, put off again and again, does not make its app wait")
  func automaticPickerPutOff() async throws {
    let directory = try TemporaryDirectory()
    let replies = try await putOff(directory.path)
    #expect(replies == [true, true, true, true])
  }

  /// Whether each automatic picker, and then the app's own, was shown.
  @EventLoopActor
  private func putOff(_ directory: String) async throws -> [Bool] {
    let center = try makeCenter(directory)
    let app = app("org.example.One")
    await center.decide(app.record(.readWrite), .limited)
    var shown: PromptID?
    _ = center.register(uid: 0, mayActAsOwner: { true }) {
      if case .show(let prompt) = $0 { shown = prompt.id }
    }
    var wereShown: [Bool] = []
    for asksItself in [false, false, false, true] {
      shown = nil
      _ = LimitedPicker(center, app, asksItself: asksItself) { _ in }.present()
      await EventLoopActor.giveWay()
      if let shown { center.answer(AuthorizationAnswer(.notNow), to: shown, from: 0) { _ in } }
      wereShown.append(shown != nil)
    }
    return wereShown
  }

  private struct Picked {
    let wasAsked: Bool
    let added: [String]
    let status: AuthorizationStatus
    let selection: Selection
  }

  /// The limited picker of an app of that status that may see a and b, and what the owner answers to it.
  @EventLoopActor
  private func pick(
    _ directory: String, _ status: DecidedStatus?, _ answer: AuthorizationAnswer
  ) async throws -> Picked {
    let center = try makeCenter(directory)
    let app = app("org.example.One")
    let key = app.record(.readWrite)
    if let status { await center.decide(key, status) }
    var isSelected = false
    center.changeSelection(
      of: [key], by: [.replace(Selection(assets: ["a", "b"]))], author: .init(.settings, uid: 0)
    ) { _ in isSelected = true }
    while !isSelected { await Task.yield() }
    var shown: PromptID?
    _ = center.register(uid: 0, mayActAsOwner: { true }) {
      if case .show(let prompt) = $0 { shown = prompt.id }
    }
    var added: Result<LimitedPicker.Outcome, RequestError>?
    _ = LimitedPicker(center, app) { added = $0 }.present()
    await EventLoopActor.giveWay()
    if let shown { center.answer(answer, to: shown, from: 0) { _ in } }
    while added == nil { await Task.yield() }
    return Picked(
      wasAsked: shown != nil, added: try added?.get().added ?? [],
      status: center.decisions.status(of: key).status, selection: center.decisions.selection(of: key))
  }
}
