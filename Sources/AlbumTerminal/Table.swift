/// Rows in aligned columns, page by page: a later page keeps the widths of those before it and only ever
/// widens, so that a list of any length is printed as it comes.
package struct Table {
  /// On which side a column's texts stand.
  package enum Alignment: Hashable, Sendable {
    /// Words.
    case leading
    /// Numbers.
    case trailing
  }

  /// One column.
  package struct Column: Hashable, Sendable {
    let title: String
    let alignment: Alignment

    /// - Parameter title: what stands above it.
    package init(_ title: String, _ alignment: Alignment = .leading) {
      self.title = title
      self.alignment = alignment
    }
  }

  private let columns: [Column]
  private var widths: [Int]
  private var hasHeader = false
  /// One long text does not push apart the rows of others: it is printed whole, and its row alone moves. There is room
  /// for an app's id.
  private static let mostPadding = 64

  /// A table without rows.
  package init(_ columns: Column...) {
    self.columns = columns
    widths = columns.map { TextWidth.columns(of: $0.title) }
  }

  /// The next rows as text, below the header if they are the first.
  ///
  /// Texts are escaped (``SafeText``). A row has a text for each column.
  package mutating func lines(of rows: [[String]]) -> String {
    let safe = rows.map { row in row.map { SafeText($0).description } }
    for row in safe {
      for (index, text) in row.enumerated() {
        widths[index] = max(widths[index], min(TextWidth.columns(of: text), Self.mostPadding))
      }
    }
    var lines = ""
    if !hasHeader, !rows.isEmpty {
      hasHeader = true
      lines += line(columns.map(\.title))
    }
    for row in safe { lines += line(row) }
    return lines
  }

  private func line(_ texts: [String]) -> String {
    var line = ""
    for (index, text) in texts.enumerated() {
      let isLast = index == columns.count - 1
      switch columns[index].alignment {
      case .leading: line += isLast ? text : TextWidth.pad(text, to: widths[index])
      case .trailing: line += TextWidth.pad(text, to: widths[index], before: true)
      }
      if !isLast { line += "  " }
    }
    // An empty last text would leave the padding of those before it.
    while line.last == " " { line.removeLast() }
    return line + "\n"
  }
}
