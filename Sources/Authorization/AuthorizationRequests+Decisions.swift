extension AuthorizationRequests {
  /// An owner decides in settings (rule S8), about all of these or, where a policy decides about one of them
  /// (rule S37), about none. Open prompts of the records are withdrawn; their requesters get the new status when it
  /// is on disk, and so does `manager`.
  ///
  /// - Parameter author: the owner.
  package mutating func set(
    _ records: [AuthorizationRecord], by author: AccessEvent.Author, for manager: Requester
  ) -> [Action] {
    let keys = records.map(\.key)
    if let locked = lock(of: keys, for: manager) { return [locked] }
    var changes: [AuthorizationChange] = records.map { .put($0, selection: nil) }
    changes += keys.filter { refusals[$0] != nil }.map { .refusals($0, nil) }
    return change(changes, keys: keys, by: author, for: manager)
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
  ///   - author: the owner.
  package mutating func reset(
    _ keys: [RecordKey], appID: String?, uid: UInt32?, by author: AccessEvent.Author, for manager: Requester
  ) -> [Action] {
    questionRefusals = questionRefusals.filter { app, refused in
      !(appID.map(refused.apps.contains) ?? true) || app.uid != uid ?? app.uid
    }
    if keys.isEmpty { return [.reply(manager, .stored())] }
    return change(
      keys.flatMap { [.remove($0), .refusals($0, nil)] }, keys: keys, by: author, for: manager)
  }

  /// The administrator's policies changed. Open prompts that a policy now decides are withdrawn.
  ///
  /// - Parameter seen: the records of the apps that were seen, which a policy opens without a decision.
  package mutating func policiesChanged(
    _ policies: PolicySet, seen: some Sequence<RecordKey>, at now: Timestamp
  ) -> [Action] {
    // What was decided first: the access log tells only so many apart.
    let decided = authorizations.decisions.keys.sorted()
    let concerned = decided + Set(seen).subtracting(decided).sorted()
    let before = concerned.map { authorizations.status(of: $0, at: now) }
    authorizations.policies = policies
    var actions: [Action] = []
    for (key, id) in promptOf.sorted(by: { $0.key < $1.key }) {
      let effective = authorizations.status(of: key, at: now)
      if effective.status == .notDetermined { continue }
      actions += (waiting[id] ?? []).map { .reply($0.requester, .status(effective)) }
      actions += close(id, .decidedElsewhere)
    }
    for (key, before) in zip(concerned, before) {
      let after = authorizations.status(of: key, at: now)
      guard after.status != before.status else {
        // It may be another policy, or the owner's decision: with location, or without.
        if after.policy != before.policy { actions.append(.changed(key, from: nil)) }
        continue
      }
      actions.append(.note(.policyChange(of: key, from: before, to: after), of: key.app))
      actions.append(.changed(key, from: before.status))
    }
    return actions
  }

  private mutating func change(
    _ changes: [AuthorizationChange], keys: [RecordKey], by author: AccessEvent.Author,
    for manager: Requester
  ) -> [Action] {
    var closing: [Action] = []
    var waiters: [RecordKey: [Waiter]] = [:]
    for key in keys {
      waiters[key] = []
      guard let open = promptOf[key] else { continue }
      waiters[key] = waiting[open] ?? []
      closing += close(open, .decidedElsewhere)
    }
    return closing + store(changes, by: author, for: .manager(manager), settling: waiters)
  }
}
