extension AuthorizationRequests {
  /// An owner decides in settings (rule S8), about all of these or, where a policy decides about one of them
  /// (rule S37), about none. Open prompts of the records are withdrawn; their requesters get the new status when it
  /// is on disk, and so does `manager`.
  package mutating func set(_ records: [AuthorizationRecord], by manager: Requester) -> [Action] {
    let keys = records.map(\.key)
    if let locked = lock(of: keys, for: manager) { return [locked] }
    var changes: [AuthorizationChange] = records.map { .put($0, selection: nil) }
    changes += keys.filter { refusals[$0] != nil }.map { .refusals($0, nil) }
    return change(changes, keys: keys, by: manager)
  }

  /// What an owner is told who would change something that a policy decides (rule S37).
  func lock(of keys: [RecordKey], for manager: Requester) -> Action? {
    for key in keys {
      if let policy = authorizations.policies.policy(for: key) {
        return fail(manager, .lockedByPolicy(policy))
      }
    }
    return nil
  }

  /// An owner takes decisions back: the next request prompts again. Counts of "not now" go too. What a
  /// policy says stays.
  ///
  /// - Parameters:
  ///   - appID: whose questions may be asked again at once, also when nothing was ever decided about it; every app's
  ///     when nil.
  ///   - uid: of whom; of everyone when nil.
  package mutating func reset(
    _ keys: [RecordKey], appID: String?, uid: UInt32?, by manager: Requester
  ) -> [Action] {
    questionRefusals = questionRefusals.filter { app, refused in
      !(appID.map(refused.apps.contains) ?? true) || app.uid != uid ?? app.uid
    }
    if keys.isEmpty { return [.reply(manager, .stored())] }
    return change(keys.flatMap { [.remove($0), .refusals($0, nil)] }, keys: keys, by: manager)
  }

  /// The administrator's policies changed. Open prompts that a policy now decides are withdrawn. The shell
  /// looks at the status of every monitor anew.
  package mutating func policiesChanged(_ policies: PolicySet, at now: Timestamp) -> [Action] {
    authorizations.policies = policies
    var actions: [Action] = []
    for (key, id) in promptOf.sorted(by: { $0.key < $1.key }) {
      let effective = authorizations.status(of: key, at: now)
      if effective.status == .notDetermined { continue }
      actions += (waiting[id] ?? []).map { .reply($0.requester, .status(effective)) }
      actions += close(id, .decidedElsewhere)
    }
    return actions
  }

  /// A transaction is on disk: what it decided counts from now, and is answered.
  package mutating func committed(_ id: AuthorizationTransaction.ID, at now: Timestamp) -> [Action] {
    guard let done = storing.removeValue(forKey: id) else { return [] }
    let actions = end(done.transaction, with: done.transaction.changes)
    switch done.origin {
    case .agent(let agent, let prompt):
      return actions + [.answerReply(agent, prompt, .accepted)] + settle(id, at: now, failure: nil)
    case .manager(let manager):
      return actions + [.reply(manager, .stored())] + settle(id, at: now, failure: nil)
    case .nobody: return actions + settle(id, at: now, failure: nil)
    }
  }

  /// A transaction could not be made, and everyone who waits is told. What it takes away counts all the same, and
  /// whoever stores makes it as soon as possible; nothing else was decided.
  package mutating func storeFailed(
    _ id: AuthorizationTransaction.ID, reason: String, at now: Timestamp
  ) -> [Action] {
    guard let failed = storing.removeValue(forKey: id) else { return [] }
    var actions = end(failed.transaction, with: failed.transaction.revocations)
    let counts = failed.transaction.onlyRevokes
    switch failed.origin {
    case .agent(let agent, let prompt):
      actions.append(.answerReply(agent, prompt, counts ? .acceptedUnsaved(reason) : .notStored(reason)))
    case .manager(let manager):
      actions.append(counts ? .reply(manager, .stored(unsaved: reason)) : fail(manager, .notStored(reason)))
    case .nobody: break
    }
    return actions + settle(id, at: now, failure: counts ? nil : reason)
  }

  /// These changes of a transaction are what there is.
  private mutating func end(
    _ transaction: AuthorizationTransaction, with changes: [AuthorizationChange]
  ) -> [Action] {
    authorizations.end(transaction.id, with: changes)
    var actions: [Action] = []
    for change in changes {
      switch change {
      case .put(let record, _):
        if let process = record.decision.process { actions.append(.watch(process)) }
        actions.append(.changed(record.key))
      case .select(let key, _), .remove(let key): actions.append(.changed(key))
      case .refusals(let key, let count):
        // A count went into memory when it was made; only its removal waits for the disk.
        if count == nil { refusals[key] = nil }
      }
    }
    return actions
  }

  /// A process to which a decision was bound has ended, and so has the decision.
  package mutating func processExited(_ process: ProcessInstance) -> [Action] {
    forget(authorizations.bound(to: process))
  }

  /// It is that late: decisions whose time is over are removed. Call at `authorizations.nextExpiry`.
  package mutating func expire(at now: Timestamp) -> [Action] {
    forget(authorizations.expired(at: now))
  }

  /// An app makes use of a grant.
  ///
  /// - Returns: whether that is to be stored.
  package mutating func used(_ key: RecordKey, at now: Timestamp) -> Bool {
    authorizations.use(key, at: now)
  }

  /// The configuration says for how many days a grant may go unused; nil for ever.
  package mutating func unusedLimitChanged(days: Int?) {
    authorizations.expireUnusedAfterDays = days
  }

  mutating func store(
    _ changes: [AuthorizationChange], for origin: Origin, settling waiters: [RecordKey: [Waiter]]
  ) -> [Action] {
    transactions += 1
    let id = AuthorizationTransaction.ID(number: transactions)
    let transaction = AuthorizationTransaction(
      id: id, changes: changes, revocations: authorizations.revocations(in: changes))
    storing[id] = Storing(transaction: transaction, origin: origin)
    for (key, waiters) in waiters {
      settling[key] = Settling(
        transaction: id, waiters: (settling[key]?.waiters ?? []) + waiters, late: settling[key]?.late ?? [])
    }
    return authorizations.begin(transaction).map { .changed($0) } + [.store(transaction)]
  }

  private mutating func change(
    _ changes: [AuthorizationChange], keys: [RecordKey], by manager: Requester
  ) -> [Action] {
    var closing: [Action] = []
    var waiters: [RecordKey: [Waiter]] = [:]
    for key in keys {
      waiters[key] = []
      guard let open = promptOf[key] else { continue }
      waiters[key] = waiting[open] ?? []
      closing += close(open, .decidedElsewhere)
    }
    return closing + store(changes, for: .manager(manager), settling: waiters)
  }

  /// Answers those who waited for the last transaction about their record.
  private mutating func settle(
    _ id: AuthorizationTransaction.ID, at now: Timestamp, failure: String?
  ) -> [Action] {
    var actions: [Action] = []
    for (key, record) in settling.sorted(by: { $0.key < $1.key }) where record.transaction == id {
      settling[key] = nil
      let effective = authorizations.status(of: key, at: now)
      for waiter in record.waiters {
        if let failure, effective.status == .notDetermined {
          actions.append(fail(waiter.requester, .notStored(failure)))
        } else {
          actions.append(.reply(waiter.requester, .status(effective)))
        }
      }
      for late in record.late {
        if let failure, effective.status == .notDetermined {
          actions.append(fail(late.waiter.requester, .notStored(failure)))
        } else if let process = late.waiter.process {
          actions += request(
            late.level, by: late.waiter.requester, app: late.app, process: process,
            waitForAgent: late.waiter.waitsForAgent, promptID: late.promptID, at: now)
        }
      }
    }
    return actions
  }

  private mutating func forget(_ keys: [RecordKey]) -> [Action] {
    if keys.isEmpty { return [] }
    for key in keys { authorizations.end(key) }
    // What is on its way to disk is newer than what ends here, and must not be removed after it.
    let onDisk = keys.filter { settling[$0] == nil }
    let removal = onDisk.isEmpty ? [] : store(onDisk.map { .remove($0) }, for: .nobody, settling: [:])
    return removal + keys.map { .changed($0) }
  }
}
