extension Authorizations {
  /// Transactions that are on their way to disk, and what is there of the records that they change.
  struct Underway: Sendable {
    /// In their order.
    var transactions: [AuthorizationTransaction] = []
    var stored: [RecordKey: RecordState] = [:]
  }

  /// The part of these changes that counts at once, and that has to come to the disk even when the rest does not:
  /// what takes something away.
  func revocations(in changes: [AuthorizationChange]) -> [AuthorizationChange] {
    var states: [RecordKey: RecordState] = [:]
    let parts = changes.map { change -> AuthorizationChange? in
      var state = states[change.key] ?? self.state(of: change.key)
      let before = state
      state.narrow(by: change)
      states[change.key] = state
      return revocation(change, from: before.decision, to: state.decision)
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
    var all = (underway.stored[key] ?? state(of: key)).selection
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
      underway.stored[key] = state(of: key)
    }
    var narrowed: Set<RecordKey> = []
    for change in transaction.changes {
      if case .select(_, .add) = change { continue }
      let before = state(of: change.key)
      var state = before
      state.narrow(by: change)
      guard state != before else { continue }
      set(state, of: change.key)
      narrowed.insert(change.key)
    }
    return narrowed.sorted()
  }

  /// The first transaction on its way is on disk, or only these of its changes are, or will be before anything else.
  mutating func end(_ id: AuthorizationTransaction.ID, with changes: [AuthorizationChange]) {
    guard let place = underway.transactions.firstIndex(where: { $0.id == id }) else { return }
    let ended = underway.transactions.remove(at: place)
    noteNews(ended.changes)
    for key in Set(ended.changes.map(\.key)) {
      guard var state = underway.stored.removeValue(forKey: key) else { continue }
      // The only one who has it now: adding to a large selection copies nothing.
      set(RecordState(), of: key)
      for change in changes where change.key == key {
        state.apply(change)
        if case .remove = change { forgetUse(of: key) }
      }
      if underway.transactions.contains(where: { $0.changes.contains { $0.key == key } }) {
        underway.stored[key] = state
        recount(key)
      } else {
        set(state, of: key)
      }
    }
  }

  /// What counts of a record, by what is on disk and what is on its way there.
  mutating func recount(_ key: RecordKey) {
    guard var state = underway.stored[key] else { return }
    for change in underway.transactions.lazy.flatMap(\.changes) where change.key == key {
      state.narrow(by: change)
    }
    set(state, of: key)
  }
}
