internal import GRDB

/// Gives back to the disk what a database no longer needs of its file: after a million photos were removed, the file would
/// stay as large as it was with them (docs/decisions/0072-unused-pages.md).
struct UnusedPages {
  /// How many bytes may be unused in any file: they are used again.
  static let allowed: Int64 = 64 << 20

  /// Writes the database anew without them, where they are more than so many bytes, and more than half of it. That takes
  /// as long as writing what is left.
  ///
  /// - Throws: the database's error, but none where the disk lacks the room for both: then it stays as it is.
  static func giveBack(_ queue: DatabaseQueue, beyond allowed: Int64) throws {
    let (unused, all, size) = try queue.read { database in
      func number(_ name: String) throws -> Int64 { try Int64.fetchOne(database, sql: "PRAGMA \(name)") ?? 0 }
      return (try number("freelist_count"), try number("page_count"), try number("page_size"))
    }
    guard unused * size > allowed, unused * 2 > all else { return }
    do { try queue.vacuum() } catch let error as DatabaseError where error.resultCode == .SQLITE_FULL {}
  }
}
