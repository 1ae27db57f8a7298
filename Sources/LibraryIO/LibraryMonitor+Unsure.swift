internal import EventLoop
internal import LibraryModel

// Files that are being written, as it seems, and may be closed without anyone hearing of it.
extension LibraryMonitor {
  /// When a file is looked at again that was closed a moment ago, and is still being written, as it seems.
  static var firstRecheckDelay: Duration { .milliseconds(5) }
  /// How often files are looked at that may have been closed unheard.
  static var lastRecheckDelay: Duration { .seconds(2) }

  /// Keeps a file that someone still writes. One that was closed may be looked at too early: the kernel tells of a
  /// close before it counts the writer out, and writes to the disk in between what was cut off and written anew.
  func wait(for location: Location, _ evidence: EventReducer.Evidence) {
    if evidence == .closed {
      recheckDelay = LibraryMonitor.firstRecheckDelay
      unsureTimer?.disarm()
    }
    reducer.wait(for: location, evidence == .closed ? .none : evidence)
  }

  /// Looks again at files that may have been closed unheard.
  func recheckUnsure() {
    recheckDelay = min(recheckDelay * 2, LibraryMonitor.lastRecheckDelay)
    reducer.recheck()
    turn()
  }
}
