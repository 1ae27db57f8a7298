// What the access log is told of decisions and selections.
extension AuthorizationRequests {
  /// Changes that count now, each record once for each thing that has become of it.
  func notes(of changes: [AuthorizationChange], by author: AccessEvent.Author?) -> [Action] {
    guard let author else { return [] }
    var selected: Set<RecordKey> = []
    return changes.compactMap { change in
      switch change {
      case .put(let record, _):
        let detail = record.decision.includesLocation ? "location" : nil
        let event = AccessEvent.decision(
          about: record.key, record.decision.status.rawValue, by: author, detail: detail)
        return .note(event, of: record.key.app)
      case .select(let key, _):
        guard selected.insert(key).inserted else { return nil }
        let event = AccessEvent(.settings, accessLevel: key.accessLevel, by: author, detail: "selection")
        return .note(event, of: key.app)
      case .remove(let key): return end(of: key, by: author)
      case .refusals: return nil
      }
    }
  }

  /// A decision has ended. Nothing is told of a status that a policy decides: that stays (rule S6).
  func end(of key: RecordKey, by author: AccessEvent.Author) -> Action {
    let isCovered = authorizations.policies.policy(for: key) != nil
    let outcome = isCovered ? nil : AuthorizationStatus.notDetermined.rawValue
    return .note(.decision(about: key, outcome, by: author), of: key.app)
  }
}

extension AccessEvent {
  /// What was decided about a record, by whom.
  static func decision(
    about key: RecordKey, _ outcome: String?, by author: Author, detail: String? = nil
  ) -> AccessEvent {
    AccessEvent(.decision, accessLevel: key.accessLevel, outcome: outcome, by: author, detail: detail)
  }

  /// Policies have come or gone, and with them a status.
  static func policyChange(
    of key: RecordKey, from before: EffectiveStatus, to after: EffectiveStatus
  ) -> AccessEvent {
    AccessEvent(
      .decision, accessLevel: key.accessLevel, outcome: after.status.rawValue,
      by: .init(after.policy == nil ? .policyEnd : .policy), detail: (after.policy ?? before.policy)?.name)
  }
}
