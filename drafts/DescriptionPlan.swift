/// Which file is read next for what it says of itself, and what becomes of one that breaks its reader.
///
/// It knows no time and no file. Whoever has readers asks for work for each, and tells what came of it. What it keeps is
/// bounded: files that are not described are in the index, page by page, from the most recent on.
package struct DescriptionPlan {
  /// What to read, and by whom.
  package struct Job: Hashable, Sendable {
    /// The asset whose file it is.
    package let asset: AssetID
    /// Whether its reader must be one that has read nothing before, and reads nothing after: the file broke one already.
    package let isAlone: Bool
    /// Whether somebody waits for it: the reader need not stand back behind everybody else.
    package let isAwaited: Bool
  }

  /// What came of reading.
  package enum Outcome: Hashable, Sendable {
    /// Its file says this or that, or nothing.
    case described
    /// It is no file that can be read.
    case unreadable
    /// Its reader crashed, hung or took too much.
    case broke
    /// It has changed, or gone, meanwhile.
    case changed
  }

  /// What is to be written down.
  package enum Verdict: Hashable, Sendable {
    /// What was read.
    case keep
    /// That it cannot be described (until it changes, or until another version reads it).
    case giveUp
    /// Nothing: it is read once more, or is another file by now.
    case nothing
  }

  /// The most files that are remembered by name; the index knows the others.
  package static let capacity = 4096

  private var awaited: [AssetID] = []
  private var recent: [AssetID] = []
  private var backlog: [AssetID] = []
  private var suspects: [AssetID] = []
  private var reading: Set<AssetID> = []
  private var known: Set<AssetID> = []
  /// Where the next page of the index begins: nil where there is none.
  private var isIndexRead = false
  /// Whether something came while it was not remembered, so that the index must be read from the beginning again.
  private var hasForgotten = false

  /// Nothing is known: the index is asked first.
  package init() {}

  /// Whether ``add(page:isLast:)`` is waited for.
  package var needsPage: Bool { backlog.isEmpty && !isIndexRead }

  /// How many are being read.
  package var readingCount: Int { reading.count }

  /// Whether there is nothing to do and nothing being done.
  package var isIdle: Bool { known.isEmpty && reading.isEmpty && isIndexRead }

  // MARK: What there is to read

  /// Files of the index that have no description, the most recent first.
  ///
  /// - Parameter isLast: whether there are no others.
  package mutating func add(page: [AssetID], isLast: Bool) {
    for asset in page.reversed() where remember(asset) { backlog.append(asset) }
    guard isLast else { return }
    isIndexRead = !hasForgotten
    hasForgotten = false
  }

  /// A file came, or changed.
  package mutating func changed(_ asset: AssetID) {
    guard remember(asset) else { return }
    recent.append(asset)
  }

  /// Somebody asks for these: they go before all others, in their order.
  package mutating func ask(for assets: [AssetID]) {
    for asset in assets.prefix(Self.capacity).reversed() where !reading.contains(asset) {
      if known.contains(asset) { forgetPlace(of: asset) }
      guard known.contains(asset) || remember(asset) else { continue }
      awaited.append(asset)
    }
  }

  private mutating func remember(_ asset: AssetID) -> Bool {
    guard !known.contains(asset) else { return false }
    guard known.count < Self.capacity else {
      hasForgotten = true
      isIndexRead = false
      return false
    }
    known.insert(asset)
    return true
  }

  private mutating func forgetPlace(of asset: AssetID) {
    awaited.removeAll { $0 == asset }
    recent.removeAll { $0 == asset }
    backlog.removeAll { $0 == asset }
  }

  // MARK: Readers

  /// Work for a reader; nil where there is none for it now.
  ///
  /// - Parameter isFresh: whether it has read nothing yet.
  package mutating func next(isFresh: Bool) -> Job? {
    if isFresh, let asset = suspects.popLast() { return begin(asset, isAlone: true, isAwaited: false) }
    if let asset = awaited.popLast() { return begin(asset, isAlone: false, isAwaited: true) }
    if let asset = recent.popLast() ?? backlog.popLast() { return begin(asset, isAlone: false, isAwaited: false) }
    return nil
  }

  /// Whether a fresh reader would have work that others may not do.
  package var needsFreshReader: Bool { !suspects.isEmpty }

  private mutating func begin(_ asset: AssetID, isAlone: Bool, isAwaited: Bool) -> Job {
    known.remove(asset)
    reading.insert(asset)
    return Job(asset: asset, isAlone: isAlone, isAwaited: isAwaited)
  }

  /// A reader is done with a file, or is no more.
  package mutating func finished(_ job: Job, _ outcome: Outcome) -> Verdict {
    reading.remove(job.asset)
    switch outcome {
    case .described: return .keep
    case .unreadable: return .giveUp
    case .changed: return .nothing
    case .broke where job.isAlone: return .giveUp
    case .broke:
      // It may have been what its reader had read before.
      if remember(job.asset) { suspects.append(job.asset) }
      return .nothing
    }
  }
}
