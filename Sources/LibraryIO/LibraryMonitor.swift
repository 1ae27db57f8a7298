package import EventLoop
internal import Glibc
package import LibraryModel
internal import Linux

/// Keeps the index equal to the disk: the one that watches, scans, and says what changed.
///
/// Everything that may have changed is compared by a ``Librarian``, in slices of a few milliseconds, so
/// that requests are answered meanwhile. A slice is one transaction; when it is committed its changes are
/// published, at once: nothing waits for things to settle, and batches grow only because more has piled
/// up.
///
/// This starts, takes turns, and stops; what is done in a turn, and between two, its parts do.
@EventLoopActor
package final class LibraryMonitor {
  /// What the library holds.
  package let contents: LibraryContents
  /// What changes it on behalf of a call.
  package let edits: LibraryEdits

  let batches: LibraryBatch
  let disk = BeneathRoot(Volumes(), closer: nil)
  let watches: DirectoryWatches
  let openFiles: OpenFiles
  let scan: Scan
  let turns: Turns
  let between: BetweenTurns
  let idle: IdleComparison
  private let roots: Roots
  private let report: StateReport
  private let news = LibraryNews()
  private let pollInterval: Duration
  private var isStopped = false

  /// How long one slice may keep the loop, in microseconds.
  private static let slice: UInt64 = 4000
  /// How long a transaction may last while an empty library fills, in microseconds: committing it keeps the loop for
  /// about a tenth of that.
  private static let longestFilling: UInt64 = 50_000

  /// A monitor of roots that keeps `database`; nothing happens before ``start(telling:)``.
  ///
  /// - Parameters:
  ///   - watchLimit: how many directories may be watched, below what the kernel allows.
  ///   - pollInterval: how often directories beyond it are compared.
  ///   - idleInterval: how often, at most, something is compared of which nobody told anything.
  ///   - blockDevices: the directory with what the kernel says of block devices, by number.
  package init(
    database: any LibraryDatabase, roots configuration: [LibraryRoot], watchLimit: Int = .max,
    pollInterval: Duration = .seconds(60), idleInterval: Duration = .seconds(60),
    blockDevices: String = "/sys/dev/block"
  ) {
    self.pollInterval = pollInterval
    turns = Turns(news)
    batches = LibraryBatch(database, disk, news, turns)
    watches = DirectoryWatches(limit: watchLimit, news)
    openFiles = OpenFiles(watches, turns)
    roots = Roots(configuration, batches, disk, watches, turns)
    scan = Scan(batches, disk, watches, openFiles, roots, news, turns, pollInterval: pollInterval)
    idle = IdleComparison(
      scan, batches, disk, roots, DiskWrites(devices: blockDevices), interval: idleInterval)
    report = StateReport(batches, watches, roots, scan, news)
    between = BetweenTurns(disk, batches, scan, turns, roots)
    contents = LibraryContents(between, roots)
    edits = LibraryEdits(between, contents)
  }

  /// How the library is.
  package var state: LibraryState { report.state }

  /// How far the comparison with the disk is; `nil` when there is none.
  package var scanProgress: ScanProgress? { scan.progress }

  /// Counters.
  package var statistics: LibraryStatistics {
    LibraryStatistics(
      events: watches.eventCount, overflows: scan.counts.overflows, scans: scan.counts.scans,
      listings: scan.counts.listings, changes: news.changeCount, watches: watches.hints.watchCount,
      unwatched: watches.unwatched.count)
  }

  // MARK: Life

  /// Reads the directories of the index, and begins to watch and to compare. When this returns, requests
  /// can be answered from the index.
  ///
  /// - Parameter observer: is told of what changes, never while something is half changed. It is not kept alive.
  /// - Throws: the database's error, or ``SystemError``, EMFILE: no inotify instance is to be had.
  package func start(telling observer: any LibraryObserver) throws {
    // The signal that a lease (``WriterCheck``) might bring would end the process.
    signal(SIGIO, SIG_IGN)
    news.begin(observer)
    try watches.start(turns)
    try scan.start()
    turns.begin { [unowned self] in takeTurn() }
    batches.start(self)
    try roots.start { [unowned self] in
      lookAtRoots()
    } come: { [unowned self] in
      try come($0)
    }
    try turns.alone { try load() }
    turns.now()
  }

  /// Stops watching. The index keeps what is committed.
  package func stop() {
    isStopped = true
    batches.stop()
    turns.end()
    watches.stop()
    openFiles.stop()
    idle.stop()
    edits.records.stop()
    scan.stop()
    roots.stop()
    disk.endBatch()
  }

  isolated deinit {
    // Who has a part of it may have that for longer.
    turns.end()
    idle.stop()
    edits.records.stop()
    scan.stop()
    roots.stop()
    openFiles.stop()
  }

  /// Compares everything again: roots that were offline are tried anew.
  ///
  /// - Parameter accepted: paths of which ``mayAccept(_:)`` is true, and an owner says that what is there now is the
  ///   library.
  package func rescan(accepting accepted: Set<String> = []) {
    do {
      try turns.alone {
        try scan.checkRoots(accepting: accepted)
        scan.begin()
        report.update()
      }
    } catch { return batches.fail(error) }
    turns.now()
  }

  /// Whether an owner may say of what is at a path that it is the library: a root, or a directory in one whose file system
  /// is not there (S41).
  package func mayAccept(_ path: String) -> Bool { roots.mayAccept(path) }

  /// The configuration names other shared albums (S19): what that hides is written, and published, before this returns.
  ///
  /// - Parameter shared: by the path of the root; a root that is not there keeps what it has.
  /// - Throws: the database's error. It is written when the index can be.
  package func reload(shared: [String: [String]]) throws {
    roots.reload(shared: shared)
    try between.change { librarian, _ in try librarian.directories.noteSharedAlbums() }
  }

  private func load() throws {
    try roots.restore()
    try roots.restoreTree()
    try batches.open()
    try batches.librarian.directories.noteOrphans()
    try batches.librarian.directories.noteSharedAlbums()
    try batches.commit()
    try scan.checkRoots()
    // Before anything is compared: a file that was put away is not to be taken for one that has gone.
    try edits.halfDone.complete()
    scan.begin()
    report.update()
  }

  /// Roots have come, or went. What is half done in them is ended before they are compared.
  private func come(_ come: [DirectoryID]) throws {
    if !come.isEmpty { try edits.halfDone.complete() }
    guard !come.isEmpty, let rest = edits.halfDone.rest else {
      scan.rootsCame(come)
      return report.update()
    }
    Task { @EventLoopActor [weak self] in
      await rest.value
      guard let self else { return }
      turns.alone {
        scan.rootsCame(come)
        report.update()
      }
      turns.now()
    }
  }

  /// A root may have come or gone.
  private func lookAtRoots() {
    do {
      try turns.alone {
        try scan.checkRoots()
        report.update()
      }
    } catch { return batches.fail(error) }
    turns.now()
  }

  // MARK: A turn

  /// Reads what the kernel has, works for one slice, commits.
  private func takeTurn() {
    // What requests opened was opened before the events that are read now.
    disk.closeDirectories()
    defer { report.updateIfDue() }
    let now = Clock.monotonic
    let librarian = batches.librarian
    librarian.context.now = now
    librarian.context.time = RealTime.nanoseconds
    // What was moved out of what is watched is found by the poll after the one that may be under way (race 7).
    let isWhole = watches.unwatched.isEmpty && !scan.isScanning && roots.isWhole
    librarian.context.memory = isWhole ? 0 : 2 * pollInterval.microseconds + 10_000_000
    scan.readEvents(now, until: now + Self.slice)
    guard batches.mayWrite() else { return }
    do {
      // However long reading took: writers that keep up with it would keep everything from being told.
      try scan.work(until: Clock.monotonic + Self.slice)
      if batches.isOpen, isBatchComplete(now) { try batches.commit() }
      disk.closeDirectories()
      if !disk.suspects.isEmpty { try scan.checkRoots() }
      if scan.hasWork {
        turns.soon()
      } else {
        disk.endBatch()
        try rest()
      }
    } catch { return batches.fail(error) }
    awaitNext(now)
  }

  /// A batch ends with its slice. But while an empty library fills, nobody is told of anything, and slices
  /// share transactions.
  private func isBatchComplete(_ now: UInt64) -> Bool {
    batches.librarian.context.publishes || !scan.isBusy || batches.age(now) > Self.longestFilling
  }

  /// Nothing is left to do now.
  private func rest() throws {
    guard scan.end() else { return }
    news.noteState()
    noteFlagsKnown()
    try noteScanned()
    // What had no room before others left.
    guard batches.librarian.directories.hasRoomAgain else { return }
    scan.begin()
    turns.soon()
  }

  /// All was compared: the first time, from here on apps are told.
  private func noteScanned() throws {
    guard !batches.hasScanned else { return }
    let librarian = batches.librarian
    try batches.write { librarian.context.add([try $0.finishScan()]) }
    try batches.commit()
    librarian.context.publishes = true
    librarian.context.expectsNewFiles = false
  }

  /// Everything was compared: what has not changed since need not be asked for its attributes again (S90). A day less,
  /// for clocks of servers. Where a root is away, what was done to it meanwhile is still to be found, and so is what has no
  /// room. It is written with what changes next: where nothing does, as little is asked for again.
  private func noteFlagsKnown() {
    let known = batches.librarian.writers.since - 86_400_000_000_000
    let directories = batches.librarian.directories
    let isWhole =
      roots.isWhole && directories.away.isEmpty && directories.overfull.isEmpty && scan.unreadable.isEmpty
    if isWhole, known > batches.flagsKnown { batches.flagsToNote = known }
  }

  /// Sees to it that what may come without being told is looked at.
  private func awaitNext(_ now: UInt64) {
    openFiles.await()
    roots.awaitUncertain()
    let deadline = min(watches.hints.nextDeadline ?? .max, scan.awaitRest() ?? .max)
    if deadline < .max { turns.after(deadline > now ? deadline - now : 0) }
    idle.await()
  }
}

extension LibraryMonitor: LibraryBatchOwner {
  func batchFailed() {
    turns.alone {
      disk.endBatch()
      // Nobody is to be shown what the journal will not tell of. Where it cannot be read either, nothing can be.
      try? roots.restoreTree()
      report.update()
    }
  }

  func beginAnew() throws {
    try turns.alone {
      scan.reset()
      try load()
    }
    turns.now()
    Task.onLoop { [weak self] in await self?.takeBackRefused() }
  }

  /// Takes back what was refused while nothing could be written, and then ends what else can be ended now.
  private func takeBackRefused() async {
    await edits.records.takeBackRefused()
    guard !isStopped, batches.failure == nil else { return }
    do { _ = try turns.alone { try edits.halfDone.complete() } } catch { batches.fail(error) }
  }
}
