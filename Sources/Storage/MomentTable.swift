internal import LibraryModel
internal import Linux

/// How many assets of each kind were created on each day of the host's (S58): a gallery asks for all days at once, and
/// counting a million assets takes longer than anybody waits.
///
/// What a batch changes is written when it ends: most of its files are of a few days.
final class MomentTable {
  /// What a batch does to a day.
  private struct Change {
    var count: Int64 = 0
    /// The first of those that came.
    var added: AssetPosition?
    /// The first of those that went.
    var removed: AssetPosition?

    mutating func add(_ position: AssetPosition) {
      count += 1
      added = min(added ?? position, position)
    }

    mutating func remove(_ position: AssetPosition) {
      count -= 1
      removed = min(removed ?? position, position)
    }
  }

  /// The zone whose days they are.
  let zone: LocalZone
  private var changes: [DayKey: Change] = [:]
  private let connection: LibraryConnection
  private let removal, firstOf, firstIn, correction: LibraryStatement

  init(_ connection: LibraryConnection, _ zone: LocalZone) throws(StorageError) {
    self.connection = connection
    self.zone = zone
    removal = try connection.prepareApart(
      "DELETE FROM moment WHERE day = ? AND mediaType = ? AND count <= 0")
    firstOf = try connection.prepareApart(
      "SELECT firstCreated, first FROM moment WHERE day = ? AND mediaType = ?")
    firstIn = try connection.prepare(
      """
      SELECT created, id FROM asset INDEXED BY asset_created
      WHERE created >= ? AND created < ? AND mediaType = ? AND flags & 2 = 0 ORDER BY created, id LIMIT 1
      """)
    correction = try connection.prepareApart(
      "UPDATE moment SET firstCreated = ?3, first = ?4 WHERE day = ?1 AND mediaType = ?2")
  }

  // MARK: Counting

  /// An asset came.
  func added(_ id: AssetID, _ created: Int64, _ mediaType: MediaType) {
    let position = AssetPosition(created: created, id: id)
    changes[key(created, mediaType), default: Change()].add(position)
  }

  /// An asset went.
  func removed(_ id: AssetID, _ created: Int64, _ mediaType: MediaType) {
    let position = AssetPosition(created: created, id: id)
    changes[key(created, mediaType), default: Change()].remove(position)
  }

  private func key(_ created: Int64, _ mediaType: MediaType) -> DayKey {
    DayKey(day: zone.day(at: created.dividedDown(by: 1_000_000_000)), mediaType: mediaType)
  }

  /// The batch ends.
  func write() throws(StorageError) {
    for (key, change) in changes {
      try connection.waiting.add(change.count, change.added, on: key)
      guard let gone = change.removed else { continue }
      try connection.waiting.write()
      bind(key, to: removal)
      try removal.run()
      bind(key, to: firstOf)
      let first = try firstOf.first { AssetPosition(created: $0.int(0), id: AssetID(rawValue: $0.int(1))) }
      if let first, gone <= first { try findFirst(of: key) }
    }
  }

  private func bind(_ key: DayKey, to statement: LibraryStatement) {
    statement.bind(1, key.day)
    statement.bind(2, Int64(key.mediaType.rawValue))
  }

  /// The first of a day has gone.
  private func findFirst(of key: DayKey) throws(StorageError) {
    firstIn.bind(1, nanoseconds(key.day))
    firstIn.bind(2, nanoseconds(key.day + 1))
    firstIn.bind(3, Int64(key.mediaType.rawValue))
    guard let (created, id) = try firstIn.first({ ($0.int(0), $0.int(1)) }) else { return }
    bind(key, to: correction)
    correction.bind(3, created)
    correction.bind(4, id)
    try correction.run()
  }

  /// When a day begins; the ends of time where that does not fit.
  private func nanoseconds(_ day: Int64) -> Int64 {
    let (product, overflows) = zone.start(ofDay: day).multipliedReportingOverflow(by: 1_000_000_000)
    return overflows ? (day < 0 ? .min : .max) : product
  }

  /// The batch is kept.
  func keep() { forget() }

  /// The batch is not kept.
  func forget() { changes.removeAll(keepingCapacity: true) }

  // MARK: Anew

  /// Whether the days are those of the zone.
  var isOfZone: Bool {
    get throws(StorageError) { try connection.meta("momentZone") == zone.signature }
  }

  /// Counts everything, by the days of the zone.
  func countAgain() throws(StorageError) {
    try connection.run("DELETE FROM moment")
    changes.removeAll()
    for (id, created, mediaType) in try connection.statement(
      "SELECT id, created, mediaType FROM asset WHERE flags & 2 = 0"
    ).all({
      (
        AssetID(rawValue: $0.int(0)), $0.int(1),
        MediaType(rawValue: UInt8(truncatingIfNeeded: $0.int(2))) ?? .image
      )
    }) { added(id, created, mediaType) }
    let note = try connection.statement("INSERT OR REPLACE INTO meta VALUES ('momentZone', ?)")
    note.bind(1, zone.signature)
    try note.run()
  }

  /// How many there are on each day and of each kind, in order, and the first.
  static let allDays = "SELECT day, mediaType, count, firstCreated, first FROM moment ORDER BY day"

  /// How many there are on each day, in order, and the first.
  ///
  /// - Parameters:
  ///   - mediaTypes: of which kinds; of all when empty.
  ///   - statement: of ``allDays``.
  static func days(
    of mediaTypes: Set<MediaType>, _ statement: LibraryStatement
  ) throws(StorageError) -> [CountedDay] {
    var days: [CountedDay] = []
    try statement.each { row in
      let mediaType = MediaType(rawValue: UInt8(truncatingIfNeeded: row.int(1))) ?? .image
      guard mediaTypes.isEmpty || mediaTypes.contains(mediaType) else { return }
      let day = row.int(0)
      if days.last?.day != day { days.append(CountedDay(day: day)) }
      days[days.count - 1].add(
        Int(row.int(2)), AssetPosition(created: row.int(3), id: AssetID(rawValue: row.int(4))))
    }
    return days
  }
}

/// What is counted together: the assets of a kind that were created on a day of the host's.
struct DayKey: Hashable {
  let day: Int64
  let mediaType: MediaType
}

/// An asset in the order of `created`.
struct AssetPosition: Comparable {
  let created: Int64
  let id: AssetID

  static func < (left: AssetPosition, right: AssetPosition) -> Bool {
    (left.created, left.id) < (right.created, right.id)
  }
}

/// How many assets were created on a day of the host's, or in what begins with it.
struct CountedDay {
  let day: Int64
  var count = 0
  /// The first of them; none was counted yet where it is the last that there could be.
  var first = AssetPosition(created: .max, id: AssetID(rawValue: .max))

  /// Counts some more.
  mutating func add(_ number: Int, _ position: AssetPosition) {
    count += number
    first = min(first, position)
  }
}
