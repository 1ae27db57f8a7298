internal import Inotify
internal import LibraryModel

// When what seems to have gone is decided about: not before all is known that was told until then.
extension LibraryMonitor {
  /// For how long after a root went offline nothing is said to have gone that may have been moved there, in
  /// microseconds.
  static let absencePatience: UInt64 = 10_000_000
  /// For how long at most what has left waits for what was told before, in microseconds.
  private static let removalPatience: UInt64 = 1_000_000

  /// Whether what has left the library can be removed: all is known that was told until it left, and no root has gone
  /// offline a moment ago, in which it may be.
  var mayRemove: Bool {
    guard librarian.hasOrphans, let queue else { return false }
    if queue.taken < removalMark, let since = removalAwaited {
      // Where directories leave all the time, the mark is never reached.
      guard monotonicMicroseconds() > since + LibraryMonitor.removalPatience else { return false }
    }
    return lastAbsence == nil
  }

  /// When the root went offline that did so last, if that is no longer ago than what has gone is remembered.
  var lastAbsence: UInt64? {
    guard let last = roots.lazy.compactMap(\.absentSince).max() else { return nil }
    return last + LibraryMonitor.absencePatience > monotonicMicroseconds() ? last : nil
  }

  var hasRipeDoubts: Bool { doubts.contains { !reducer.isHalfMoved($0.location) } }

  /// Whether a directory is lost that was not sought yet: what seems to be nowhere may be in it.
  var isSeeking: Bool { !lost.isSubset(of: sought) }

  /// Whether something is still to be listed.
  var isListing: Bool {
    reconciliation != nil || !listings.isEmpty || !toList.isEmpty || !inFlight.isEmpty || !unscanned.isEmpty
      || isSeeking
  }

  /// Decides about names in doubt, as far as all is there to do so: nobody knows where a file is as long as
  /// something is still to be listed. That one has gone is told nevertheless: if it turns up after all, it is known
  /// again.
  func decide(_ raised: Doubts) throws {
    var ripe = raised
    doubts.append(ripe.take { reducer.isHalfMoved($0.location) })
    if lastAbsence != nil {
      // What seems to be nowhere may be where nobody can look now.
      deferred.append(ripe.take { _ in true })
    } else if isListing {
      deferred.append(ripe.take { $0.present != nil })
    }
    try begin()
    try librarian.decide(ripe)
  }
}
