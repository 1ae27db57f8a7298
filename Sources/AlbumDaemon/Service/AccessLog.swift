internal import Authorization
internal import EventLoop
internal import Logging
internal import Storage

/// The record of who did what, for owners (``ManagerService``). Whoever serves a call that matters notes it
/// here; that costs a look-up in memory.
///
/// Rows are written off the loop, in one transaction every few seconds, by a timer that runs only while
/// something is to be written.
@EventLoopActor
final class AccessLog {
  /// Told of rows that changed: at once of new ones, of repetitions when they are written.
  private weak var readers: AccessLogReaders?
  private var isTelling = false
  /// The newest rows.
  private(set) var book: AccessLogBook

  private let store: AccessLogStore
  private let accountable: @EventLoopActor (UInt32) -> UInt32
  private let keepDays: Int
  private let log: Logger
  private lazy var timer = Timer { [unowned self] in flush() }
  private var isArmed = false
  private var hasFailed = false

  /// So long a row may wait to be written.
  private static let delay = Duration.seconds(5)

  /// - Parameters:
  ///   - keepDays: rows that are older are removed, and not told any more; with 0 nothing is noted.
  ///   - accountable: against whose share of the log a user's rows count.
  init(
    store: AccessLogStore, keepDays: Int, log: Logger,
    accountable: @escaping @EventLoopActor (UInt32) -> UInt32
  ) {
    self.store = store
    self.accountable = accountable
    self.keepDays = keepDays
    self.log = log
    book = AccessLogBook(lastID: store.last.id, revision: store.last.revision)
    if let reason = store.setAside { log.warning("The access log was damaged and is begun anew: \(reason)") }
    guard keepDays == 0, store.last.id > 0 else { return }
    store.removeAll { result in
      Task { @EventLoopActor [weak self] in self?.written([], result) }
    }
  }

  /// An app, or an owner's process, did something.
  ///
  /// - Parameter assets: how many it was about, where they are counted.
  func note(_ event: AccessEvent, assets: Int? = nil, app: PeerIdentity) {
    note(event, assets: assets, of: app.key)
  }

  /// The same, about an app of which no process need be there.
  func note(_ event: AccessEvent, assets: Int? = nil, of app: AppKey) {
    guard keepDays > 0 else { return }
    if book.note(event, assets: assets, app: app, accountable: accountable(app.uid), at: .now) { tell() }
    guard !isArmed else { return }
    isArmed = true
    timer.arm(after: Self.delay, accuracy: .seconds(1))
  }

  /// From now on these are told of changes, once what made them has returned.
  func tell(_ readers: AccessLogReaders) { self.readers = readers }

  private func tell() {
    guard !isTelling else { return }
    isTelling = true
    EventLoopActor.afterReturn { [self] in
      isTelling = false
      readers?.logChanged()
    }
  }

  /// Writes what is to be written.
  func flush() {
    isArmed = false
    timer.disarm()
    let rows = book.takeUnwritten(at: .now)
    guard !rows.isEmpty else { return }
    store.write(rows, oldest: oldest) { result in
      Task { @EventLoopActor [weak self] in self?.written(rows, result) }
    }
    tell()
  }

  /// Writes it now: the daemon ends.
  func close() {
    timer.disarm()
    let rows = book.takeUnwritten(at: .now)
    do throws(StorageError) { try store.close(writing: rows, oldest: oldest) } catch {
      log.error("The end of the access log could not be written: \(error)")
    }
  }

  /// A page of rows from the disk. What was noted before is there, or among the unwritten of the ``book``.
  func read(
    after place: Int64, appID: String?, since: Timestamp, limit: Int,
    completion: @escaping @EventLoopActor (Result<[AccessEntry], StorageError>) -> Void
  ) {
    flush()
    let query = AccessLogStore.Query(
      after: place, appID: appID, since: max(since, oldest), limit: limit)
    store.read(query) { result in
      Task { @EventLoopActor in completion(result) }
    }
  }

  /// What happened last before this is no longer told.
  private var oldest: Timestamp { Timestamp.now.adding(seconds: -86_400 * Int64(keepDays)) }

  private func written(_ rows: [AccessEntry], _ result: Result<Void, StorageError>) {
    switch result {
    case .success: hasFailed = false
    case .failure(let error):
      // Once: a full disk would fill the journal as well.
      if !hasFailed { log.error("The access log could not be written: \(error)") }
      hasFailed = true
      book.failed(rows)
      guard !isArmed else { return }
      isArmed = true
      timer.arm(after: .seconds(60), accuracy: .seconds(1))
    }
  }
}
