internal import LibraryModel
internal import Linux

/// Batches and transactions (docs/decisions/0009-redo-log.md).
///
/// A batch that tells somebody something is kept by one small write into the redo log; its transaction stays
/// open, takes in the batches that follow, and is committed when ``settle()`` is called, or when the log is
/// full. A batch that tells nobody anything, or is long, is committed at once.
extension LibraryStore {
  /// Begins a batch.
  package func begin() throws(StorageError) {
    precondition(!isWriting, "a batch is open")
    if mustDoAgain { try doAgain() }
    time = RealTime.seconds
    if !isTransactionOpen {
      if !hasScanned { try reserveAhead() }
      try hot.begin.run()
    }
    isTransactionOpen = true
    // While an empty library is scanned, nobody is told anything.
    recorder.begin(isOn: hasScanned)
    isWriting = true
  }

  /// Ends a batch: all of it is in the index and the journal, also when the process dies now; or, if this
  /// throws, nothing is.
  package func commit() throws(StorageError) {
    precondition(isWriting, "no batch is open")
    do {
      if newestBirth > savedBirth { try saveNewestBirth() }
      if place > kept.place, recorder.isOn, !recorder.isOverLimit, redo.hasRoom(for: recorder.entries.count) {
        try redo.append(recorder.entries, from: kept.place, to: place)
      } else {
        try commitTransaction()
      }
    } catch {
      rollback()
      throw error
    }
    recorder.end()
    isWriting = false
    kept = (assetCount, place, hasScanned)
    if isTransactionOpen, !isUnsettled {
      isUnsettled = true
      onUnsettled()
    }
  }

  /// Takes a batch back.
  package func rollback() {
    guard isWriting else { return }
    recorder.end()
    // The codes that this batch has defined are not in the log.
    recorder.forgetCodes()
    isWriting = false
    abandonTransaction()
    (assetCount, place, hasScanned) = kept
    knownViewers = nil
    // The numbers given out stay used; what the rollback forgot of them is reserved anew.
    reservedAssets.end = reservedAssets.next
    reservedAlbums.end = reservedAlbums.next
    savedBirth = 0
  }

  /// Commits the batches that are not committed yet. If this throws, they stay in the redo log, and are tried
  /// again with the next call.
  package func settle() throws(StorageError) {
    guard !isWriting else { return }
    if mustDoAgain { try doAgain() }
    guard isTransactionOpen else { return }
    do { try commitTransaction() } catch {
      abandonTransaction()
      throw error
    }
  }

  /// Brings a database that was left in the middle up to what was promised: called before anything is read.
  ///
  /// After another boot the log is no longer good for anything (`LibraryStore+PowerLoss.swift`).
  func recover(_ boot: String) throws(StorageError) {
    gaps = try readGaps()
    settledPlace = try readPlace()
    if try isKnown(boot) {
      let batches = try redo.batches(after: settledPlace)
      try run(batches) { () throws(StorageError) in
        if !batches.isWhole { try run(RedoReplay.forgetBoot) }
      }
      if isTransactionOpen { try commitTransaction() }
    }
    try redo.erase()
  }

  /// Where the journal stands.
  func readPlace() throws(StorageError) -> Place {
    let last = Place(rawValue: try scalar("SELECT ifnull(max(seq), 0) FROM journal"))
    return max(last, gaps.last?.end ?? .start)
  }

  // MARK: The transaction

  private func commitTransaction() throws(StorageError) {
    try hot.commit.run()
    isTransactionOpen = false
    isUnsettled = false
    settledPlace = place
    redo.clear()
    recorder.forgetCodes()
  }

  /// Rolls the transaction back, and does again what of it was promised.
  private func abandonTransaction() {
    // Fails if SQLite has rolled back by itself, as it does when the disk is full: all the same.
    try? hot.rollback.run()
    isTransactionOpen = false
    guard isUnsettled else { return }
    mustDoAgain = true
    // If it cannot be done now, it is before the next batch.
    try? doAgain()
  }

  /// Runs the batches of the redo log in a transaction, which stays open.
  private func doAgain() throws(StorageError) {
    let batches = try redo.batches(after: settledPlace)
    guard batches.isWhole else {
      throw StorageError(
        code: .corrupt, message: "a batch is not as it was written", path: path + "-redo",
        advice: "restart the daemon: what was promised last is found again by a scan")
    }
    try run(batches)
    mustDoAgain = false
  }

  /// - Parameter rest: what belongs into the same transaction.
  private func run(
    _ batches: RedoLog.Batches, and rest: () throws(StorageError) -> Void = {}
  ) throws(StorageError) {
    recorder.forgetCodes()
    if batches.entries.isEmpty, batches.isWhole { return }
    try hot.begin.run()
    recorder.begin(isOn: false)
    defer { recorder.end() }
    do {
      var replay = RedoReplay(statement)
      try replay.run(batches)
      try rest()
    } catch {
      try? hot.rollback.run()
      throw error
    }
    isTransactionOpen = true
  }

  /// Does again what was promised and is not in the tables: before anything is read that goes with a place.
  ///
  /// - Throws: why it cannot be; then what is there is older than it claims, and nobody is to be shown it (S26).
  func catchUp() throws(StorageError) {
    if mustDoAgain, !isWriting { try doAgain() }
  }

  // The bound is written ahead by a minute, so that it costs one row a minute and not one a batch.
  private func saveNewestBirth() throws(StorageError) {
    savedBirth = newestBirth + 60_000_000_000
    let statement = try statement("UPDATE meta SET value = ? WHERE name = 'newestBirth'")
    statement.bind(1, savedBirth)
    try statement.run()
  }
}
