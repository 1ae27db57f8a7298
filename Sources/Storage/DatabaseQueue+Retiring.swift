internal import GRDB
internal import Synchronization

extension DatabaseQueue {
  /// Closes a connection that was needed at the start only.
  ///
  /// The object is kept: to release it is to release its dispatch queue, which libdispatch does on a thread of
  /// its pool, whose monitor then wakes up every second for the rest of the process's life.
  func retire() throws {
    try close()
    retired.withLock { $0.append(self) }
  }
}

/// One for each database that was brought up to date.
private let retired = Mutex<[DatabaseQueue]>([])
