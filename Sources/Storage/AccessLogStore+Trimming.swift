internal import GRDB

/// What is too much in the log goes from whoever holds most of it: however much one user's apps do, what others
/// did stays, and among one user's apps likewise.
extension AccessLogStore {
  /// Removes the oldest rows of those users, and of these the apps, that hold more than their share of `limit`.
  static func trim(to limit: Int64, _ database: Database) throws {
    let count = try Int64.fetchOne(database, sql: "SELECT count(*) FROM entry") ?? 0
    guard count > limit else { return }
    let users = try counts(
      database, "SELECT accountable AS name, count(*) AS count FROM entry GROUP BY accountable", [])
    let share = share(users.map(\.count), of: limit)
    for (user, count) in users where count > share { try trim(user, from: count, to: share, database) }
  }

  private static func trim(
    _ user: DatabaseValue, from count: Int64, to limit: Int64, _ database: Database
  ) throws {
    let apps = try counts(
      database, "SELECT app AS name, count(*) AS count FROM entry WHERE accountable = ? GROUP BY app", [user])
    let share = share(apps.map(\.count), of: limit)
    // Apps that are too many for their shares have none: one can pose as any number.
    guard share > 0 else {
      return try remove(count - limit, "accountable = ?", [user], database)
    }
    for (app, count) in apps where count > share {
      try remove(count - share, "accountable = ? AND app = ?", [user, app], database)
    }
  }

  private static func counts(
    _ database: Database, _ sql: String, _ arguments: StatementArguments
  ) throws -> [(name: DatabaseValue, count: Int64)] {
    try Row.fetchAll(database, sql: sql, arguments: arguments).map { ($0["name"], $0["count"]) }
  }

  /// - Parameter condition: part of this program.
  private static func remove(
    _ count: Int64, _ condition: String, _ arguments: StatementArguments, _ database: Database
  ) throws {
    try database.execute(
      sql: "DELETE FROM entry WHERE id IN (SELECT id FROM entry WHERE \(condition) ORDER BY id LIMIT ?)",
      arguments: arguments + [count])
  }

  /// The most that each may keep so that all together keep no more than `limit`: who holds less keeps all.
  static func share(_ counts: [Int64], of limit: Int64) -> Int64 {
    var rest = limit
    for (index, count) in counts.sorted().enumerated() {
      let share = rest / Int64(counts.count - index)
      guard count <= share else { return share }
      rest -= count
    }
    return .max
  }
}
