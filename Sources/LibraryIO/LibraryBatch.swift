internal import EventLoop
internal import LibraryModel

/// What a ``LibraryBatch`` needs of who has it.
@EventLoopActor
protocol LibraryBatchOwner: AnyObject {
  /// A batch was not kept: what was learned with it is to be forgotten.
  func batchFailed()
  /// What was not kept is to be learned anew, as at the start.
  func beginAnew() throws
  /// There is something to do again.
  func turn()
}

/// Writes the index and the journal, which nobody else does: begins a batch, commits it, settles what was put off, takes
/// back what failed, and waits where the disk has to catch up.
///
/// A batch that cannot be written is tried again as a whole, later and later: what it held is on the disk, and is found
/// there again.
@EventLoopActor
final class LibraryBatch {
  private let database: any LibraryDatabase
  private weak var owner: (any LibraryBatchOwner)?
  /// Why nothing can be written; `nil` when something can.
  var failure: String? { cause.map { "\($0)" } }
  private var cause: (any Error)?
  private var failures = 0
  private(set) var isPaused = false
  private var began: UInt64 = 0
  private lazy var settling = Timer { [unowned self] in settleLater() }
  private lazy var retry = Timer { [unowned self] in tryAgain() }

  /// How long what was put off waits to be committed.
  private static let settlesAfter = Duration.milliseconds(50)

  init(_ database: any LibraryDatabase) {
    self.database = database
  }

  /// What was written, for whoever only reads.
  var index: any LibraryRecords { database }

  /// A librarian that compares what is on disk with it. What it writes is refused outside of a batch.
  func librarian(_ disk: any LibraryDisk) -> Librarian { Librarian(index: database, disk: disk) }

  func start(_ owner: any LibraryBatchOwner) {
    self.owner = owner
    database.onUnsettled = { [weak self] in
      EventLoopActor.assumeIsolated { self?.settling.arm(after: LibraryBatch.settlesAfter) }
    }
  }

  /// Takes back what is not ended, and commits the rest. What cannot be committed now is found again in the redo log.
  func stop() {
    owner = nil
    database.rollback()
    try? database.settle()
    settling.disarm()
    retry.disarm()
  }

  // MARK: A batch

  /// Whether a batch is open.
  var isOpen: Bool { database.isWriting }

  /// For how long the open one has been open, in microseconds.
  func age(_ now: UInt64) -> UInt64 { now > began ? now - began : 0 }

  /// Writes in the open batch; without one, in a new one.
  func write(_ body: (any LibraryDatabase) throws -> Void = { _ in }) throws {
    if !database.isWriting {
      try database.begin()
      began = monotonicMicroseconds()
    }
    try body(database)
  }

  /// Ends the batch: what it holds is kept, whatever happens to the process.
  ///
  /// - Returns: the changes that are to be told.
  func commit(_ librarian: Librarian) throws -> [PlacedChange] {
    let changes = try librarian.finishBatch()
    try database.commit()
    failures = 0
    return changes
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
    if let error { fail(error) } else { owner?.turn() }
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
    failures += 1
    owner?.batchFailed()
    retry.arm(after: .seconds(min(60, 1 << min(failures - 1, 6))))
  }

  /// Begins anew, with what the index has.
  func tryAgain() {
    retry.disarm()
    cause = nil
    do {
      try database.settle()
      try owner?.beginAnew()
    } catch { fail(error) }
  }
}
