package import AlbumAPI

/// The last lines of the log that somebody looks for, however many others come between them (S64).
package struct LogTail: Sendable {
  private let most: Int
  private let isWanted: @Sendable (ManagerInterface.AccessLogEntry) -> Bool
  private var kept: [ManagerInterface.AccessLogEntry] = []

  /// Nothing yet.
  ///
  /// - Parameters:
  ///   - most: lines that are kept.
  ///   - isWanted: whether a line is looked for.
  package init(_ most: Int, of isWanted: @escaping @Sendable (ManagerInterface.AccessLogEntry) -> Bool) {
    self.most = most
    self.isWanted = isWanted
  }

  /// More of the log, in its order.
  package mutating func take(_ entries: [ManagerInterface.AccessLogEntry]) {
    kept += entries.filter(isWanted)
    if kept.count > 2 * most { kept.removeFirst(kept.count - most) }
  }

  /// The oldest first.
  package var entries: [ManagerInterface.AccessLogEntry] { kept.suffix(most) }
}
