package import Authorization
internal import GRDB
internal import Glibc
internal import Linux

/// The access log on disk: `access.sqlite` in the state directory.
///
/// Written and read on a thread of its own, one thing after another: what is read after a write holds it. The log
/// decides nothing, so a damaged one is put aside and a new one begun.
package final class AccessLogStore: Sendable {
  /// The database file.
  package let path: String
  /// Why an older file was put aside, if one was.
  package let setAside: String?
  /// The newest row's id, and the place of the newest change, when it was opened.
  package let last: (id: Int64, revision: Int64)
  private let queue: DatabaseQueue
  private let thread = SerialThread()

  private let rowLimit: Int64

  /// Opens the log in that directory, or makes it.
  ///
  /// - Parameter rowLimit: the most rows that are kept. Each user has a share of them, and each of its apps.
  /// - Throws: `StorageError`: `newerSchema`, `readOnly`, `full`, `cannotOpen`.
  package init(directory: String, rowLimit: Int64 = 100_000) throws(StorageError) {
    let path = "\(directory)/access.sqlite"
    self.rowLimit = rowLimit
    self.path = path
    do {
      do {
        (queue, last) = try Self.open(path)
        setAside = nil
      } catch let error as DatabaseError where Self.isDamage(error) {
        for suffix in ["-wal", "-shm"] { unlink(path + suffix) }
        rename(path, path + ".damaged")
        (queue, last) = try Self.open(path)
        setAside = "\(error.message ?? "\(error)"); it is kept as \(path).damaged"
      }
    } catch {
      throw StorageError(error, path: path)
    }
  }

  private static func isDamage(_ error: DatabaseError) -> Bool {
    error.resultCode == .SQLITE_CORRUPT || error.resultCode == .SQLITE_NOTADB
  }

  private static func open(_ path: String) throws -> (DatabaseQueue, (id: Int64, revision: Int64)) {
    let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    if descriptor >= 0 { Glibc.close(descriptor) }
    MemoryStatistics.turnOff()
    var configuration = Configuration()
    configuration.label = "access log"
    configuration.busyMode = .timeout(5)
    configuration.prepareDatabase { database in
      // NORMAL: a power failure may cost the last seconds, and never the file.
      try database.execute(
        sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA trusted_schema = OFF;")
    }
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    let isNewer = try queue.read { try migrator.hasBeenSuperseded($0) }
    if isNewer {
      throw StorageError(
        code: .newerSchema, message: "a newer version of albumd wrote this log", path: path,
        advice: "install that version again, or move the file away: it decides nothing")
    }
    try migrator.migrate(queue)
    let last = try queue.read { database in
      (
        id: try Int64.fetchOne(database, sql: "SELECT max(id) FROM entry") ?? 0,
        revision: try Int64.fetchOne(database, sql: "SELECT max(revision) FROM entry") ?? 0
      )
    }
    // Counted up from: no log comes there by itself.
    guard max(last.id, last.revision) < 1 << 62 else {
      throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "its last row is no row of a log")
    }
    return (queue, last)
  }

  /// A later version adds a migration after the last one, and never changes one that was released.
  private static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("access-1") { database in
      try database.execute(
        sql: """
          CREATE TABLE entry (
            id INTEGER PRIMARY KEY, revision INTEGER NOT NULL UNIQUE,
            first INTEGER NOT NULL, last INTEGER NOT NULL, count INTEGER NOT NULL CHECK (count > 0),
            uid INTEGER NOT NULL, app TEXT NOT NULL, kind TEXT NOT NULL,
            level TEXT, outcome TEXT, role TEXT, byUID INTEGER, detail TEXT
          ) STRICT;
          """)
    }
    migrator.registerMigration("access-2") { database in
      try database.execute(sql: "CREATE INDEX entryByUser ON entry (uid, app);")
    }
    migrator.registerMigration("access-3") { database in
      // Until then the detail told of how many assets each time was.
      try database.execute(
        sql: """
          ALTER TABLE entry ADD COLUMN assets INTEGER;
          UPDATE entry SET assets = count * CAST(detail AS INTEGER), detail = NULL
            WHERE kind IN ('delete', 'restore', 'purge') AND detail GLOB '[0-9]* asset*';
          """)
    }
    migrator.registerMigration("access-4") { database in
      // Until then each subordinate id had a share of its own.
      try database.execute(
        sql: """
          ALTER TABLE entry ADD COLUMN accountable INTEGER;
          UPDATE entry SET accountable = uid;
          DROP INDEX entryByUser;
          CREATE INDEX entryByUser ON entry (accountable, app);
          """)
    }
    return migrator
  }

  /// Writes rows, each in the place of what was written of it before, and removes what is too old or too
  /// much. All in one transaction.
  ///
  /// - Parameters:
  ///   - oldest: what happened last before that is removed.
  ///   - completion: told on the log's thread.
  package func write(
    _ rows: [AccessEntry], oldest: Timestamp,
    completion: @escaping @Sendable (Result<Void, StorageError>) -> Void
  ) {
    thread.async { [queue, path, rowLimit] in
      let result = Result { try queue.write { try Self.write(rows, oldest, rowLimit, $0) } }
      completion(result.mapError { StorageError($0, path: path) })
    }
  }

  /// Writes the last rows, and closes the file: for the end of the daemon.
  package func close(writing rows: [AccessEntry], oldest: Timestamp) throws(StorageError) {
    thread.finish()
    do {
      if !rows.isEmpty { try queue.write { try Self.write(rows, oldest, rowLimit, $0) } }
      try queue.retire()
    } catch {
      throw StorageError(error, path: path)
    }
  }

  /// Removes all rows.
  ///
  /// - Parameter completion: told on the log's thread.
  package func removeAll(completion: @escaping @Sendable (Result<Void, StorageError>) -> Void) {
    thread.async { [queue, path] in
      let result = Result { try queue.write { try $0.execute(sql: "DELETE FROM entry") } }
      completion(result.mapError { StorageError($0, path: path) })
    }
  }

  private static func write(
    _ rows: [AccessEntry], _ oldest: Timestamp, _ limit: Int64, _ database: Database
  ) throws {
    let statement = try database.cachedStatement(
      sql: """
        INSERT INTO entry (
          id, revision, first, last, count, assets, uid, accountable, app, kind, level, outcome, role, byUID,
          detail)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (id) DO UPDATE SET revision = excluded.revision, last = excluded.last,
          count = excluded.count, assets = excluded.assets
        """)
    for row in rows {
      let event = row.event
      let values: [(any DatabaseValueConvertible)?] = [
        row.id, row.revision, row.first.microseconds, row.last.microseconds, row.count, row.assets,
        row.uid, row.accountable, row.appID, event.kind.rawValue, event.accessLevel?.rawValue, event.outcome,
        event.by?.role.rawValue,
        event.by?.uid, event.detail,
      ]
      try statement.execute(arguments: StatementArguments(values))
    }
    try trim(to: limit, database)
    let expire = try database.cachedStatement(
      sql: "DELETE FROM entry WHERE id IN (SELECT id FROM entry ORDER BY id LIMIT 256) AND last < ?")
    try expire.execute(arguments: [oldest.microseconds])
  }

  /// Which rows are wanted.
  package struct Query: Hashable, Sendable {
    /// Changed after this place.
    package var place: Int64
    /// Of this app only.
    package var appID: String?
    /// Happened last at this time or later.
    package var since: Timestamp
    /// At most so many.
    package var limit: Int

    /// A query.
    package init(after place: Int64, appID: String?, since: Timestamp, limit: Int) {
      self.place = place
      self.appID = appID
      self.since = since
      self.limit = limit
    }
  }

  /// Rows by their place, once everything that was given to be written before is written.
  ///
  /// - Parameter completion: told on the log's thread.
  package func read(
    _ query: Query, completion: @escaping @Sendable (Result<[AccessEntry], StorageError>) -> Void
  ) {
    thread.async { [queue, path] in
      let result = Result {
        try queue.read { database in
          try Row.fetchAll(
            database,
            sql: """
              SELECT * FROM entry WHERE revision > ? AND last >= ? AND (? IS NULL OR app = ?)
              ORDER BY revision LIMIT ?
              """,
            arguments: [query.place, query.since.microseconds, query.appID, query.appID, query.limit]
          ).compactMap {
            try AccessEntry(CheckedRow(row: $0, path: path, advice: StorageError.accessLogAdvice))
          }
        }
      }
      completion(result.mapError { StorageError($0, path: path) })
    }
  }
}

extension AccessEntry {
  /// Nil for a row of a kind that this version does not know.
  fileprivate init?(_ row: CheckedRow) throws {
    guard let kind = AccessEvent.Kind(rawValue: try row["kind"]),
      let uid = UInt32(exactly: try row["uid"] as Int64),
      let accountable = UInt32(exactly: try row["accountable"] as Int64)
    else { return nil }
    let (level, role): (String?, String?) = (try row["level"], try row["role"])
    let byUID: Int64? = try row["byUID"]
    let by = role.flatMap(AccessEvent.Author.Role.init(rawValue:)).map {
      AccessEvent.Author($0, uid: byUID.flatMap(UInt32.init(exactly:)))
    }
    self.init(
      id: try row["id"], revision: try row["revision"], first: Timestamp(microseconds: try row["first"]),
      last: Timestamp(microseconds: try row["last"]), count: try row["count"],
      assets: try row["assets"], app: AppKey(uid: uid, appID: try row["app"]),
      accountable: accountable,
      event: AccessEvent(
        kind, accessLevel: level.flatMap(AccessLevel.init(rawValue:)), outcome: try row["outcome"], by: by,
        detail: try row["detail"]))
  }
}

extension StorageError {
  fileprivate static let accessLogAdvice = "move the file away: it decides nothing"
}
