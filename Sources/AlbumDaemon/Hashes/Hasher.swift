internal import EventLoop
internal import LibraryIO
internal import LibraryModel
internal import Linux
internal import Logging
internal import Storage

/// Has the photos and videos of the library hashed, one at a time, behind everything else (S96).
///
/// What is hashed next says ``HashPlan``; it is read on a thread, of which each root has its own whose file system may not
/// answer. While there is nothing to hash it does nothing, and no timer runs.
@EventLoopActor
final class Hasher {
  private let library: LibraryMonitor
  private let store: any LibraryReading
  private let threads = HashingThreads()
  private let pause: Duration
  private let settlesAfter: Duration
  private let settlesUnsureAfter: Duration
  private let patience: Duration
  /// Whether what comes before it is being done.
  private let isBehind: @EventLoopActor () -> Bool
  private var plan = HashPlan()
  /// Where the next page of the index begins.
  private var cursor: AssetID?
  /// Those that have had a turn, or have it. Only while it has one a file is open.
  private var begun: [AssetID: HashingTurn] = [:]
  private var hashed: [HashWriter.Hashed] = []
  private var isRunning = false
  /// Whether nothing can be opened for now.
  private var isPutOff = false
  private lazy var next = DeferredCall(priority: 30) { [unowned self] in work() }
  private lazy var writing = Timer { [unowned self] in write() }
  private lazy var retry = Timer { [unowned self] in tryAgain() }
  private lazy var rest = Timer { [unowned self] in rested() }
  private lazy var longRest = Timer { [unowned self] in restedLong() }
  private lazy var watch = Timer { [unowned self] in look() }

  /// Assets that are looked up in one turn of the loop.
  private static let beginsTogether = 16
  /// Assets that are noted in one batch, which keeps the loop for as long.
  private static let notedTogether = 16
  private static let longestWait = Duration.milliseconds(250)
  private static let page = 256
  /// After that it is looked whether what comes before it is done.
  private static let behindWait = Duration.seconds(1)

  /// - Parameters:
  ///   - pause: after that what could not be opened for now is tried again.
  ///   - settlesAfter: as of ``HashingFile``.
  ///   - settlesUnsureAfter: likewise.
  ///   - patience: a root that may not answer is left alone when a file of it has got no further for so long.
  ///   - isBehind: whether what comes before it is being done.
  init(
    library: LibraryMonitor, store: any LibraryReading, pause: Duration = .seconds(60),
    settlesAfter: Duration = HashingFile.settlesAfter,
    settlesUnsureAfter: Duration = HashingFile.settlesUnsureAfter, patience: Duration = .seconds(10),
    isBehind: @escaping @EventLoopActor () -> Bool
  ) {
    self.library = library
    self.store = store
    self.pause = pause
    self.settlesAfter = settlesAfter
    self.settlesUnsureAfter = settlesUnsureAfter
    self.patience = patience
    self.isBehind = isBehind
  }

  /// Begins, when the library is known.
  func start() {
    isRunning = true
    next.arm()
  }

  /// Ends: what was read and is not noted is read again after the next start.
  func stop() {
    isRunning = false
    for turn in begun.values { turn.file.end() }
    begun = [:]
    next.cancel()
    for timer in [writing, retry, rest, longRest, watch] { timer.disarm() }
  }

  // MARK: What there is to hash

  /// Batches were committed.
  func libraryChanged(_ entries: [PlacedChange]) {
    guard isRunning else { return }
    for entry in entries {
      switch entry.entry {
      case .change(let change): note(change)
      case .reset: readIndexAgain()
      case .view: break
      }
    }
    if !plan.isIdle { next.arm() }
  }

  private func note(_ change: Change) {
    guard case .asset(let id) = change.subject, change.operation != .removed else { return }
    guard change.operation.changesContent else { return plan.touched(id) }
    hashed.removeAll { $0.asset.id == id }
    plan.changed(id)
  }

  /// A root may have come back, or a scan ended.
  func libraryStateChanged() {
    guard isRunning, store.hashed.unhashedCount > 0 else { return }
    readIndexAgain()
    next.arm()
  }

  private func readIndexAgain() {
    cursor = nil
    plan.readIndexAgain()
  }

  private func readPage() throws {
    let page = try store.hashed.unhashed(after: cursor, limit: Self.page)
    let isLast = page.count < Self.page
    plan.add(page: page, isLast: isLast)
    cursor = isLast ? nil : page.last
  }

  // MARK: Hashing

  /// Begins the next one.
  private func work() {
    // While an empty library is scanned, reading would only slow that.
    guard isRunning, !isPutOff, !plan.isBusy, library.state.summary != .scanning else { return }
    if isBehind() { return retry.arm(after: Self.behindWait, accuracy: Self.behindWait / 2) }
    var looked = 0
    do {
      while !isPutOff, !plan.isBusy, looked < Self.beginsTogether {
        if plan.needsPage { try readPage() }
        guard let job = plan.next() else { break }
        looked += 1
        do { try begin(job) } catch {
          begun[job.asset] = nil
          plan.putOff(job)
          throw error
        }
      }
    } catch {
      // The index cannot be read; the library's state says so, and when that is over.
      return
    }
    if !isPutOff, !plan.isBusy, looked == Self.beginsTogether || plan.needsPage { next.arm() }
    if plan.hasResting { rest.armUnlessArmed(after: settlesAfter) }
    writeIfDue()
  }

  private func begin(_ job: HashPlan.Job) throws {
    let contents = library.contents
    guard let asset = try store.files.asset(job.asset), !asset.isHashed, !contents.isOffline(asset) else {
      return leave(job)
    }
    if !job.isContinued, HashingFile.isLong(asset), !plan.hasRoomForLong { return plan.putBehindLong(job) }
    guard let root = asset.links.lazy.compactMap({ contents.rootApart(of: $0.directory) }).first else {
      let result = Result { () throws(LibraryFileError) in
        HeldFile(try contents.open(asset), closedBy: nil)
      }
      return opened(job, asset, nil, result)
    }
    if threads.areStuck(root) { return leave(job) }
    Task.onLoopNow { [weak self] in
      let result: Result<HeldFile, LibraryFileError>
      do throws(LibraryFileError) { result = .success(try await contents.waitToOpen(asset, for: nil)) } catch
      {
        result = .failure(error)
      }
      self?.opened(job, asset, root, result)
    }
  }

  /// It is not to be hashed, or not for now: when that changes, the library does.
  private func leave(_ job: HashPlan.Job) {
    begun[job.asset] = nil
    plan.finished(job)
  }

  private func opened(
    _ job: HashPlan.Job, _ asset: Asset, _ root: RootID?, _ result: Result<HeldFile, LibraryFileError>
  ) {
    guard isRunning else { return }
    switch result {
    case .success(let file):
      let turn =
        begun[asset.id]
        ?? HashingTurn(
          asset: asset,
          file: HashingFile(of: asset, settlesAfter: settlesAfter, settlesUnsureAfter: settlesUnsureAfter))
      begun[asset.id] = turn
      run(job, turn, file, root)
    case .failure(let error) where error.isShortage:
      // That says nothing about the file.
      begun[job.asset] = nil
      plan.putOff(job)
      putOff()
    case .failure:
      // It is away, or not the daemon's to read.
      leave(job)
      next.arm()
    }
  }

  private func run(_ job: HashPlan.Job, _ turn: HashingTurn, _ file: HeldFile, _ root: RootID?) {
    (turn.job, turn.root) = (job, root)
    if root != nil { watch.arm(after: patience) }
    let hashing = turn.file
    threads.run(root) {
      let outcome = hashing.turn(file)
      Task { @EventLoopActor [weak self] in self?.ended(turn, outcome) }
    }
  }

  private func ended(_ turn: HashingTurn, _ outcome: HashingFile.Outcome) {
    guard isRunning else { return }
    next.arm()
    guard let job = turn.job else {
      // It was not waited for any longer: its root answers again.
      if let root = turn.root { threads.answer(root) }
      return readIndexAgain()
    }
    turn.job = nil
    watch.disarm()
    if outcome == .paused { return plan.paused(job) }
    begun[job.asset] = nil
    if outcome == .unsettled { return plan.rest(job) }
    // What has changed meanwhile is hashed once more, and not noted as what it was.
    guard !plan.finished(job) else { return }
    switch outcome {
    case .hashed(let hash): hashed.append(.init(asset: turn.asset, hash: hash))
    case .sparse: hashed.append(.init(asset: turn.asset, hash: nil))
    // The index knows which they are by then.
    case .unsure: longRest.armUnlessArmed(after: settlesUnsureAfter)
    case .paused, .unsettled, .failed: break
    }
  }

  /// A root that may not answer: it is left alone while it does not, and others have their turn.
  private func look() {
    guard let turn = begun.values.first(where: { $0.job != nil }), let job = turn.job, let root = turn.root
    else { return }
    let progress = turn.file.progress
    guard progress == turn.seen else {
      turn.seen = progress
      return watch.arm(after: patience)
    }
    turn.job = nil
    begun[job.asset] = nil
    turn.file.end()
    threads.leave(root)
    plan.finished(job)
    next.arm()
  }

  // MARK: Noting

  private func writeIfDue() {
    if hashed.count >= Self.notedTogether || !plan.isBusy { return write() }
    if !hashed.isEmpty { writing.armUnlessArmed(after: Self.longestWait) }
  }

  private func write() {
    writing.disarm()
    guard !hashed.isEmpty else { return }
    // What is offline by now would be told as such, and not that it is back: it is hashed again then.
    let batch = hashed.filter { !library.contents.isOffline($0.asset) }
    if batch.count < hashed.count { readIndexAgain() }
    hashed = []
    guard !batch.isEmpty else { return }
    // What cannot be written is still to be hashed, and is when the index can be written: not at once, and again and again.
    do { try library.edits.hashes.note(batch) } catch {
      readIndexAgain()
      putOff()
    }
  }

  // MARK: Waiting

  private func putOff() {
    isPutOff = true
    retry.arm(after: pause, accuracy: pause / 2)
  }

  private func tryAgain() {
    isPutOff = false
    next.arm()
  }

  private func rested() {
    plan.rested()
    next.arm()
  }

  private func restedLong() {
    readIndexAgain()
    next.arm()
  }
}
