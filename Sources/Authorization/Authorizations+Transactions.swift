extension Authorizations {
  /// Transactions that are on their way to disk, and what is there of the records that they change.
  struct Underway: Sendable {
    /// In their order.
    var transactions: [AuthorizationTransaction] = []
    var stored: [RecordKey: Stored] = [:]
  }

  /// What is on disk of a record.
  struct Stored: Sendable {
    var decision: Decision?
    /// All that is selected there; nil where that is what counts, and what was taken from it: a large selection is not copied
    /// to take one photo out of it.
    var selection: Selection?
    /// What is selected there and does not count any more, where that is all the difference.
    var taken = Selection()
  }

  /// The part of these changes that counts at once, and that has to come to the disk even when the rest does not:
  /// what takes something away.
  func revocations(in changes: [AuthorizationChange]) -> [AuthorizationChange] {
    // What becomes of decisions does not depend on what is selected.
    var states: [RecordKey: RecordState] = [:]
    let parts = changes.map { change -> AuthorizationChange? in
      var state = states[change.key] ?? RecordState(decision: decisions[change.key])
      let before = state.decision
      state.narrow(by: change)
      states[change.key] = state
      return revocation(change, from: before, to: state.decision)
    }
    let keys = Set(parts.compactMap { $0?.key })
    return zip(changes, parts).compactMap { change, part in
      // The pauses that a denial or a reset ends go with it.
      if case .refusals(let key, nil) = change { return keys.contains(key) ? change : nil }
      return part
    }
  }

  /// - Parameters:
  ///   - before: what was decided about its record.
  ///   - narrowed: what is left of that at once.
  private func revocation(
    _ change: AuthorizationChange, from before: Decision?, to narrowed: Decision?
  ) -> AuthorizationChange? {
    switch change {
    case .put(let record, let selection):
      if record.decision.status == .denied { return change }
      let isLess = narrowed?.status != before?.status
      guard let narrowed, isLess || narrowed.includesLocation != before?.includesLocation else { return nil }
      if narrowed == record.decision { return change }
      // It gives as well: a selection becomes everything, or location comes with less.
      guard let record = try? AuthorizationRecord(record.key, narrowed) else { return nil }
      return .put(record, selection: isLess ? selection : nil)
    case .remove, .select(_, .remove): return change
    case .select(let key, .replace(let other)):
      if other.subtracting(state(of: key).selection).isEmpty { return change }
      // It gives as well: to be on disk is what is there and remains, not more.
      let fewer = everSelected(key).subtracting(other)
      return fewer.isEmpty ? nil : .select(key, .remove(fewer))
    case .select(_, .add), .refusals: return nil
    }
  }

  /// Everything that may be on disk as a record's selection when what is underway is there.
  private func everSelected(_ key: RecordKey) -> Selection {
    var all = storedSelection(of: key)
    for change in underway.transactions.flatMap(\.changes) where change.key == key {
      switch change {
      case .put(_, let selection?), .select(_, .add(let selection)), .select(_, .replace(let selection)):
        all.apply(.add(selection))
      case .put(_, nil), .select(_, .remove), .remove, .refusals: break
      }
    }
    return all
  }

  /// A transaction is given to the disk.
  ///
  /// - Returns: the records of which something was taken away.
  mutating func begin(_ transaction: AuthorizationTransaction) -> [RecordKey] {
    underway.transactions.append(transaction)
    noteNews(transaction.changes)
    for key in Set(transaction.changes.map(\.key)) where underway.stored[key] == nil {
      underway.stored[key] = Stored(decision: decisions[key])
    }
    var narrowed: Set<RecordKey> = []
    for change in transaction.changes where narrow(by: change) { narrowed.insert(change.key) }
    return narrowed.sorted()
  }

  /// Takes away at once what a change takes away. One that takes from a selection costs as much as it names.
  ///
  /// - Returns: whether it has taken anything.
  private mutating func narrow(by change: AuthorizationChange) -> Bool {
    let key = change.key
    switch change {
    case .select(_, .add), .refusals: return false
    case .select(_, .replace), .put, .remove, .select(_, .remove): break
    }
    if case .select(_, .remove(let fewer)) = change, underway.stored[key]?.selection == nil {
      guard let taken = selections[key]?.part(of: fewer), !taken.isEmpty else { return false }
      selections[key]?.subtract(taken)
      if selections[key]?.isEmpty ?? false { selections[key] = nil }
      underway.stored[key]?.taken.apply(.add(taken))
      return true
    }
    let whole = storedSelection(of: key)
    underway.stored[key]?.selection = whole
    underway.stored[key]?.taken = Selection()
    let before = state(of: key)
    var state = before
    state.narrow(by: change)
    guard state != before else { return false }
    set(state, of: key)
    return true
  }

  /// The first transaction on its way is on disk, or only these of its changes are, or will be before anything else.
  mutating func end(_ id: AuthorizationTransaction.ID, with changes: [AuthorizationChange]) {
    guard let place = underway.transactions.firstIndex(where: { $0.id == id }) else { return }
    let ended = underway.transactions.remove(at: place)
    noteNews(ended.changes)
    for key in Set(ended.changes.map(\.key)) where underway.stored[key] != nil {
      settle(key, with: changes)
      for change in changes where change.key == key {
        if case .remove = change { forgetUse(of: key) }
      }
      narrowAgain(key)
    }
  }

  private func storedSelection(of key: RecordKey) -> Selection {
    if let selection = underway.stored[key]?.selection { return selection }
    var selection = selections[key] ?? Selection()
    if let stored = underway.stored[key] { selection.apply(.add(stored.taken)) }
    return selection
  }

  /// What is on disk of a record counts, and so do these changes, which have come there.
  ///
  /// Nobody else has it meanwhile: changing a large selection copies nothing.
  private mutating func settle(_ key: RecordKey, with changes: [AuthorizationChange]) {
    guard let stored = underway.stored.removeValue(forKey: key) else { return }
    var state = RecordState(decision: stored.decision)
    if let selection = stored.selection {
      state.selection = selection
    } else {
      state.selection = selections.removeValue(forKey: key) ?? Selection()
      state.selection.apply(.add(stored.taken))
    }
    set(RecordState(), of: key)
    for change in changes where change.key == key { state.apply(change) }
    set(state, of: key)
  }

  /// What is on its way to disk takes from a record what it takes at once.
  private mutating func narrowAgain(_ key: RecordKey) {
    let changes = Array(underway.transactions.lazy.flatMap(\.changes).filter { $0.key == key })
    guard !changes.isEmpty else { return }
    underway.stored[key] = Stored(decision: decisions[key])
    for change in changes { _ = narrow(by: change) }
  }

  /// A decision that is on disk ends.
  mutating func endStored(_ key: RecordKey) {
    underway.stored[key]?.decision = nil
    settle(key, with: [])
    narrowAgain(key)
  }
}
