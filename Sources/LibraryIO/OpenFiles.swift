internal import EventLoop
internal import LibraryModel

/// Files that are being written, as it seems, and may be closed without anyone hearing of it.
@EventLoopActor
final class OpenFiles {
  private let watches: DirectoryWatches
  private let turns: Turns
  /// Files that were closed a moment ago and seem to be written still: how often they are looked at before the others.
  private(set) var closed: [Location: Int] = [:]
  /// Looks at those; the time is that of a close.
  private(set) lazy var closedRetry = Retry(after: .milliseconds(5), atMost: .seconds(1)) { [unowned self] in
    lookAtClosed()
  }
  /// Looks at all that may have been closed unheard.
  private lazy var unsureRetry = Retry(every: .seconds(2)) { [unowned self] in
    watches.hints.recheck()
    turns.now()
  }

  private static let closedTries = 7

  init(_ watches: DirectoryWatches, _ turns: Turns) {
    self.watches = watches
    self.turns = turns
  }

  func stop() {
    closedRetry.stop()
    unsureRetry.stop()
  }

  /// Keeps a file that someone still writes. One that was closed may be looked at too early: the kernel tells of a
  /// close before it counts the writer out, and writes to the disk in between what was cut off and written anew.
  func wait(for location: Location, _ evidence: EventReducer.Evidence, hasWriter: Bool = true) {
    watches.hints.wait(for: location, evidence == .closed ? .none : evidence, hasWriter: hasWriter)
    guard evidence == .closed else { return }
    // One that is closed again and again, while somebody keeps it open, has its tries and no more.
    if closed[location, default: 0] == 0 { closed[location] = Self.closedTries }
    closedRetry.soon()
  }

  private func lookAtClosed() {
    closed = closed.filter { location, tries in tries > 0 && watches.hints.isWaiting(for: location) }
      .mapValues { $0 - 1 }
    for location in closed.keys.sorted() { watches.hints.hint(location, removal: false) }
    if !closed.isEmpty { closedRetry.later() }
    turns.now()
  }

  /// Whether a turn would see to it that they are looked at.
  var isToBeAwaited: Bool { watches.hints.isUnsure && !unsureRetry.isAwaited }

  /// Sees to it that they are looked at.
  func await() {
    if watches.hints.isUnsure { unsureRetry.later() }
  }
}
