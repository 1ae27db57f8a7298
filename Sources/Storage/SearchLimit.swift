internal import GRDBSQLite
internal import Synchronization

/// When a search is to stop before its end: when nobody waits for it any more, or when it has taken too much; and where it rests,
/// so that others have their turn.
package final class SearchLimit: Sendable {
  /// Why it was stopped.
  package enum Reached: Error {
    /// Nobody waits for it.
    case cancelled
    /// It took more than it may.
    case tooLong
  }

  /// SQLite looks here each time that it has done so many operations of its virtual machine.
  static let interval = 10_000

  private let isCancelled = Atomic(false)
  private let looksLeft: Atomic<Int>
  private let looksInSlice: Int
  private let rest: @Sendable () -> Void
  /// Of the slice. Only the thread that searches has it.
  private let looksTaken = Atomic(0)

  /// - Parameters:
  ///   - operations: of SQLite's virtual machine, that it may take. It does some ten million a second.
  ///   - slice: of them, after which it rests.
  ///   - rest: called then, on the thread that searches; returns when it goes on.
  package init(operations: Int, slice: Int, rest: @escaping @Sendable () -> Void) {
    looksLeft = Atomic(operations / Self.interval)
    looksInSlice = max(1, slice / Self.interval)
    self.rest = rest
  }

  /// Nobody waits for it any more. It may be called on any thread.
  package func cancel() { isCancelled.store(true, ordering: .relaxed) }

  /// It has taken too much, whatever it has taken: others wait for it. It may be called on any thread.
  package func end() { looksLeft.store(-1, ordering: .relaxed) }

  private var reached: Reached? {
    if isCancelled.load(ordering: .relaxed) { return .cancelled }
    return looksLeft.load(ordering: .relaxed) < 0 ? .tooLong : nil
  }

  private func look() -> Bool {
    looksLeft.subtract(1, ordering: .relaxed)
    if reached == nil, looksTaken.add(1, ordering: .relaxed).newValue >= looksInSlice {
      looksTaken.store(0, ordering: .relaxed)
      rest()
    }
    return reached != nil
  }

  func applied<Value>(to connection: OpaquePointer, _ body: () throws -> Value) throws -> Value {
    sqlite3_progress_handler(
      connection, CInt(Self.interval),
      { context in
        guard let context else { return 0 }
        return Unmanaged<SearchLimit>.fromOpaque(context).takeUnretainedValue().look() ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
    defer { sqlite3_progress_handler(connection, 0, nil, nil) }
    if isCancelled.load(ordering: .relaxed) { throw Reached.cancelled }
    do { return try withExtendedLifetime(self, body) } catch let error as StorageError {
      // SQLITE_INTERRUPT is all that SQLite says.
      if let reached { throw reached }
      throw error
    }
  }
}
