import Authorization
import Testing
import TestSupport

/// A daemon under random traffic, which checks after every action what must hold always.
private final class World {
  enum Reply: Equatable { case status(AuthorizationStatus), other }

  var machine = AuthorizationRequests<Int, Int, Pick>(
    authorizations: Authorizations(), owners: OwnerRules(uids: [1000, 1001]))
  var random: SeededGenerator
  var now = noon

  /// Requests without a reply yet, and what they are about; nil for questions and managers.
  var waiting: [Int: RecordKey?] = [:]
  var gone: Set<Int> = []
  var agents: [Int: UInt32] = [:]
  var shown: [Int: Prompt<Pick>] = [:]
  var open: [PromptID: Int] = [:]
  var pending: [AuthorizationTransaction] = []
  /// What somebody decided, by record: nothing else may ever be stored.
  var given: [RecordKey: Set<DecidedStatus>] = [:]
  var restricted: Set<String> = []
  var handles = 0
  var replies = 0

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  func handle() -> Int {
    handles += 1
    return handles
  }

  func pick<C: Collection>(_ choices: C) -> C.Element? { choices.randomElement(using: &random) }

  func step() {
    switch Int.random(in: 0..<15, using: &random) {
    case 0...4: request()
    case 5: ask()
    case 6: register()
    case 7: if Int.random(in: 0..<2, using: &random) == 0 { disconnectAgent() }
    case 8: disconnect()
    case 9, 10, 11: answer()
    case 12: set()
    case 13: commit()
    default: elapse()
    }
    check()
  }

  func anApp() -> PeerIdentity {
    let uid: UInt32 = pick([1000, 1001, 2000]) ?? 1000
    return app("app\(Int.random(in: 0..<8, using: &random))", uid: uid)
  }

  func request() {
    let requester = handle()
    let asking = anApp()
    let level = pick(AccessLevel.allCases) ?? .addOnly
    waiting[requester] = asking.record(level)
    run(
      machine.request(
        level, by: requester, app: asking, process: process(Int32(requester)),
        waitForAgent: Bool.random(using: &random), promptID: PromptID("p\(requester)"), at: now))
  }

  func ask() {
    let requester = handle()
    waiting[requester] = .some(nil)
    run(
      machine.ask(
        Pick(limit: 1), by: requester, app: anApp(), waitForAgent: Bool.random(using: &random),
        promptID: PromptID("p\(requester)"), at: now))
  }

  func register() {
    guard agents.count < 5 else { return }
    let agent = handle()
    let uid: UInt32 = pick([1000, 1001]) ?? 1000
    agents[agent] = uid
    run(machine.agentRegistered(agent, uid: uid))
  }

  func disconnectAgent() {
    guard let agent = pick(agents.keys.sorted()) else { return }
    agents[agent] = nil
    if let prompt = shown.removeValue(forKey: agent) { open[prompt.id] = nil }
    run(machine.agentGone(agent))
  }

  func disconnect() {
    guard let requester = pick(waiting.keys.sorted()) else { return }
    waiting[requester] = nil
    gone.insert(requester)
    run(machine.requesterGone(requester))
  }

  func answer() {
    guard let agent = pick(shown.keys.sorted()), let prompt = shown[agent] else { return }
    // Sometimes another agent tries.
    let by = Int.random(in: 0..<8, using: &random) == 0 ? pick(agents.keys.sorted()) ?? agent : agent
    let choice = pick(PromptChoice.allCases) ?? .notNow
    let durations: [AuthorizationAnswer.Duration?] = [
      nil, .untilExit, .until(now), .until(now.adding(seconds: 500)),
    ]
    let answer = AuthorizationAnswer(choice, duration: pick(durations) ?? nil)
    if by == agent, let key = prompt.record, let decided = choice.decided, answer.duration != .until(now) {
      given[key, default: []].insert(decided)
    }
    let actions: [AuthorizationRequests<Int, Int, Pick>.Action]
    if prompt.record == nil {
      actions = machine.answered(.question(["1"]), to: prompt.id, by: by, at: now)
    } else {
      actions = machine.answered(.authorization(answer), to: prompt.id, by: by, at: now)
    }
    // A prompt whose answer is on its way to disk is nobody's any more, before its agent hears of it.
    if by == agent, !machine.prompts.contains(where: { $0.id == prompt.id }) {
      shown[agent] = nil
      open[prompt.id] = nil
    }
    run(actions)
  }

  func set() {
    let asking = anApp()
    let manager = handle()
    waiting[manager] = .some(nil)
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      waiting[manager] = nil
      restricted = Set((0..<8).map { "app\($0)" }.filter { _ in Int.random(in: 0..<6, using: &random) == 0 })
      run(
        machine.policiesChanged(
          PolicySet(
            restricted.map { policy($0, .restrict, apps: [$0]) } + [policy("all", .authorize, apps: ["app7"])]
          ),
          at: now))
    case 1:
      run(
        machine.reset(
          AccessLevel.allCases.map(asking.record), appID: asking.appID, uid: asking.uid, by: manager))
    default:
      let status = pick(DecidedStatus.allCases) ?? .denied
      guard
        let record = try? AuthorizationRecord(
          asking.record(pick(AccessLevel.allCases) ?? .addOnly), Decision(status, decidedAt: now))
      else {
        waiting[manager] = nil
        return
      }
      given[record.key, default: []].insert(status)
      run(machine.set(record, by: manager, at: now))
    }
  }

  func commit() {
    guard !pending.isEmpty else { return }
    let first = pending.removeFirst()
    if Int.random(in: 0..<6, using: &random) == 0 {
      run(machine.storeFailed(first.id, reason: "disk full", at: now))
    } else {
      run(machine.committed(first.id, at: now))
    }
  }

  func elapse() {
    now = now.adding(seconds: Int64.random(in: 0..<4000, using: &random))
    run(machine.expire(at: now))
    if let process = pick(machine.authorizations.processes.sorted { $0.pid < $1.pid }) {
      run(machine.processExited(process))
    }
  }

  func run(_ actions: [AuthorizationRequests<Int, Int, Pick>.Action]) {
    for action in actions {
      switch action {
      case .show(let prompt, let agent):
        #expect(agents[agent] != nil, "shown to an agent that is there")
        #expect(shown[agent] == nil, "S9: one prompt at a time on an agent")
        #expect(open[prompt.id] == nil, "S46: shown to one agent at a time")
        if [1000, 1001].contains(prompt.app.uid) { #expect(agents[agent] == prompt.app.uid, "S46") }
        shown[agent] = prompt
        open[prompt.id] = agent
      case .withdraw(let id, _, let agent):
        #expect(shown[agent]?.id == id, "only what is shown is withdrawn")
        shown[agent] = nil
        open[id] = nil
      case .store(let transaction):
        pending.append(transaction)
        for case .put(let record, _) in transaction.changes {
          #expect(given[record.key]?.contains(record.decision.status) ?? false, "a decision that nobody gave")
        }
      case .reply(let requester, let reply):
        guard let about = waiting.removeValue(forKey: requester) else {
          Issue.record("\(requester) is gone or has its reply already")
          continue
        }
        replies += 1
        if let key = about, case .status(let effective) = reply {
          if restricted.contains(key.appID) { #expect(effective.status == .restricted, "S37") }
          if effective.status == .denied {
            #expect(given[key]?.contains(.denied) ?? false, "S11: a denial that nobody gave")
          }
        }
      case .answerReply(let agent, _, _): #expect(agents[agent] != nil)
      case .changed, .watch: break
      }
    }
  }

  func check() {
    let prompts = machine.prompts
    let records = prompts.compactMap(\.record)
    #expect(Set(records).count == records.count, "S8: one prompt of a record")
    let apps = prompts.map { "\($0.app.uid) \($0.app.appID)" }
    #expect(Set(apps).count == apps.count, "S13: one prompt of an app")
    #expect(Set(open.keys).isSubset(of: prompts.map(\.id)), "nothing is shown that is not open")
    for prompt in prompts where open[prompt.id] == nil {
      // Not shown: nobody could be shown it, or the one who could is busy.
      let isOwner = [1000, 1001].contains(prompt.app.uid)
      let newest = agents.keys.filter { !isOwner || agents[$0] == prompt.app.uid }.max()
      if let newest { #expect(shown[newest] != nil, "S46: an agent is idle while a prompt waits for it") }
    }
    for key in records {
      #expect(machine.authorizations.status(of: key, at: now).status == .notDetermined, "S7")
    }
  }

  /// Everyone leaves or is answered: nobody is forgotten.
  func finish() {
    while !pending.isEmpty { commit() }
    for agent in agents.keys.sorted() {
      agents[agent] = nil
      if let prompt = shown.removeValue(forKey: agent) { open[prompt.id] = nil }
      run(machine.agentGone(agent))
    }
    while !pending.isEmpty { commit() }
    for requester in waiting.keys.sorted() {
      waiting[requester] = nil
      run(machine.requesterGone(requester))
    }
    #expect(machine.prompts.isEmpty, "who is still there waited for an agent, and was the last")
  }
}

@Suite("Requests, at random")
struct RequestPropertyTests {
  @Test("S8, S9, S11, S37, S46 hold over random traffic", arguments: 1...20)
  func randomTraffic(seed: UInt64) {
    let world = World(seed: seed)
    for _ in 0..<1500 { world.step() }
    world.finish()
    #expect(world.replies > 100, "the traffic reached something")
  }
}
