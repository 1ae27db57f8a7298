internal import EventLoop
internal import LibraryModel

/// What gives errors, and when it is tried again.
extension LibraryMonitor {
  /// How long after an error it is tried again, for the first time; then twice as long, and so on.
  static let firstTroubleDelay = Duration.seconds(1)
  static let lastTroubleDelay = Duration.seconds(60)
  /// How long after a directory was lost it is sought, for the first time.
  static let firstSeekDelay = Duration.milliseconds(100)

  // MARK: The disk

  /// Something gave an error that did not before: it is tried again soon, whatever else is in trouble.
  func noteTrouble() {
    troubleDelay = LibraryMonitor.firstTroubleDelay
    troubleTimer?.arm(after: troubleDelay)
  }

  /// Tries again what gave errors, and need not cause an event when it no longer would.
  func retryTrouble() {
    troubleDelay = min(troubleDelay * 2, LibraryMonitor.lastTroubleDelay)
    // Forgets what has left the library meanwhile.
    updateState()
    if roots.contains(where: \.isUncertain) {
      do { try checkRoots() } catch { return batches.fail(error) }
    }
    for directory in unreadable { plan.list(directory, descends: true) }
    turn()
  }

  /// A library without trouble needs no timer (T12).
  func awaitEndOfTrouble() {
    if !unreadable.isEmpty || roots.contains(where: \.isUncertain) {
      troubleTimer?.armUnlessArmed(after: troubleDelay)
    } else {
      troubleDelay = LibraryMonitor.firstTroubleDelay
    }
    // Not put off by what happens meanwhile.
    if plan.hasLost {
      lostTimer?.armUnlessArmed(after: seekDelay)
    } else if !hasWork, !plan.awaitsListings {
      plan.endSeeking()
      seekDelay = LibraryMonitor.firstSeekDelay
    }
  }
}

extension LibraryMonitor: LibraryBatchOwner {
  func batchFailed() {
    disk.endBatch()
    // Nobody is to be shown what the journal will not tell of. Where it cannot be read either, nothing can be.
    try? restoreTree()
    updateState()
  }

  func beginAnew() throws {
    reducer.reset()
    forget(listings: plan.reset())
    try load()
    turn()
  }
}
