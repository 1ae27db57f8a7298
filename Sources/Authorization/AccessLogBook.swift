/// The newest rows of the access log, and which of them are still to be written. Without IO.
///
/// What is repeated within a minute is one row with a count, so that a thousand opens a second are one row
/// a minute; of decisions, those in a row. What one user's processes can make it hold is bounded, however many apps and
/// subordinate user ids they pose as.
package struct AccessLogBook: Sendable {
  /// The app of rows in which a user's apps are told together, because they were too many.
  package static let manyApps = "*"

  /// For so many seconds repetitions are one row.
  static let bucketSeconds: Int64 = 60
  /// Rows of one user that are open at a time; more are told together, by kind and what came of it.
  static let rowsPerUser = 256
  /// Rows that are kept while they cannot be written. Older ones are lost.
  static let unwrittenLimit = 4096

  private struct Key: Hashable {
    let app: AppKey
    let event: AccessEvent
  }

  /// The rows whose minute is not over, as far as anybody looked.
  private var open: [Key: AccessEntry] = [:]
  /// The row that was repeated last, which is unwritten: who opens a thousand files is looked for once.
  private var latest: (key: Key, place: Dictionary<Key, AccessEntry>.Index)?
  private var openPerUser: [UInt32: Int] = [:]
  private var unwritten: Set<Key> = []
  /// Rows whose minute is over and that are not written yet, oldest first.
  private var closed: [AccessEntry] = []
  private var lastID: Int64
  /// The place of the newest change of any row.
  package private(set) var revision: Int64
  /// Up to this place, rows may be known to the store alone.
  private var forgotten: Int64
  /// Rows that could never be written.
  package private(set) var lost = 0

  /// A log that goes on after what the store holds.
  package init(lastID: Int64 = 0, revision: Int64 = 0) {
    self.lastID = lastID
    self.revision = revision
    forgotten = revision
  }

  /// Whether something is to be written.
  package var hasUnwritten: Bool { !unwritten.isEmpty || !closed.isEmpty }

  /// Something was done.
  ///
  /// - Parameters:
  ///   - assets: how many it was about, where they are counted.
  ///   - user: whose share it counts against.
  /// - Returns: whether this is a new row, rather than a repetition.
  package mutating func note(
    _ event: AccessEvent, assets: Int? = nil, app: AppKey, accountable user: UInt32, at now: Timestamp
  ) -> Bool {
    var key = Key(app: app, event: event)
    revision += 1
    if event.kind == .decision { closeEarlierDecisions(than: key) }
    if repeats(key, assets, at: now) { return false }
    if openPerUser[user, default: 0] >= Self.rowsPerUser {
      closeOld(of: user, at: now)
      if openPerUser[user, default: 0] >= Self.rowsPerUser {
        key = Key(
          app: AppKey(uid: user, appID: Self.manyApps), event: AccessEvent(event.kind, outcome: event.outcome)
        )
        if repeats(key, assets, at: now) { return false }
      }
    }
    lastID += 1
    latest = nil
    open[key] = AccessEntry(
      id: lastID, revision: revision, first: now, last: now, count: 1, assets: assets.map { Int64($0) },
      app: key.app, accountable: user, event: key.event)
    openPerUser[user, default: 0] += 1
    unwritten.insert(key)
    return true
  }

  /// What is to be written now, in order; report a failure with ``failed(_:)``. Until it is written, only
  /// who asks the store after it finds rows that nobody will repeat.
  package mutating func takeUnwritten(at now: Timestamp) -> [AccessEntry] {
    let rows = (closed + unwritten.compactMap { open[$0] }).sorted { $0.revision < $1.revision }
    for row in closed { forget(row) }
    closed = []
    unwritten = []
    latest = nil
    for (key, row) in open where Self.isOver(row, at: now) {
      remove(key)
      forget(row)
    }
    return rows
  }

  /// These could not be written: they are to be written later, as long as there is room.
  package mutating func failed(_ rows: [AccessEntry]) {
    for row in rows {
      let key = Key(app: row.app, event: row.event)
      if open[key]?.id == row.id { unwritten.insert(key) } else { closed.append(row) }
    }
    dropSurplus()
  }

  /// The oldest of those users go who have the most, so that nobody pushes out what others did.
  private mutating func dropSurplus() {
    let surplus = closed.count - Self.unwrittenLimit
    guard surplus > 0 else { return }
    lost += surplus
    var counts = Dictionary(grouping: closed, by: \.accountable).mapValues(\.count)
    var dropping: [UInt32: Int] = [:]
    for _ in 0..<surplus {
      guard let most = counts.max(by: { ($0.value, $1.key) < ($1.value, $0.key) })?.key else { break }
      counts[most, default: 0] -= 1
      dropping[most, default: 0] += 1
    }
    closed.removeAll { row in
      guard let left = dropping[row.accountable], left > 0 else { return false }
      dropping[row.accountable] = left - 1
      return true
    }
  }

  /// The rows that the store does not have, or not as they are now.
  package var unwrittenRows: [AccessEntry] {
    (closed + unwritten.compactMap { open[$0] }).sorted { $0.revision < $1.revision }
  }

  /// The rows that changed after a place, in order; nil when only the store can tell.
  package func rows(after place: Int64) -> [AccessEntry]? {
    guard place >= forgotten else { return nil }
    return (closed + Array(open.values)).filter { $0.revision > place }.sorted { $0.revision < $1.revision }
  }

  // MARK: Rows

  private mutating func repeats(_ key: Key, _ assets: Int?, at now: Timestamp) -> Bool {
    let known = latest.flatMap { $0.key == key ? $0.place : nil }
    guard let place = known ?? open.index(forKey: key) else { return false }
    guard Self.count(assets, at: now, revision, in: &open.values[place]) else {
      close(key)
      return false
    }
    if known == nil {
      unwritten.insert(key)
      latest = (key, place)
    }
    return true
  }

  /// Counts a repetition in its row, in place.
  ///
  /// - Returns: whether the row's minute goes on; nothing is counted otherwise.
  private static func count(
    _ assets: Int?, at now: Timestamp, _ revision: Int64, in row: inout AccessEntry
  ) -> Bool {
    if isOver(row, at: now) { return false }
    row.count += 1
    if let assets { row.assets = (row.assets ?? 0) + Int64(assets) }
    row.revision = revision
    row.last = max(row.last, now)
    return true
  }

  /// Also over when the clock was set back: a row's times are in order.
  private static func isOver(_ row: AccessEntry, at now: Timestamp) -> Bool {
    now >= row.first.adding(seconds: Self.bucketSeconds)
      || now.adding(seconds: Self.bucketSeconds) < row.first
  }

  private mutating func closeOld(of user: UInt32, at now: Timestamp) {
    for (key, row) in open where row.accountable == user && Self.isOver(row, at: now) { close(key) }
  }

  /// Of decisions it matters which was the last: one is not told with its like from before another.
  private mutating func closeEarlierDecisions(than key: Key) {
    let earlier = open.keys.filter {
      $0.event.kind == .decision && $0.app == key.app
        && $0.event.accessLevel == key.event.accessLevel && $0 != key
    }
    for key in earlier { close(key) }
  }

  private mutating func close(_ key: Key) {
    guard let row = open[key] else { return }
    let isWritten = !unwritten.contains(key)
    remove(key)
    if isWritten { forget(row) } else { failed([row]) }
  }

  private mutating func remove(_ key: Key) {
    guard let row = open.removeValue(forKey: key) else { return }
    latest = nil
    unwritten.remove(key)
    let left = openPerUser[row.accountable, default: 1] - 1
    openPerUser[row.accountable] = left > 0 ? left : nil
  }

  private mutating func forget(_ row: AccessEntry) {
    forgotten = max(forgotten, row.revision)
  }
}
