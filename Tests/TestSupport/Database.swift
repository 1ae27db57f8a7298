internal import GRDBSQLite

/// Runs a statement on a database file, beside whoever else has it open.
public func execute(_ statement: String, on path: String) throws {
  var connection: OpaquePointer?
  defer { sqlite3_close(connection) }
  guard sqlite3_open(path, &connection) == SQLITE_OK,
    sqlite3_busy_timeout(connection, 10_000) == SQLITE_OK,
    sqlite3_exec(connection, statement, nil, nil, nil) == SQLITE_OK
  else { throw StatementFailure(description: String(cString: sqlite3_errmsg(connection))) }
}

/// What SQLite says.
public struct StatementFailure: Error, CustomStringConvertible {
  /// The same.
  public let description: String
}
