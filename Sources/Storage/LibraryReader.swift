internal import GRDBSQLite
package import LibraryModel
internal import Linux
internal import Synchronization

/// How to read, on another thread, what is committed now: what takes longer than the loop may.
package struct LibraryApart: Sendable {
  let path: String
  let volumes: VolumeNumbers
  let ahead: @Sendable (Int64) -> Int64

  /// Reads the index as it was at one moment, on the thread of whoever calls this.
  ///
  /// It hinders no writer, but for as long as it takes what is written stays in the write-ahead log.
  ///
  /// - Parameter limit: when it is to stop before its end.
  /// - Throws: what `body` does; ``SearchLimit/Reached`` where it was stopped.
  package func read<Value>(_ limit: SearchLimit, _ body: (LibraryReader) throws -> Value) throws -> Value {
    let reader = try LibraryReader(self)
    return try withExtendedLifetime(reader) {
      try limit.applied(to: reader.pointer) { try reader.together { try body(reader) } }
    }
  }
}

/// Finds and counts assets on a connection of its own, which only reads.
package final class LibraryReader {
  let pointer: OpaquePointer
  private let path: String
  private let zone: LocalZone
  private let search: AssetSearch

  fileprivate init(_ apart: LibraryApart) throws(StorageError) {
    var opened: OpaquePointer?
    let result = sqlite3_open_v2(apart.path, &opened, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, nil)
    guard result == SQLITE_OK, let opened else {
      let error = StorageError(sqlite: opened, result, path: apart.path)
      sqlite3_close_v2(opened)
      throw error
    }
    pointer = opened
    path = apart.path
    zone = LocalZone(ahead: apart.ahead)
    search = AssetSearch { [volumes = apart.volumes] in
      volumes
    } query: {
      [path = apart.path] (sql) throws(StorageError) in
      try LibraryStatement(sql, on: opened, path: path)
    }
    sqlite3_extended_result_codes(opened, 1)
    sqlite3_busy_timeout(opened, 5000)
    let set = sqlite3_exec(opened, "PRAGMA temp_store = MEMORY; PRAGMA trusted_schema = OFF", nil, nil, nil)
    guard set == SQLITE_OK else { throw StorageError(sqlite: opened, set, path: apart.path) }
  }

  deinit {
    // Statements that are finalized later close it then.
    sqlite3_close_v2(pointer)
  }

  /// One page of the assets that match: as ``AssetQueries/fetch(_:after:limit:matching:)``.
  package func fetch(
    _ query: AssetQuery, after cursor: AssetCursor? = nil, limit: Int, matching: Int? = nil
  ) throws -> (assets: [Asset], next: AssetCursor?) {
    try search.page(query, after: cursor, limit: limit, matching: matching)
  }

  /// How many assets match.
  package func count(_ query: AssetQuery) throws -> Int { try search.count(query) }

  /// The moments of the assets that match, in order (S58).
  ///
  /// Of the whole library they were counted beforehand (``MomentTable``), so that it costs what there are days; else it
  /// costs what matches.
  package func moments(_ query: AssetQuery, by unit: Moment.Unit) throws -> [Moment] {
    var kinds = query
    kinds.mediaTypes = []
    let days = kinds.isUnfiltered ? try countedDays(of: query.mediaTypes) : try foundDays(query)
    var spans: [CountedDay] = []
    for day in days {
      let start = unit.firstDay(of: day.day)
      if spans.last?.day == start {
        spans[spans.count - 1].count += day.count
      } else {
        spans.append(CountedDay(day: start, count: day.count, first: day.first))
      }
    }
    return spans.map { Moment(start: zone.start(ofDay: $0.day), count: $0.count, first: $0.first.id) }
  }

  private func countedDays(of mediaTypes: Set<MediaType>) throws(StorageError) -> [CountedDay] {
    try MomentTable.days(of: mediaTypes, try LibraryStatement(MomentTable.allDays, on: pointer, path: path))
  }

  private func foundDays(_ query: AssetQuery) throws(StorageError) -> [CountedDay] {
    var days: [Int64: CountedDay] = [:]
    try search.each(query) { id, created in
      let day = zone.day(at: created.dividedDown(by: 1_000_000_000))
      days[day, default: CountedDay(day: day)].add(1, AssetPosition(created: created, id: id))
    }
    return days.values.sorted { $0.day < $1.day }
  }

  /// Everything in one transaction: of one moment.
  fileprivate func together<Value>(_ body: () throws -> Value) throws -> Value {
    try LibraryStatement("BEGIN", on: pointer, path: path).run()
    // It has written nothing: its end, or the connection's, is all the same.
    return try body()
  }
}

/// When a search is to stop before its end: when nobody waits for it any more, or when it has taken too much.
package final class SearchLimit: Sendable {
  /// Why it was stopped.
  package enum Reached: Error {
    /// Nobody waits for it.
    case cancelled
    /// It took more than it may.
    case tooLong
  }

  /// SQLite looks here each time that it has done so many operations of its virtual machine.
  static let interval = 10_000

  private let isCancelled = Atomic(false)
  private let looksLeft: Atomic<Int>

  /// - Parameter operations: of SQLite's virtual machine, that it may take. It does some ten million a second.
  package init(operations: Int) { looksLeft = Atomic(operations / Self.interval) }

  /// Nobody waits for it any more. It may be called on any thread.
  package func cancel() { isCancelled.store(true, ordering: .relaxed) }

  private var reached: Reached? {
    if isCancelled.load(ordering: .relaxed) { return .cancelled }
    return looksLeft.load(ordering: .relaxed) < 0 ? .tooLong : nil
  }

  private func look() -> Bool {
    looksLeft.subtract(1, ordering: .relaxed)
    return reached != nil
  }

  fileprivate func applied<Value>(to connection: OpaquePointer, _ body: () throws -> Value) throws -> Value {
    sqlite3_progress_handler(
      connection, CInt(Self.interval),
      { context in
        guard let context else { return 0 }
        return Unmanaged<SearchLimit>.fromOpaque(context).takeUnretainedValue().look() ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
    defer { sqlite3_progress_handler(connection, 0, nil, nil) }
    if isCancelled.load(ordering: .relaxed) { throw Reached.cancelled }
    do { return try withExtendedLifetime(self, body) } catch let error as StorageError {
      // SQLITE_INTERRUPT is all that SQLite says.
      if let reached { throw reached }
      throw error
    }
  }
}
