/// Ids of one kind, of which none is given twice, also after a crash: numbers are reserved in blocks.
final class IDReserve {
  /// The number that is given next.
  private(set) var next: Int64
  private var end: Int64
  private let name: String
  private let block: Int64
  private let connection: LibraryConnection

  /// Far more than can be found while a transaction of the first scan is open, which is a fraction of a second.
  private static let transactionIDs: Int64 = 1 << 18

  /// - Parameter name: under which the index keeps how many are reserved.
  init(_ name: String, block: Int64, _ connection: LibraryConnection) throws(StorageError) {
    self.name = name
    self.block = block
    self.connection = connection
    next = try connection.meta(name)
    end = next
  }

  /// A new number.
  func take() throws(StorageError) -> Int64 {
    // Also where none need be reserved anew: whoever forgets the batch shall not find out after thousands.
    guard connection.recorder.isOpen else { throw StorageError(outsideOfBatch: name, path: connection.path) }
    if next == end { try extend(by: block) }
    defer { next += 1 }
    return next
  }

  /// While an empty library fills, a transaction stays open between turns and what is in it is served, but no
  /// redo log has it. So what it can use up is reserved, and committed, before it begins: an id that was
  /// served is not given again even if the transaction is lost (S16, S39).
  func reserveAhead() throws(StorageError) {
    if end - next < Self.transactionIDs { try extend(by: 4 * Self.transactionIDs) }
  }

  /// The batch is not kept. The numbers given out stay used; what was reserved in it is reserved anew.
  func rollback() { end = next }

  /// Goes on far beyond: power loss may have taken back what was reserved.
  func leaveGap(of gap: Int64) throws(StorageError) {
    let ids = try connection.statement("UPDATE meta SET value = value + ? WHERE name = ?")
    ids.bind(1, gap)
    ids.bind(2, name)
    try ids.run()
    next += gap
    end = next
  }

  private func extend(by count: Int64) throws(StorageError) {
    let statement = try connection.statement("UPDATE meta SET value = ? WHERE name = ?")
    statement.bind(1, next + count)
    statement.bind(2, name)
    try statement.run()
    end = next + count
  }
}
