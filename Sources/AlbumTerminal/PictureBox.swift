/// Where on a screen a picture may be, in letters; the first row and column are 0.
struct PictureBox: Hashable, Sendable {
  let row: Int
  let column: Int
  let columns: Int
  let rows: Int

  /// From so many columns on it is beside the list.
  private static let beside = 80
  /// Beneath the list it has so many rows at least, and beside it so many.
  private static let (leastBeneath, leastBeside) = (8, 4)

  init(row: Int, column: Int, columns: Int, rows: Int) {
    self.row = row
    self.column = column
    self.columns = columns
    self.rows = rows
  }

  /// Of the place for a list: its right half, or on a narrow screen the lower half.
  ///
  /// - Returns: nil where that leaves too little of either.
  init?(on rows: Int, width: Int) {
    if width >= Self.beside {
      guard rows >= Self.leastBeside else { return nil }
      self.init(row: 0, column: width / 2, columns: width - width / 2, rows: rows)
    } else {
      let half = max(Self.leastBeneath, rows / 2)
      guard rows - half >= Self.leastBeside else { return nil }
      self.init(row: rows - half, column: 0, columns: width, rows: half)
    }
  }

  func moved(by lines: Int) -> PictureBox {
    PictureBox(row: row + lines, column: column, columns: columns, rows: rows)
  }

  /// Whether it is on that line.
  func contains(row line: Int) -> Bool { row..<row + rows ~= line }
}
