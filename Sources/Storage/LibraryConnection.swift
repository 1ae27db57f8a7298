internal import GRDBSQLite

/// The connection of a ``LibraryStore``. GRDB brings the file up to date and is done: its connections watch
/// every commit, from a queue of their own, which a million single rows need not pay for.
final class LibraryConnection {
  let pointer: OpaquePointer

  init(path: String) throws(StorageError) {
    var opened: OpaquePointer?
    let result = sqlite3_open_v2(path, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil)
    guard result == SQLITE_OK, let opened else {
      let error = StorageError(sqlite: opened, result, path: path)
      sqlite3_close_v2(opened)
      throw error
    }
    pointer = opened
    sqlite3_extended_result_codes(opened, 1)
    sqlite3_busy_timeout(opened, 5000)
    // Checkpoints are made elsewhere. 16 MiB of cache hold the working set of a million assets' scan.
    let pragmas = """
      PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0;
      PRAGMA cache_size = -16384; PRAGMA temp_store = MEMORY; PRAGMA trusted_schema = OFF;
      """
    let set = sqlite3_exec(opened, pragmas, nil, nil, nil)
    guard set == SQLITE_OK else { throw StorageError(sqlite: opened, set, path: path) }
  }

  deinit {
    // Statements that are finalized later close it then.
    sqlite3_close_v2(pointer)
  }
}
