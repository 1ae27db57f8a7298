internal import EventLoop
internal import LibraryModel
internal import Linux

/// Brings the index to agree with the disk: does what ``ScanPlan`` says, in slices.
///
/// It is long because each step of the plan is done here, and what a step found out is the plan's next input.
@EventLoopActor
final class Scan {
  private var plan = ScanPlan<DirectoryListing>()
  private var reconciliation: Reconciliation?
  /// Directories that give errors, or in which something does.
  private(set) var unreadable: Set<DirectoryID> = []
  private(set) var counts = Counts()
  private var listingsBefore = 0

  private let batches: LibraryBatch
  private let disk: BeneathRoot
  private let watches: DirectoryWatches
  private let openFiles: OpenFiles
  private let listings: DirectoryListings
  private let roots: Roots
  private let news: LibraryNews
  private let turns: Turns

  private lazy var seeking = Retry(after: .milliseconds(100), atMost: .seconds(60)) { [unowned self] in seek()
  }
  /// Lists what gave errors, and need not cause an event when it no longer would.
  private(set) lazy var unreadableRetry = Retry(after: .seconds(1), atMost: .seconds(60)) { [unowned self] in
    listAgain(unreadable, descends: true)
  }
  private let pollInterval: Duration
  /// Compares directories that are not watched.
  private lazy var poll = Retry(every: pollInterval) { [unowned self] in
    listAgain(watches.unwatched, descends: false)
  }

  /// How often things were done.
  struct Counts {
    var overflows = 0
    var scans = 0
    var listings = 0
  }

  /// For how long after a root went offline nothing is said to have gone that may have been moved there, in
  /// microseconds.
  private static let absencePatience: UInt64 = 10_000_000

  init(
    _ batches: LibraryBatch, _ disk: BeneathRoot, _ watches: DirectoryWatches, _ openFiles: OpenFiles,
    _ roots: Roots, _ news: LibraryNews, _ turns: Turns, pollInterval: Duration
  ) {
    self.batches = batches
    self.disk = disk
    self.watches = watches
    self.openFiles = openFiles
    self.roots = roots
    self.news = news
    self.turns = turns
    self.pollInterval = pollInterval
    listings = DirectoryListings(batches, disk, watches, roots)
  }

  func start() throws(SystemError) {
    try listings.start { [weak self] in self?.listed($0, $1) }
  }

  func stop() {
    listings.stop()
    for retry in [seeking, unreadableRetry, poll] { retry.stop() }
  }

  private var librarian: Librarian { batches.librarian }

  // MARK: What there is to do

  private var situation: ScanPlan<DirectoryListing>.Situation {
    let leaving = librarian.directories.leaving
    return .init(
      hints: watches.hints.count, isLeaving: leaving.isLeaving, hasOrphans: leaving.hasOrphans,
      taken: watches.taken, now: Clock.monotonic,
      absentUntil: roots.absentSince.map { $0 + Self.absencePatience })
  }

  /// Whether there is something to do now.
  var hasWork: Bool { plan.hasWork(situation) { watches.hints.isHalfMoved($0) } }

  /// Whether the disk is being compared with the index.
  var isScanning: Bool { plan.isScanning }

  /// How far the comparison is; `nil` when there is none.
  var progress: ScanProgress? {
    isScanning ? ScanProgress(done: counts.listings - listingsBefore, left: plan.leftCount) : nil
  }

  /// Whether there is something to do now, or a listing to come.
  var isBusy: Bool { hasWork || plan.awaitsListings }

  /// Lists every directory of every root that is online.
  func begin() {
    counts.scans += 1
    listingsBefore = counts.listings
    librarian.directories.forgetOverfull()
    forget(plan.scan(Set(librarian.directories.tree.all.lazy.map(\.id)), from: roots.online))
    news.noteState(isUrgent: true)
  }

  /// Ends the scan, if there is one and nothing is left of it.
  ///
  /// - Returns: whether it did.
  func end() -> Bool {
    guard plan.isScanning else { return false }
    return plan.endScan(situation) { watches.hints.isHalfMoved($0) }
  }

  /// Begins anew, with what the index has.
  func reset() {
    watches.hints.reset()
    forget(plan.reset())
  }

  /// Listings that are of no use any more.
  private func forget(_ directories: [DirectoryID]) {
    for directory in directories { watches.hints.endListing(directory) }
    reconciliation = nil
  }

  /// Looks at the roots; one that has come is compared.
  ///
  /// - Throws: the database's error.
  func checkRoots(accepting accepted: Set<String> = []) throws {
    if !accepted.isEmpty { try roots.acceptMounts(accepted) }
    rootsCame(try roots.accept(accepted) + roots.check())
  }

  /// Compares roots that have come.
  func rootsCame(_ come: [DirectoryID]) {
    for root in come {
      plan.scan(root, with: Set(librarian.directories.tree.subtree(of: root)))
      turns.soon()
    }
    news.noteState(isUrgent: true)
  }

  // MARK: A slice

  /// Takes in what the kernel has told, after which the doubts of before can be decided.
  func readEvents(_ now: UInt64, until deadline: UInt64) {
    let hasAll = watches.read(now, until: deadline, librarian, disk)
    librarian.context.told = watches.taken
    watches.hints.expire(now: now)
    let ripe = plan.takeRipe(taken: watches.taken, more: hasAll ? 0 : watches.pending)
    if ripe.count > 0 { watches.hints.decide(ripe) }
  }

  /// Does what there is to do.
  func work(until deadline: UInt64) throws {
    try doDuties()
    while true {
      let now = situation
      guard now.now < deadline else { return }
      switch plan.next(now, isHalfMoved: { watches.hints.isHalfMoved($0) }) {
      case .leave:
        try batches.open()
        try librarian.leave(limit: 32)
      case .follow:
        guard let hint = watches.hints.next() else { break }
        try batches.open()
        try follow(hint, until: deadline)
      case .decide: readEvents(now.now, until: deadline)
      case .seek(let directory): look(for: directory)
      case .begin(let directory, let listing, let descends):
        compare(directory, with: listing, descends: descends)
      case .reconcile:
        try batches.open()
        try reconcile(until: deadline)
      case .list: break
      case .removeOrphans:
        try batches.open()
        try librarian.removeOrphans(limit: 64) { Clock.monotonic < deadline }
      case .wait: return
      case .rest:
        librarian.forgetEvidence()
        return
      }
      try doDuties()
      beginListings()
    }
  }

  private func follow(_ hint: EventReducer.Hint, until deadline: UInt64) throws {
    switch hint {
    case .examine(let location, let removal, let evidence):
      try librarian.files.examine(location, removal: removal, evidence)
      if librarian.context.duties.incomplete.isEmpty { watches.hints.stopWaiting(for: location) }
      // Perhaps it may be read again.
      if !unreadable.isEmpty, let node = librarian.directories.tree.child(location),
        unreadable.contains(node.id)
      {
        plan.list(node.id, descends: true)
      }
    case .moved(let from, let to): try librarian.moved(from: from, to: to)
    case .checkDirectory(let directory) where directory.isRoot:
      // It still has its watch, which goes with it if it is lost.
      try checkRoots()
      // Still there: a watch that vanished by itself is placed again by listing.
      if roots.isOnline(directory) { plan.list(directory, descends: false) }
    case .checkDirectory(let directory):
      librarian.directories.setWatch(nil, of: directory)
      if let location = librarian.directories.tree.location(of: directory) {
        watches.hints.noteCompared(location)
        try librarian.files.examine(location, removal: true, .none)
      }
    case .decide(let doubts):
      let ripe = plan.decidable(doubts, situation) { watches.hints.isHalfMoved($0) }
      // The others when what is told until then is taken in.
      plan.raise(try librarian.decide(ripe) { Clock.monotonic < deadline })
    case .rescan:
      counts.overflows += 1
      begin()
    }
  }

  /// Does what the librarian left to do.
  func doDuties() throws {
    let librarian = librarian
    guard librarian.context.hasDuties || disk.hasFindings else { return }
    if !disk.misspelled.isEmpty {
      librarian.context.duties.list += disk.misspelled.filter { librarian.directories.tree[$0] != nil }
        .sorted()
      disk.misspelled.removeAll()
    }
    let duties = librarian.context.duties
    if !duties.unwatch.isEmpty {
      for watch in duties.unwatch { watches.unwatch(watch) }
      librarian.context.duties.unwatch.removeAll()
      disk.endBatch()
    }
    if !duties.compared.isEmpty {
      for location in duties.compared { watches.hints.noteCompared(location) }
      librarian.context.duties.compared.removeAll()
    }
    if duties.hasLeft {
      librarian.context.duties.hasLeft = false
      plan.left(told: watches.taken + watches.pending, now: Clock.monotonic)
    }
    if duties.stateChanged {
      librarian.context.duties.stateChanged = false
      news.noteState(isUrgent: true)
    }
    if !duties.moved.isEmpty {
      for moved in duties.moved { plan.listLost { librarian.directories.tree.those(of: $0, beneath: moved) } }
      librarian.context.duties.moved.removeAll()
    }
    if !duties.list.isEmpty {
      for directory in duties.list { disk.forget(directory) }
      plan.list(found: duties.list)
      librarian.context.duties.list.removeAll()
    }
    if duties.doubts.count > 0 {
      plan.raise(duties.doubts)
      librarian.context.duties.doubts = Doubts()
    }
    if !duties.unresolved.isEmpty {
      // Where only a name gave an error, nothing need be sought.
      plan.lose(duties.unresolved.subtracting(disk.troubled))
      librarian.context.duties.unresolved.removeAll()
    }
    for directory in disk.troubled { noteUnreadable(directory) }
    disk.troubled.removeAll()
    if !disk.outdated.isEmpty {
      for location in disk.outdated.sorted() { watches.hints.hint(location, removal: true) }
      disk.outdated.removeAll()
    }
    if !duties.incomplete.isEmpty {
      for file in duties.incomplete {
        openFiles.wait(for: file.location, file.evidence, hasWriter: file.hasWriter)
      }
      librarian.context.duties.incomplete.removeAll()
    }
  }

  // MARK: Listings

  private func beginListings() {
    // After a name, nearly always none is to be listed.
    guard plan.hasToList else { return }
    while let next = plan.takeToList(isKnown: { librarian.directories.tree[$0] != nil }) {
      if plan.compared == nil { reconciliation = nil }
      // Why it is to be listed, events may not have told.
      disk.exactNames.listings.forget(next)
      switch listings.begin(next) {
      case .begun: plan.find(next)
      // Whether it is where the tree has it comes later.
      case .begunApart: plan.noteApart(next)
      case .offline: plan.notListed(next)
      case .elsewhere:
        plan.notListed(next)
        plan.lose(next)
      case .unreadable:
        plan.notListed(next)
        noteUnreadable(next)
      }
    }
  }

  /// The lister is done with a directory.
  private func listed(_ directory: DirectoryID, _ result: DirectoryLister.Result) {
    // Not at once: several of these come together, and requests have their turn between two slices.
    defer { turns.soon() }
    switch result {
    case .offline:
      watches.hints.endListing(directory)
      _ = plan.listed(directory, nil)
    case .failed(let error):
      guard plan.listed(directory, nil) else { return }
      switch listings.failed(directory, error) {
      case .elsewhere: plan.lose(directory)
      case .unreadable: noteUnreadable(directory)
      case .begun, .begunApart, .offline: return
      }
    case .listing(let listing, let isWhole):
      guard plan.listed(directory, listing) else { return }
      // It may be older.
      disk.exactNames.listings.forget(directory)
      counts.listings += 1
      if !isWhole {
        noteUnreadable(directory)
      } else if unreadable.remove(directory) != nil {
        news.noteState()
      }
    }
  }

  /// Begins to compare a listing with the index.
  private func compare(_ directory: DirectoryID, with listing: DirectoryListing, descends: Bool) {
    guard let node = librarian.directories.tree[directory] else { return endComparing(directory) }
    reconciliation = Reconciliation(
      of: directory, with: listing, descends: descends,
      isEmpty: node.counts.isEmpty)
  }

  private func endComparing(_ directory: DirectoryID) {
    watches.hints.endListing(directory)
    plan.endComparing()
    reconciliation = nil
  }

  /// Compares a little of it. What events have spoken of since is not taken from the listing, which is older.
  private func reconcile(until deadline: UInt64) throws {
    guard let directory = reconciliation?.directory else { return plan.endComparing() }
    reconciliation?.touched = watches.hints.namesTouched(in: directory)
    let isDone =
      try reconciliation?.advance(librarian, limit: 64) { Clock.monotonic < deadline } ?? true
    plan.putOff(librarian.context.duties.doubts)
    librarian.context.duties.doubts = Doubts()
    // While it still says whether known directories are listed as well.
    try doDuties()
    if isDone { endComparing(directory) }
  }

  // MARK: Between turns

  /// Whether anything was told that is still to be taken in, and may be about a name.
  func isTold(of location: Location) -> Bool {
    watches.pending > 0 || watches.hints.count > 0 || watches.hints.isHalfMoved(location)
  }

  /// Takes in what was told, as far as that is soon done.
  func takeIn() async {
    for _ in 0..<Self.mostTurns where watches.pending > 0 || watches.hints.count > 0 {
      turns.now()
      await EventLoopActor.giveWay()
    }
  }

  /// How many turns are taken for an edit at most: writers that keep up with them keep nobody waiting.
  private static let mostTurns = 16

  // MARK: Later

  /// What was found out between two turns, nothing else need tell: it is looked into in a turn, or by what a turn sees
  /// to.
  func askForTurn() {
    let isToBeAwaited = (plan.hasLost && !seeking.isAwaited) || openFiles.isToBeAwaited
    if hasWork || plan.hasToList || disk.needsLooks || news.isStateStale || isToBeAwaited {
      turns.soon()
    }
  }

  /// Sees to it that what cannot be done now is tried again. A library without trouble needs no timer (T12).
  ///
  /// - Returns: when the next turn is to be taken at the latest, by the monotonic clock in microseconds.
  func awaitRest() -> UInt64? {
    if !watches.unwatched.isEmpty, !plan.isScanning { poll.later() }
    if unreadable.isEmpty { unreadableRetry.reset() } else { unreadableRetry.later() }
    // Not put off by what happens meanwhile.
    if plan.hasLost {
      seeking.later()
    } else if plan.hasSought || !seeking.isFirst, !isBusy {
      plan.endSeeking()
      seeking.reset()
    }
    // Nearly always none is.
    guard roots.absentSince != nil else { return nil }
    let situation = situation
    guard let end = situation.absentUntil, end > situation.now,
      plan.awaitsReturn(hasOrphans: situation.hasOrphans)
    else { return nil }
    return end
  }

  /// A directory is not where the tree has it.
  func lose(_ directory: DirectoryID) { plan.lose(directory) }

  /// Forgets directories that have left the library.
  func forgetUnreadable(but isKnown: (DirectoryID) -> Bool) { unreadable = unreadable.filter(isKnown) }

  /// A directory, or something in it, gives errors: nothing is concluded from that, and it is listed again now
  /// and then, because nothing need tell when it gives none.
  private func noteUnreadable(_ directory: DirectoryID) {
    guard unreadable.insert(directory).inserted else { return }
    unreadableRetry.soon()
    news.noteState()
  }

  /// Compares a directory of which nobody told anything; not with what is beneath it.
  func compareIdly(_ directory: DirectoryID) {
    plan.list(directory, descends: false)
    turns.soon()
  }

  private func listAgain(_ directories: Set<DirectoryID>, descends: Bool) {
    news.noteState(isUrgent: true)
    for directory in directories { plan.list(directory, descends: descends) }
    turns.now()
  }

  /// Directories were not where the tree has them and no event has said why: the nearest directory above
  /// that is where it should be is listed, and tells.
  private func seek() {
    // What was sought and is still lost will hardly be found by seeking at once.
    if plan.seek() { seeking.reset() }
    turns.now()
  }

  private func look(for directory: DirectoryID) {
    let tree = librarian.directories.tree
    plan.sought(directory, isThere: disk.isThere(directory, in: tree), parent: tree[directory]?.parent)
  }
}
