/// Which asset is hashed next (S96): what has just come or changed, then all that is not hashed yet, what came last first. One at
/// a time.
///
/// A long file is hashed in turns, and others have theirs in between. What was written to a moment ago has to rest first.
///
/// It knows no time and no file. What it keeps is bounded: the index knows what is not hashed, page by page.
package struct HashPlan {
  /// What to hash.
  package struct Job: Hashable, Sendable {
    /// The asset.
    package let asset: AssetID
    /// Whether this is the next turn of a file that was begun.
    package let isContinued: Bool
  }

  /// The most assets that are remembered by name.
  package static let capacity = 4096
  /// The most files that are begun and not done: each is open.
  package static let mostLong = 2
  /// So many others have their turn between two turns of long files.
  package static let othersBetween = 16
  /// So often an asset rests whose file is written to again and again; then it waits until anything of it is told, or the
  /// index is read again.
  package static let mostTries = 3

  private var recent: [AssetID] = []
  private var backlog: [AssetID] = []
  /// Those that have had a turn, the one that waits longest first.
  private var long: [AssetID] = []
  /// Those that are to be begun when there is room among the long ones.
  private var behindLong: [AssetID] = []
  private var resting: [AssetID] = []
  private var waiting: Set<AssetID> = []
  private var tries: [AssetID: Int] = [:]
  /// Those that have rested often enough: some of them, where they are many.
  private var left: Set<AssetID> = []
  private var othersSince = 0
  private var current: AssetID?
  /// Whether what is being hashed must be hashed once more.
  private var isAgain = false
  private var isIndexRead = false
  private var hasForgotten = false

  /// Nothing is known: the index is asked first.
  package init() {}

  /// Whether the next page of the index is wanted: ``add(page:isLast:)``. None is while nothing of it could be remembered.
  package var needsPage: Bool { backlog.isEmpty && !isIndexRead && waiting.count < Self.capacity }

  /// Whether something is being hashed.
  package var isBusy: Bool { current != nil }

  /// Whether something rests: ``rested()`` is to be called when it has.
  package var hasResting: Bool { !resting.isEmpty }

  /// Whether a file that is long can be begun.
  package var hasRoomForLong: Bool { long.count < Self.mostLong }

  /// Whether there is nothing to do and nothing being done.
  package var isIdle: Bool { waiting.isEmpty && current == nil && isIndexRead }

  // MARK: What there is to hash

  /// Assets of the index that are not hashed.
  ///
  /// - Parameter isLast: whether there are no others.
  package mutating func add(page: [AssetID], isLast: Bool) {
    for asset in page.reversed() where remember(asset) { backlog.append(asset) }
    guard isLast else { return }
    isIndexRead = !hasForgotten
    hasForgotten = false
  }

  /// There may be others in the index than those that it was asked for.
  package mutating func readIndexAgain() { (isIndexRead, left) = (false, []) }

  /// An asset came, or has other content.
  package mutating func changed(_ asset: AssetID) {
    if current == asset { return isAgain = true }
    if remember(asset) { recent.append(asset) }
  }

  /// Something else of an asset changed: one that was left because it was written to may be at rest by now.
  package mutating func touched(_ asset: AssetID) {
    if left.contains(asset) { changed(asset) }
  }

  private mutating func remember(_ asset: AssetID) -> Bool {
    guard !waiting.contains(asset), current != asset else { return false }
    guard waiting.count < Self.capacity else {
      (hasForgotten, isIndexRead) = (true, false)
      return false
    }
    waiting.insert(asset)
    left.remove(asset)
    return true
  }

  // MARK: Hashing

  /// What is hashed next; nil where there is nothing now, or something is being hashed.
  package mutating func next() -> Job? {
    guard current == nil else { return nil }
    if othersSince < Self.othersBetween || long.isEmpty, let other = nextOther() {
      othersSince += 1
      return begin(other, isContinued: false)
    }
    guard !long.isEmpty else { return nil }
    othersSince = 0
    return begin(long.removeFirst(), isContinued: true)
  }

  private mutating func nextOther() -> AssetID? {
    if let asset = recent.popLast() { return asset }
    if hasRoomForLong, !behindLong.isEmpty { return behindLong.removeFirst() }
    return backlog.popLast()
  }

  private mutating func begin(_ asset: AssetID, isContinued: Bool) -> Job {
    waiting.remove(asset)
    current = asset
    return Job(asset: asset, isContinued: isContinued)
  }

  /// Something was hashed, or cannot be for now.
  ///
  /// - Returns: whether it changed meanwhile, and is hashed once more.
  @discardableResult
  package mutating func finished(_ job: Job) -> Bool {
    tries[job.asset] = nil
    let isAgain = end()
    if isAgain { changed(job.asset) }
    return isAgain
  }

  /// Its turn is over, and its file is not.
  package mutating func paused(_ job: Job) {
    _ = end()
    waiting.insert(job.asset)
    long.append(job.asset)
  }

  /// It is long, and there is no room for it.
  package mutating func putBehindLong(_ job: Job) {
    _ = end()
    if remember(job.asset) { behindLong.append(job.asset) }
  }

  /// It was written to a moment ago, or while it was hashed.
  package mutating func rest(_ job: Job) {
    let isAgain = end()
    let count = tries.removeValue(forKey: job.asset) ?? 0
    // Of what is written still, the end is told.
    guard isAgain || count < Self.mostTries else {
      if left.count < Self.capacity { left.insert(job.asset) }
      return
    }
    guard remember(job.asset) else { return }
    tries[job.asset] = isAgain ? 0 : count + 1
    resting.append(job.asset)
  }

  /// Nothing can be hashed for now: what was begun is to be hashed later.
  package mutating func putOff(_ job: Job) {
    _ = end()
    if remember(job.asset) { backlog.append(job.asset) }
  }

  /// What rested has rested.
  package mutating func rested() {
    recent += resting
    resting = []
  }

  private mutating func end() -> Bool {
    defer { (current, isAgain) = (nil, false) }
    return isAgain
  }
}
