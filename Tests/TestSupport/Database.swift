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
