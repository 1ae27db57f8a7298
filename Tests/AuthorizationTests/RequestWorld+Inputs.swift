import Authorization
import Testing
import TestSupport

// What may happen, each at random.
extension RequestWorld {
  func step() {
    switch Int.random(in: 0..<18, using: &random) {
    case 0...4: request()
    case 5: ask()
    case 6: register()
    case 7: if Int.random(in: 0..<2, using: &random) == 0 { disconnectAgent() }
    case 8: disconnect()
    case 9, 10, 11: answer()
    case 12: set()
    case 13: commit()
    case 14: select()
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
    guard let agent = pick(shown.keys.sorted()), let prompt = shown[agent] else { return }
    // Sometimes another agent tries.
    let by = Int.random(in: 0..<8, using: &random) == 0 ? pick(agents.keys.sorted()) ?? agent : agent
    let choice = pick(PromptChoice.allCases) ?? .notNow
    let durations: [AuthorizationAnswer.Duration?] = [
      nil, .untilExit, .until(now), .until(now.adding(seconds: 500)),
    ]
    let selection = Int.random(in: 0..<(choice == .limited ? 2 : 9), using: &random) == 0 ? aSelection() : nil
    let answer = AuthorizationAnswer(choice, duration: pick(durations) ?? nil, selection: selection)
    var intended = Intended.nothing
    if by == agent, let key = prompt.record, let decided = choice.decided, answer.duration != .until(now),
      PromptChoice.offered(for: key.accessLevel).contains(choice), choice == .limited || selection == nil
    {
      intended = .decide(key, decided, selection: choice == .limited ? selection ?? Selection() : nil)
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
    run(actions, intended)
  }

  func aSelection() -> Selection {
    func some() -> Set<String> {
      Set((0..<4).filter { _ in Bool.random(using: &random) }.map { String($0) })
    }
    return Selection(assets: some(), albums: some())
  }

  func select() {
    let key = anApp().record(.readWrite)
    let manager = handle()
    waiting[manager] = .some(nil)
    let kinds: [(Selection) -> SelectionChange] = [
      { .add($0) }, { .remove($0) }, { .replace($0) },
    ]
    let changes = (0..<Int.random(in: 0..<3, using: &random)).compactMap { _ in pick(kinds)?(aSelection()) }
    run(
      machine.changeSelection(of: [key], by: changes, for: manager),
      model.hasPolicy(key) || changes.isEmpty ? .nothing : .select(key, changes))
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
    let actions = machine.identitiesChanged { requester, before in
      switch Int.random(in: 0..<8, using: &random) {
      case 0:
        others.insert(requester)
        return nil
      case 1:
        others.insert(requester)
        return app("other", uid: before.uid)
      case 2: return app(before.appID, uid: before.uid, usage: [.addOnly])
      default: return before
      }
    } promptID: {
      PromptID("p\(handle())")
    }
    run(actions)
    #expect(others.allSatisfy { waiting[$0] == nil }, "S35: another app waits for the answer")
  }

  func set() {
    let asking = anApp()
    let manager = handle()
    waiting[manager] = .some(nil)
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      waiting[manager] = nil
      model.restricted = Set(
        (0..<8).map { "app\($0)" }.filter { _ in Int.random(in: 0..<6, using: &random) == 0 })
      model.authorized = ["app7"]
      let restricting = model.restricted.map { policy($0, .restrict, apps: [$0]) }
      let all = restricting + [policy("all", .authorize, apps: ["app7"])]
      run(machine.policiesChanged(PolicySet(all), at: now))
    case 1:
      let keys = AccessLevel.allCases.map(asking.record)
      run(
        machine.reset(keys, appID: asking.appID, uid: asking.uid, by: manager), .reset(Set(keys)))
    default:
      let status = pick(DecidedStatus.allCases) ?? .denied
      guard
        let record = try? AuthorizationRecord(
          asking.record(pick(AccessLevel.allCases) ?? .addOnly), Decision(status, decidedAt: now))
      else {
        waiting[manager] = nil
        return
      }
      run(
        machine.set([record], by: manager),
        model.hasPolicy(record.key) ? .nothing : .decide(record.key, status, selection: nil))
    }
  }

  func commit() {
    guard !model.pending.isEmpty else { return }
    let (first, intended) = model.pending.removeFirst()
    if Int.random(in: 0..<6, using: &random) == 0 {
      model.fail(first, intended)
      run(machine.storeFailed(first.id, reason: "disk full", at: now))
    } else {
      model.commit(first, intended)
      run(machine.committed(first.id, at: now))
    }
  }

  func elapse() {
    now = now.adding(seconds: Int64.random(in: 0..<4000, using: &random))
    run(machine.expire(at: now), model.end { $0.hasExpired(at: now) })
    if let process = pick(machine.authorizations.processes.sorted { $0.pid < $1.pid }) {
      run(machine.processExited(process), model.end { $0.process == process })
    }
  }
}
