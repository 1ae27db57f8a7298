internal import EventLoop
internal import LibraryModel
internal import Linux

/// Compares the library while nothing happens, in rounds, since files can be changed without an event
/// (docs/decisions/0070-idle-round.md). What it finds is told like everything else (S88).
///
/// Once a minute at most, and never while something else is being compared. A file system to whose disk nothing was
/// written since its last round is left out, so that a disk that sleeps is not woken.
@EventLoopActor
final class IdleComparison {
  private let scan: Scan
  private let batches: LibraryBatch
  private let disk: BeneathRoot
  private let roots: Roots
  private let writes: DiskWrites
  private let interval: Duration
  private var round = IdleRound()
  /// What had been written to the disks of roots, and of what is mounted beneath them, when their last round began.
  private var written: [DirectoryID: UInt64] = [:]
  /// What is left of the portion that is being compared: one directory at a time, since what is saved meanwhile is told
  /// when nothing is being listed (docs/decisions/0015-identity.md).
  private var portion: ArraySlice<DirectoryID> = []
  /// Since when it is compared, by the monotonic clock in microseconds.
  private var began: UInt64?
  /// Whether a portion is being compared.
  var isComparing: Bool { began != nil }
  /// Whether the next portion is to come.
  private var isAwaited = false
  private lazy var timer = Timer { [unowned self] in compare() }

  init(
    _ scan: Scan, _ batches: LibraryBatch, _ disk: BeneathRoot, _ roots: Roots, _ writes: DiskWrites,
    interval: Duration
  ) {
    self.scan = scan
    self.batches = batches
    self.disk = disk
    self.roots = roots
    self.interval = interval
    self.writes = writes
  }

  func stop() { timer.disarm() }

  /// A turn is over: what was begun may be done, and the next is to come.
  func await() {
    guard began != nil || !isAwaited, !scan.isBusy else { return }
    if let next = portion.popFirst() { return scan.compareIdly(next) }
    var rest = interval
    if let began {
      let took = Clock.monotonic - began
      rest = .microseconds(Int64(clamping: IdleRound.rest(after: took, atLeast: interval.microseconds)))
    }
    began = nil
    later(rest)
  }

  private func later(_ rest: Duration) {
    isAwaited = true
    timer.arm(after: rest, accuracy: interval / 12)
  }

  /// Begins to compare a portion, if nothing else is to be done.
  func compare() {
    isAwaited = false
    guard !scan.isBusy, !scan.isScanning, batches.failure == nil else { return later(interval) }
    if round.isOver { round.begin(roots.online) }
    portion = round.takePortion { look($0) }[...]
    disk.endBatch()
    guard let first = portion.popFirst() else { return later(interval) }
    began = Clock.monotonic
    scan.compareIdly(first)
  }

  /// What there is to compare of a directory; `nil` if that cannot have changed, with all beneath it.
  private func look(_ directory: DirectoryID) -> IdleRound.Directory? {
    let tree = batches.librarian.directories.tree
    guard let node = tree[directory], !tree.isAway(directory) else { return nil }
    if directory.isRoot || node.isMount {
      guard let device = disk.device(of: directory, in: tree) else { return nil }
      let sectors = writes.sectors(device: device)
      if let sectors, sectors == written[directory] { return nil }
      written[directory] = sectors
    }
    return IdleRound.Directory(
      names: node.counts.names + node.counts.companions, children: Array(node.children.values))
  }
}
