import Testing
import TestSupport

@testable import Authorization

// What may happen, each at random.
extension RequestWorld {
  func step() {
    switch Int.random(in: 0..<23, using: &random) {
    case 0...4: request()
    case 5: ask()
    case 6: register()
    case 7: if Int.random(in: 0..<2, using: &random) == 0 { disconnectAgent() }
    case 8: disconnect()
    case 9, 10, 11: answer()
    case 12: set()
    case 13, 21, 22: commit()
    case 14: select()
    case 18: pickLimited()
    case 19: join()
    case 20: use()
    case 15: if Int.random(in: 0..<3, using: &random) == 0 { changeOwners() }
    case 16: if Int.random(in: 0..<2, using: &random) == 0 { changeIdentities() }
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
    let uid = pick(owners.sorted()) ?? 1000
    agents[agent] = uid
    run(machine.agentRegistered(agent, uid: uid))
  }

  func disconnectAgent() {
    guard let agent = pick(dropped.union(agents.keys).sorted()) else { return }
    agents[agent] = nil
    dropped.remove(agent)
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
    guard let agent = pick(shown.keys.sorted()), let prompt = shown[agent], let whose = agents[agent] else {
      return
    }
    // Sometimes somebody else tries.
    let uid = Int.random(in: 0..<8, using: &random) == 0 ? pick([0, 1000, 1001, 2000]) ?? whose : whose
    let author = AccessEvent.Author(.agent, uid: uid)
    let choice = pick(PromptChoice.allCases) ?? .notNow
    let durations: [AuthorizationAnswer.Duration?] = [
      nil, .untilExit, .until(now), .until(now.adding(seconds: 500)),
    ]
    let selection = Int.random(in: 0..<(choice == .limited ? 2 : 9), using: &random) == 0 ? aSelection() : nil
    let includesLocation = Int.random(in: 0..<3, using: &random) == 0
    let answer = AuthorizationAnswer(
      choice, duration: pick(durations) ?? nil, selection: selection, includesLocation: includesLocation)
    var intended = Intended.nothing
    var notes: [Note] = []
    if uid == whose, let key = prompt.record, PromptChoice.offered(for: key.accessLevel).contains(choice),
      choice == .limited || selection == nil,
      !includesLocation || key.accessLevel == .readWrite && (choice == .allow || choice == .limited)
    {
      if let decided = choice.decided, answer.duration != .until(now) {
        intended = .decide(key, decided, selection: choice == .limited ? selection ?? Selection() : nil)
      } else if choice == .notNow, answer.duration == nil {
        notes = [Note(key, "notNow", author)]
      }
    }
    let answerer = handle()
    answering.insert(answerer)
    let actions = machine.answered(
      prompt.record == nil ? .question(["1"]) : .authorization(answer), to: prompt.id, from: uid,
      by: answerer, at: now)
    // A prompt whose answer is on its way to disk is nobody's any more, before its agent hears of it.
    if uid == whose, !machine.prompts.contains(where: { $0.id == prompt.id }) {
      shown[agent] = nil
      open[prompt.id] = nil
    }
    for case .reply(_, .answer(_, let by)) in actions { #expect(by == author) }
    run(actions, intended, by: author, notes: notes)
  }

  func changeOwners() {
    owners = pick([[1000], [1001], [1000, 1001]]) ?? []
    let asked = Set(agents.keys.sorted().filter { _ in Int.random(in: 0..<4, using: &random) == 0 })
    let gone = asked.union(agents.filter { !owners.contains($0.value) }.keys)
    for agent in gone { agents[agent] = nil }
    dropped.formUnion(gone)
    run(machine.ownersChanged(OwnerRules(uids: owners), dropping: asked))
    #expect(gone.allSatisfy { shown[$0] == nil }, "S44: shown to one who is no owner")
  }

  func changeIdentities() {
    var others: Set<Int> = []
    var now: [Int: PeerIdentity?] = [:]
    let late = machine.settling.keys.sorted().flatMap { machine.settling[$0]?.late ?? [] }
    let waiters =
      machine.prompts.flatMap { prompt in
        (machine.waiting[prompt.id] ?? []).map { ($0.requester, prompt.app) }
      }
      + late.map { ($0.waiter.requester, $0.app) }
    for (requester, before) in waiters {
      switch Int.random(in: 0..<8, using: &random) {
      case 0:
        others.insert(requester)
        now[requester] = .some(nil)
      case 1:
        others.insert(requester)
        now[requester] = app("other", uid: before.uid)
      case 2: now[requester] = app(before.appID, uid: before.uid, usage: [.addOnly])
      case 3...5: now[requester] = before
      default: break
      }
    }
    run(machine.identitiesChanged(now) { PromptID("p\(handle())") })
    #expect(others.allSatisfy { waiting[$0] == nil }, "S35: another app waits for the answer")
  }

  func set() {
    let asking = aLimitedApp()
    let author = aManager()
    switch Int.random(in: 0..<4, using: &random) {
    case 0: changePolicies()
    case 1:
      let keys = asking.key.records
      run(
        machine.reset(keys, appID: asking.appID, uid: asking.uid, by: author, for: manager()),
        .reset(Set(keys)), by: author)
    default:
      let status = pick(DecidedStatus.allCases) ?? .denied
      guard
        let record = try? AuthorizationRecord(
          asking.record(pick(AccessLevel.allCases) ?? .addOnly),
          Decision(status, decidedAt: now, includesLocation: Bool.random(using: &random)))
      else { return }
      run(
        machine.set([record], by: author, for: manager()),
        model.hasPolicy(record.key) ? .nothing : .decide(record.key, status, selection: nil), by: author)
    }
  }

  /// An owner, in settings.
  func aManager() -> AccessEvent.Author { .init(.settings, uid: pick([0, 1000, 1001])) }

  /// A call that waits for its reply, and is about no record.
  func manager() -> Int {
    let manager = handle()
    waiting[manager] = .some(nil)
    return manager
  }

  func changePolicies() {
    // As the shell does: time beneath a policy is use.
    run(machine.used([], at: now))
    noteTimeBeneathPolicies()
    let all = [1000, 1001, 2000].flatMap { uid in
      (0..<8).flatMap { AppKey(uid: uid, appID: "app\($0)").records }
    }
    let before = all.map { (status: model.status(of: $0, at: now), policy: model.policy($0)) }
    model.restricted = Set(
      (0..<8).map { "app\($0)" }.filter { _ in Int.random(in: 0..<6, using: &random) == 0 })
    model.authorized = ["app7"]
    let restricting = model.restricted.map { policy($0, .restrict, apps: [$0]) }
    let policies = restricting + [policy("all", .authorize, apps: ["app7"])]
    let notes = zip(all, before).compactMap { key, before -> Note? in
      let (status, policy) = (model.status(of: key, at: now), model.policy(key))
      guard status != before.status else { return nil }
      return Note(
        key, status.rawValue, .init(policy == nil ? .policyEnd : .policy), detail: policy ?? before.policy)
    }
    run(machine.policiesChanged(PolicySet(policies), seen: all, at: now), notes: notes)
  }

  func commit() {
    guard !model.pending.isEmpty else { return }
    let first = model.pending.removeFirst()
    if Int.random(in: 0..<6, using: &random) == 0 {
      let notes = model.fail(first)
      run(machine.storeFailed(first.transaction.id, reason: "disk full", at: now), notes: notes)
    } else {
      let notes = model.commit(first)
      run(machine.committed(first.transaction.id, at: now), notes: notes)
    }
  }
}
