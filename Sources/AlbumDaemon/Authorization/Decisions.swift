internal import Authorization
internal import EventLoop
internal import Storage

/// What holds now, for everybody who asks: ``AuthorizationCenter`` is who changes it.
///
/// Apart from it, because whoever is told of a change asks here, and the center is made with those it tells.
@EventLoopActor
final class Decisions {
  typealias Machine = AuthorizationRequests<
    AuthorizationCenter.Requester, AuthorizationCenter.AgentHandle, OwnerQuestion
  >

  /// Its inputs are the center's to give.
  var machine: Machine
  /// Records whose change counts, and of which nobody has been told yet.
  var untold: Set<RecordKey> = []
  private let registry: Registry
  private let clock: @EventLoopActor () -> Timestamp

  init(
    registry: Registry, snapshot: RegistrySnapshot, policies: PolicySet, owners: OwnerRules,
    expireUnusedAfterDays: Int?, clock: @escaping @EventLoopActor () -> Timestamp
  ) {
    self.registry = registry
    self.clock = clock
    machine = Machine(
      authorizations: Authorizations(
        policies: policies, records: snapshot.records, selections: snapshot.selections,
        lastUsed: snapshot.lastUsed, expireUnusedAfterDays: expireUnusedAfterDays),
      refusals: snapshot.refusals, owners: owners)
  }

  /// The time by which decisions hold and end.
  var now: Timestamp { clock() }

  /// The status of a record now (S5).
  func status(of key: RecordKey) -> EffectiveStatus {
    Authorizations.status(
      of: key, at: now, machine.authorizations.policies, machine.authorizations.decisions)
  }

  /// The record by which an app may add (S30).
  func recordForAdding(of app: PeerIdentity) -> RecordKey? {
    machine.authorizations.recordForAdding(of: app, at: now)
  }

  /// What a limited app may see; nothing unless something was selected.
  func selection(of key: RecordKey) -> Selection {
    machine.authorizations.selections[key] ?? Selection()
  }

  /// What of it may be another than when this was asked last; nil for nothing.
  func takeSelectionNews(of key: RecordKey) -> SelectionNews? { machine.takeSelectionNews(of: key) }

  /// Whether there is any.
  func hasSelectionNews(of key: RecordKey) -> Bool { machine.authorizations.selectionNews[key] != nil }

  /// How much is selected, when limited: for owners. Apps are told ``ViewJournal/selectionCount(of:_:)``.
  func selectionCount(of key: RecordKey, _ status: AuthorizationStatus) -> Int? {
    guard status == .limited else { return nil }
    let selection = selection(of: key)
    return selection.assets.count + selection.albums.count
  }

  /// Whether what was last said of a record is not what holds: who is told of changes is to look again.
  func isUntold(_ key: RecordKey) -> Bool { untold.contains(key) }

  /// Every decision, also those beneath a policy.
  var all: [RecordKey: Decision] { machine.authorizations.decisions }

  /// Whether there is a decision about an app, at any level.
  func hasDecided(about app: AppKey) -> Bool {
    for level in AccessLevel.allCases where all[app.record(level)] != nil { return true }
    return false
  }

  /// The apps about which there is one.
  var apps: AppIndex { machine.authorizations.decidedApps }

  /// The policies in force.
  var policies: PolicySet { machine.authorizations.policies }

  /// Every record that an owner can reset.
  var resettableKeys: [RecordKey] {
    Set(all.keys).union(machine.refusals.keys).union(machine.authorizations.selections.keys).sorted()
  }

  /// What an open prompt asks besides authorization.
  func question(of prompt: PromptID) -> OwnerQuestion? {
    guard case .question(let question)? = machine.prompts.first(where: { $0.id == prompt })?.subject else {
      return nil
    }
    return question
  }

  /// How many prompts wait for an answer.
  var promptCount: Int { machine.prompts.count }

  /// When a decision was last made use of, to the day.
  func lastUsed(_ key: RecordKey) -> Timestamp? { machine.authorizations.lastUsed[key] }

  /// An app makes use of a grant: at most one write for a record and day.
  func use(_ key: RecordKey) {
    let now = now
    if machine.use(key, at: now) { noteUse(key, at: now) }
  }

  /// One that is lost to a full disk is noted again tomorrow.
  func noteUse(_ key: RecordKey, at time: Timestamp) { registry.noteUse(of: key, at: time) { _ in } }
}
