internal import GRDB

/// A row of a file that may be damaged: a column that is not there, or holds something else, is an error. GRDB's own
/// subscript would end the process, and a column that may be empty would be taken for empty when its name is damaged:
/// a grant with an end for one without.
struct CheckedRow {
  let row: Row
  /// The database file.
  let path: String
  /// What to do about it.
  let advice: String

  /// A column's value.
  subscript<Value: DatabaseValueConvertible & StatementColumnConvertible>(_ name: String) -> Value {
    get throws(StorageError) {
      guard row.hasColumn(name) else { throw unknown("a row without \(name)") }
      do { return try row.decode(forColumn: name) } catch {
        throw unknown("a row whose \(name) is of another type")
      }
    }
  }

  /// What is not as it was written.
  func unknown(_ what: String) -> StorageError {
    StorageError(code: .corrupt, message: "\(what): \(row)", path: path, advice: advice)
  }
}
