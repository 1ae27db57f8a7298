internal import Linux
internal import EventLoop
internal import LibraryModel

/// What a ``LibraryBatch`` needs of who has it.
@EventLoopActor
protocol LibraryBatchOwner: AnyObject {
  /// A batch was not kept: what was learned with it is to be forgotten.
  func batchFailed()
  /// What was not kept is to be learned anew, as at the start.
  func beginAnew() throws
}

/// Writes the index and the journal, which nobody else does: begins a batch, commits it, settles what was put off, takes
/// back what failed, and waits where the disk has to catch up.
///
/// A batch that cannot be written is tried again as a whole, later and later: what it held is on the disk, and is found
/// there again.
@EventLoopActor
final class LibraryBatch {
  /// Compares what is on disk with the index. What it writes is refused outside of a batch.
  private(set) var librarian: Librarian
  private let database: any LibraryDatabase
  private let disk: BeneathRoot
  private let news: LibraryNews
  private let turns: Turns
  private weak var owner: (any LibraryBatchOwner)?
  /// Why nothing can be written; `nil` when something can.
  var failure: String? { cause.map { "\($0)" } }
  private var cause: (any Error)?
  private(set) var isPaused = false
  /// Whether a batch could not be written since the start: then the next is written in the slower way, which expects nothing.
  private var hasFailed = false
  private var began: UInt64 = 0
  /// Commits what was put off. The redo log keeps it until then, and has it committed earlier when it is full: so that what
  /// comes in quick succession shares a transaction, this may take its time.
  private lazy var settling = Retry(every: .milliseconds(250)) { [unowned self] in settleLater() }
  private lazy var retry = Retry(after: .seconds(1), atMost: .seconds(60)) { [unowned self] in tryAgain() }

  init(_ database: any LibraryDatabase, _ disk: BeneathRoot, _ news: LibraryNews, _ turns: Turns) {
    self.database = database
    self.disk = disk
    self.news = news
    self.turns = turns
    librarian = Librarian(index: database.index, disk: disk)
  }

  /// The links and assets, for whoever only reads.
  var files: any FileRows { database.index.files }
  /// The roots and directories, likewise.
  var directories: any DirectoryRows { database.index.directories }
  /// What was deleted, likewise.
  var deleted: any DeletedRows { database.deleted }
  /// What was edited, likewise.
  var edits: any EditRows { database.edits }
  /// Whether a scan has ever been finished.
  var hasScanned: Bool { database.hasScanned }

  /// Of what has not changed since, what it says beside its content is known (S90).
  /// By a clock that was wrong then, nothing is.
  var flagsKnown: Int64 { database.flagsKnown <= RealTime.nanoseconds ? database.flagsKnown : 0 }
  /// What is to be noted of that with the next batch.
  var flagsToNote: Int64?

  /// Has a librarian that knows no directories yet.
  func renewLibrarian() -> Librarian {
    librarian = Librarian(index: database.index, disk: disk)
    librarian.writers.since = RealTime.nanoseconds
    librarian.context.publishes = database.hasScanned
    librarian.context.expectsNewFiles = !database.hasScanned && files.assetCount == 0 && !hasFailed
    return librarian
  }

  func start(_ owner: any LibraryBatchOwner) {
    self.owner = owner
  }

  /// Takes back what is not ended, and commits the rest. What cannot be committed now is found again in the redo log.
  func stop() {
    owner = nil
    database.rollback()
    try? database.close()
    settling.stop()
    retry.stop()
  }

  // MARK: A batch

  /// Whether a batch is open.
  var isOpen: Bool { database.isWriting }

  /// For how long the open one has been open, in microseconds.
  func age(_ now: UInt64) -> UInt64 { now > began ? now - began : 0 }

  /// Writes in the open batch; without one, in a new one.
  func write<Value>(_ body: (any LibraryDatabase) throws -> Value) throws -> Value {
    try open()
    return try body(database)
  }

  /// Begins a batch, unless one is open.
  func open() throws {
    guard !database.isWriting else { return }
    try database.begin()
    began = Clock.monotonic
  }

  /// Ends the batch: what it holds is kept, whatever happens to the process, and is told.
  func commit() throws {
    let changes = try librarian.finishBatch()
    let volumes = disk.volumes.unwritten
    for volume in volumes { try database.index.directories.put(volume) }
    if let time = flagsToNote.take() { try database.noteFlagsKnown(until: time) }
    if try database.commit() { settling.later() }
    if !volumes.isEmpty { disk.volumes.noteWritten(volumes) }
    retry.reset()
    if !changes.isEmpty { news.add(changes) }
  }

  /// Commits now what was put off, so that it can be brought to disk.
  func settle() throws { try database.settle() }

  private func settleLater() {
    guard failure == nil else { return }
    do { try database.settle() } catch { fail(error) }
  }

  // MARK: Waiting

  /// Whether a batch can be written now. Where the disk has to catch up first, the owner's turn comes when it has.
  func mayWrite() -> Bool {
    guard failure == nil, !isPaused else { return false }
    guard database.mustPause else { return true }
    pause()
    database.onRoomForWriting { [weak self] error in
      Task { @EventLoopActor in self?.goOn(error) }
    }
    return false
  }

  func pause() { isPaused = true }

  func goOn(_ error: (any Error)? = nil) {
    isPaused = false
    if let error { fail(error) } else { turns.now() }
  }

  // MARK: Failing

  /// - Throws: ``LibraryUnwritable``: what a batch that failed held is dropped when it is tried again, and so would be
  ///   what is written now.
  func requireWritable() throws {
    if let cause { throw LibraryUnwritable(cause: cause) }
  }

  /// The batch cannot be written, and is not kept.
  func fail(_ error: any Error) {
    database.rollback()
    cause = error
    hasFailed = true
    owner?.batchFailed()
    retry.later()
  }

  /// Begins anew, with what the index has.
  func tryAgain() {
    retry.stop()
    cause = nil
    do {
      try database.settle()
      try owner?.beginAnew()
    } catch { fail(error) }
  }
}
