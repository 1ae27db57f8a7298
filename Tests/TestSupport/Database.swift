internal import GRDBSQLite
internal import Glibc

/// Runs a statement on a database file, beside whoever else has it open.
public func execute(_ statement: String, on path: String) throws {
  var connection: OpaquePointer?
  defer { sqlite3_close(connection) }
  guard sqlite3_open(path, &connection) == SQLITE_OK,
    sqlite3_busy_timeout(connection, 10_000) == SQLITE_OK,
    sqlite3_exec(connection, statement, nil, nil, nil) == SQLITE_OK
  else { throw StatementFailure(description: String(cString: sqlite3_errmsg(connection))) }
}

/// What apps see cannot be written into a library's index any more, as where there is no room; or can be again.
///
/// The journal says nothing of it: its rows wait for others (docs/decisions/0075-rows-that-wait.md).
public func setRoomForViews(_ isThere: Bool, on path: String) throws {
  for table in ["viewer", "viewerAsset", "viewerAlbum"] {
    for change in ["INSERT", "UPDATE", "DELETE"] {
      let name = "noRoom\(table)\(change)"
      try execute(
        isThere
          ? "DROP TRIGGER \(name)"
          : "CREATE TRIGGER \(name) BEFORE \(change) ON \(table) BEGIN SELECT RAISE(ABORT, 'no room'); END",
        on: path)
    }
  }
}

/// The number that a query answers with.
public func number(_ query: String, on path: String) throws -> Int {
  var connection: OpaquePointer?
  var statement: OpaquePointer?
  defer {
    sqlite3_finalize(statement)
    sqlite3_close(connection)
  }
  guard sqlite3_open(path, &connection) == SQLITE_OK,
    sqlite3_prepare_v2(connection, query, -1, &statement, nil) == SQLITE_OK,
    sqlite3_step(statement) == SQLITE_ROW
  else { throw StatementFailure(description: String(cString: sqlite3_errmsg(connection))) }
  return Int(sqlite3_column_int64(statement, 0))
}

/// Writes over the first page of a table or an index, of a database that nobody has open.
public func damage(_ name: String, on path: String) throws {
  try execute("PRAGMA wal_checkpoint(TRUNCATE)", on: path)
  let size = try number("PRAGMA page_size", on: path)
  let page = try number("SELECT rootpage FROM sqlite_schema WHERE name = '\(name)'", on: path)
  let file = open(path, O_WRONLY | O_CLOEXEC)
  defer { close(file) }
  let noise = [UInt8](repeating: 0xDB, count: size)
  guard pwrite(file, noise, size, off_t((page - 1) * size)) == size else {
    throw StatementFailure(description: "the page cannot be written")
  }
}

/// What SQLite says.
public struct StatementFailure: Error, CustomStringConvertible {
  /// The same.
  public let description: String
}

/// The statements of a connection that are prepared and not yet forgotten.
public struct PreparedStatements {
  private let all: [OpaquePointer]

  /// Those of this connection, now.
  public init(of connection: OpaquePointer) {
    var found: [OpaquePointer] = []
    while let next = sqlite3_next_stmt(connection, found.last) { found.append(next) }
    all = found
  }

  /// How many there are.
  public var count: Int { all.count }

  /// How many still hold such a text, of their last run.
  public func holding(_ text: String) -> Int {
    all.count { statement in
      guard let expanded = sqlite3_expanded_sql(statement) else { return false }
      defer { sqlite3_free(expanded) }
      return String(cString: expanded).contains(text)
    }
  }

  /// How many operations they have done: their cost, whatever else the machine does.
  public var steps: Int {
    all.reduce(0) { $0 + Int(sqlite3_stmt_status($1, SQLITE_STMTSTATUS_VM_STEP, 0)) }
  }
}
