/// Which asset is read next for what it says of itself (S50): who is asked for, then what has just come or changed, then all
/// that is not described yet, the most recent first.
///
/// It knows no time and no file. What it keeps is bounded: the index knows what is not described, page by page.
package struct DescriptionPlan {
  /// What to read.
  package struct Job: Hashable, Sendable {
    /// The asset.
    package let asset: AssetID
    /// Whether somebody waits for it.
    package let isAwaited: Bool
  }

  /// The most assets that are remembered by name.
  package static let capacity = 4096

  private var awaited: [AssetID] = []
  private var recent: [AssetID] = []
  private var backlog: [AssetID] = []
  private var waiting: Set<AssetID> = []
  private var reading: Set<AssetID> = []
  /// Of those being read, those that must be read once more.
  private var again: Set<AssetID> = []
  /// Whether all pages of the index were seen.
  private var isIndexRead = false
  /// Whether something came that could not be remembered, so that the index is to be read from its beginning again.
  private var hasForgotten = false

  /// Nothing is known: the index is asked first.
  package init() {}

  /// Whether the next page of the index is wanted: ``add(page:isLast:)``.
  package var needsPage: Bool { backlog.isEmpty && !isIndexRead }

  /// How many are being read.
  package var readingCount: Int { reading.count }

  /// Whether there is nothing to do and nothing being done.
  package var isIdle: Bool { waiting.isEmpty && reading.isEmpty && isIndexRead }

  // MARK: What there is to read

  /// Assets of the index that have no description, the most recent first.
  ///
  /// - Parameter isLast: whether there are no others.
  package mutating func add(page: [AssetID], isLast: Bool) {
    for asset in page.reversed() where remember(asset) { backlog.append(asset) }
    guard isLast else { return }
    isIndexRead = !hasForgotten
    hasForgotten = false
  }

  /// There may be others in the index than those that it was asked for.
  package mutating func readIndexAgain() { isIndexRead = false }

  /// An asset came, or what is known of its files is not so any more.
  package mutating func changed(_ asset: AssetID) {
    if reading.contains(asset) { return _ = again.insert(asset) }
    if remember(asset) { recent.append(asset) }
  }

  /// Somebody asks for these: they go before all others, in their order.
  package mutating func ask(for assets: [AssetID]) {
    let asked = assets.prefix(Self.capacity).filter { !reading.contains($0) }
    let known = Set(asked).intersection(waiting)
    if !known.isEmpty {
      awaited.removeAll(where: known.contains)
      recent.removeAll(where: known.contains)
      backlog.removeAll(where: known.contains)
    }
    for asset in asked.reversed() where known.contains(asset) || remember(asset) { awaited.append(asset) }
  }

  private mutating func remember(_ asset: AssetID) -> Bool {
    guard !waiting.contains(asset), !reading.contains(asset) else { return false }
    guard waiting.count < Self.capacity else {
      (hasForgotten, isIndexRead) = (true, false)
      return false
    }
    waiting.insert(asset)
    return true
  }

  // MARK: Reading

  /// What is read next; nil where there is nothing now.
  package mutating func next() -> Job? {
    if let asset = awaited.popLast() { return begin(asset, isAwaited: true) }
    if let asset = recent.popLast() ?? backlog.popLast() { return begin(asset, isAwaited: false) }
    return nil
  }

  private mutating func begin(_ asset: AssetID, isAwaited: Bool) -> Job {
    waiting.remove(asset)
    reading.insert(asset)
    return Job(asset: asset, isAwaited: isAwaited)
  }

  /// Something was read, or cannot be for now.
  package mutating func finished(_ job: Job) {
    reading.remove(job.asset)
    if again.remove(job.asset) != nil { changed(job.asset) }
  }

  /// Nothing can be read for now: what was begun is to be read later.
  package mutating func putOff(_ job: Job) {
    reading.remove(job.asset)
    again.remove(job.asset)
    if remember(job.asset) { backlog.append(job.asset) }
  }
}
