package import AlbumAPI

/// The last lines of the log that somebody looks for, however many others come between them (S64).
package struct LogTail: Sendable {
  private let most: Int
  private let end: Int?
  private var isOver = false
  private var found = 0
  private let isWanted: @Sendable (ManagerInterface.AccessLogEntry) -> Bool
  private var kept: [ManagerInterface.AccessLogEntry] = []

  /// Nothing yet.
  ///
  /// - Parameters:
  ///   - most: lines that are kept.
  ///   - end: the line that they end before; nil where they are the last.
  ///   - isWanted: whether a line is looked for.
  package init(
    _ most: Int, before end: Int? = nil,
    of isWanted: @escaping @Sendable (ManagerInterface.AccessLogEntry) -> Bool
  ) {
    self.most = most
    self.end = end
    self.isWanted = isWanted
  }

  /// More of the log, in its order.
  package mutating func take(_ entries: [ManagerInterface.AccessLogEntry]) {
    if isOver { return }
    let last = end.flatMap { end in entries.firstIndex { $0.id == end } }
    isOver = last != nil
    let wanted = entries[..<(last ?? entries.endIndex)].filter(isWanted)
    found += wanted.count
    kept += wanted
    if kept.count > 2 * most { kept.removeFirst(kept.count - most) }
  }

  /// How many older ones there are.
  package var left: Int { found - entries.count }

  /// The oldest first.
  package var entries: [ManagerInterface.AccessLogEntry] { kept.suffix(most) }
}
