internal import Authorization

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
