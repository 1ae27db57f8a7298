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
      do { try checkRoots() } catch { return fail(error) }
    }
    for directory in unreadable { list(directory, descends: true) }
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
    if !lost.isEmpty {
      lostTimer?.armUnlessArmed(after: seekDelay)
    } else if !hasWork, inFlight.isEmpty, toList.isEmpty {
      (sought, seekDelay) = ([], LibraryMonitor.firstSeekDelay)
    }
  }

  // MARK: The database

  /// Waits until the disk has caught up with what was written.
  func pause() {
    isPaused = true
    database.onRoomForWriting { [weak self] error in
      Task { @EventLoopActor in self?.endPause(error) }
    }
  }

  private func endPause(_ error: (any Error)?) {
    isPaused = false
    if let error { fail(error) } else { turn() }
  }

  /// Commits what was put off.
  func settle() {
    guard failure == nil else { return }
    do { try database.settle() } catch { fail(error) }
  }

  /// The database cannot be written: the batch was not kept, and what was learned with it is learned anew
  /// when writing works again.
  func fail(_ error: any Error) {
    database.rollback()
    disk.endBatch()
    // Nobody is to be shown what the journal will not tell of. Where it cannot be read either, nothing can be.
    try? restoreTree()
    failure = "\(error)"
    failures += 1
    updateState()
    retryTimer?.arm(after: .seconds(min(60, 1 << min(failures - 1, 6))))
  }

  /// Begins as at the start, with what the index has.
  func startAnew() {
    failure = nil
    reducer.reset()
    forgetListings()
    deferred = Doubts()
    doubts = RaisedDoubts()
    do {
      try database.settle()
      try load()
      turn()
    } catch {
      fail(error)
    }
  }
}
