/// Everything that was decided: the policies and the owner's decisions and selections, in memory.
///
/// Asking it is a look-up: no file, no wait, no change (rule S5). What is given to an app counts when it is on disk;
/// what is taken away counts at once, whatever becomes of the disk.
package struct Authorizations: Sendable {
  /// The administrator's policies.
  package var policies: PolicySet
  /// What owners decided. A decision stays here while a policy covers it, and returns with the policy's
  /// end (rule S6).
  package private(set) var decisions: [RecordKey: Decision] = [:]
  /// The apps that they are about.
  package private(set) var decidedApps = AppIndex()

  /// What apps may see when they are limited (rule S16). Kept when the access changes, until it is reset.
  package internal(set) var selections: [RecordKey: Selection] = [:]
  var underway = Underway()
  /// What of them may be otherwise since somebody looked.
  package internal(set) var selectionNews: [RecordKey: SelectionNews] = [:]

  /// When a grant was last made use of; noted once a day.
  package private(set) var lastUsed: [RecordKey: Timestamp] = [:]
  /// Days after which a grant that was not used is taken back; never when nil.
  package var expireUnusedAfterDays: Int?

  /// Policies and what was read from the registry.
  package init(
    policies: PolicySet = PolicySet(), records: [AuthorizationRecord] = [],
    selections: [RecordKey: Selection] = [:], lastUsed: [RecordKey: Timestamp] = [:],
    expireUnusedAfterDays: Int? = nil
  ) {
    self.policies = policies
    self.selections = selections
    self.lastUsed = lastUsed
    self.expireUnusedAfterDays = expireUnusedAfterDays
    for record in records { setDecision(record.decision, about: record.key) }
  }

  /// The strictest policy, else the decision that has not expired, else undecided (rules S4, S6).
  package func status(of key: RecordKey, at now: Timestamp) -> EffectiveStatus {
    Self.status(of: key, at: now, policies, decisions)
  }

  /// The same, of what it depends on: to ask for it, nobody who keeps all of this in a class has to copy the rest.
  package static func status(
    of key: RecordKey, at now: Timestamp, _ policies: PolicySet, _ decisions: [RecordKey: Decision]
  ) -> EffectiveStatus {
    if let policy = policies.policy(for: key) { return EffectiveStatus(.policy(policy)) }
    guard let decision = decisions[key], !decision.hasExpired(at: now) else {
      return EffectiveStatus(.undecided)
    }
    return EffectiveStatus(.decision(decision))
  }

  /// The record by which an app may add: the one by which it may read as well, else the one for adding alone
  /// (rules S2, S30, S32); nil when it may not.
  package func recordForAdding(of app: PeerIdentity, at now: Timestamp) -> RecordKey? {
    [app.record(.readWrite), app.record(.addOnly)].first { status(of: $0, at: now).status.isUsable }
  }

  /// The next moment at which a decision ends, for a timer; `expired(at:)` tells which did.
  package var nextExpiry: Timestamp? {
    settled.lazy.compactMap { key, decision in
      [decision.expires, endOfUnused(key, decision)].compactMap { $0 }.min()
    }.min()
  }

  /// The records whose time is over, or that were not used for too long.
  package func expired(at now: Timestamp) -> [RecordKey] {
    (settled.filter { $0.value.hasExpired(at: now) }.keys + unused(at: now)).sorted()
  }

  /// The grants that were not used for as many days as are allowed, and have not ended otherwise.
  package func unused(at now: Timestamp) -> [RecordKey] {
    settled.filter { key, decision in
      !decision.hasExpired(at: now) && endOfUnused(key, decision).map { $0 <= now } ?? false
    }.keys.sorted()
  }

  /// The grants beneath a policy, where those that are not used end: time beneath one counts as use, so that the
  /// decision returns when the policy goes (rule S6).
  package var beneathPolicies: [RecordKey] {
    guard expireUnusedAfterDays != nil else { return [] }
    return decisions.filter { $1.status.status.isUsable && policies.policy(for: $0) != nil }.keys.sorted()
  }

  /// A use is noted once a day, so the last one may be up to a day later than what is noted: a day is added,
  /// and nothing ends too early.
  private func endOfUnused(_ key: RecordKey, _ decision: Decision) -> Timestamp? {
    guard let days = expireUnusedAfterDays, decision.status.status.isUsable else { return nil }
    let used = lastUsed[key].map { $0.adding(seconds: Self.day) } ?? decision.decidedAt
    return max(used, decision.decidedAt).adding(seconds: Int64(days) * Self.day)
  }

  /// An app makes use of a grant.
  ///
  /// - Returns: whether that is to be stored: the first time in a day.
  package mutating func use(_ key: RecordKey, at now: Timestamp) -> Bool {
    if let last = lastUsed[key], last <= now, last.adding(seconds: Self.day) > now { return false }
    guard decisions[key] != nil else { return false }
    lastUsed[key] = now
    return true
  }

  private static let day: Int64 = 86_400

  /// The records whose decision ends with that process.
  package func bound(to process: ProcessInstance) -> [RecordKey] {
    settled.filter { $0.value.process == process }.keys.sorted()
  }

  /// The processes that decisions are bound to: to be watched, from the daemon's start on.
  package var processes: Set<ProcessInstance> {
    Set(settled.values.lazy.compactMap(\.process))
  }

  /// Ends a decision: its time is over, or its process has gone. That needs no disk; what is to become of the
  /// selection is told by a transaction.
  mutating func end(_ key: RecordKey) {
    forgetUse(of: key)
    guard underway.stored[key] != nil else { return setDecision(nil, about: key) }
    endStored(key)
    noteNews(.anything, of: key)
  }

  private mutating func setDecision(_ decision: Decision?, about key: RecordKey) {
    decisions[key] = decision
    let isDecided = key.app.records.contains { decisions[$0] != nil }
    if isDecided { decidedApps.insert(key.app) } else { decidedApps.remove(key.app) }
  }

  /// The decisions on disk: what is on its way there ends when it has come.
  private var settled: [RecordKey: Decision] {
    var decisions = decisions
    for (key, state) in underway.stored { decisions[key] = state.decision }
    return decisions
  }

  mutating func forgetUse(of key: RecordKey) { lastUsed[key] = nil }

  /// What counts of a record.
  func state(of key: RecordKey) -> RecordState {
    RecordState(decision: decisions[key], selection: selections[key] ?? Selection())
  }

  mutating func set(_ state: RecordState, of key: RecordKey) {
    setDecision(state.decision, about: key)
    selections[key] = state.selection.isEmpty ? nil : state.selection
  }
}
