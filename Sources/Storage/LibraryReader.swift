internal import GRDBSQLite
package import LibraryModel
internal import Linux

/// How to read, on another thread, what is committed now: what takes longer than the loop may.
package struct LibraryApart: Sendable {
  let path: String
  let volumes: VolumeNumbers
  let ahead: @Sendable (Int64) -> Int64
  let kept: KeptReader

  /// Reads the index as it was at one moment, on the thread of whoever calls this.
  ///
  /// It hinders no writer, but for as long as it takes what is written stays in the write-ahead log.
  ///
  /// - Parameter limit: when it is to stop before its end.
  /// - Throws: what `body` does; ``SearchLimit/Reached`` where it was stopped.
  package func read<Value: Sendable>(
    _ limit: SearchLimit, _ body: (LibraryReader) throws -> Value
  ) throws -> Value {
    let own: ReaderConnection
    // What is the matter with the index itself, the other says as well.
    do { own = try ReaderConnection(path) } catch { return try kept.use { try read(limit, on: $0, body) } }
    return try read(limit, on: own, body)
  }

  private func read<Value>(
    _ limit: SearchLimit, on connection: ReaderConnection, _ body: (LibraryReader) throws -> Value
  ) throws -> Value {
    let reader = LibraryReader(self, connection)
    return try limit.applied(to: connection.pointer) { try reader.together { try body(reader) } }
  }
}

/// Finds and counts assets on a connection that only reads.
package final class LibraryReader {
  private let connection: ReaderConnection
  private let path: String
  private let zone: LocalZone
  let search: AssetSearch

  fileprivate init(_ apart: LibraryApart, _ connection: ReaderConnection) {
    self.connection = connection
    path = apart.path
    zone = LocalZone(ahead: apart.ahead)
    search = AssetSearch { [volumes = apart.volumes] in
      volumes
    } query: {
      [path = apart.path] (sql) throws(StorageError) in
      try LibraryStatement(sql, on: connection.pointer, path: path)
    }
  }

  var pointer: OpaquePointer { connection.pointer }

  /// One page of the assets that match: as ``AssetQueries/fetch(_:after:limit:matching:)``.
  ///
  /// - Parameter offset: how many of those after the cursor are left out. Each of them is looked at.
  package func fetch(
    _ query: AssetQuery, after cursor: AssetCursor? = nil, limit: Int, matching: Int? = nil, offset: Int = 0
  ) throws -> (assets: [Asset], next: AssetCursor?) {
    try search.page(query, after: cursor, limit: limit, matching: matching, offset: offset)
  }

  /// How many assets match. Of kinds of the whole library they were counted beforehand (``MomentTable``).
  package func count(_ query: AssetQuery) throws -> Int {
    var kinds = query
    kinds.mediaTypes = []
    guard kinds.isUnfiltered, !query.mediaTypes.isEmpty, !query.includesHidden else {
      return try search.count(query)
    }
    return try countedDays(of: query.mediaTypes).reduce(0) { $0 + $1.count }
  }

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

  /// What was done to an asset last (S94): also where that has not led to what it is now.
  package func adjustment(of asset: AssetID) throws -> Adjustment? {
    try EditTable.adjustment(
      of: asset, try LibraryStatement(EditTable.adjustmentSQL, on: pointer, path: path))
  }

  /// Everything in one transaction: of one moment.
  fileprivate func together<Value>(_ body: () throws -> Value) throws -> Value {
    try LibraryStatement("BEGIN", on: pointer, path: path).run()
    // It has written nothing: how it ends is all the same.
    defer { sqlite3_exec(pointer, "ROLLBACK", nil, nil, nil) }
    return try body()
  }
}
