/// Everything that was decided: the policies and the owner's decisions, in memory.
///
/// Asking it is a look-up: no file, no wait, no change (rule S5).
public struct Authorizations: Sendable {
  /// The administrator's policies.
  public var policies: PolicySet
  /// What owners decided. A decision stays here while a policy covers it, and returns with the policy's
  /// end (rule S6).
  public private(set) var decisions: [RecordKey: Decision] = [:]

  /// Policies and the decisions read from the registry.
  public init(policies: PolicySet = PolicySet(), records: [AuthorizationRecord] = []) {
    self.policies = policies
    for record in records { decisions[record.key] = record.decision }
  }

  /// The strictest policy, else the decision that has not expired, else undecided (rules S4, S6).
  public func status(of key: RecordKey, at now: Timestamp) -> EffectiveStatus {
    if let policy = policies.policy(for: key) { return EffectiveStatus(.policy(policy)) }
    guard let decision = decisions[key], !decision.hasExpired(at: now) else {
      return EffectiveStatus(.undecided)
    }
    return EffectiveStatus(.decision(decision))
  }

  /// Whether the app may add: through either level (rules S2, S30).
  public func mayAdd(uid: UInt32, appID: String, at now: Timestamp) -> Bool {
    AccessLevel.allCases.contains { level in
      status(of: RecordKey(uid: uid, appID: appID, accessLevel: level), at: now).status.isUsable
    }
  }

  /// The next moment at which a decision ends, for a timer; `expired(at:)` tells which did.
  public var nextExpiry: Timestamp? {
    decisions.values.lazy.compactMap(\.expires).min()
  }

  /// The records whose time is over.
  public func expired(at now: Timestamp) -> [RecordKey] {
    decisions.filter { $0.value.hasExpired(at: now) }.keys.sorted()
  }

  /// The records whose decision ends with that process.
  public func bound(to process: ProcessInstance) -> [RecordKey] {
    decisions.filter { $0.value.process == process }.keys.sorted()
  }

  /// The processes that decisions are bound to: to be watched, from the daemon's start on.
  public var processes: Set<ProcessInstance> {
    Set(decisions.values.lazy.compactMap(\.process))
  }

  /// Puts a decision in the place of whatever was there.
  public mutating func put(_ record: AuthorizationRecord) {
    decisions[record.key] = record.decision
  }

  /// Removes a decision: it was reset, its time is over, or its process has gone.
  public mutating func forget(_ key: RecordKey) {
    decisions[key] = nil
  }
}
