internal import DaemonConfiguration
internal import EventLoop
internal import LibraryIO
internal import Logging

/// Keeps the journal within its bounds (S27): by count as it grows, by age once a day.
@EventLoopActor
final class JournalTrim {
  private let journal: JournalWriter
  private let bounds: Configuration.Journal
  private let log: Logger
  private var grownBy = 0
  private lazy var daily = Timer { [unowned self] in trim() }
  private lazy var soon = Timer { [unowned self] in trim() }

  /// So many batches of changes go by between two looks: fewer of a journal that is short.
  private let interval: Int

  init(monitor: LibraryMonitor, _ bounds: Configuration.Journal, log: Logger) {
    journal = monitor.edits.journal
    self.bounds = bounds
    interval = min(1024, max(1, bounds.keepChanges / 10))
    self.log = log
  }

  /// Looks, from now on.
  func start() { trim() }

  /// A batch of changes was added.
  func grown() {
    grownBy += 1
    guard grownBy >= interval else { return }
    grownBy = 0
    soon.armUnlessArmed(after: .milliseconds(10))
  }

  /// Removes a slice; the rest when the loop has done other things.
  private func trim() {
    daily.arm(after: .seconds(86_400), accuracy: .seconds(3600))
    do {
      let hasMore = try journal.trim(
        keepChanges: Int64(bounds.keepChanges), keepDays: Int64(bounds.keepDays))
      if hasMore { soon.arm(after: .milliseconds(10)) }
    } catch { log.warning("The journal could not be trimmed: \(error)") }
  }
}
