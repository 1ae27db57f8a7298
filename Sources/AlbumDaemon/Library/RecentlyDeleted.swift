internal import EventLoop
internal import Glibc
internal import LibraryIO
internal import LibraryModel
internal import Linux
internal import Logging
internal import Storage

/// What was deleted and is kept for some days (S33): restores it, and removes it for good when its time has
/// come.
@EventLoopActor
final class RecentlyDeleted {
  private let edits: LibraryEdits
  private let index: IndexSync
  private let keepDays: Int
  private let log: Logger
  private let contents: LibraryContents
  private let disks: DiskThreads
  private var isBeingPurged: Set<AssetID> = []
  private let clock: any DeletionClock
  /// Whether an original is still its asset's that has gone only now.
  private var isAnyAwaited = false
  /// Whether nothing is being compared: what is not there is gone then.
  private let isSettled: @EventLoopActor () -> Bool

  init(
    monitor: LibraryMonitor, index: IndexSync, keepDays: Int, log: Logger, clock: any DeletionClock
  ) {
    edits = monitor.edits
    isSettled = { [unowned monitor] in [.ready, .degraded].contains(monitor.state.summary) }
    contents = monitor.contents
    disks = DiskThreads(monitor.contents)
    self.index = index
    self.keepDays = keepDays
    self.log = log
    self.clock = clock
  }

  /// Whose turn is taken at the disk for what is removed for good.
  private static let own: UInt32 = 0

  /// So many are read in a turn: of a hundred thousand that were deleted everybody would wait for a second.
  static let page = 200

  /// The first of them.
  private func first() throws -> DeletedAsset? {
    try edits.records.resting(after: nil, limit: isBeingPurged.count + 1).first {
      !isBeingPurged.contains($0.id)
    }
  }

  /// Gives what can be restored, oldest first, in pages, each in a turn of its own; at least one, which may be empty.
  ///
  /// - Parameter body: gets a page, and whether it is the last; says whether to go on.
  func forEachPage(_ body: ([DeletedAsset], _ isLast: Bool) async throws -> Bool) async throws {
    var last: DeletedAsset?
    while true {
      // One more than a page tells whether there is another.
      let read = try edits.records.resting(after: last, limit: Self.page + 1)
      let page = read.prefix(Self.page)
      let isLast = read.count == page.count
      guard try await body(page.filter { !isBeingPurged.contains($0.id) }, isLast), !isLast else { return }
      last = page.last
      await EventLoopActor.giveWay()
    }
  }

  /// One of them.
  func asset(_ id: AssetID) throws -> DeletedAsset? {
    guard !isBeingPurged.contains(id), let deleted = try edits.records[id], deleted.state == .deleted
    else { return nil }
    return deleted
  }

  /// Its file, open for reading: of a live photo the still.
  func open(_ deleted: DeletedAsset) async throws(LibraryFileError) -> DescriptorBatch {
    let batch = DescriptorBatch()
    _ = batch.append(try await edits.records.openFile(of: deleted))
    return batch
  }

  /// When it is removed for good. Seconds since 1970.
  func purgeTime(of deleted: DeletedAsset) -> Int64 {
    clock.time(Int64(keepDays) * 86_400, after: deleted.deleted)
  }

  /// Puts an asset back.
  func restore(_ id: AssetID, mayBegin: MayBegin) async throws {
    guard !isBeingPurged.contains(id) else { throw LibraryFileError(.gone, subject: "deleted asset") }
    let record = try await edits.restorations.record(id, mayBegin: mayBegin)
    do { try await index.sync() } catch {
      // The record stays, and what it says is done when the library is looked at next.
      edits.records.leave(id)
      throw error
    }
    _ = try await edits.restorations.carryOut(record, mayBegin: mayBegin)
  }

  // MARK: Removing for good

  /// Removes the files, which may take the disk a while, then the record: one without files is forgotten at
  /// the next start.
  ///
  /// - Returns: whether it was there to be removed: by now it may be restored, or deleted a second time.
  func purge(_ deleted: DeletedAsset, mayBegin: MayBegin) async throws -> Bool {
    guard let present = try asset(deleted.id), present.key == deleted.key else { return false }
    isBeingPurged.insert(deleted.id)
    defer { isBeingPurged.remove(deleted.id) }
    if contents.rootApart(of: deleted.place) != nil {
      return try await edits.records.purge(deleted, mayBegin: mayBegin)
    }
    let hidden = try await edits.records.openHidden(of: deleted, for: mayBegin.user)
    let names = deleted.fileNames
    try mayBegin()
    let failure = try await disks[deleted.place, for: Self.own].run {
      () throws(LibraryFileError) -> SystemError? in
      var failure: SystemError?
      for name in names where unlinkat(hidden.number, name, 0) != 0 && errno != ENOENT {
        failure = SystemError("unlinkat", subject: name)
      }
      return failure
    }
    if let failure { throw failure }
    if let edit = try edits.records.original(of: deleted.id) { try await removeOriginal(of: edit) }
    try edits.records.forgetPurged(deleted.id)
    return true
  }

  /// What it was before it was edited goes with it (S94).
  private func removeOriginal(of edit: AssetEdit) async throws {
    let hidden = try await edits.originals.openHidden(of: edit)
    let name = edit.key.name(0)
    let failure = try await disks[edit.place, for: Self.own].run {
      () throws(LibraryFileError) -> SystemError? in
      unlinkat(hidden.number, name, 0) == 0 || errno == ENOENT ? nil : SystemError("unlinkat", subject: name)
    }
    if let failure { throw failure }
  }

  /// Originals of assets that are gone rest among what was deleted from now on (S94).
  private func giveUpLostOriginals() async {
    guard isSettled() else { return }
    do {
      let outcome = try await edits.originals.giveUpLost(at: clock.now)
      isAnyAwaited = outcome.isAnyAwaited
      if outcome.isAny { begin() }
    } catch {
      log.warning("What was edited could not be looked at: \(error)")
    }
  }

  /// The library's state has changed, or it has just been opened: a root may have come that something waits
  /// for.
  func libraryChanged() {
    do { try edits.halfDone.complete() } catch {
      log.warning("What was deleted could not be looked at: \(error)")
    }
    arm()
    Task.onLoop { [self] in
      await giveUpLostOriginals()
      if isAnyAwaited { arm() }
    }
  }

  /// Something was deleted. What was deleted before is due before.
  func begin() {
    // By which the deletion is stamped.
    _ = clock.now
    if !clock.isWaiting { wait(seconds: Self.longestWait) }
  }

  /// At most this long is waited at a time, since the clock of the days may be set, and stands still for the timer while
  /// the machine sleeps.
  private static let longestWait: Int64 = 86_400
  /// As long as this for assets that have gone only now, and may come back as what they were.
  private static let returnWait: Int64 = 15

  /// Ends: how much time has passed is on disk when this returns.
  func end() { clock.end() }

  private func wait(seconds: Int64) {
    clock.wait(seconds: seconds) { [unowned self] in purgeDue() }
  }

  private func arm() {
    let most = isAnyAwaited ? Self.returnWait : Self.longestWait
    guard let first = try? first() else {
      return edits.originals.isEmpty ? clock.stopWaiting() : wait(seconds: most)
    }
    let wait = purgeTime(of: first) - clock.now
    guard wait > 0 else { return purgeDue() }
    self.wait(seconds: min(wait, most))
  }

  private func purgeDue() {
    Task.onLoop { [self] in
      await giveUpLostOriginals()
      do {
        try await purgeAllDue()
        arm()
      } catch {
        log.warning("What was deleted long ago could not be removed and is tried again a day later: \(error)")
        wait(seconds: Self.longestWait)
      }
    }
  }

  /// One whose root is offline, or cannot be written, is not in the way of the others.
  private func purgeAllDue() async throws {
    var failure: (any Error)?
    try await forEachPage { page, _ in
      for deleted in page where purgeTime(of: deleted) <= clock.now {
        do { _ = try await purge(deleted, mayBegin: nobodyAsked) } catch { failure = failure ?? error }
      }
      // They are in the order of the clock, which need not be that of time.
      return true
    }
    if let failure { throw failure }
  }
}
