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
      (!lost.isEmpty && lostTimer?.isArmed == false)
      || (reducer.isUnsure && unsureTimer?.isArmed == false)
    if hasWork || !toList.isEmpty || !disk.suspects.isEmpty || isStateStale || isToBeTimed { scheduleTurn() }
  }

  func rest() {
    guard isScanning, !isListing, deferred.count == 0 || lastAbsence != nil, doubts.count == 0 else { return }
    isScanning = false
    if !database.hasScanned {
      do {
        try begin()
        librarian.add([try database.finishScan()])
        try finish()
      } catch {
        fail(error)
        return
      }
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
    if !unwatched.isEmpty, !isScanning { pollTimer?.armUnlessArmed(after: pollInterval) }
    if librarian.hasOrphans || deferred.count > 0, let lastAbsence {
      let end = lastAbsence + LibraryMonitor.absencePatience
      absenceTimer?.arm(after: .microseconds(end > now ? end - now : 0))
    }
    awaitEndOfTrouble()
    statistics.watches = reducer.watchCount
    statistics.unwatched = unwatched.count
  }

  func pollUnwatched() {
    updateState()
    for directory in unwatched { list(directory, descends: false) }
    turn()
  }
}
