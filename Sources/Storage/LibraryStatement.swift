internal import GRDBSQLite
internal import LibraryModel

/// One prepared statement of a ``LibraryStore``, run a million times: bound, stepped and reset without
/// anything in between. Confined to the thread of its store.
///
/// It is long because each type that is bound or read has its pair of functions, and what is written goes to the redo log as
/// well; the files beside it read whole rows.
final class LibraryStatement: BoundValues {
  private let pointer: OpaquePointer
  private let connection: OpaquePointer
  private let path: String
  private let sql: String
  /// Where a statement that writes is written down; nil for one that reads.
  private let recorder: RedoRecorder?
  /// What is inserted before it runs; nil for one that has nothing to do with that.
  private let waiting: WaitingRows?
  /// Where names wait that it may see: they alone are inserted before it runs.
  private let names: WaitingRows?
  private let bindsAll: Bool
  private var code: RedoRecorder.Code?
  private let values = RedoValues()
  /// What is bound, by its index, where nothing is forgotten between two runs.
  private let kept: UnsafeMutablePointer<KeptValue>?
  private let keptCount: CInt

  /// - Parameter bindsAll: whether every value is bound for every run, and none is a peer's to choose: then they need not
  ///   be forgotten.
  init(
    _ sql: String, on connection: OpaquePointer, recorder: RedoRecorder? = nil, waiting: WaitingRows? = nil,
    names: WaitingRows? = nil, bindsAll: Bool = false, path: String
  ) throws(StorageError) {
    var prepared: OpaquePointer?
    let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
    let result = sqlite3_prepare_v3(connection, sql, -1, flags, &prepared, nil)
    guard result == SQLITE_OK, let prepared else {
      throw StorageError(sqlite: connection, result, path: path)
    }
    pointer = prepared
    self.connection = connection
    self.path = path
    self.sql = sql
    self.recorder = sqlite3_stmt_readonly(prepared) != 0 ? nil : recorder
    self.waiting = waiting
    self.names = names
    self.bindsAll = bindsAll
    if bindsAll {
      keptCount = sqlite3_bind_parameter_count(prepared) + 1
      let kept = UnsafeMutablePointer<KeptValue>.allocate(capacity: Int(keptCount))
      kept.initialize(repeating: .another, count: Int(keptCount))
      self.kept = kept
    } else {
      (kept, keptCount) = (nil, 0)
    }
  }

  deinit {
    sqlite3_finalize(pointer)
    kept?.deallocate()
  }

  /// What a parameter is bound to. SQLite keeps it from one run to the next, and binding it again takes several times as long
  /// as finding that out; of a row of an asset or an entry of the journal, half is as in the one before.
  private enum KeptValue: Equatable {
    case another, null
    case integer(Int64)
  }

  /// Notes what a parameter is going to be bound to.
  ///
  /// - Returns: whether it is already.
  @inline(__always)
  private func keeps(_ index: CInt, _ value: KeptValue) -> Bool {
    guard let kept, 0..<keptCount ~= index else { return false }
    if kept[Int(index)] == value { return true }
    kept[Int(index)] = value
    return false
  }

  /// Notes that a parameter is bound to something that is not compared.
  @inline(__always)
  private func keepsNot(_ index: CInt) {
    if let kept, 0..<keptCount ~= index { kept[Int(index)] = .another }
  }

  // MARK: Binding, from 1

  func bind(_ index: CInt, _ value: Int64) {
    if !keeps(index, .integer(value)), sqlite3_bind_int64(pointer, index, value) != SQLITE_OK {
      keepsNot(index)
    }
    if isRecorded { values.append(index, value) }
  }

  func bind(_ index: CInt, _ value: Double?) {
    guard let value else { return bindNull(index) }
    keepsNot(index)
    sqlite3_bind_double(pointer, index, value)
    if isRecorded { values.append(index, value) }
  }

  func bind(_ index: CInt, _ bytes: UnsafeRawBufferPointer) {
    keepsNot(index)
    // A null pointer would bind NULL instead of an empty blob.
    if bytes.isEmpty {
      _ = sqlite3_bind_zeroblob(pointer, index, 0)
    } else {
      _ = sqlite3_bind_blob(pointer, index, bytes.baseAddress, CInt(bytes.count), transient)
    }
    if isRecorded { values.append(index, .blob, bytes) }
  }

  func bind(_ index: CInt, _ text: String) {
    keepsNot(index)
    // With its length: U+0000 is a character as any other, here as when it is done again.
    var text = text
    text.withUTF8 { utf8 in
      // A null pointer would bind NULL instead of an empty text.
      if let start = utf8.baseAddress {
        _ = sqlite3_bind_text(
          pointer, index, UnsafeRawPointer(start).assumingMemoryBound(to: CChar.self), CInt(utf8.count),
          transient)
      } else {
        _ = sqlite3_bind_text(pointer, index, "", 0, transient)
      }
      if isRecorded { values.append(index, .text, UnsafeRawBufferPointer(utf8)) }
    }
  }

  func bindNull(_ index: CInt) {
    if !keeps(index, .null), sqlite3_bind_null(pointer, index) != SQLITE_OK { keepsNot(index) }
    if isRecorded { values.append(index) }
  }

  private var isRecorded: Bool {
    guard let recorder else { return false }
    return recorder.isOn
  }

  /// It has changed something, or (INSERT … RETURNING) has changed and read: written down, if its batch is.
  private func record() {
    if let recorder, recorder.isOn { recorder.note(sql, values, as: &code) }
    forgetValues()
  }

  /// Every value is bound for every run: one that was forgotten is NULL, here as when it is done again. What a peer
  /// asked for is as long as it likes, and stays in memory no longer than it takes to find it.
  private func forgetValues() {
    if !bindsAll { sqlite3_clear_bindings(pointer) }
    values.removeAll()
  }

  // MARK: Running

  /// - Throws: `failed`: it writes, and no batch is open that could keep what it does, or its transaction was taken back.
  func requireBatch() throws(StorageError) {
    guard let recorder else { return }
    guard recorder.isOpen else { throw StorageError(outsideOfBatch: sql, path: path) }
    guard recorder.isInTransaction, sqlite3_get_autocommit(connection) != 0 else { return }
    throw StorageError(takenBack: path)
  }

  private func step() throws(StorageError) -> CInt {
    do {
      try requireBatch()
      if let waiting, !waiting.isEmpty { try waiting.writeBefore() }
      if let names, names.hasNames { try names.writeNamesBefore() }
    } catch {
      forgetValues()
      throw error
    }
    return sqlite3_step(pointer)
  }

  /// Runs a statement that returns no rows.
  func run() throws(StorageError) {
    let result = try step()
    guard result == SQLITE_DONE || result == SQLITE_ROW else { throw failure(result) }
    sqlite3_reset(pointer)
    record()
  }

  /// Runs an insertion that gives way to a row which is there already.
  ///
  /// - Returns: whether the row was inserted.
  func runUnlessTaken() throws(StorageError) -> Bool {
    let result = try step()
    if result & 0xFF == SQLITE_CONSTRAINT {
      sqlite3_reset(pointer)
      forgetValues()
      return false
    }
    guard result == SQLITE_DONE else { throw failure(result) }
    sqlite3_reset(pointer)
    record()
    return true
  }

  /// How many rows it has changed, if no other statement was run since.
  var changeCount: Int { Int(sqlite3_changes(connection)) }

  /// Reads the first row.
  func first<Value>(_ read: (LibraryStatement) -> Value) throws(StorageError) -> Value? {
    let result = try step()
    guard result == SQLITE_ROW else {
      guard result == SQLITE_DONE else { throw failure(result) }
      sqlite3_reset(pointer)
      record()
      return nil
    }
    let value = read(self)
    sqlite3_reset(pointer)
    record()
    return value
  }

  /// Reads all rows.
  func all<Value>(_ read: (LibraryStatement) -> Value) throws(StorageError) -> [Value] {
    var values: [Value] = []
    try each { values.append(read($0)) }
    return values
  }

  /// Reads all rows, and keeps none.
  func each(_ read: (LibraryStatement) -> Void) throws(StorageError) {
    while true {
      let result = try step()
      guard result == SQLITE_ROW else {
        guard result == SQLITE_DONE else { throw failure(result) }
        sqlite3_reset(pointer)
        return record()
      }
      read(self)
    }
  }

  // MARK: Columns, from 0

  func int(_ column: CInt) -> Int64 { sqlite3_column_int64(pointer, column) }
  func double(_ column: CInt) -> Double { sqlite3_column_double(pointer, column) }
  func unsigned(_ column: CInt) -> UInt64 { UInt64(bitPattern: int(column)) }
  func isNull(_ column: CInt) -> Bool { sqlite3_column_type(pointer, column) == SQLITE_NULL }

  func bytes(_ column: CInt) -> UnsafeRawBufferPointer {
    let start = sqlite3_column_blob(pointer, column)
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(pointer, column)))
  }

  func name(_ column: CInt) -> FileName { FileName(bytes(column)) }

  private func failure(_ result: CInt) -> StorageError {
    let error = StorageError(sqlite: connection, result, path: path)
    if error.code == .corrupt { LibrarySalvage(path: path).noteDamage() }
    sqlite3_reset(pointer)
    forgetValues()
    return error
  }
}

/// SQLITE_TRANSIENT: SQLite copies at once. The header's macro is a cast that Swift does not import.
private let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

extension StorageError {
  /// What SQLite said, with what to do (https://sqlite.org/rescode.html).
  init(sqlite connection: OpaquePointer?, _ result: CInt, path: String) {
    let text =
      sqlite3_errmsg(connection).map { String(cString: $0) } ?? String(cString: sqlite3_errstr(result))
    self.init(sqliteCode: result, message: text, path: path)
  }

  /// Something was to be written, and no batch was open that would keep it.
  init(outsideOfBatch what: String, path: String) {
    self.init(
      code: .failed, message: "written outside of a batch: \(what)", path: path, advice: "please report it")
  }

  /// SQLite has taken a transaction back by itself, in the middle of a batch.
  init(takenBack path: String) {
    self.init(
      code: .failed, message: "the transaction was taken back", path: path,
      advice: "it is tried again; if that does not help, check the disk")
  }

  /// The same for an error that was caught elsewhere.
  init(sqliteCode result: CInt, message: String, path: String) {
    let (code, advice): (Code, String) =
      switch result & 0xFF {
      case SQLITE_FULL: (.full, "make room on its file system")
      case SQLITE_READONLY, SQLITE_PERM:
        (.readOnly, "make the file and its directory writable for the daemon")
      case SQLITE_IOERR: (.inputOutput, "check the disk; the kernel's log says more")
      case SQLITE_CORRUPT, SQLITE_NOTADB:
        (
          .corrupt,
          "start the daemon again: a damaged index is put aside, and another made from the album directories"
        )
      case SQLITE_BUSY, SQLITE_LOCKED: (.busy, "another process has it open; one daemon may use it")
      case SQLITE_CANTOPEN: (.cannotOpen, "check that its directory exists and belongs to the daemon")
      default: (.failed, "this should not happen; please report it")
      }
    self.init(code: code, message: message, path: path, advice: advice)
  }
}
