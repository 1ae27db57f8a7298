package import EventLoop
package import LibraryModel

/// Writes into the journal what is not found by comparing: what viewers see, and that it need not be kept for ever.
@EventLoopActor
package final class JournalWriter {
  private let between: BetweenTurns

  init(_ between: BetweenTurns) {
    self.between = between
  }

  /// Writes what viewers see. It is kept and published before this returns, in order with all other changes.
  ///
  /// - Parameters:
  ///   - albums: those of viewers whose key photos they may see from now on, or not any more.
  ///   - body: writes, and returns what it has written.
  package func changeViews(
    withKeysOf albums: Set<AlbumID> = [], _ body: (any ViewIndex) throws -> [PlacedChange]
  ) throws {
    try between.change { librarian, database in
      try librarian.keyPhotos.changingViews(ofCreators: albums) {
        librarian.context.add(try body(database.views))
      }
    }
  }

  /// Removes some of the oldest changes that need not be kept (S27).
  ///
  /// - Parameters:
  ///   - changes: how many are kept at most.
  ///   - days: for how long they are kept at most.
  /// - Returns: whether there is more to remove.
  package func trim(keepChanges changes: Int64, keepDays days: Int64) throws -> Bool {
    try between.change { _, database in
      try database.trimJournal(keepChanges: changes, keepDays: days, limit: 1000)
    }
  }

  /// Commits what was written but put off, so that it can be brought to disk.
  package func settle() throws { try between.settle() }
}
