internal import GRDBSQLite

/// The connection of a ``LibraryStore``, with its statements. GRDB brings the file up to date and is done: its connections watch
/// every commit, from a queue of their own, which a million single rows need not pay for.
final class LibraryConnection {
  let pointer: OpaquePointer
  let path: String
  /// Writes down what statements do, in a batch.
  let recorder = RedoRecorder()
  /// What is inserted a little later.
  let waiting = WaitingRows()
  private var statements: [String: LibraryStatement] = [:]
  private var queries: [String: LibraryStatement] = [:]

  init(path: String) throws(StorageError) {
    var opened: OpaquePointer?
    let result = sqlite3_open_v2(path, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil)
    guard result == SQLITE_OK, let opened else {
      let error = StorageError(sqlite: opened, result, path: path)
      sqlite3_close_v2(opened)
      throw error
    }
    pointer = opened
    self.path = path
    sqlite3_extended_result_codes(opened, 1)
    sqlite3_busy_timeout(opened, 5000)
    // Checkpoints are made elsewhere. 16 MiB of cache hold the working set of a million assets' scan.
    let pragmas = """
      PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0;
      PRAGMA cache_size = -16384; PRAGMA temp_store = MEMORY; PRAGMA trusted_schema = OFF;
      """
    let set = sqlite3_exec(opened, pragmas, nil, nil, nil)
    guard set == SQLITE_OK else { throw StorageError(sqlite: opened, set, path: path) }
    try BurstFunction.add(to: opened, path: path)
  }

  // MARK: Statements

  /// One that is kept: it is made once.
  func statement(_ sql: String) throws(StorageError) -> LibraryStatement {
    if let known = statements[sql] { return known }
    let statement = try prepare(sql)
    statements[sql] = statement
    return statement
  }

  /// One that its user keeps.
  func prepare(_ sql: String) throws(StorageError) -> LibraryStatement {
    try LibraryStatement(sql, on: pointer, recorder: recorder, waiting: waiting, path: path)
  }

  /// The same of one that neither sees nor changes what rows may wait for, or whose user has those written first, and of
  /// which every value is bound for every run.
  func prepareApart(_ sql: String) throws(StorageError) -> LibraryStatement {
    try LibraryStatement(sql, on: pointer, recorder: recorder, bindsAll: true, path: path)
  }

  /// The same of one that sees names, or changes them, and nothing else that may wait.
  func prepareOfNames(_ sql: String) throws(StorageError) -> LibraryStatement {
    try LibraryStatement(sql, on: pointer, recorder: recorder, names: waiting, bindsAll: true, path: path)
  }

  /// The same of one that was written down when it was to run.
  func prepareUnrecorded(_ sql: String) throws(StorageError) -> LibraryStatement {
    try LibraryStatement(sql, on: pointer, bindsAll: true, path: path)
  }

  /// A statement of a peer's choosing, of which there are hundreds: only some are kept.
  func query(_ sql: String) throws(StorageError) -> LibraryStatement {
    if let known = queries[sql] { return known }
    let statement = try LibraryStatement(sql, on: pointer, waiting: waiting, path: path)
    if queries.count == 32 { queries = [:] }
    queries[sql] = statement
    return statement
  }

  /// SQLite takes a transaction back by itself where the disk fails (its documentation, "Transactions"), and what runs then is
  /// committed by itself.
  ///
  /// - Throws: `failed`, where no transaction is open.
  func requireTransaction() throws(StorageError) {
    if !hasTransaction { throw StorageError(takenBack: path) }
  }

  /// Whether a transaction is open.
  var hasTransaction: Bool { sqlite3_get_autocommit(pointer) == 0 }

  func run(_ sql: String) throws(StorageError) {
    try statement(sql).run()
  }

  func scalar(_ sql: String) throws(StorageError) -> Int64 {
    try statement(sql).first { $0.int(0) } ?? 0
  }

  /// A number that the index keeps under a name; 0 if there is none.
  func meta(_ name: String) throws(StorageError) -> Int64 {
    let statement = try statement("SELECT value FROM meta WHERE name = ?")
    statement.bind(1, name)
    return try statement.first { $0.int(0) } ?? 0
  }

  /// Copies what was committed into the database's own file, and empties the log, unless somebody reads it.
  func checkpoint() throws(StorageError) {
    let result = sqlite3_wal_checkpoint_v2(pointer, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
    guard result == SQLITE_OK || result & 0xFF == SQLITE_BUSY else {
      throw StorageError(sqlite: pointer, result, path: path)
    }
  }

  deinit {
    // Statements that are finalized later close it then.
    sqlite3_close_v2(pointer)
  }
}
