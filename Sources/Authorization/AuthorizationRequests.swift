/// Requests, prompts and decisions: the whole of what owners are asked, without IO (rules S7–S13, S46).
///
/// Every input returns what the shell has to do, in order. The shell decides nothing. A `Requester` is a
/// connection with one call in progress, an `Agent` a registered one. Decisions are answered when the shell reports
/// them committed, and count then; what they take away counts at once (``Authorizations``). Who has decided is told
/// with everything that comes to count, once, and when it ends. It is one machine, and long, because every input can
/// change all of it: an answer, a setting and a policy each end prompts, statuses and what is on its way to disk.
package struct AuthorizationRequests<
  Requester: Hashable & Sendable, Agent: Hashable & Sendable, Question: PromptQuestion
>: ~Copyable {
  /// What was decided.
  package internal(set) var authorizations: Authorizations
  /// The counts of "not now".
  package internal(set) var refusals: [RecordKey: RefusalRecord]
  /// The counts of refused questions of an app, whatever they were about. They are not stored: who is away for as
  /// long as a restart takes begins anew.
  var questionRefusals: [AppKey: QuestionRefusals] = [:]
  var queue: PromptQueue<Question, Agent>
  /// Who waits for the answer to an open prompt.
  var waiting: [PromptID: [Waiter]] = [:]
  /// The open prompt of a record: never two (rule S8).
  var promptOf: [RecordKey: PromptID] = [:]
  var settling: [RecordKey: Settling] = [:]
  var storing: [AuthorizationTransaction.ID: Storing] = [:]
  var transactions: UInt64 = 0

  /// Starts with what the registry holds. Before the first request, watch every process in
  /// `authorizations.processes` and report those that have ended meanwhile with `processExited`.
  package init(
    authorizations: Authorizations, refusals: [RecordKey: RefusalRecord] = [:], owners: OwnerRules
  ) {
    self.authorizations = authorizations
    self.refusals = refusals
    queue = PromptQueue(owners: owners)
  }

  /// The prompts that wait for an answer, oldest first.
  package var prompts: [Prompt<Question>] { queue.prompts }

  /// An app asks for access (rules S7–S14).
  ///
  /// - Parameters:
  ///   - process: the requester's, to which "until exit" is bound.
  ///   - promptID: a new name, used if a prompt opens.
  package mutating func request(
    _ level: AccessLevel, by requester: Requester, app: PeerIdentity, process: ProcessInstance,
    waitForAgent: Bool, promptID: @autoclosure () -> PromptID, at now: Timestamp
  ) -> [Action] {
    let key = app.record(level)
    let effective = authorizations.status(of: key, at: now)
    if effective.status != .notDetermined { return [.reply(requester, .status(effective))] }
    guard let usage = app.manifest?.usage[level] else {
      return [
        fail(requester, .usageDescriptionMissing(appID: app.appID, level, manifest: app.manifestFile))
      ]
    }
    let waiter = Waiter(requester: requester, process: process, waitsForAgent: waitForAgent)
    if settling[key] != nil {
      settling[key]?.late.append(
        LateRequest(waiter: waiter, app: app, level: level, promptID: promptID()))
      return []
    }
    let mayWait = waitForAgent || queue.hasAgent(for: app.uid)
    if let open = promptOf[key] {
      if !mayWait { return [fail(requester, .noAgent)] }
      waiting[open, default: []].append(waiter)
      return []
    }
    if let seconds = refusals[key]?.retryAfterSeconds(at: now) ?? queue.pause(of: app, at: now) {
      return [fail(requester, .throttled(retryAfterSeconds: seconds))]
    }
    if queue.isFull(for: app) { return [fail(requester, .busy)] }
    if !mayWait { return [fail(requester, .noAgent)] }
    let prompt = Prompt<Question>(
      id: promptID(), app: app, subject: .authorization(level, usage: usage))
    promptOf[key] = prompt.id
    waiting[prompt.id] = [waiter]
    return shellActions(queue.open(prompt, at: now))
  }

  /// Somebody asks an owner anything else. It shares the agents' queue and the quotas; it is never
  /// joined, and its answer is passed on and not stored. After three that were refused in a row, the app waits as
  /// for a record (rule S13). Apps that no manifest describes wait together with their user's others: such a program
  /// is another app as soon as it is called otherwise.
  ///
  /// - Parameter asksItself: whether the app has asked for it. What is asked on its behalf counts neither way (rule
  ///   S21).
  package mutating func ask(
    _ question: Question, by requester: Requester, app: PeerIdentity, asksItself: Bool = true,
    waitForAgent: Bool, promptID: @autoclosure () -> PromptID, at now: Timestamp
  ) -> [Action] {
    if let error = refusal(toAsk: app, waitForAgent: waitForAgent, at: now) {
      return [fail(requester, error)]
    }
    let prompt = Prompt<Question>(id: promptID(), app: app, subject: .question(question))
    waiting[prompt.id] = [
      Waiter(requester: requester, process: nil, waitsForAgent: waitForAgent, asksItself: asksItself)
    ]
    return shellActions(queue.open(prompt, at: now))
  }

  /// Why a question of an app would not be put to an owner now, whatever it is about; nil where it would.
  package mutating func refusal(
    toAsk app: PeerIdentity, waitForAgent: Bool, at now: Timestamp
  ) -> RequestError? {
    let refused = questionRefusals[.whoseQuestions(app)]?.record
    if let seconds = refused?.retryAfterSeconds(at: now) ?? queue.pause(of: app, at: now) {
      return .throttled(retryAfterSeconds: seconds)
    }
    if queue.isFull(for: app) { return .busy }
    if !waitForAgent, !queue.hasAgent(for: app.uid) { return .noAgent }
    return nil
  }

  /// A requester has disconnected. Its prompt is withdrawn when it was the last (rule S12).
  package mutating func requesterGone(_ requester: Requester) -> [Action] {
    var actions: [Action] = []
    for (id, waiters) in waiting where waiters.contains(where: { $0.requester == requester }) {
      let left = waiters.filter { $0.requester != requester }
      waiting[id] = left
      if left.isEmpty { actions += close(id, .requesterGone) }
    }
    for key in settling.keys {
      settling[key]?.waiters.removeAll { $0.requester == requester }
      settling[key]?.late.removeAll { $0.waiter.requester == requester }
    }
    for (id, storing) in storing {
      guard case .manager(requester) = storing.origin else { continue }
      self.storing[id] = Storing(transaction: storing.transaction, origin: .nobody)
    }
    return actions
  }

  /// Whether somebody is there to answer a user's apps.
  package func hasAgent(for uid: UInt32) -> Bool { queue.hasAgent(for: uid) }

  /// Whether a decision about a record, or its end, is on its way to disk.
  package func isBeingDecided(_ key: RecordKey) -> Bool { settling[key] != nil }

  func fail(_ requester: Requester, _ error: RequestError) -> Action { .reply(requester, .failure(error)) }

  /// Closes a prompt that is nobody's any more, or was answered (no reason).
  mutating func close(_ id: PromptID, _ reason: WithdrawalReason?) -> [Action] {
    waiting[id] = nil
    if let key = promptOf.first(where: { $0.value == id })?.key { promptOf[key] = nil }
    return shellActions(queue.close(id, reason))
  }

  func shellActions(_ actions: [PromptQueue<Question, Agent>.Action]) -> [Action] {
    actions.map { action in
      switch action {
      case .show(let prompt, let agent): .show(prompt, to: agent)
      case .withdraw(let id, let reason, let agent): .withdraw(id, reason, from: agent)
      case .dismiss(let agent): .dismiss(agent)
      }
    }
  }
}
