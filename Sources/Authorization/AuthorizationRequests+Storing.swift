// From a decision to the disk, and to those who wait for it.
extension AuthorizationRequests {
  mutating func store(
    _ changes: [AuthorizationChange], by author: AccessEvent.Author?, for origin: Origin,
    settling waiters: [RecordKey: [Waiter]]
  ) -> [Action] {
    transactions += 1
    let id = AuthorizationTransaction.ID(number: transactions)
    let transaction = AuthorizationTransaction(
      id: id, changes: changes, revocations: authorizations.revocations(in: changes),
      author: author)
    storing[id] = Storing(transaction: transaction, origin: origin)
    for (key, waiters) in waiters {
      settling[key] = Settling(
        transaction: id, waiters: (settling[key]?.waiters ?? []) + waiters, late: settling[key]?.late ?? [])
    }
    return authorizations.begin(transaction).map { .changed($0, from: nil) } + [.store(transaction)]
  }

  /// A transaction is on disk: what it decided counts from now, and is answered.
  package mutating func committed(_ id: AuthorizationTransaction.ID, at now: Timestamp) -> [Action] {
    guard let done = storing.removeValue(forKey: id) else { return [] }
    let actions = end(done.transaction, with: done.transaction.changes)
    switch done.origin {
    case .answer(let answerer):
      return actions + [.answerReply(answerer, .accepted)] + settle(id, at: now, failure: nil)
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
    case .answer(let answerer):
      actions.append(.answerReply(answerer, counts ? .acceptedUnsaved(reason) : .notStored(reason)))
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
    var actions = notes(of: changes, by: transaction.author)
    for change in changes {
      switch change {
      case .put(let record, _):
        if let process = record.decision.process { actions.append(.watch(process)) }
        actions.append(.changed(record.key, from: nil))
      case .select(let key, _), .remove(let key): actions.append(.changed(key, from: nil))
      case .refusals(let key, let count):
        // A count went into memory when it was made; only its removal waits for the disk.
        if count == nil { refusals[key] = nil }
      }
    }
    return actions
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
}
