internal import EventLoop
internal import LibraryModel

// Between two turns of the loop: what brings about the next one.
extension LibraryMonitor {
  func scheduleTurn() {
    nextSlice?.arm()
  }

  /// What was found out between two turns, nothing else need tell: it is looked into in a turn, or by a timer that a
  /// turn arms.
  func scheduleTurnIfNeeded() {
    let isToBeTimed =
      (plan.hasLost && lostTimer?.isArmed == false)
      || (reducer.isUnsure && unsureTimer?.isArmed == false)
    if hasWork || plan.hasToList || !disk.suspects.isEmpty || isStateStale || isToBeTimed { scheduleTurn() }
  }

  /// For how long after a root went offline nothing is said to have gone that may have been moved there, in
  /// microseconds.
  static let absencePatience: UInt64 = 10_000_000

  func rest() {
    guard plan.endScan(situation, isHalfMoved: { reducer.isHalfMoved($0) }) else { return }
    if !batches.index.hasScanned {
      do {
        try batches.write { librarian.add([try $0.finishScan()]) }
        try finish()
      } catch { return batches.fail(error) }
      librarian.publishes = true
      librarian.expectsNewFiles = false
    }
    updateState()
  }

  func arm(_ now: UInt64) {
    if let deadline = reducer.nextDeadline {
      moveTimer?.arm(after: .microseconds(deadline > now ? deadline - now : 0))
    }
    if reducer.isUnsure { unsureTimer?.armUnlessArmed(after: LibraryMonitor.unsureDelay) }
    if !unwatched.isEmpty, !plan.isScanning { pollTimer?.armUnlessArmed(after: pollInterval) }
    let situation = situation
    if let end = situation.absentUntil, end > situation.now,
      plan.awaitsReturn(hasOrphans: situation.hasOrphans)
    {
      absenceTimer?.arm(after: .microseconds(end - situation.now))
    }
    awaitEndOfTrouble()
    statistics.watches = reducer.watchCount
    statistics.unwatched = unwatched.count
  }

  func pollUnwatched() {
    updateState()
    for directory in unwatched { plan.list(directory, descends: false) }
    turn()
  }
}
