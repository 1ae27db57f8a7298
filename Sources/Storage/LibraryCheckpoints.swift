internal import GRDBSQLite
internal import Linux
internal import Synchronization

/// Copies the write-ahead log into the database on a thread of its own, since that waits for the disk
/// (sqlite3_wal_checkpoint_v2, PASSIVE: it hinders nobody).
///
/// A checkpoint ends with nothing left to copy only if the writer was silent meanwhile, and only then does
/// the log begin anew. So beyond a hard bound the writer is asked to pause.
final class LibraryCheckpoints: Sendable {
  private struct State {
    var isRunning = false
    var isOver = false
    /// The pages in the log when it was last copied; 0 after the log began anew.
    var copied = 0
    var waiting: [@Sendable () -> Void] = []
  }

  /// Pages of log, 4 KiB each, after which a checkpoint is made.
  static let threshold = 4096
  /// Pages of log beyond which writing pauses.
  static let bound = 32768

  private let path: String
  private let state = Mutex(State())

  init(path: String) {
    self.path = path
  }

  var mustPause: Bool { state.withLock { $0.isOver } }

  func onRoom(_ body: @escaping @Sendable () -> Void) {
    let now = state.withLock { state in
      if state.isOver { state.waiting.append(body) }
      return !state.isOver
    }
    if now { body() }
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

  private func committed(_ pages: Int) {
    let start = state.withLock { state in
      if pages < state.copied { state.copied = 0 }
      // A log that is copied but not yet begun anew grows on: only what was added counts.
      guard pages - state.copied > LibraryCheckpoints.threshold, !state.isRunning else {
        if pages > LibraryCheckpoints.bound { state.isOver = state.isRunning }
        return false
      }
      if pages > LibraryCheckpoints.bound { state.isOver = true }
      state.copied = pages
      state.isRunning = true
      return true
    }
    if start { runDetached { [self] in work() } }
  }

  private func work() {
    var connection: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX
    if sqlite3_open_v2(path, &connection, flags, nil) == SQLITE_OK {
      sqlite3_exec(connection, "PRAGMA wal_autocheckpoint = 0; PRAGMA synchronous = NORMAL", nil, nil, nil)
      sqlite3_busy_timeout(connection, 1000)
      // A failure (a full or failing disk) is met again, and reported, by the writer itself.
      sqlite3_wal_checkpoint_v2(connection, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
      // The writer is silent now: this copies what is left and cuts the file.
      if mustPause { sqlite3_wal_checkpoint_v2(connection, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil) }
    }
    sqlite3_close_v2(connection)
    let waiting = state.withLock { state in
      state.isRunning = false
      state.isOver = false
      defer { state.waiting = [] }
      return state.waiting
    }
    for body in waiting { body() }
  }
}
