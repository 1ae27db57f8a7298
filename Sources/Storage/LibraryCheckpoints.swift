internal import GRDBSQLite
internal import Linux
internal import Synchronization

/// Copies the write-ahead log into the database on a thread of its own, since that waits for the disk
/// (sqlite3_wal_checkpoint_v2, PASSIVE: it hinders nobody).
///
/// A checkpoint ends with nothing left to copy only if the writer was silent meanwhile, and only then does
/// the log begin anew. So beyond a hard bound the writer is asked to pause. Nor can it be cut while somebody reads on another
/// connection: then the writer goes on, and whoever would read so waits until it was cut (``isFull``).
final class LibraryCheckpoints: Sendable {
  private struct State {
    var isRunning = false
    var isOver = false
    /// Whether it is to be copied once more when that is done: who asked for it did so after it had begun.
    var mustCopyAgain = false
    /// The pages in the log when it was last copied; 0 after the log began anew.
    var copied = 0
    /// Those in the log now, and when copying failed last.
    var (pages, failed) = (0, 0)
    var waiting: [@Sendable (StorageError?) -> Void] = []
  }

  /// Pages of log, 4 KiB each, beyond which writing pauses.
  static let bound = 32768
  /// Pages that are added before one that failed is tried again, as long as writing goes on.
  private static let patience = 256

  private let path: String
  private let bound: Int
  private let state = Mutex(State())
  private let start: @Sendable (@escaping @Sendable () -> Void) -> Bool

  /// - Parameters:
  ///   - bound: pages of log beyond which writing pauses; an eighth of them, and a checkpoint is made.
  ///   - start: starts a thread; `false` when there is none.
  init(
    path: String, bound: Int = LibraryCheckpoints.bound,
    start: @escaping @Sendable (@escaping @Sendable () -> Void) -> Bool = { runDetached($0) }
  ) {
    self.path = path
    self.bound = bound
    self.start = start
  }

  var mustPause: Bool { state.withLock { $0.isOver } }

  /// Waits until writing need not pause, or until the log cannot be copied: then it is tried again with the next call.
  func onRoom(_ body: @escaping @Sendable (StorageError?) -> Void) {
    let (isNow, begins) = state.withLock { state in
      guard state.isOver else { return (true, false) }
      state.waiting.append(body)
      defer { state.isRunning = true }
      return (false, !state.isRunning)
    }
    if isNow { body(nil) }
    if begins { begin() }
  }

  /// Whether the log is over its bound: until it was cut, nobody is to begin to read on another connection.
  var isFull: Bool { state.withLock { $0.pages > bound } }

  /// Copies and cuts it while the writer pauses: for who knows that nobody reads on another connection any more.
  ///
  /// - Parameter body: called, on any thread, when that is done or could not be: another process may read it.
  func cut(_ body: @escaping @Sendable () -> Void) {
    let begins = state.withLock { state in
      state.isOver = true
      state.waiting.append { _ in body() }
      state.mustCopyAgain = state.isRunning
      defer { state.isRunning = true }
      return !state.isRunning
    }
    if begins { begin() }
  }

  /// Learns of every commit on the writer's connection (sqlite3_wal_hook): the number of pages in the log,
  /// which the size of its file does not tell, because the file is used again from its beginning.
  ///
  /// The store keeps this object for as long as its connection.
  func watch(_ connection: OpaquePointer) {
    sqlite3_wal_hook(
      connection,
      { context, _, _, pages in
        guard let context else { return SQLITE_OK }
        Unmanaged<LibraryCheckpoints>.fromOpaque(context).takeUnretainedValue().committed(Int(pages))
        return SQLITE_OK
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  func committed(_ pages: Int) {
    let begins = state.withLock { state in
      state.pages = pages
      if pages < state.copied { state.copied = 0 }
      if pages < state.failed { state.failed = 0 }
      // A log that is copied but not yet begun anew grows on: only what was added counts.
      let isDue =
        pages - state.copied > bound / 8 && !state.isRunning
        && (state.failed == 0 || pages - state.failed > LibraryCheckpoints.patience)
      if isDue { state.isRunning = true }
      if state.isRunning, pages > bound { state.isOver = true }
      return isDue
    }
    if begins { begin() }
  }

  private func begin() {
    if !start({ [self] in work() }) { end(.failure(.init(noThreadFor: path))) }
  }

  private func work() {
    let pages = state.withLock { $0.pages }
    do throws(StorageError) {
      end(.success(try copy() ? nil : pages))
    } catch {
      if error.code == .corrupt { LibrarySalvage(path: path).noteDamage() }
      end(.failure(error))
    }
  }

  /// - Returns: whether the log was cut, and is empty.
  private func copy() throws(StorageError) -> Bool {
    var connection: OpaquePointer?
    func check(_ result: CInt) throws(StorageError) {
      if result != SQLITE_OK { throw StorageError(sqlite: connection, result, path: path) }
    }
    defer { sqlite3_close_v2(connection) }
    try check(sqlite3_open_v2(path, &connection, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil))
    try check(
      sqlite3_exec(connection, "PRAGMA wal_autocheckpoint = 0; PRAGMA synchronous = NORMAL", nil, nil, nil))
    sqlite3_busy_timeout(connection, 1000)
    try check(sqlite3_wal_checkpoint_v2(connection, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil))
    guard mustPause else { return false }
    // The writer begins no other batch now: waits for the end of what it has begun.
    let silent = sqlite3_exec(connection, "BEGIN IMMEDIATE; COMMIT", nil, nil, nil)
    if silent & 0xFF == SQLITE_BUSY { return false }
    try check(silent)
    // This copies what is left and cuts the file. It has the writer's lock meanwhile, and so does not wait for who reads.
    sqlite3_busy_timeout(connection, 0)
    let result = sqlite3_wal_checkpoint_v2(connection, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
    if result & 0xFF == SQLITE_BUSY { return false }
    try check(result)
    return true
  }

  /// One that failed was not made: writing goes on as far as the bound, and beyond it who waits is told why.
  ///
  /// - Parameter result: the pages that were copied, of a log that goes on; `nil` of one that was cut.
  private func end(_ result: Result<Int?, StorageError>) {
    let waiting: [@Sendable (StorageError?) -> Void]? = state.withLock { state in
      if state.mustCopyAgain {
        state.mustCopyAgain = false
        return nil
      }
      state.isRunning = false
      switch result {
      case .success(let copied):
        (state.copied, state.failed) = (copied ?? 0, 0)
        // What is committed from now on says how long it is.
        if copied == nil { state.pages = 0 }
        state.isOver = false
      case .failure: state.failed = state.pages
      }
      defer { state.waiting = [] }
      return state.waiting
    }
    guard let waiting else { return begin() }
    var failure: StorageError?
    if case .failure(let error) = result { failure = error }
    for body in waiting { body(failure) }
  }
}

extension StorageError {
  fileprivate init(noThreadFor path: String) {
    self.init(
      code: .failed, message: "there is no thread to copy its log", path: path,
      advice: "allow the daemon's user or unit more tasks")
  }
}
