internal import GRDBSQLite
internal import Synchronization

/// A connection to the index that only reads, with all its files open.
final class ReaderConnection {
  let pointer: OpaquePointer

  init(_ path: String) throws(StorageError) {
    var opened: OpaquePointer?
    let result = sqlite3_open_v2(path, &opened, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, nil)
    guard result == SQLITE_OK, let opened else {
      let error = StorageError(sqlite: opened, result, path: path)
      sqlite3_close_v2(opened)
      throw error
    }
    sqlite3_extended_result_codes(opened, 1)
    sqlite3_busy_timeout(opened, 5000)
    // The last of these opens the files.
    let begun = """
      PRAGMA temp_store = MEMORY; PRAGMA trusted_schema = OFF; SELECT count(*) FROM meta
      """
    let set = sqlite3_exec(opened, begun, nil, nil, nil)
    guard set == SQLITE_OK else {
      let error = StorageError(sqlite: opened, set, path: path)
      sqlite3_close_v2(opened)
      throw error
    }
    pointer = opened
    try BurstFunction.add(to: opened, path: path)
  }

  deinit {
    // Statements that are finalized later close it then.
    sqlite3_close_v2(pointer)
  }
}

/// One that is open from the beginning. Where no other can be opened, for want of descriptors or memory, searches take turns
/// on it.
final class KeptReader: Sendable {
  private let turn = Mutex(())
  /// Unsafe only in that it is not used by one thread alone: it is used by who has the turn.
  private nonisolated(unsafe) let connection: ReaderConnection

  init(_ path: String) throws(StorageError) { connection = try ReaderConnection(path) }

  /// - Parameter body: must end every statement that it begins.
  func use<Value: Sendable>(_ body: (ReaderConnection) throws -> Value) throws -> Value {
    try turn.withLock { _ in
      // The pages that a search has read are of no use to the next.
      defer { sqlite3_db_release_memory(connection.pointer) }
      return try body(connection)
    }
  }
}
