internal import LibraryModel

/// Rows that are inserted a little later, several at once: sixteen in one statement cost SQLite half of what they cost in
/// sixteen.
///
/// Nobody sees a difference: they are inserted before any statement runs that might see them, and before the batch ends.
final class WaitingRows {
  /// Whether none wait.
  private(set) var isEmpty = true
  private var assets: [Asset] = []
  private var entries: [JournalRow] = []
  private var insertions: (assets: RowInsertion, entries: RowInsertion)?

  /// To be called before the first row, when the tables are as this version has them.
  func prepare(_ connection: LibraryConnection) throws(StorageError) {
    insertions = (
      try RowInsertion(into: "asset", FileTable.addedColumns, connection),
      try RowInsertion(into: "journal", JournalTable.columns, connection)
    )
  }

  /// Inserts an asset. What is wrong with it may be found out with the next row, and is an error of the batch.
  func add(_ asset: Asset) throws(StorageError) {
    try insertions?.assets.requireBatch()
    assets.append(asset)
    isEmpty = false
    if assets.count == insertions?.assets.mostRows { try insert() }
  }

  /// Inserts an entry of the journal, likewise.
  func add(_ entry: JournalRow) throws(StorageError) {
    try insertions?.entries.requireBatch()
    entries.append(entry)
    isEmpty = false
    if entries.count == insertions?.entries.mostRows { try insert() }
  }

  /// Inserts those that wait. Where it throws they wait still, and it throws again, until the batch is given up.
  func insert() throws(StorageError) {
    guard !isEmpty, let insertions else { return }
    let (assets, entries) = (assets, entries)
    try insertions.assets.insert(assets.count) { statement, number, start in
      statement.bind(assets[number], after: start)
    }
    try insertions.entries.insert(entries.count) { statement, number, start in
      statement.bind(entries[number], after: start)
    }
    forget()
  }

  /// The batch is not kept, nor are they.
  func forget() {
    assets.removeAll(keepingCapacity: true)
    entries.removeAll(keepingCapacity: true)
    isEmpty = true
  }
}

/// Inserts rows into one table, as many at once as it can.
private final class RowInsertion {
  /// Sixteen, or as many as the redo log can note: it counts a statement's values in a byte.
  let mostRows: Int

  private let columnCount: CInt
  private let most, four, two, one: LibraryStatement

  /// - Parameter columns: their names, in the order in which they are bound.
  init(into table: String, _ columns: String, _ connection: LibraryConnection) throws(StorageError) {
    let columnCount = columns.split(separator: ",").count
    self.columnCount = CInt(columnCount)
    mostRows = min(16, Int(UInt8.max) / columnCount)
    let row = "(" + repeatElement("?", count: columnCount).joined(separator: ", ") + ")"
    func statement(_ rowCount: Int) throws(StorageError) -> LibraryStatement {
      try connection.prepareApart(
        "INSERT INTO \(table) (\(columns)) VALUES "
          + repeatElement(row, count: rowCount).joined(separator: ", "))
    }
    most = try statement(mostRows)
    four = try statement(4)
    two = try statement(2)
    one = try statement(1)
  }

  func requireBatch() throws(StorageError) { try one.requireBatch() }

  /// - Parameter bind: binds the values of the row with a number to the parameters that follow another: all of them.
  func insert(_ count: Int, _ bind: (LibraryStatement, Int, CInt) -> Void) throws(StorageError) {
    var next = 0
    while next < count {
      let (rowCount, statement) =
        count - next >= mostRows
        ? (mostRows, most) : count - next >= 4 ? (4, four) : count - next >= 2 ? (2, two) : (1, one)
      for number in 0..<rowCount { bind(statement, next + number, CInt(number) * columnCount) }
      try statement.run()
      next += rowCount
    }
  }
}
