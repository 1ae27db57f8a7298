/// Who is shown what, when (rules S9, S13, S46).
///
/// It knows neither who waits for an answer nor what an answer means. A prompt goes to the agent that
/// registered last among those of the asking user, if that user is an owner, else among all. It waits
/// for that agent when it is busy; only when the agent goes away is it the next one's. What an owner's own programs
/// ask comes before what other users' do, and takes the place of that on an agent.
struct PromptQueue<Question: PromptQuestion, Agent: Hashable & Sendable>: ~Copyable {
  enum Action: Sendable {
    case show(Prompt<Question>, to: Agent)
    case withdraw(PromptID, WithdrawalReason, from: Agent)
    case dismiss(Agent)
  }

  /// Prompts of one user that wait for an answer, shown or not (rule S13).
  static var promptsPerUser: Int { 16 }
  /// Prompts of one user that are opened in a minute: who withdraws and asks again flashes them before the owner.
  static var promptsPerMinute: Int { 20 }

  private struct Entry {
    let prompt: Prompt<Question>
    var shownTo: Agent?
  }
  private struct Registration {
    let agent: Agent
    let uid: UInt32
  }

  /// Oldest first.
  private var entries: [Entry] = []
  /// In the order of registration.
  private var agents: [Registration] = []
  private(set) var owners: OwnerRules
  /// When the prompts of each user's last minute were opened.
  private var opened: [UInt32: [Timestamp]] = [:]

  init(owners: OwnerRules) {
    self.owners = owners
  }

  /// The prompts that wait for an answer, oldest first.
  var prompts: [Prompt<Question>] { entries.map(\.prompt) }

  /// Whether some agent can be asked for that user.
  func hasAgent(for uid: UInt32) -> Bool { agent(for: uid) != nil }

  /// Whether one more prompt of that app is too many: one for an app, `promptsPerUser` for a user.
  func isFull(for app: PeerIdentity) -> Bool {
    var ofUser = 0
    for entry in entries where entry.prompt.app.accountable == app.accountable {
      if entry.prompt.app.key == app.key { return true }
      ofUser += 1
    }
    return ofUser >= Self.promptsPerUser
  }

  /// For how many seconds no more prompts of an app's user are opened; nil when one may be.
  mutating func pause(of app: PeerIdentity, at now: Timestamp) -> Int64? {
    // A clock that was set back ends it.
    let recent = (opened[app.accountable] ?? []).filter { $0 <= now && now < $0.adding(seconds: 60) }
    opened[app.accountable] = recent.isEmpty ? nil : recent
    guard recent.count >= Self.promptsPerMinute, let first = recent.first else { return nil }
    return now.seconds(until: first.adding(seconds: 60))
  }

  /// Puts a prompt at the end and shows what can be shown. Its id must be new.
  mutating func open(_ prompt: Prompt<Question>, at now: Timestamp) -> [Action] {
    opened[prompt.app.accountable, default: []].append(now)
    precondition(!entries.contains { $0.prompt.id == prompt.id }, "a prompt's id is used once")
    entries.append(Entry(prompt: prompt))
    return dispatch()
  }

  /// The prompt, if an agent of that user is being shown it.
  func prompt(_ id: PromptID, shownToAgentOf uid: UInt32) -> Prompt<Question>? {
    guard let entry = entries.first(where: { $0.prompt.id == id }), let agent = entry.shownTo,
      agents.contains(where: { $0.agent == agent && $0.uid == uid })
    else { return nil }
    return entry.prompt
  }

  /// Takes a prompt out: it was answered (no reason), or is withdrawn.
  mutating func close(_ id: PromptID, _ reason: WithdrawalReason? = nil) -> [Action] {
    guard let place = entries.firstIndex(where: { $0.prompt.id == id }) else { return [] }
    let entry = entries.remove(at: place)
    guard let agent = entry.shownTo else { return [] }
    return (reason.map { [.withdraw(id, $0, from: agent)] } ?? []) + dispatch()
  }

  /// Puts another prompt in a prompt's place: whoever is shown that is shown this instead.
  mutating func replace(_ id: PromptID, by prompt: Prompt<Question>) -> [Action] {
    guard let place = entries.firstIndex(where: { $0.prompt.id == id }) else { return [] }
    let agent = entries[place].shownTo
    entries[place] = Entry(prompt: prompt, shownTo: agent)
    return agent.map { [.withdraw(id, .restated, from: $0), .show(prompt, to: $0)] } ?? []
  }

  /// An owner's agent is there. The caller has checked that it may be one (rule S44).
  mutating func agentRegistered(_ agent: Agent, uid: UInt32) -> [Action] {
    if agents.contains(where: { $0.agent == agent }) { return [] }
    agents.append(Registration(agent: agent, uid: uid))
    return dispatch()
  }

  /// An agent has gone; what it was shown is another's, or waits again.
  mutating func agentGone(_ agent: Agent) -> [Action] {
    agents.removeAll { $0.agent == agent }
    for place in entries.indices where entries[place].shownTo == agent { entries[place].shownTo = nil }
    return dispatch()
  }

  /// The configuration names other owners, or makes apps of processes. Agents of users who are no owners any
  /// more are dropped, and those that are said to be. A prompt that is shown to an agent that stays, stays with
  /// it.
  mutating func ownersChanged(_ owners: OwnerRules, dropping dropped: Set<Agent>) -> [Action] {
    self.owners = owners
    let leaving = agents.filter { dropped.contains($0.agent) || !owners.isOwner($0.uid) }.map(\.agent)
    agents.removeAll { leaving.contains($0.agent) }
    var actions: [Action] = []
    for place in entries.indices {
      guard let agent = entries[place].shownTo, leaving.contains(agent) else { continue }
      entries[place].shownTo = nil
      actions.append(.withdraw(entries[place].prompt.id, .notAnOwner, from: agent))
    }
    return actions + leaving.map { .dismiss($0) } + dispatch()
  }

  private func agent(for uid: UInt32) -> Agent? {
    let mayAnswer = owners.isOwner(uid)
    return agents.last { !mayAnswer || $0.uid == uid }?.agent
  }

  /// Shows what can be shown: to each agent the oldest prompt that is its to show, an owner's own before others.
  private mutating func dispatch() -> [Action] {
    var actions = makeWay()
    var busy = Set(entries.compactMap(\.shownTo))
    let own = entries.indices.filter { isOwn(entries[$0]) }
    let others = entries.indices.filter { !isOwn(entries[$0]) }
    for place in own + others where entries[place].shownTo == nil {
      guard let agent = agent(for: entries[place].prompt.app.uid), busy.insert(agent).inserted else {
        continue
      }
      entries[place].shownTo = agent
      actions.append(.show(entries[place].prompt, to: agent))
    }
    return actions
  }

  private func isOwn(_ entry: Entry) -> Bool { owners.isOwner(entry.prompt.app.uid) }

  /// Takes other users' prompts from agents for whom an owner's own wait: they are shown again afterwards.
  private mutating func makeWay() -> [Action] {
    let wanted = entries.filter { $0.shownTo == nil && isOwn($0) }.compactMap {
      agent(for: $0.prompt.app.uid)
    }
    var actions: [Action] = []
    for place in entries.indices where !isOwn(entries[place]) {
      guard let agent = entries[place].shownTo, wanted.contains(agent) else { continue }
      entries[place].shownTo = nil
      actions.append(.withdraw(entries[place].prompt.id, .ownFirst, from: agent))
    }
    return actions
  }
}
