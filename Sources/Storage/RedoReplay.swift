internal import Glibc
internal import LibraryModel

/// Runs the batches of a redo log again, in order.
struct RedoReplay {
  private let statement: (String) throws(StorageError) -> LibraryStatement
  private var codes: [UInt8: LibraryStatement] = [:]

  /// - Parameter statement: makes the statements.
  init(_ statement: @escaping (String) throws(StorageError) -> LibraryStatement) {
    self.statement = statement
  }

  /// Runs batches, in the open transaction.
  mutating func run(_ batches: RedoLog.Batches) throws(StorageError) {
    for entry in batches.entries.joined() {
      switch entry {
      case .definition(let code, let sql): codes[code] = try statement(sql)
      case .run(let code, let values):
        guard let statement = codes[code] else { preconditionFailure("a batch runs what is defined") }
        for (index, value) in values { statement.bind(CInt(index), value) }
        try statement.run()
      }
    }
  }

  /// What is lost of the log is lost as by a loss of power: of numbers that were given out, none is given out again
  /// (`PowerLoss.swift`). In the same transaction as what is not lost.
  static let forgetBoot = "DELETE FROM meta WHERE name = 'boot'"

  /// Commits what an older version has promised and left in its redo log, before its tables are changed.
  ///
  /// - Parameter boot: the present life of the machine; after another the log is good for nothing
  ///   (`PowerLoss.swift`).
  static func settle(_ path: String, _ boot: String) throws(StorageError) {
    // An index that is only being made has no log, and one without a log has nothing to settle.
    guard !boot.isEmpty, access(path + "-redo", F_OK) == 0 else { return }
    let connection = try LibraryConnection(path: path)
    func statement(_ sql: String) throws(StorageError) -> LibraryStatement {
      try LibraryStatement(sql, on: connection.pointer, path: path)
    }
    func number(_ sql: String) throws(StorageError) -> Int64 { try statement(sql).first { $0.int(0) } ?? 0 }
    let tables = try number("SELECT count(*) FROM sqlite_master WHERE name IN ('meta', 'journal')")
    guard tables == 2 else { return }
    let known = try statement("SELECT value = ? FROM meta WHERE name = 'boot'")
    known.bind(1, boot)
    guard try known.first({ $0.int(0) != 0 }) ?? false else { return }
    let seed = try number("SELECT value FROM meta WHERE name = 'journal'")
    var log = try RedoLog(path: path + "-redo", seed: UInt64(bitPattern: seed))
    let place = Place(
      rawValue: try number(
        """
        SELECT max(
          ifnull((SELECT max(seq) FROM journal), 0),
          ifnull((SELECT max(CAST(substr(name, 5) AS INTEGER)) FROM meta WHERE name >= 'gap ' AND name < 'gap!'), 0))
        """))
    let batches = try log.batches(after: place)
    if batches.entries.isEmpty, batches.isWhole { return }
    try statement("BEGIN IMMEDIATE").run()
    var replay = RedoReplay(statement)
    // Without the COMMIT, the connection's end takes all of it back.
    try replay.run(batches)
    if !batches.isWhole { try statement(forgetBoot).run() }
    try statement("COMMIT").run()
  }
}

extension LibraryStatement {
  fileprivate func bind(_ index: CInt, _ value: RedoReader.Value) {
    switch value {
    case .null: bindNull(index)
    case .integer(let number): bind(index, number)
    case .blob(let bytes): bind(index, bytes)
    case .text(let text): bind(index, text)
    case .real(let number): bind(index, number)
    }
  }
}
