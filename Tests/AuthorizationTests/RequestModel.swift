import Authorization
import Testing

/// What an input was to decide: the least that can be said of it, for comparison with what is stored.
enum Intended: Equatable {
  case nothing
  case decide(RecordKey, DecidedStatus, selection: Selection? = nil)
  case select(RecordKey, [SelectionChange])
  /// Taken back by an owner.
  case reset(Set<RecordKey>)
  /// Over by itself.
  case end(Set<RecordKey>)

  /// Whether a decision about the record is on its way.
  func settles(_ key: RecordKey) -> Bool {
    switch self {
    case .decide(let decided, _, _): decided == key
    case .reset(let keys): keys.contains(key)
    case .nothing, .select, .end: false
    }
  }

  /// Whether a transaction decides just that.
  func isDone(by transaction: AuthorizationTransaction) -> Bool {
    var put: [RecordKey: DecidedStatus] = [:]
    var removed: Set<RecordKey> = []
    for change in transaction.changes {
      switch change {
      case .put(let record, _): put[record.key] = record.decision.status
      case .remove(let key): removed.insert(key)
      case .select, .refusals: break
      }
    }
    return switch self {
    case .nothing, .select: put.isEmpty && removed.isEmpty
    case .decide(let key, let status, _): put == [key: status] && removed.isEmpty
    case .reset(let keys), .end(let keys): put.isEmpty && removed == keys
    }
  }
}

/// What the access log is told.
struct Note: Hashable {
  let event: AccessEvent
  let app: AppKey

  init(_ event: AccessEvent, _ app: AppKey) {
    self.event = event
    self.app = app
  }

  /// Of a record: what was decided, by whom.
  init(_ key: RecordKey, _ outcome: String?, _ author: AccessEvent.Author, detail: String? = nil) {
    let event = AccessEvent(
      .decision, accessLevel: key.accessLevel, outcome: outcome, by: author, detail: detail)
    self.init(event, key.app)
  }
}

/// What a registry holds and what it should hold, side by side.
struct RequestModel {
  struct Pending {
    let transaction: AuthorizationTransaction
    let intended: Intended
    /// Who meant it.
    let author: AccessEvent.Author?
  }

  /// Transactions that are not on disk yet, and what they were to be.
  var pending: [Pending] = []
  private(set) var decisions: [RecordKey: Decision] = [:]
  var restricted: Set<String> = []
  var authorized: Set<String> = []
  /// What the transactions make, and what was meant.
  private var stored: [RecordKey: Selection] = [:]
  private var meant: [RecordKey: Set<String>] = [:]

  func hasPolicy(_ key: RecordKey) -> Bool { policy(key) != nil }

  /// The name of what decides about it.
  func policy(_ key: RecordKey) -> String? {
    if restricted.contains(key.appID) { return key.appID }
    return authorized.contains(key.appID) ? "all" : nil
  }

  func status(of key: RecordKey, at now: Timestamp) -> AuthorizationStatus {
    if restricted.contains(key.appID) { return .restricted }
    if authorized.contains(key.appID) { return .authorized }
    // Of all that is or may soon be on disk, the least; of nothing, what was said last.
    var least = decisions[key]
    var state = least
    for change in pending.flatMap(\.transaction.changes) where change.key == key {
      switch change {
      case .put(let record, _): state = record.decision
      case .remove: state = nil
      case .select, .refusals: continue
      }
      let (now, before) = (Self.reach(state), Self.reach(least))
      if now < before || now == 0 && before == 0 { least = state }
    }
    guard let decision = least, !decision.hasExpired(at: now) else { return .notDetermined }
    return decision.status.status
  }

  /// Whether it includes location: where all that is or may soon be on disk does.
  func includesLocation(_ key: RecordKey, at now: Timestamp) -> Bool {
    let status = status(of: key, at: now)
    guard !hasPolicy(key), status == .authorized || status == .limited else { return false }
    return pending.flatMap(\.transaction.changes).allSatisfy { change in
      switch change {
      case .put(let record, _) where record.key == key: record.decision.includesLocation
      case .remove(key): false
      case .put, .remove, .select, .refusals: true
      }
    } && decisions[key]?.includesLocation == true
  }

  private static func reach(_ decision: Decision?) -> Int {
    switch decision?.status {
    case nil, .denied: 0
    case .limited: 1
    case .authorized: 2
    }
  }

  /// Whether something about a record is not on disk yet.
  func isUnderway(_ key: RecordKey) -> Bool {
    pending.contains { $0.transaction.changes.contains { $0.key == key } }
  }

  /// What the newest changes that are not on disk yet take out of a selection.
  func takenAway(from key: RecordKey) -> Set<String> {
    var taken: Set<String> = []
    let all = Set((0..<4).flatMap { ["\($0)", "album \($0)"] })
    for change in pending.flatMap(\.transaction.changes) where change.key == key {
      switch change {
      case .select(_, .remove(let fewer)): taken.formUnion(ids(fewer))
      case .select(_, .replace(let other)): taken.formUnion(all.subtracting(ids(other)))
      case .select(_, .add), .put, .remove, .refusals: break
      }
    }
    return taken
  }

  /// What is selected on disk.
  func selection(of key: RecordKey) -> Selection { stored[key] ?? Selection() }

  /// A transaction cannot be made: what it takes away is made all the same.
  ///
  /// - Returns: what is to be told of it.
  mutating func fail(_ failed: Pending) -> [Note] {
    let (transaction, intended) = (failed.transaction, failed.intended)
    for change in transaction.revocations { apply(change) }
    switch intended {
    case .nothing, .decide: break
    case .select(let key, let changes):
      for change in changes {
        switch change {
        case .add: break
        case .remove(let fewer): meant[key, default: []].subtract(ids(fewer))
        case .replace(let other): meant[key, default: []].formIntersection(ids(other))
        }
      }
    case .reset(let keys), .end(let keys): for key in keys { meant[key] = nil }
    }
    check()
    if case .decide(let key, _, _) = intended, let author = failed.author {
      // Of what takes and gives, the one half.
      let kept = transaction.revocations.compactMap { change -> Decision? in
        if case .put(let record, _) = change { record.decision } else { nil }
      }
      return kept.map {
        Note(key, $0.status.rawValue, author, detail: $0.includesLocation ? "location" : nil)
      }
    }
    return transaction.revocations.isEmpty ? [] : notes(of: failed)
  }

  /// What is told of what counts now.
  private func notes(of done: Pending) -> [Note] {
    guard let author = done.author else { return [] }
    return switch done.intended {
    case .nothing, .end: []
    case .decide(let key, let status, _): [Note(key, status.rawValue, author, detail: location(done))]
    case .select(let key, _):
      [Note(AccessEvent(.settings, accessLevel: key.accessLevel, by: author, detail: "selection"), key.app)]
    case .reset(let keys): keys.map { Note($0, end(of: $0), author) }
    }
  }

  private func location(_ done: Pending) -> String? {
    let includesLocation = done.transaction.changes.contains { change in
      if case .put(let record, _) = change { record.decision.includesLocation } else { false }
    }
    return includesLocation ? "location" : nil
  }

  /// What is told of the end of a decision: nothing of a status that stays.
  func end(of key: RecordKey) -> String? { hasPolicy(key) ? nil : "notDetermined" }

  /// Ends decisions.
  ///
  /// - Returns: those of them that are to be removed: nothing newer is on its way.
  mutating func end(_ over: Set<RecordKey>) -> Intended {
    for key in over { decisions[key] = nil }
    let removed = over.filter { key in !pending.contains { $0.intended.settles(key) } }
    return removed.isEmpty ? .nothing : .end(removed)
  }

  /// A transaction is on disk.
  ///
  /// - Returns: what is to be told of it.
  mutating func commit(_ done: Pending) -> [Note] {
    let intended = done.intended
    for change in done.transaction.changes { apply(change) }
    switch intended {
    case .nothing: break
    case .decide(let key, _, let selection): if let selection { meant[key] = ids(selection) }
    case .select(let key, let changes):
      for change in changes {
        switch change {
        case .add(let more): meant[key, default: []].formUnion(ids(more))
        case .remove(let fewer): meant[key, default: []].subtract(ids(fewer))
        case .replace(let other): meant[key] = ids(other)
        }
      }
    case .reset(let keys), .end(let keys): for key in keys { meant[key] = nil }
    }
    check()
    return notes(of: done)
  }

  private mutating func apply(_ change: AuthorizationChange) {
    switch change {
    case .put(let record, let selection):
      decisions[record.key] = record.decision
      if let selection { stored[record.key] = selection }
    case .select(let key, let change): stored[key, default: Selection()].apply(change)
    case .remove(let key):
      decisions[key] = nil
      stored[key] = nil
    case .refusals: break
    }
  }

  private func check() {
    for key in Set(stored.keys).union(meant.keys) {
      #expect(ids(stored[key] ?? Selection()) == meant[key] ?? [], "S16: a selection that nobody made")
    }
  }

  func ids(_ selection: Selection) -> Set<String> {
    selection.assets.union(selection.albums.map { "album \($0)" })
  }
}

extension Authorizations {
  /// The ids of what counts as selected.
  func selected(_ key: RecordKey) -> Set<String> {
    let selection = selections[key] ?? Selection()
    return selection.assets.union(selection.albums.map { "album \($0)" })
  }
}
