/// One change to what is stored.
package enum AuthorizationChange: Hashable, Sendable {
  /// A decision, in the place of an earlier one; with `limited`, what is selected from now on: what was before when
  /// nil.
  case put(AuthorizationRecord, selection: Selection? = nil)
  /// Another selection, whatever is decided.
  case select(RecordKey, SelectionChange)
  /// A decision is no more.
  case remove(RecordKey)
  /// The count of "not now"; nil removes it.
  case refusals(RecordKey, RefusalRecord?)

  /// The record that it changes.
  package var key: RecordKey {
    switch self {
    case .put(let record, _): record.key
    case .remove(let key), .refusals(let key, _), .select(let key, _): key
    }
  }
}

/// Changes that belong in one transaction. Transactions are to be made in the order in which they were
/// given, and each reported with `committed` or `storeFailed`. Of one that cannot be made, the revocations are to be
/// made before any other transaction, as soon as they can: they count already.
package struct AuthorizationTransaction: Hashable, Sendable {
  /// The name under which it is reported.
  package struct ID: Hashable, Sendable {
    let number: UInt64
  }

  /// Its name.
  package let id: ID
  /// All of them, or none.
  package let changes: [AuthorizationChange]
  /// What they take away.
  package let revocations: [AuthorizationChange]
  /// On whose account they are made, for the access log; nil where nobody decides (an app adds to its selection), and
  /// where that was told before.
  package let author: AccessEvent.Author?

  /// Whether all that they do is to take away.
  var onlyRevokes: Bool {
    !revocations.isEmpty
      && changes.allSatisfy { change in
        switch change {
        case .refusals: true
        case .select(_, .add(let selection)) where selection.isEmpty: true
        case .put, .select, .remove: revocations.contains(change)
        }
      }
  }
}
