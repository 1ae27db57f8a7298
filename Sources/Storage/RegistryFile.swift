internal import GRDB
internal import GRDBSQLite
internal import Glibc

/// Making and opening `registry.sqlite`.
///
/// A new registry is made under another name and renamed when it is whole. So a file of the right name is
/// always a registry, and one that is empty or something else was damaged: it is reported and left alone,
/// because a registry made anew would have forgotten every denial.
struct RegistryFile {
  let path: String
  /// Pages that the file may have; for a test of a full disk.
  let pageLimit: Int?

  func open() throws -> DatabaseQueue {
    try makeIfMissing()
    let queue = try connect(path)
    let isNewer = try queue.read { database in
      guard try Int32.fetchOne(database, sql: "PRAGMA application_id") == RegistrySchema.applicationID else {
        throw damaged("it is a database, but not albumd's registry")
      }
      let result = try String.fetchOne(database, sql: "PRAGMA quick_check(1)") ?? "nothing"
      guard result == "ok" else { throw damaged(result) }
      return try RegistrySchema.migrator.hasBeenSuperseded(database)
    }
    if isNewer {
      throw StorageError(
        code: .newerSchema, message: "a newer version of albumd wrote this registry", path: path,
        advice: "install that version again; this one would lose what it does not know")
    }
    try RegistrySchema.migrator.migrate(queue)
    return queue
  }

  private func makeIfMissing() throws {
    var status = stat()
    if lstat(path, &status) == 0 {
      guard status.st_size > 0 else { throw damaged("the file is empty") }
      return
    }
    guard errno == ENOENT else { throw failure("lstat", path) }
    if lstat(path + "-wal", &status) == 0 {
      throw damaged("the file is missing, but its write-ahead log is there")
    }
    let new = path + ".new"
    for suffix in ["", "-wal", "-shm"] where unlink(new + suffix) != 0 && errno != ENOENT {
      throw failure("unlink", new + suffix)
    }
    // SQLite gives the -wal and -shm files the mode of the database.
    let descriptor = Glibc.open(new, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw failure("open", new) }
    close(descriptor)
    let queue = try connect(new)
    try RegistrySchema.migrator.migrate(queue)
    // The last connection to close moves the log into the file.
    try queue.retire()
    guard rename(new, path) == 0 else { throw failure("rename", path) }
    try syncDirectory()
  }

  private func connect(_ path: String) throws -> DatabaseQueue {
    MemoryStatistics.turnOff()
    var configuration = Configuration()
    configuration.label = "registry"
    configuration.busyMode = .timeout(5)
    configuration.prepareDatabase { [pageLimit] database in
      // FULL: a commit is on disk when it returns, also after a power failure
      // (https://sqlite.org/pragma.html#pragma_synchronous).
      try database.execute(
        sql: """
          PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA trusted_schema = OFF;
          """)
      if let pageLimit { try database.execute(sql: "PRAGMA max_page_count = \(pageLimit)") }
    }
    return try DatabaseQueue(path: path, configuration: configuration)
  }

  private func syncDirectory() throws {
    let directory = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    let descriptor = Glibc.open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure("open", directory) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw failure("fsync", directory) }
  }

  private func damaged(_ what: String) -> StorageError {
    StorageError(code: .corrupt, message: what, path: path, advice: StorageError.registryAdvice)
  }

  private func failure(_ call: String, _ path: String) -> StorageError {
    let code = errno
    let sqlite: CInt =
      switch code {
      case ENOSPC, EDQUOT: SQLITE_FULL
      case EROFS, EACCES, EPERM: SQLITE_READONLY
      case EIO: SQLITE_IOERR
      default: SQLITE_CANTOPEN
      }
    return StorageError(
      sqliteCode: sqlite, message: "\(String(cString: strerror(code))) (\(call))", path: path)
  }
}

extension StorageError {
  /// What to do about a damaged registry. Removing it is no advice: apps that were denied would ask again.
  static let registryAdvice =
    "stop the daemon, keep the file and its -wal file elsewhere, and restore a backup: copy the newest of "
    + "backups/registry-*.sqlite beside it to registry.sqlite; what was decided since is lost, what was taken away as "
    + "well: look at albumctl apps. Or use the .recover command of sqlite3; without the file, every decision has to be "
    + "made again"

  /// What went wrong with the registry, whoever said so.
  init(registry error: any Error, path: String) {
    let general = StorageError(error, path: path)
    // The statements are always the same ones: what they do not find in it was damaged.
    guard let error = error as? DatabaseError,
      general.code == .corrupt || error.resultCode == .SQLITE_ERROR
    else {
      self = general
      return
    }
    self.init(code: .corrupt, message: general.message, path: path, advice: Self.registryAdvice)
  }
}
