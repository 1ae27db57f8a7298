package import Authorization
internal import GRDB
internal import Linux
internal import Synchronization

/// The authorization registry: `registry.sqlite` in the state directory.
///
/// It is read once. After that it is only written, on its own thread, one transaction after another in the
/// order in which they were given; each is on disk when it is reported.
package final class Registry: Sendable {
  /// The database file.
  package let path: String
  private let queue: DatabaseQueue
  private let thread = SerialThread()
  private let reserve: RegistryReserve
  /// What was taken away and is not on disk yet: before anything else is. Used on the thread, and after its end.
  private let owed = Mutex<[AuthorizationChange]>([])
  private let backups: Mutex<RegistryBackups>
  private let now: @Sendable () -> Timestamp

  /// Opens the registry in that directory, makes it at the first start, and brings an older one up to date.
  ///
  /// - Throws: `StorageError`: `corrupt` for a damaged one, which is left as it is; `newerSchema`,
  ///   `readOnly`, `full`, `cannotOpen`.
  package convenience init(directory: String) throws(StorageError) {
    try self.init(directory: directory, pageLimit: nil)
  }

  init(
    directory: String, pageLimit: Int?,
    now: @escaping @Sendable () -> Timestamp = { Timestamp(microseconds: RealTime.microseconds) }
  ) throws(StorageError) {
    self.now = now
    backups = Mutex(RegistryBackups(directory: "\(directory)/backups"))
    path = "\(directory)/registry.sqlite"
    reserve = RegistryReserve(path: "\(directory)/registry.reserve")
    do {
      queue = try RegistryFile(path: path, pageLimit: pageLimit).open()
    } catch {
      throw StorageError(registry: error, path: path)
    }
    reserve.make()
    // It was whole when it was opened.
    thread.async { [self] in backUp(at: now()) }
  }

  /// Reads everything. Blocks: call it before the daemon serves.
  package func load() throws(StorageError) -> RegistrySnapshot {
    do {
      return try queue.read { try RegistryRows(database: $0, path: path).snapshot() }
    } catch {
      throw StorageError(registry: error, path: path)
    }
  }

  /// Makes a transaction of these changes: all of them or none.
  ///
  /// - Parameters:
  ///   - revocations: those that come to the disk even when the others do not, before anything that is given later. They
  ///     may use the space that is kept for them.
  ///   - completion: told, on the registry's thread, when they are on disk or why they are not.
  ///     Completions come in the order of the calls.
  package func apply(
    _ changes: [AuthorizationChange], revocations: [AuthorizationChange] = [],
    completion: @escaping @Sendable (Result<Void, StorageError>) -> Void
  ) {
    thread.async { [self] in
      var result = payDebts()
      if case .success = result { result = save(changes, usingReserve: !revocations.isEmpty) }
      if case .failure = result { owed.withLock { $0 += revocations } }
      let time = now()
      completion(result)
      if case .success = result { noteChange(at: time) }
    }
  }

  /// Tries again to write what was taken away and is not on disk yet.
  ///
  /// - Parameter completion: told, on the registry's thread, whether all of it is there now.
  package func retry(completion: @escaping @Sendable (Result<Void, StorageError>) -> Void) {
    thread.async { [self] in completion(payDebts()) }
  }

  /// Notes that an app was here.
  package func noteSeen(
    _ app: PeerIdentity, since first: Timestamp, at now: Timestamp,
    completion: @escaping @Sendable (Result<Void, StorageError>) -> Void
  ) {
    write(completion) { try $0.noteSeen(app, since: first, at: now) }
  }

  /// Notes when an app that is known was here last.
  package func noteSeenAgain(
    _ app: AppKey, at now: Timestamp,
    completion: @escaping @Sendable (Result<Void, StorageError>) -> Void
  ) {
    write(completion) { try $0.noteSeenAgain(app, at: now) }
  }

  /// Forgets that an app was here, unless something was decided about it.
  package func forget(
    _ app: AppKey, completion: @escaping @Sendable (Result<Void, StorageError>) -> Void
  ) {
    write(completion) { try $0.forget(app) }
  }

  /// Notes the language that an app named, for what it is told where it names none.
  package func note(
    language: String, of app: PeerIdentity,
    completion: @escaping @Sendable (Result<Void, StorageError>) -> Void
  ) {
    write(completion) { try $0.note(language: language, of: app) }
  }

  /// Notes that an app made use of a decision, for the list that an owner reviews.
  package func noteUse(
    of key: RecordKey, at now: Timestamp,
    completion: @escaping @Sendable (Result<Void, StorageError>) -> Void
  ) {
    write(completion) { try $0.noteUse(of: key, at: now) }
  }

  /// Closes the file when all that was given is written: for the end of the daemon.
  package func close() throws(StorageError) {
    thread.finish()
    let debts = payDebts()
    backUp(at: now(), isEnd: true)
    do { try queue.retire() } catch { throw StorageError(registry: error, path: path) }
    try debts.get()
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
    thread.async { [self] in
      let result = write(body)
      let time = now()
      completion(result)
      if case .success = result { noteChange(at: time) }
    }
  }

  /// On this thread, not on one of the queue's (`SerialThread` says why).
  private func write(_ body: (RegistryRows) throws -> Void) -> Result<Void, StorageError> {
    Result { try queue.write { try body(RegistryRows(database: $0, path: path)) } }
      .mapError { StorageError(registry: $0, path: path) }
  }

  /// - Parameter time: when it was written, whatever whoever was told of it has done since.
  private func noteChange(at time: Timestamp) {
    backups.withLock { $0.noteChange() }
    backUp(at: time)
  }

  /// Nobody waits for it but what is to be written next.
  private func backUp(at time: Timestamp, isEnd: Bool = false) {
    backups.withLock { $0.make(of: queue, at: time, isEnd: isEnd) }
  }

  private func payDebts() -> Result<Void, StorageError> {
    let debts = owed.withLock { $0 }
    if debts.isEmpty { return .success(()) }
    let result = save(debts, usingReserve: true)
    if case .success = result { owed.withLock { $0 = [] } }
    return result
  }

  private func save(_ changes: [AuthorizationChange], usingReserve: Bool) -> Result<Void, StorageError> {
    func save() -> Result<Void, StorageError> {
      write { rows in for change in changes { try rows.apply(change) } }
    }
    let first = save()
    guard usingReserve, case .failure(let error) = first, error.code == .full, reserve.giveUp() else {
      // Room may have come back since it was given up.
      if case .success = first { reserve.make() }
      return first
    }
    let second = save()
    // What stands in the log takes its place among what was there, and leaves the log's space to the reserve.
    if case .success = second { _ = try? queue.writeWithoutTransaction { try $0.checkpoint(.truncate) } }
    reserve.make()
    return second
  }
}
