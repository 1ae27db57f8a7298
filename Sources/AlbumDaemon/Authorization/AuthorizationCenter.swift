internal import Authorization
internal import EventLoop
internal import Logging
internal import Storage

/// Decisions, prompts and who is told of them: the shell around ``Authorization/AuthorizationRequests``.
///
/// Every input goes to the state machine, and what it says is done here in that order. It decides
/// nothing itself. Whoever is told something is told it when the input's call has returned, in the same order.
@EventLoopActor
final class AuthorizationCenter {
  typealias Action = Decisions.Machine.Action
  typealias Reply = RequestReply<OwnerQuestion.Answer>

  struct Agent {
    let mayActAsOwner: @EventLoopActor () -> Bool
    let deliver: @EventLoopActor (AgentMessage) -> Void
  }

  struct Call {
    let reply: @EventLoopActor (Reply) -> Void
    /// Who asks, by the manifests in force; nil for an owner's own calls, which no manifest makes another's.
    var identity: (@EventLoopActor () -> PeerIdentity?)?
  }

  let decisions: Decisions
  let apps: any AppsInSight
  private let observer: any StatusObserver
  private let registry: Registry
  private let accessLog: AccessLog
  private let names: UserNames
  let log: Logger
  private var lastHandle = 0
  var calls: [Requester: Call] = [:]
  var answers: [Requester: @EventLoopActor (AnswerReply) -> Void] = [:]
  var agents: [AgentHandle: Agent] = [:]
  var watches: [ProcessInstance: ProcessWatch] = [:]
  /// What is still to be done. Doing one thing can be the next input.
  private var actions: [Action] = []
  private var isPerforming = false
  let debts: RegistryDebts
  lazy var expiry = Timer.ofDays { [unowned self] in expireDecisions() }
  /// For as long as something is to be noted that nobody else brings about.
  lazy var daily = Timer.ofDays { [unowned self] in noteUses() }

  /// Begins with what the registry holds; what has ended meanwhile ends now.
  init(
    decisions: Decisions, registry: Registry, accessLog: AccessLog, observer: any StatusObserver,
    apps: any AppsInSight, names: UserNames, log: Logger
  ) {
    self.decisions = decisions
    self.registry = registry
    self.accessLog = accessLog
    self.names = names
    self.observer = observer
    self.apps = apps
    self.log = log
    debts = RegistryDebts(registry: registry, log: log)
    for process in decisions.machine.authorizations.processes { watch(process) }
    expireDecisions()
  }

  var now: Timestamp { decisions.now }

  /// A new name for a call or an agent.
  func newNumber() -> Int {
    lastHandle += 1
    return lastHandle
  }

  // MARK: Doing

  /// Does what the machine says, in the order in which it was said: what an action brings about comes after
  /// the actions that were said before it.
  func perform(_ more: [Action]) {
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
    case .show(let prompt, let handle): tell(handle, .show(prompt))
    case .withdraw(let id, let reason, let handle): tell(handle, .withdraw(id, reason))
    case .dismiss(let handle): tell(handle, .dismiss)
    case .store(let transaction): store(transaction)
    case .reply(let requester, let reply):
      EventLoopActor.afterReturn { [weak self] in self?.calls.removeValue(forKey: requester)?.reply(reply) }
    case .answerReply(let answerer, let reply):
      EventLoopActor.afterReturn { [weak self] in self?.answers.removeValue(forKey: answerer)?(reply) }
    case .changed(let key, let former): tellObserver(of: key, from: former)
    case .note(let event, let app): note(event, of: app)
    case .noteUse(let key, let time): decisions.noteUse(key, at: time)
    case .watch(let process): watch(process)
    }
  }

  /// Tells an agent that is still there then.
  private func tell(_ handle: AgentHandle, _ message: AgentMessage) {
    EventLoopActor.afterReturn { [weak self] in self?.agents[handle]?.deliver(message) }
  }

  private func tellObserver(of key: RecordKey, from former: AuthorizationStatus?) {
    decisions.untold.insert(key)
    EventLoopActor.afterReturn { [decisions, observer] in
      decisions.untold.remove(key)
      observer.statusChanged(of: key, from: former)
    }
  }

  private func note(_ event: AccessEvent, of app: AppKey) {
    accessLog.note(event, of: app)
    guard event.by?.role == .disuse, let level = event.accessLevel else { return }
    log.notice(
      "\(app.appID): \(level.rawValue) was not used for long, and is taken back from \(names.label(app.uid))",
      metadata: LogEventKind.authorizationChanged.metadata(["appId": "\(app.appID)", "uid": "\(app.uid)"]))
  }

  /// Writes off the loop, in order; nobody is told before it is on disk, or cannot be.
  private func store(_ transaction: AuthorizationTransaction) {
    registry.apply(transaction.changes, revocations: transaction.revocations) { result in
      Task { @EventLoopActor [weak self] in self?.stored(transaction, result) }
    }
  }

  private func stored(_ transaction: AuthorizationTransaction, _ result: Result<Void, StorageError>) {
    switch result {
    case .success: perform(decisions.machine.committed(transaction.id, at: now))
    case .failure(let error):
      log.error("A decision could not be stored: \(error)")
      perform(decisions.machine.storeFailed(transaction.id, reason: "\(error)", at: now))
      if !transaction.revocations.isEmpty { debts.owe() }
    }
  }
}
