internal import GRDB
internal import Synchronization

extension DatabaseQueue {
  /// Closes a connection, at the start or at the end of the daemon.
  ///
  /// The object is kept: to release it is to release its dispatch queue, which libdispatch does on a thread of
  /// its pool, whose monitor then wakes up every second for the rest of the process's life. Where the thread may
  /// not raise its priority, libdispatch also complains in the journal.
  func retire() throws {
    try close()
    retired.withLock { $0.append(self) }
  }
}

/// Few: one for each database that was brought up to date or is closed at the end.
private let retired = Mutex<[DatabaseQueue]>([])
