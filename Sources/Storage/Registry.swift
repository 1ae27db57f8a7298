public import Authorization
internal import GRDB
internal import Linux

/// The authorization registry: `registry.sqlite` in the state directory.
///
/// It is read once. After that it is only written, on its own thread, one transaction after another in the
/// order in which they were given; each is on disk when it is reported.
public final class Registry: Sendable {
  /// The database file.
  public let path: String
  private let queue: DatabaseQueue
  private let thread = SerialThread()

  /// Opens the registry in that directory, makes it at the first start, and brings an older one up to date.
  ///
  /// - Throws: `StorageError`: `corrupt` for a damaged one, which is left as it is; `newerSchema`,
  ///   `readOnly`, `full`, `cannotOpen`.
  public convenience init(directory: String) throws(StorageError) {
    try self.init(directory: directory, pageLimit: nil)
  }

  init(directory: String, pageLimit: Int?) throws(StorageError) {
    path = "\(directory)/registry.sqlite"
    do {
      queue = try RegistryFile(path: path, pageLimit: pageLimit).open()
    } catch {
      throw StorageError(registry: error, path: path)
    }
  }

  /// Reads everything. Blocks: call it before the daemon serves.
  public func load() throws(StorageError) -> RegistrySnapshot {
    do {
      return try queue.read { try RegistryRows(database: $0, path: path).snapshot() }
    } catch {
      throw StorageError(registry: error, path: path)
    }
  }

  /// Makes a transaction of these changes: all of them or none.
  ///
  /// - Parameter completion: told, on the registry's thread, when they are on disk or why they are not.
  ///   Completions come in the order of the calls.
  public func apply(
    _ changes: [AuthorizationChange],
    completion: @escaping @Sendable (Result<Void, StorageError>) -> Void
  ) {
    write(completion) { rows in for change in changes { try rows.apply(change) } }
  }

  /// Notes that an app was here.
  public func noteSeen(
    _ app: PeerIdentity, since first: Timestamp, at now: Timestamp,
    completion: @escaping @Sendable (Result<Void, StorageError>) -> Void
  ) {
    write(completion) { try $0.noteSeen(app, since: first, at: now) }
  }

  /// Notes the language that an app named, for what it is told where it names none.
  public func note(
    language: String, of app: PeerIdentity,
    completion: @escaping @Sendable (Result<Void, StorageError>) -> Void
  ) {
    write(completion) { try $0.note(language: language, of: app) }
  }

  /// Notes that an app made use of a decision, for the list that an owner reviews.
  public func noteUse(
    of key: RecordKey, at now: Timestamp,
    completion: @escaping @Sendable (Result<Void, StorageError>) -> Void
  ) {
    write(completion) { try $0.noteUse(of: key, at: now) }
  }

  /// Closes the file when all that was given is written: for the end of the daemon.
  public func close() throws(StorageError) {
    thread.finish()
    do { try queue.retire() } catch { throw StorageError(registry: error, path: path) }
  }

  /// What SQLite runs with: `journal_mode` and `synchronous`.
  func settings() throws -> (journalMode: String?, synchronous: Int?) {
    try queue.read { database in
      (
        try String.fetchOne(database, sql: "PRAGMA journal_mode"),
        try Int.fetchOne(database, sql: "PRAGMA synchronous")
      )
    }
  }

  private func write(
    _ completion: @escaping @Sendable (Result<Void, StorageError>) -> Void,
    _ body: @escaping @Sendable (RegistryRows) throws -> Void
  ) {
    thread.async { [queue, path] in
      // On this thread, not on one of the queue's (`SerialThread` says why).
      let result = Result { try queue.write { try body(RegistryRows(database: $0, path: path)) } }
      completion(result.mapError { StorageError(registry: $0, path: path) })
    }
  }
}
