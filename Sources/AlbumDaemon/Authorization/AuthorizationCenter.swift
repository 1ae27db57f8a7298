internal import Authorization
internal import EventLoop
internal import Glibc
internal import Logging
internal import Storage

/// Decisions, prompts and who is told of them: the shell around ``Authorization/AuthorizationRequests``.
///
/// Every input goes to the state machine, and what it says is done here in that order. It decides
/// nothing itself. Requesters and agents are told when the input's call has returned, in the same order.
@EventLoopActor
final class AuthorizationCenter {
  typealias Machine = AuthorizationRequests<Requester, AgentHandle, OwnerQuestion>
  typealias Action = Machine.Action
  typealias Reply = RequestReply<OwnerQuestion.Answer>

  /// A prompt that an agent is being shown.
  private struct Shown {
    let agent: AgentHandle
    /// The record that it is about; nil for a question.
    let record: RecordKey?
  }

  private struct Agent {
    let uid: UInt32
    let mayActAsOwner: @EventLoopActor () -> Bool
    let deliver: @EventLoopActor (AgentMessage) -> Void
  }

  /// Told of every record whose status may have changed (S29).
  ///
  /// It is given what the status was, where that was another by other policies.
  var onChange: (@EventLoopActor (RecordKey, AuthorizationStatus?) -> Void)?
  /// The records that connected apps make use of without calling, such as by a subscription.
  var inUse: @EventLoopActor () -> [RecordKey] = { [] }
  /// The records of the apps that were seen, which a policy opens without a decision.
  var seen: @EventLoopActor () -> [RecordKey] = { [] }
  private var machine: Machine
  private let registry: Registry
  let accessLog: AccessLog
  private let log: Logger
  private let clock: @EventLoopActor () -> Timestamp
  private var now: Timestamp { clock() }
  private var lastHandle = 0
  private var replies: [Requester: @EventLoopActor (Reply) -> Void] = [:]
  /// Who those are now who asked: by the manifests in force.
  private var askers: [Requester: @EventLoopActor () -> PeerIdentity?] = [:]
  private var agents: [AgentHandle: Agent] = [:]
  private var shown: [PromptID: Shown] = [:]
  private var answers: [PromptID: @EventLoopActor (AnswerReply) -> Void] = [:]
  /// What the access log is told of a decision, once that is on disk: by its record until it is on its way, then by
  /// its transaction. The agent may have gone by then.
  private var answered: [RecordKey: AccessEvent.Author] = [:]
  private var deciding: [AuthorizationTransaction.ID: AccessEvent.Author] = [:]
  private var watches: [ProcessInstance: ProcessWatch] = [:]
  /// What is still to be done. Doing one thing can end a connection, which is the next input.
  private var actions: [Action] = []
  private var isPerforming = false
  /// Whether something that was taken away is not on disk yet.
  private(set) var isOwing = false
  private var retryDelay = AuthorizationCenter.firstRetry
  private lazy var debt = Timer { [unowned self] in payDebts(waited: retryDelay) }
  private static let firstRetry = Swift.Duration.seconds(1)
  private static let longestRetry = Swift.Duration.seconds(60)
  private lazy var expiry = Timer.ofDays { [unowned self] in expireDecisions() }
  /// For as long as something is to be noted that nobody else brings about.
  private(set) lazy var daily = Timer.ofDays { [unowned self] in
    noteUses()
    armTimers()
  }

  init(
    registry: Registry, snapshot: RegistrySnapshot, policies: PolicySet, owners: OwnerRules,
    expireUnusedAfterDays: Int? = nil, accessLog: AccessLog, log: Logger,
    clock: @escaping @EventLoopActor () -> Timestamp = { .now }
  ) {
    self.registry = registry
    self.clock = clock
    self.accessLog = accessLog
    self.log = log
    machine = Machine(
      authorizations: Authorizations(
        policies: policies, records: snapshot.records, selections: snapshot.selections,
        lastUsed: snapshot.lastUsed, expireUnusedAfterDays: expireUnusedAfterDays),
      refusals: snapshot.refusals, owners: owners)
    for process in machine.authorizations.processes { watch(process) }
    expireDecisions()
  }

  // MARK: Questions

  /// The status of a record now (S5).
  func status(of key: RecordKey) -> EffectiveStatus {
    machine.authorizations.status(of: key, at: now)
  }

  /// The record by which an app may add (S30).
  func recordForAdding(of app: PeerIdentity) -> RecordKey? {
    machine.authorizations.recordForAdding(of: app, at: now)
  }

  /// Whether a decision about a record is on its way to disk.
  func isBeingDecided(_ key: RecordKey) -> Bool { machine.isBeingDecided(key) }

  /// The policies in force.
  var policies: PolicySet { machine.authorizations.policies }
  /// How many agents are registered.
  var agentCount: Int { agents.count }
  /// How many prompts wait for an answer.
  var promptCount: Int { machine.prompts.count }

  /// Every decision.
  var decisions: [RecordKey: Decision] { machine.authorizations.decisions }

  /// When a decision was last made use of, to the day.
  func lastUsed(_ key: RecordKey) -> Timestamp? { machine.authorizations.lastUsed[key] }

  /// An app makes use of a grant: at most one write for a record and day.
  func use(_ key: RecordKey) {
    let now = now
    // One that is lost to a full disk is noted again tomorrow.
    if machine.used(key, at: now) { registry.noteUse(of: key, at: now) { _ in } }
  }

  /// Every record that an owner can reset.
  var resettableKeys: [RecordKey] {
    Set(machine.authorizations.decisions.keys).union(machine.refusals.keys)
      .union(machine.authorizations.selections.keys).sorted()
  }

  /// What an open prompt asks besides authorization.
  func question(of prompt: PromptID) -> OwnerQuestion? {
    guard case .question(let question)? = machine.prompts.first(where: { $0.id == prompt })?.subject else {
      return nil
    }
    return question
  }

  /// What a limited app may see; nothing unless something was selected.
  func selection(of key: RecordKey) -> Selection {
    machine.authorizations.selections[key] ?? Selection()
  }

  // MARK: Requests

  /// Asks for access (S7–S14).
  ///
  /// - Parameter identity: who asks by the manifests in force; as now when nil.
  /// - Returns: the name by which to say that the requester has gone.
  func request(
    _ level: AccessLevel, app: PeerIdentity, process: ProcessInstance, waitForAgent: Bool,
    identity: (@EventLoopActor () -> PeerIdentity?)? = nil, reply: @escaping @EventLoopActor (Reply) -> Void
  ) -> Requester {
    let requester = newRequester(identity, reply)
    perform(
      machine.request(
        level, by: requester, app: app, process: process, waitForAgent: waitForAgent,
        promptID: .random(), at: now))
    return requester
  }

  /// Asks an owner something else, if an agent is there.
  ///
  /// - Parameter asksItself: whether the app has asked for it.
  func ask(
    _ question: OwnerQuestion, app: PeerIdentity, asksItself: Bool = true,
    identity: (@EventLoopActor () -> PeerIdentity?)? = nil, reply: @escaping @EventLoopActor (Reply) -> Void
  ) -> Requester {
    let requester = newRequester(identity, reply)
    perform(
      machine.ask(
        question, by: requester, app: app, asksItself: asksItself, waitForAgent: false, promptID: .random(),
        at: now))
    return requester
  }

  /// The requester has disconnected, or was answered.
  func gone(_ requester: Requester) {
    guard takeReply(requester) != nil else { return }
    perform(machine.requesterGone(requester))
  }

  // MARK: Agents

  /// - Parameter mayActAsOwner: asked when the configuration was read again (S44).
  func register(
    uid: UInt32, mayActAsOwner: @escaping @EventLoopActor () -> Bool = { true },
    deliver: @escaping @EventLoopActor (AgentMessage) -> Void
  ) -> AgentHandle {
    lastHandle += 1
    let handle = AgentHandle(number: lastHandle)
    agents[handle] = Agent(uid: uid, mayActAsOwner: mayActAsOwner, deliver: deliver)
    perform(machine.agentRegistered(handle, uid: uid))
    return handle
  }

  func gone(_ handle: AgentHandle) {
    agents[handle] = nil
    for prompt in shown.filter({ $0.value.agent == handle }).keys {
      shown[prompt] = nil
      // The model tells an agent that has gone nothing (S46); the call of its answer must end all the same.
      tell(prompt, .noSuchPrompt)
    }
    perform(machine.agentGone(handle))
  }

  /// An owner's answer. It counts only for a prompt that an agent of the same user is being shown.
  func answer(
    _ answer: AuthorizationAnswer, to prompt: PromptID, from uid: UInt32,
    reply: @escaping @EventLoopActor (AnswerReply) -> Void
  ) {
    guard let shown = shown[prompt], agents[shown.agent]?.uid == uid, answers[prompt] == nil else {
      return EventLoopActor.afterReturn { reply(.noSuchPrompt) }
    }
    let author = AccessEvent.Author(.agent, uid: uid)
    var answer = answer
    answer.author = uid
    if let key = shown.record, answer.choice.decided != nil { answered[key] = author }
    answers[prompt] = { [unowned self] outcome in
      if let key = shown.record {
        answered[key] = nil
        if case .accepted = outcome, answer.choice.decided == nil { note("notNow", of: key, by: author) }
      }
      reply(outcome)
    }
    perform(
      machine.answered(
        shown.record == nil ? .question(answer) : .authorization(answer), to: prompt, by: shown.agent,
        at: now))
  }

  // MARK: Settings

  /// An owner decides (S8): all of it, or nothing.
  func set(
    _ records: [AuthorizationRecord], by author: AccessEvent.Author,
    reply: @escaping @EventLoopActor (Reply) -> Void
  ) {
    let requester = newRequester(nil) { [unowned self] outcome in
      if case .stored = outcome {
        for record in records { note(record.decision.status.rawValue, of: record.key, by: author) }
      }
      reply(outcome)
    }
    perform(machine.set(records, by: requester))
  }

  /// Changes what limited apps may see, of all or of none; what was decided about them stays as it is (S22).
  func changeSelection(
    of keys: [RecordKey], by changes: [SelectionChange], author: AccessEvent.Author,
    reply: @escaping @EventLoopActor (Reply) -> Void
  ) {
    let requester = newRequester(nil) { [unowned self] outcome in
      if case .stored = outcome {
        for key in keys { noteSelection(of: key, by: author) }
      }
      reply(outcome)
    }
    perform(machine.changeSelection(of: keys, by: changes, for: requester))
  }

  /// Adds assets to what a limited app may see (S18); on disk, and seen, when this returns.
  func extendSelection(of key: RecordKey, by assets: Set<String>) async {
    guard !assets.isEmpty else { return }
    let reply = await withCheckedContinuation { continuation in
      let requester = newRequester(nil) { continuation.resume(returning: $0) }
      perform(machine.extendSelection(of: key, by: assets, for: requester))
    }
    // They are in the library all the same: told to try again, the app would add them twice.
    if case .failure(let error) = reply { log.error("A selection could not be stored: \(error)") }
  }

  /// An owner takes decisions back, and ends the pauses of that app and user; of all when nil.
  func reset(
    _ keys: [RecordKey], appID: String?, uid: UInt32?, by author: AccessEvent.Author,
    reply: @escaping @EventLoopActor (Reply) -> Void
  ) {
    let requester = newRequester(nil) { [unowned self] outcome in
      if case .stored = outcome {
        for key in keys { noteEnd(of: key, by: author) }
      }
      reply(outcome)
    }
    perform(machine.reset(keys, appID: appID, uid: uid, by: requester))
  }

  /// The configuration was read again.
  func reload(policies: PolicySet, owners: OwnerRules, expireUnusedAfterDays: Int?) {
    machine.unusedLimitChanged(days: expireUnusedAfterDays)
    // Before a policy goes: what was beneath it does not end with it.
    noteUses()
    // What was decided first: the log tells only so many apart.
    let undecided = Set(seen()).subtracting(decisions.keys)
    let affected = (decisions.keys.sorted() + undecided.sorted()).map { ($0, before: status(of: $0)) }
    let dropped = Set(
      agents.lazy.filter { !$0.value.mayActAsOwner() || !owners.isOwner($0.value.uid) }.map(\.key))
    perform(machine.ownersChanged(owners, dropping: dropped))
    for handle in dropped { tell(handle, .dismiss) }
    perform(machine.identitiesChanged({ askers[$0].map { $0() } ?? $1 }, promptID: { .random() }))
    perform(machine.policiesChanged(policies, at: now))
    for (key, before) in affected where status(of: key).status != before.status {
      noteChange(of: key, from: before)
      onChange?(key, before.status)
    }
    expireDecisions()
  }

  // MARK: Doing

  private func newRequester(
    _ identity: (@EventLoopActor () -> PeerIdentity?)?,
    _ reply: @escaping @EventLoopActor (Reply) -> Void
  ) -> Requester {
    lastHandle += 1
    let requester = Requester(number: lastHandle)
    replies[requester] = reply
    askers[requester] = identity
    return requester
  }

  private func takeReply(_ requester: Requester) -> (@EventLoopActor (Reply) -> Void)? {
    askers[requester] = nil
    return replies.removeValue(forKey: requester)
  }

  /// Does what the machine says, in the order in which it was said: what an action brings about comes after
  /// the actions that were said before it.
  private func perform(_ more: [Action]) {
    actions += more
    guard !isPerforming else { return }
    isPerforming = true
    defer { isPerforming = false }
    while !actions.isEmpty {
      let batch = actions
      actions = []
      for action in batch { perform(action) }
    }
    armTimers()
  }

  private func perform(_ action: Action) {
    switch action {
    case .show(let prompt, let handle):
      guard agents[handle] != nil else { return }
      shown[prompt.id] = Shown(agent: handle, record: prompt.record)
      tell(handle, .show(prompt))
    case .withdraw(let id, let reason, let handle):
      shown[id] = nil
      tell(handle, .withdraw(id, reason))
    case .store(let transaction): store(transaction)
    case .reply(let requester, let reply):
      EventLoopActor.afterReturn { [weak self] in self?.takeReply(requester)?(reply) }
    case .answerReply(_, let prompt, let reply): finish(prompt, reply)
    case .changed(let key): onChange?(key, nil)
    case .watch(let process): watch(process)
    }
  }

  private func finish(_ prompt: PromptID, _ reply: AnswerReply) {
    switch reply {
    // The model has closed it, also when the decision could not be stored.
    case .accepted, .acceptedUnsaved, .noSuchPrompt, .notStored: shown[prompt] = nil
    case .invalid: break
    }
    tell(prompt, reply)
  }

  /// Tells an agent that is still there then.
  private func tell(_ handle: AgentHandle, _ message: AgentMessage) {
    EventLoopActor.afterReturn { [weak self] in self?.agents[handle]?.deliver(message) }
  }

  /// Ends the call of an answer.
  private func tell(_ prompt: PromptID, _ reply: AnswerReply) {
    guard let answered = answers.removeValue(forKey: prompt) else { return }
    EventLoopActor.afterReturn { answered(reply) }
  }

  /// Writes off the loop, in order; nobody is told before it is on disk, or cannot be.
  private func store(_ transaction: AuthorizationTransaction) {
    for key in transaction.decided { deciding[transaction.id] = answered.removeValue(forKey: key) }
    registry.apply(transaction.changes, revocations: transaction.revocations) { result in
      Task { @EventLoopActor [weak self] in self?.stored(transaction, result) }
    }
  }

  private func stored(_ transaction: AuthorizationTransaction, _ result: Result<Void, StorageError>) {
    let author = deciding.removeValue(forKey: transaction.id)
    switch result {
    case .success:
      if let author { note(transaction.changes, by: author) }
      perform(machine.committed(transaction.id, at: now))
    case .failure(let error):
      log.error("A decision could not be stored: \(error)")
      if let author { note(transaction.revocations, by: author) }
      perform(machine.storeFailed(transaction.id, reason: "\(error)", at: now))
      if !transaction.revocations.isEmpty { owe() }
    }
  }

  /// What was taken away counts, and is not on disk: it is written again until it is.
  private func owe() {
    guard !isOwing else { return }
    log.error("What was taken away counts all the same, and is written again until it is on disk")
    isOwing = true
    debt.arm(after: Self.firstRetry)
  }

  private func payDebts(waited delay: Swift.Duration) {
    registry.retry { result in
      Task { @EventLoopActor [weak self] in self?.paid(result, delay) }
    }
  }

  private func paid(_ result: Result<Void, StorageError>, _ delay: Swift.Duration) {
    switch result {
    case .success:
      isOwing = false
      retryDelay = Self.firstRetry
      log.notice("What was taken away is on disk now")
    case .failure:
      retryDelay = min(delay * 2, Self.longestRetry)
      debt.arm(after: retryDelay)
    }
  }

  private func watch(_ process: ProcessInstance) {
    guard watches[process] == nil else { return }
    let watch = ProcessWatch(process) { [unowned self] in
      watches[process] = nil
      exited(process)
    }
    watches[process] = watch
    if watch == nil { exited(process) }
  }

  private func exited(_ process: ProcessInstance) {
    for key in machine.authorizations.bound(to: process) {
      noteEnd(of: key, by: .init(.exit))
    }
    perform(machine.processExited(process))
  }

  /// Who has subscribed long ago uses what it was granted with every change; and what is beneath a policy is not to
  /// end with that. Also at the end of the daemon: the next may find other policies.
  func noteUses() {
    for key in inUse() + machine.authorizations.beneathPolicies { use(key) }
  }

  private func expireDecisions() {
    noteUses()
    let now = now
    let unused = Set(machine.authorizations.unused(at: now))
    for key in machine.authorizations.expired(at: now) {
      let role: AccessEvent.Author.Role = unused.contains(key) ? .disuse : .expiry
      noteEnd(of: key, by: .init(role))
      if role == .disuse {
        log.notice(
          "\(key.appID): \(key.accessLevel.rawValue) was not used for long, and is taken back",
          metadata: LogEventKind.authorizationChanged.metadata(["appId": "\(key.appID)", "uid": "\(key.uid)"])
        )
      }
    }
    perform(machine.expire(at: now))
  }

  private func armTimers() {
    // A daemon that is killed notes nothing at its end.
    if machine.authorizations.beneathPolicies.isEmpty {
      daily.disarm()
    } else if !daily.isArmed {
      daily.arm(atRealtime: now.adding(seconds: 86_400).microseconds, accuracy: .seconds(3600))
    }
    guard let next = machine.authorizations.nextExpiry else { return expiry.disarm() }
    expiry.arm(atRealtime: next.microseconds)
  }
}
