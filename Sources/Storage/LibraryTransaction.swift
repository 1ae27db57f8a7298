internal import LibraryModel

/// The transaction of a ``LibraryStore``, which several batches share, and the redo log, which has what of them is not
/// committed (docs/decisions/0009-redo-log.md).
final class LibraryTransaction {
  /// Whether one is open: that of a batch, or of batches that are yet to be committed.
  private(set) var isOpen = false
  /// Whether batches are in the redo log that are not committed.
  private(set) var isUnsettled = false
  /// Whether such batches are not in the open transaction either, and must be done again.
  private(set) var mustDoAgain = false
  private(set) var redo: RedoLog
  /// The place of the last batch that is committed.
  private(set) var settledPlace = Place.start
  private let connection: LibraryConnection
  private let beginning, committing, rollingBack: LibraryStatement

  init(_ connection: LibraryConnection, seed: UInt64) throws(StorageError) {
    self.connection = connection
    func prepare(_ sql: String) throws(StorageError) -> LibraryStatement {
      try LibraryStatement(sql, on: connection.pointer, path: connection.path)
    }
    beginning = try prepare("BEGIN IMMEDIATE")
    committing = try prepare("COMMIT")
    rollingBack = try prepare("ROLLBACK")
    redo = try RedoLog(path: connection.path + "-redo", seed: seed)
  }

  private var recorder: RedoRecorder { connection.recorder }

  /// Begins one, unless one is open.
  func open() throws(StorageError) {
    try notice()
    if !isOpen { try beginning.run() }
    isOpen = true
  }

  /// Keeps the present batch by one small write into the redo log, if that may hold it, or commits it with all before.
  func keep(from start: Place, to end: Place) throws(StorageError) {
    try connection.requireTransaction()
    if end > start, recorder.isOn, !recorder.isOverLimit, redo.hasRoom(for: recorder.entries.count) {
      try redo.append(recorder.entries, from: start, to: end)
    } else {
      try commit(at: end)
    }
  }

  /// - Returns: whether something is now to be settled after there was nothing.
  func noteUnsettled() -> Bool {
    guard isOpen, !isUnsettled else { return false }
    isUnsettled = true
    return true
  }

  /// Commits the batches that are not committed yet. If this throws, they stay in the redo log, and are tried
  /// again with the next call.
  ///
  /// - Parameter place: of the last of them.
  func settle(at place: Place) throws(StorageError) {
    if mustDoAgain { try doAgain() }
    guard isOpen else { return }
    do { try commit(at: place) } catch {
      abandon()
      throw error
    }
  }

  /// Brings a database that was left in the middle up to what was promised: called before anything is read.
  ///
  /// After another boot the log is no longer good for anything (`PowerLoss.swift`).
  ///
  /// - Parameter place: the last that is in the journal's rows.
  func recover(after place: Place, isKnownBoot: Bool) throws(StorageError) {
    settledPlace = place
    if isKnownBoot {
      let batches = try redo.batches(after: settledPlace)
      try run(batches) { () throws(StorageError) in
        if !batches.isWhole { try connection.run(RedoReplay.forgetBoot) }
      }
      if isOpen { try commit(at: place) }
    }
    try redo.erase()
  }

  /// Now the journal stands there.
  func settled(at place: Place) { settledPlace = place }

  /// Rolls the transaction back, and does again what of it was promised.
  func abandon() {
    connection.waiting.forget()
    // Fails if SQLite has rolled back by itself, as it does when the disk is full: all the same.
    try? rollingBack.run()
    isOpen = false
    guard isUnsettled else { return }
    mustDoAgain = true
    // If it cannot be done now, it is before the next batch.
    try? doAgain()
  }

  /// Does again what was promised and is not in the tables: before anything is read that goes with a place, or a batch is
  /// begun.
  ///
  /// - Throws: why it cannot be; then what is there is older than it claims, and nobody is to be shown it (S26).
  func catchUp() throws(StorageError) {
    guard !recorder.isOpen else { return }
    try notice()
    if mustDoAgain { try doAgain() }
  }

  /// Notices that SQLite has taken the transaction back by itself: what was promised of it is done again, as when a commit
  /// fails.
  private func notice() throws(StorageError) {
    guard isOpen, !connection.hasTransaction else { return }
    abandon()
    if mustDoAgain { try doAgain() }
  }

  private func commit(at place: Place) throws(StorageError) {
    try connection.waiting.write()
    try committing.run()
    isOpen = false
    isUnsettled = false
    settledPlace = place
    redo.clear()
    recorder.forgetCodes()
  }

  /// Runs the batches of the redo log in a transaction, which stays open.
  private func doAgain() throws(StorageError) {
    let batches = try redo.batches(after: settledPlace)
    guard batches.isWhole else {
      throw StorageError(
        code: .corrupt, message: "a batch is not as it was written", path: connection.path + "-redo",
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
    try beginning.run()
    recorder.begin(isOn: false, isInTransaction: true)
    defer { recorder.end() }
    do {
      var replay = RedoReplay(connection.statement)
      try replay.run(batches)
      try rest()
    } catch {
      try? rollingBack.run()
      throw error
    }
    isOpen = true
  }
}
