internal import CLinux
package import EventLoop
internal import Glibc
internal import Inotify
package import LibraryModel
internal import Linux

/// Keeps the index equal to the disk: the one that watches, scans, and says what changed.
///
/// Everything that may have changed is compared by a ``Librarian``, in slices of a few milliseconds, so
/// that requests are answered meanwhile. A slice is one transaction; when it is committed its changes are
/// published, at once: nothing waits for things to settle, and batches grow only because more has piled
/// up.
@EventLoopActor
package final class LibraryMonitor {
  /// Called once per batch, after its commit, with changes in the order of the journal. It may read the
  /// index.
  package var onChanges: @EventLoopActor ([PlacedChange]) -> Void = { _ in }
  /// Called when ``state`` has changed.
  package var onStateChange: @EventLoopActor (LibraryState) -> Void = { _ in }
  /// How the library is.
  package internal(set) var state: LibraryState
  /// Counters.
  package internal(set) var statistics = LibraryStatistics()

  let batches: LibraryBatch
  var configuration: [LibraryRoot]
  let disk = BeneathRoot()
  var librarian: Librarian
  var reducer = EventReducer()
  var roots: [WatchedRoot] = [] {
    didSet { absentSince = roots.lazy.compactMap(\.absentSince).max() }
  }
  /// When the root went offline that did so last.
  private(set) var absentSince: UInt64?
  var queue: InotifyQueue?
  var lister: DirectoryLister?
  private var mounts: MountTable?

  // The scan.
  var plan = ScanPlan<DirectoryListing>()
  var reconciliation: Reconciliation?

  // What stands in the way.
  var seekDelay = LibraryMonitor.firstSeekDelay
  var unreadable: Set<DirectoryID> = []
  var unwatched: Set<DirectoryID> = []
  /// Files that were closed a moment ago and seem to be written still: how often they are looked at before the others.
  var closed: [Location: Int] = [:]
  var closedDelay = LibraryMonitor.firstClosedDelay
  /// Whether ``state`` is to be put together anew.
  var isStateStale = false

  /// What was written down and is being carried out: not what a crash has left.
  var underWay: Set<AssetID> = []

  var isInTurn = false
  var endsRequests = false
  var nextSlice: DeferredCall?
  var moveTimer: Timer?
  var lostTimer: Timer?
  var unsureTimer: Timer?
  var closedTimer: Timer?
  private var mountTimer: Timer?
  var pollTimer: Timer?
  var absenceTimer: Timer?
  var troubleTimer: Timer?
  var troubleDelay = LibraryMonitor.firstTroubleDelay

  /// How long one slice may keep the loop, in microseconds.
  private static let slice: UInt64 = 4000
  /// How long a transaction may last while an empty library fills, in microseconds: committing it keeps the loop for
  /// about a tenth of that.
  private static let longestFilling: UInt64 = 50_000
  /// How many hints may wait before events are left to the kernel, which turns what is too much into an
  /// overflow, and that into a rescan: memory is bounded by this.
  private static let backlog = 1 << 17
  private let watchLimit: Int
  let pollInterval: Duration

  /// A monitor of roots that keeps `database`; nothing happens before ``start()``.
  ///
  /// - Parameters:
  ///   - watchLimit: how many directories may be watched, below what the kernel allows.
  ///   - pollInterval: how often directories beyond it are compared.
  package init(
    database: any LibraryDatabase, roots: [LibraryRoot], watchLimit: Int = .max,
    pollInterval: Duration = .seconds(60)
  ) {
    self.watchLimit = watchLimit
    self.pollInterval = pollInterval
    configuration = roots
    batches = LibraryBatch(database)
    librarian = batches.librarian(disk)
    state = LibraryState(summary: .scanning, roots: [], problems: [])
  }

  // MARK: Life

  /// Reads the directories of the index, and begins to watch and to compare. When this returns, requests
  /// can be answered from the index.
  ///
  /// - Throws: the database's error, or ``SystemError``, EMFILE: no inotify instance is to be had.
  package func start() throws {
    // The signal that a lease (``WriterCheck``) might bring would end the process.
    signal(SIGIO, SIG_IGN)
    queue = try InotifyQueue(limit: watchLimit) { [weak self] in self?.turn() }
    // The results come back as values; the loop is entered on its own thread only.
    lister = try DirectoryLister { [weak self] directory, result in
      Task { @EventLoopActor in self?.listed(directory, result) }
    }
    nextSlice = DeferredCall(priority: 10) { [weak self] in self?.turn() }
    moveTimer = Timer { [weak self] in self?.turn() }
    lostTimer = Timer { [weak self] in self?.seekLost() }
    unsureTimer = Timer { [weak self] in self?.recheckUnsure() }
    closedTimer = Timer { [weak self] in self?.recheckClosed() }
    mountTimer = Timer { [weak self] in self?.checkMountedOver() }
    pollTimer = Timer { [weak self] in self?.pollUnwatched() }
    absenceTimer = Timer { [weak self] in self?.turn() }
    troubleTimer = Timer { [weak self] in self?.retryTrouble() }
    batches.start(self)
    mounts = try MountTable { [weak self] in
      self?.checkMounts()
      // Whoever mounts again and again has every directory looked at only so often.
      self?.mountTimer?.armUnlessArmed(after: .milliseconds(250))
    }
    try load()
    turn()
  }

  /// Stops watching. The index keeps what is committed.
  package func stop() {
    batches.stop()
    queue = nil
    lister?.stop()
    lister = nil
    mounts = nil
    let timers = [moveTimer, lostTimer, unsureTimer, closedTimer, mountTimer, pollTimer, troubleTimer]
    for timer in timers + [absenceTimer] { timer?.disarm() }
    nextSlice?.cancel()
    nextSlice = nil
    disk.endBatch()
  }

  isolated deinit {
    lister?.stop()
  }

  /// Compares everything again: roots that were offline are tried anew.
  ///
  /// - Parameter accepted: paths of roots of which an owner says that what is there now is the library.
  package func rescan(accepting accepted: Set<String> = []) {
    do {
      try accept(accepted)
      try checkRoots()
    } catch { return batches.fail(error) }
    scanEverything()
    turn()
  }

  func load() throws {
    try restoreRoots()
    try restoreTree()
    try batches.write()
    try librarian.noteOrphans()
    try librarian.noteSharedAlbums()
    try finish()
    try checkRoots()
    // Before anything is compared: a file that was put away is not to be taken for one that has gone.
    try settleDeleted()
    scanEverything()
  }

  // MARK: A turn

  /// Reads what the kernel has, works for one slice, commits, publishes.
  func turn() {
    guard !isInTurn, queue != nil else { return }
    isInTurn = true
    defer { isInTurn = false }
    // What requests opened was opened before the events that are read now.
    disk.endBatch()
    let now = monotonicMicroseconds()
    librarian.now = now
    // What was moved out of what is watched is found by the poll after the one that may be under way (race 7).
    let isWhole = unwatched.isEmpty && !plan.isScanning && roots.allSatisfy { $0.offline == nil }
    librarian.memory = isWhole ? 0 : 2 * pollInterval.microseconds + 10_000_000
    takeIn(now, until: now + LibraryMonitor.slice)
    guard batches.mayWrite() else { return }
    do {
      // However long reading took: writers that keep up with it would keep everything from being told.
      try work(until: monotonicMicroseconds() + LibraryMonitor.slice)
      if batches.isOpen, isBatchComplete(now) { try finish() }
      disk.endBatch()
      if !disk.suspects.isEmpty { try checkRoots() }
      if isStateStale, !plan.isScanning { updateState() }
    } catch { return batches.fail(error) }
    if hasWork { nextSlice?.arm() } else { rest() }
    arm(now)
  }

  /// Takes in what the kernel has told, after which the doubts of before can be decided.
  private func takeIn(_ now: UInt64, until deadline: UInt64) {
    let hasAll = readEvents(now, until: deadline)
    reducer.expire(now: now)
    guard let queue else { return }
    let ripe = plan.takeRipe(taken: queue.taken, more: hasAll ? 0 : queue.pending)
    if ripe.count > 0 { reducer.decide(ripe) }
  }

  /// A batch ends with its slice. But while an empty library fills, nobody is told of anything, and slices
  /// share transactions.
  private func isBatchComplete(_ now: UInt64) -> Bool {
    librarian.publishes || (!hasWork && !plan.awaitsListings)
      || batches.age(now) > LibraryMonitor.longestFilling
  }

  private static let renames =
    WatchEvent.Mask.movedFrom.rawValue | WatchEvent.Mask.movedTo.rawValue | WatchEvent.Mask.overflow.rawValue

  /// - Returns: whether the kernel has no more.
  private func readEvents(_ now: UInt64, until deadline: UInt64) -> Bool {
    // What is not read now makes the descriptor readable again, as long as there is room for it.
    defer { queue?.isAwaited = reducer.count < LibraryMonitor.backlog }
    do {
      while reducer.count < LibraryMonitor.backlog, let queue {
        // Whoever makes more in the meantime than can be read keeps nobody waiting.
        if monotonicMicroseconds() > deadline { return false }
        let any = try queue.read { record in
          statistics.events += 1
          let event = WatchEvent(
            watch: record.watch, mask: WatchEvent.Mask(rawValue: record.mask), cookie: record.cookie,
            name: FileName(record.name))
          // What the kernel dropped may have been a rename.
          if event.mask.rawValue & Self.renames != 0 { librarian.expectsNewFiles = false }
          reducer.receive(event, now: now)
        }
        if !any { return true }
      }
      return false
    } catch {
      // EFAULT or EINVAL: the descriptor is not what it was, which cannot happen.
      fatalError("cannot read inotify events: \(error)")
    }
  }

  private func work(until deadline: UInt64) throws {
    try takeDuties()
    while true {
      let now = situation
      guard now.now < deadline else { return }
      switch plan.next(now, isHalfMoved: { reducer.isHalfMoved($0) }) {
      case .follow:
        guard let hint = reducer.next() else { break }
        try batches.write()
        try follow(hint)
      case .decide: takeIn(now.now, until: deadline)
      case .begin(let directory, let listing, let descends):
        compare(directory, with: listing, descends: descends)
      case .reconcile:
        try batches.write()
        try reconcile()
      case .list: break
      case .removeOrphans:
        try batches.write()
        try librarian.removeOrphans(limit: 64)
      case .wait: return
      case .rest:
        librarian.forgetEvidence()
        return
      }
      try takeDuties()
      startListings()
    }
  }

  var situation: ScanPlan<DirectoryListing>.Situation {
    .init(
      hints: reducer.count, hasOrphans: librarian.hasOrphans, taken: queue?.taken ?? 0,
      now: monotonicMicroseconds(),
      absentUntil: absentSince.map { $0 + LibraryMonitor.absencePatience })
  }

  var hasWork: Bool { plan.hasWork(situation) { reducer.isHalfMoved($0) } }

  func finish() throws {
    let changes = try batches.commit(librarian)
    statistics.changes += changes.count
    if !changes.isEmpty { onChanges(changes) }
  }

  private func follow(_ hint: EventReducer.Hint) throws {
    switch hint {
    case .examine(let location, let removal, let evidence):
      try librarian.examine(location, removal: removal, evidence)
      if librarian.duties.incomplete.isEmpty { reducer.stopWaiting(for: location) }
      // Perhaps it may be read again.
      if !unreadable.isEmpty, let node = librarian.tree.child(location), unreadable.contains(node.id) {
        plan.list(node.id, descends: true)
      }
    case .moved(let from, let to): try librarian.moved(from: from, to: to)
    case .checkDirectory(let directory) where directory.isRoot:
      // It still has its watch, which goes with it if it is lost.
      try checkRoots()
      // Still there: a watch that vanished by itself is placed again by listing.
      if disk.roots[roots.first { $0.directory == directory }?.id ?? RootID(rawValue: 0)] != nil {
        plan.list(directory, descends: false)
      }
    case .checkDirectory(let directory):
      librarian.setWatch(nil, of: directory)
      if let location = librarian.tree.location(of: directory) {
        try librarian.examine(location, removal: true, .none)
      }
    case .decide(let doubts):
      let ripe = plan.decidable(doubts, situation) { reducer.isHalfMoved($0) }
      try batches.write()
      try librarian.decide(ripe)
    case .rescan:
      statistics.overflows += 1
      scanEverything()
    }
  }
}
