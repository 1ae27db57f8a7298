internal import EventLoop
internal import LibraryModel

// Files that are being written, as it seems, and may be closed without anyone hearing of it.
extension LibraryMonitor {
  /// When a file is looked at again that was closed a moment ago and is still being written, as it seems, for the first
  /// time; then twice as long, and so on.
  static var firstClosedDelay: Duration { .milliseconds(5) }
  private static var closedTries: Int { 7 }
  /// How often files are looked at that may have been closed unheard.
  static var unsureDelay: Duration { .seconds(2) }

  /// Keeps a file that someone still writes. One that was closed may be looked at too early: the kernel tells of a
  /// close before it counts the writer out, and writes to the disk in between what was cut off and written anew.
  func wait(for location: Location, _ evidence: EventReducer.Evidence, hasWriter: Bool = true) {
    reducer.wait(for: location, evidence == .closed ? .none : evidence, hasWriter: hasWriter)
    guard evidence == .closed else { return }
    let isFirst = closed.isEmpty
    // One that is closed again and again, while somebody keeps it open, has its tries and no more.
    if closed[location, default: 0] == 0 { closed[location] = LibraryMonitor.closedTries }
    guard isFirst || closedDelay > LibraryMonitor.firstClosedDelay else { return }
    closedDelay = LibraryMonitor.firstClosedDelay
    closedTimer?.arm(after: closedDelay)
  }

  /// Looks again at files that were closed a moment ago.
  func recheckClosed() {
    closed = closed.filter { location, tries in tries > 0 && reducer.isWaiting(for: location) }
      .mapValues { $0 - 1 }
    for location in closed.keys.sorted() { reducer.hint(location, removal: false) }
    closedDelay *= 2
    if !closed.isEmpty { closedTimer?.arm(after: closedDelay) }
    turn()
  }

  /// Looks again at files that may have been closed unheard.
  func recheckUnsure() {
    reducer.recheck()
    turn()
  }
}
