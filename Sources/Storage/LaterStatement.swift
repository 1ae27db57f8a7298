/// A statement that is written down now, and runs later: apart from what waits, and from the batch.
final class LaterStatement {
  private let sql: String
  private let recorder: RedoRecorder
  private let statement: LibraryStatement
  private let values = RedoValues()
  private var code: RedoRecorder.Code?

  init(_ sql: String, _ connection: LibraryConnection) throws(StorageError) {
    self.sql = sql
    recorder = connection.recorder
    statement = try connection.prepareUnrecorded(sql)
  }

  /// - Parameter bind: binds every value.
  func note(_ bind: (RedoValues) -> Void) {
    guard recorder.isOn else { return }
    bind(values)
    recorder.note(sql, values, as: &code)
    values.removeAll()
  }

  /// - Parameter bind: binds every value.
  func run(_ bind: (LibraryStatement) -> Void) throws(StorageError) {
    bind(statement)
    try statement.run()
  }
}

/// Inserts rows into one table, several at once; they are written down one by one.
final class RowInsertion {
  /// How many are inserted at once at most.
  static let mostRows = 32

  private let columnCount: CInt
  private let most, sixteen, eight, four, two: LibraryStatement
  private let one: LaterStatement

  /// - Parameter columns: their names, in the order in which they are bound.
  init(into table: String, _ columns: String, _ connection: LibraryConnection) throws(StorageError) {
    let columnCount = columns.split(separator: ",").count
    self.columnCount = CInt(columnCount)
    let row = "(" + repeatElement("?", count: columnCount).joined(separator: ", ") + ")"
    func sql(_ rowCount: Int) -> String {
      // Where a row fails, those before it need not be taken back: the batch is. SQLite keeps no pages for that.
      "INSERT\(rowCount > 1 ? " OR FAIL" : "") INTO \(table) (\(columns)) VALUES "
        + repeatElement(row, count: rowCount).joined(separator: ", ")
    }
    most = try connection.prepareUnrecorded(sql(Self.mostRows))
    sixteen = try connection.prepareUnrecorded(sql(16))
    eight = try connection.prepareUnrecorded(sql(8))
    four = try connection.prepareUnrecorded(sql(4))
    two = try connection.prepareUnrecorded(sql(2))
    one = try LaterStatement(sql(1), connection)
  }

  /// Writes a row down that is inserted later.
  func note(_ bind: (RedoValues) -> Void) { one.note(bind) }

  /// - Parameter bind: binds the values of the row with a number to the parameters that follow another: all of them.
  func insert(_ count: Int, _ bind: (LibraryStatement, Int, CInt) -> Void) throws(StorageError) {
    var next = 0
    func insert(_ rowCount: Int, by statement: LibraryStatement) throws(StorageError) {
      for number in 0..<rowCount { bind(statement, next + number, CInt(number) * columnCount) }
      try statement.run()
      next += rowCount
    }
    while next < count {
      switch count - next {
      case Self.mostRows...: try insert(Self.mostRows, by: most)
      case 16...: try insert(16, by: sixteen)
      case 8...: try insert(8, by: eight)
      case 4...: try insert(4, by: four)
      case 2...: try insert(2, by: two)
      default:
        let last = next
        try one.run { bind($0, last, 0) }
        next += 1
      }
    }
  }
}
