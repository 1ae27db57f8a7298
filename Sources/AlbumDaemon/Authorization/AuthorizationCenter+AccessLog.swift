internal import Authorization
internal import EventLoop

// What the access log is told of decisions and selections.
extension AuthorizationCenter {
  /// Who decided what, for the access log.
  func note(_ outcome: String?, of key: RecordKey, by author: AccessEvent.Author) {
    let event = AccessEvent(.decision, accessLevel: key.accessLevel, outcome: outcome, by: author)
    accessLog.note(event, uid: key.uid, appID: key.appID)
  }

  /// A decision has ended. Nothing is told of a status that a policy decides: that stays (S6).
  func noteEnd(of key: RecordKey, by author: AccessEvent.Author) {
    let isCovered = policies.policy(for: key) != nil
    note(isCovered ? nil : AuthorizationStatus.notDetermined.rawValue, of: key, by: author)
  }

  /// Policies have come or gone, and with them a status.
  func noteChange(of key: RecordKey, from before: EffectiveStatus) {
    let now = status(of: key)
    let event = AccessEvent(
      .decision, accessLevel: key.accessLevel, outcome: now.status.rawValue,
      by: .init(now.policy == nil ? .policyEnd : .policy), detail: (now.policy ?? before.policy)?.name)
    accessLog.note(event, uid: key.uid, appID: key.appID)
  }

  func note(_ changes: [AuthorizationChange], by author: AccessEvent.Author) {
    for case .put(let record, _) in changes {
      note(record.decision.status.rawValue, of: record.key, by: author)
    }
  }

  /// Who changed what an app may see, for the access log.
  func noteSelection(of key: RecordKey, by author: AccessEvent.Author) {
    let event = AccessEvent(.settings, accessLevel: key.accessLevel, by: author, detail: "selection")
    accessLog.note(event, uid: key.uid, appID: key.appID)
  }
}

extension RequestError {
  /// In one word, for the access log.
  var outcome: String {
    switch self {
    case .noAgent: "noAgent"
    case .usageDescriptionMissing: "usageDescriptionMissing"
    case .throttled: "throttled"
    case .busy: "busy"
    case .anotherApp: "unidentifiedPeer"
    case .lockedByPolicy: "lockedByPolicy"
    case .notStored: "notStored"
    }
  }
}

extension AuthorizationTransaction {
  /// The records that it decides.
  var decided: [RecordKey] {
    changes.compactMap { if case .put(let record, _) = $0 { record.key } else { nil } }
  }
}
