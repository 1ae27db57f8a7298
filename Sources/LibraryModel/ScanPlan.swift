/// What is to be done next so that the index comes to agree with the disk: which directory is listed, which listing is
/// compared, when names in doubt are decided about, and when what has left the library is removed.
///
/// Without IO: what was found out is told to it, and ``next(_:isHalfMoved:)`` says what to do. The order is that in
/// which evidence counts (docs/decisions/0015-identity.md): first what the kernel told, then what was listed, then what
/// is in doubt when all of that is known, and last what nobody found anywhere.
///
/// Generic over what a listing is, of which it only keeps hold.
///
/// It is long because what comes next depends on all that is under way: a part by itself could not say what waits for it.
package struct ScanPlan<Listing>: ~Copyable {
  /// What to do.
  package enum Action {
    /// Have a few directories leave that lie beneath one which has.
    case leave
    /// Follow a hint.
    case follow
    /// Look whether a directory is where the tree has it (``sought(_:_:)``): what is lost may be found by listing it.
    case seek(DirectoryID)
    /// Take in what the kernel has told, then decide about the doubts that are ripe.
    case decide
    /// Begin to compare a listing; with all beneath, if it `descends`.
    case begin(DirectoryID, Listing, descends: Bool)
    /// Compare a little more of the one that was begun.
    case reconcile
    /// Have directories listed, as long as ``takeToList(isKnown:)`` names any.
    case list
    /// Remove a few links of directories that have left the library.
    case removeOrphans
    /// Nothing, until something under way elsewhere has come.
    case wait
    /// Nothing: all that was told and listed is known.
    case rest
  }

  /// What it does not know by itself.
  package struct Situation {
    /// How many hints wait.
    package var hints: Int
    /// Whether directories are still to leave that lie beneath one which has.
    package var isLeaving: Bool
    /// Whether directories have left the library that still have links.
    package var hasOrphans: Bool
    /// How much of what the kernel told was taken in.
    package var taken: UInt64
    /// The time, in microseconds of a steady clock.
    package var now: UInt64
    /// Until when what seems to have gone may be in a root that went offline.
    package var absentUntil: UInt64?

    /// A situation.
    package init(
      hints: Int, isLeaving: Bool = false, hasOrphans: Bool, taken: UInt64, now: UInt64, absentUntil: UInt64?
    ) {
      self.hints = hints
      self.isLeaving = isLeaving
      self.hasOrphans = hasOrphans
      self.taken = taken
      self.now = now
      self.absentUntil = absentUntil
    }

    var isAbsent: Bool { absentUntil.map { $0 > now } ?? false }
  }

  private struct Listed {
    let directory: DirectoryID
    let listing: Listing
    let descends: Bool
  }

  /// How many listings may be under way, or wait to be compared: what bounds the memory of a scan.
  static var listingsInFlight: Int { 16 }
  /// So many doubts wait at most for the end of a scan: whatever a mass deletion left behind, its files will hardly
  /// turn up again.
  static var doubtsDeferred: Int { 1 << 17 }
  /// So many doubts are decided about at most before it is looked what was told meanwhile.
  static var decidedAtOnce: Int { 64 }
  /// For how long at most what has left waits for what was told before, in microseconds.
  static var removalPatience: UInt64 { 1_000_000 }

  private var toList: [DirectoryID] = []
  private var isToBeListed: [DirectoryID: Bool] = [:]
  private var inFlight: [DirectoryID: Bool] = [:]
  /// Those of them that keep nobody waiting but their own root.
  private var apart: Set<DirectoryID> = []
  private var listAgain: Set<DirectoryID> = []
  private var listings: [Listed] = [] { didSet { listingCount = listings.count } }
  /// How many there are: asked several times in each turn, where what they are of is known at run time only.
  private var listingCount = 0
  private var comparing: (directory: DirectoryID, descends: Bool)?
  private var unscanned: Set<DirectoryID> = []
  /// To be decided when all is listed.
  private var deferred = Doubts()
  /// To be decided when all is taken in that was told before they arose.
  private var doubts = RaisedDoubts()
  /// How much is to be taken in before what has left the library is removed: it may only have been moved.
  private var removalMark: UInt64 = 0
  /// Since when that is awaited.
  private var removalAwaited: UInt64?
  private var lost: Set<DirectoryID> = []
  private var sought: Set<DirectoryID> = []
  /// Found after they were sought, since ``endSeeking()``: lost again, they are no reason to seek at once.
  private var foundAgain: Set<DirectoryID> = []
  /// Those that are lost and were not sought yet.
  private var unsought: Set<DirectoryID> = []
  /// Directories to be looked at, of those that are sought and those above them, and which were.
  private var toSeek: [DirectoryID] = []
  private var seen: Set<DirectoryID> = []
  /// Whether the disk is being compared with the index.
  package private(set) var isScanning = false

  /// Nothing to do.
  package init() {}

  // MARK: What to do

  private enum Step {
    case leave, follow, decide, seek, begin, reconcile, list, listUnscanned, raise, removeOrphans, wait, rest
  }

  private func step(_ now: Situation, _ isHalfMoved: (Location) -> Bool) -> Step {
    if now.isLeaving { return .leave }
    if now.hints > 0 { return .follow }
    if doubts.count > 0, doubts.contains(where: { !isHalfMoved($0.location) }) { return .decide }
    if !toSeek.isEmpty { return .seek }
    if comparing != nil { return .reconcile }
    if listingCount > 0 { return .begin }
    if !toList.isEmpty, mayList { return .list }
    if !toList.isEmpty || !inFlight.isEmpty { return .wait }
    if !unscanned.isEmpty { return .listUnscanned }
    if doubts.count > 0 || isSeeking { return .wait }
    if deferred.count > 0, !now.isAbsent { return .raise }
    return mayRemove(now) ? .removeOrphans : .rest
  }

  /// What to do now.
  ///
  /// - Parameter isHalfMoved: whether a name was renamed, and where to is still to be told.
  @_specialize(where Listing == DirectoryListing)
  package mutating func next(_ now: Situation, isHalfMoved: (Location) -> Bool) -> Action {
    while true {
      switch step(now, isHalfMoved) {
      case .leave: return .leave
      case .follow: return .follow
      case .decide: return .decide
      case .seek: return .seek(toSeek.removeLast())
      case .begin: return beginComparing()
      case .reconcile: return .reconcile
      case .list: return .list
      case .listUnscanned:
        for directory in unscanned { list(directory, descends: false) }
        unscanned.removeAll()
      case .raise: doubts.append(deferred.takeFirst())
      case .removeOrphans:
        if now.taken >= removalMark { removalAwaited = nil }
        return .removeOrphans
      case .wait: return .wait
      case .rest: return .rest
      }
    }
  }

  /// By itself, since the runtime is asked for the type of a listing wherever one may be touched: 320 instructions for each
  /// name, of which hardly any begins a comparison.
  @inline(never)
  private mutating func beginComparing() -> Action {
    let next = listings.removeFirst()
    comparing = (next.directory, next.descends)
    return .begin(next.directory, next.listing, descends: next.descends)
  }

  /// Whether ``next(_:isHalfMoved:)`` would have something done.
  @_specialize(where Listing == DirectoryListing)
  package func hasWork(_ now: Situation, isHalfMoved: (Location) -> Bool) -> Bool {
    switch step(now, isHalfMoved) {
    case .wait, .rest: false
    case .leave, .follow, .decide, .seek, .begin, .reconcile, .list, .listUnscanned, .raise, .removeOrphans:
      true
    }
  }

  /// Whether something is still to be listed.
  package var isListing: Bool {
    comparing != nil || listingCount > 0 || !toList.isEmpty || !inFlight.isEmpty || !unscanned.isEmpty
      || isSeeking
  }

  /// Whether a directory waits to be listed.
  package var hasToList: Bool { !toList.isEmpty }

  /// How many directories are known that are still to be compared.
  package var leftCount: Int { toList.count + inFlight.count + listingCount + (comparing == nil ? 0 : 1) }

  /// Whether a directory waits to be listed, or is being listed.
  package var awaitsListings: Bool { !toList.isEmpty || !inFlight.isEmpty }

  // MARK: Scans

  /// Begins a scan of everything: what was listed before may lack what the kernel dropped since.
  ///
  /// - Parameters:
  ///   - all: the directories of the library.
  ///   - roots: those that are there.
  /// - Returns: directories whose listings are of no use any more.
  package mutating func scan(_ all: Set<DirectoryID>, from roots: [DirectoryID]) -> [DirectoryID] {
    let forgotten = forgetListings()
    toList.removeAll()
    isToBeListed.removeAll()
    unscanned = all
    for root in roots { list(root, descends: true) }
    isScanning = true
    return forgotten
  }

  /// Scans a root that has come, as well.
  package mutating func scan(_ root: DirectoryID, with all: Set<DirectoryID>) {
    unscanned.formUnion(all)
    list(root, descends: true)
    isScanning = true
  }

  /// Ends the scan, if there is one and ``next(_:isHalfMoved:)`` would rest.
  ///
  /// - Returns: whether it did.
  package mutating func endScan(_ now: Situation, isHalfMoved: (Location) -> Bool) -> Bool {
    guard isScanning, case .rest = step(now, isHalfMoved) else { return false }
    isScanning = false
    return true
  }

  /// Begins anew, with what the index has: what was learned beyond that is learned again.
  ///
  /// - Returns: directories whose listings are of no use any more.
  package mutating func reset() -> [DirectoryID] {
    deferred = Doubts()
    doubts = RaisedDoubts()
    return forgetListings()
  }

  private mutating func forgetListings() -> [DirectoryID] {
    defer {
      listings.removeAll()
      comparing = nil
    }
    return listings.map(\.directory) + (comparing.map { [$0.directory] } ?? [])
  }

  // MARK: Listings

  /// Has a directory listed; with all beneath it, if it `descends`.
  package mutating func list(_ directory: DirectoryID, descends: Bool) {
    if let known = isToBeListed[directory] {
      if descends, !known { isToBeListed[directory] = true }
      return
    }
    isToBeListed[directory] = descends
    toList.append(directory)
  }

  private var mayList: Bool { inFlight.count - apart.count + listingCount < Self.listingsInFlight }

  /// Takes a directory to be listed now. An earlier listing of it that is not compared to its end gives way: of that, no
  /// more is to be compared.
  ///
  /// - Returns: `nil` when there is none, or enough is under way.
  @_specialize(where Listing == DirectoryListing)
  package mutating func takeToList(isKnown: (DirectoryID) -> Bool) -> DirectoryID? {
    while mayList, let directory = toList.popLast() {
      var descends = isToBeListed.removeValue(forKey: directory) ?? false
      guard isKnown(directory) else { continue }
      if let earlier = inFlight[directory] {
        listAgain.insert(directory)
        inFlight[directory] = earlier || descends
        continue
      }
      unscanned.remove(directory)
      if let position = listings.firstIndex(where: { $0.directory == directory }) {
        descends = listings.remove(at: position).descends || descends
      }
      if let former = comparing, former.directory == directory {
        descends = former.descends || descends
        comparing = nil
      }
      inFlight[directory] = descends
      return directory
    }
    return nil
  }

  /// The directory that is being compared.
  package var compared: DirectoryID? { comparing?.directory }

  /// A directory that was taken could not be opened.
  package mutating func notListed(_ directory: DirectoryID) { inFlight[directory] = nil }

  /// A directory that was taken is listed where it keeps nobody waiting but its own root: others are taken meanwhile.
  package mutating func noteApart(_ directory: DirectoryID) { apart.insert(directory) }

  /// A directory was listed, and so is where the tree has it, or could not be.
  ///
  /// - Returns: whether that counts: not if it was to be listed once more meanwhile.
  package mutating func listed(_ directory: DirectoryID, _ listing: Listing?) -> Bool {
    let descends = inFlight.removeValue(forKey: directory) ?? false
    apart.remove(directory)
    // What was told of meanwhile is not taken from this listing; what of that could not be looked at is found by another.
    let isLost = listing != nil && lost.contains(directory)
    if listing != nil { find(directory) }
    if listAgain.remove(directory) != nil {
      list(directory, descends: descends)
      return false
    }
    if let listing { listings.append(Listed(directory: directory, listing: listing, descends: descends)) }
    if isLost { list(directory, descends: false) }
    return true
  }

  /// What was begun is compared to its end.
  package mutating func endComparing() { comparing = nil }

  /// Directories were found that are new, or not the same as before: while one is compared whose listing descends, with
  /// all beneath them.
  package mutating func list(found directories: [DirectoryID]) {
    for directory in directories { list(directory, descends: comparing?.descends ?? false) }
  }

  // MARK: Doubts

  /// Names are in doubt, because of what was looked at.
  package mutating func raise(_ more: Doubts) { doubts.append(more) }

  /// Names are in doubt because of a listing: they are decided about when all is listed.
  package mutating func putOff(_ more: Doubts) {
    deferred.append(more)
    if deferred.count > Self.doubtsDeferred { doubts.append(deferred.takeFirst()) }
  }

  /// Takes doubts of before what was taken in by now was told: not too many.
  ///
  /// - Parameters:
  ///   - taken: how much was taken in since the start.
  ///   - more: how much there is beyond that by now.
  package mutating func takeRipe(taken: UInt64, more: @autoclosure () -> UInt64) -> Doubts {
    doubts.count > 0 ? doubts.takeRipe(atMost: Self.decidedAtOnce, taken: taken, more: more()) : Doubts()
  }

  /// Which of these can be decided about now, as far as all is there to do so: nobody knows where a file is as long as
  /// something is still to be listed. That one has gone is told nevertheless: if it turns up after all, it is known
  /// again. But of one that was renamed it is likely that it does, and of many only some would be: it waits. So do the others.
  package mutating func decidable(
    _ raised: Doubts, _ now: Situation, isHalfMoved: (Location) -> Bool
  ) -> Doubts {
    var ripe = raised
    doubts.append(ripe.take { isHalfMoved($0.location) })
    if now.isAbsent {
      // What seems to be nowhere may be where nobody can look now.
      deferred.append(ripe.take { _ in true })
    } else if isListing {
      let hasRoom = deferred.count < Self.doubtsDeferred
      deferred.append(ripe.take { $0.present != nil || $0.hasLeft && hasRoom })
    }
    return ripe
  }

  /// Whether something waits for the end of an absence.
  package func awaitsReturn(hasOrphans: Bool) -> Bool { hasOrphans || deferred.count > 0 }

  // MARK: What has left

  /// Directories have left the library that may still turn up.
  ///
  /// - Parameter told: how much the kernel has told until now.
  package mutating func left(told: UInt64, now: UInt64) {
    removalMark = told
    removalAwaited = removalAwaited ?? now
  }

  /// Whether what has left the library can be removed: all is known that was told until it left, and no root has gone
  /// offline a moment ago, in which it may be.
  private func mayRemove(_ now: Situation) -> Bool {
    guard now.hasOrphans, !now.isAbsent else { return false }
    // Where directories leave all the time, the mark is never reached.
    guard now.taken < removalMark, let since = removalAwaited else { return true }
    return now.now > since + Self.removalPatience
  }

  // MARK: What is lost

  /// Whether a directory is lost that was not sought yet: what seems to be nowhere may be in it.
  private var isSeeking: Bool { !unsought.isEmpty || !toSeek.isEmpty }

  /// Whether directories were not where they should be, and are to be sought.
  package var hasLost: Bool { !lost.isEmpty }

  /// Whether directories were sought: until ``endSeeking()``.
  package var hasSought: Bool { !sought.isEmpty || !foundAgain.isEmpty }

  /// A directory is not where the tree has it, and no event has said why.
  package mutating func lose(_ directory: DirectoryID) {
    lost.insert(directory)
    if !sought.contains(directory) { unsought.insert(directory) }
  }

  /// Several.
  package mutating func lose(_ directories: Set<DirectoryID>) {
    for directory in directories { lose(directory) }
  }

  /// A directory is where the tree has it. Lost again before ``endSeeking()``, it is sought after a longer pause: else one whose
  /// file system is slow with every look would be listed without end. The first time that is waited for, and then no more.
  package mutating func find(_ directory: DirectoryID) {
    lost.remove(directory)
    unsought.remove(directory)
    if sought.contains(directory), foundAgain.insert(directory).inserted { sought.remove(directory) }
  }

  /// Directories moved, and with them what was lost: it is listed where it is by now.
  ///
  /// - Parameter thoseThere: those of some directories that were moved.
  package mutating func listLost(_ thoseThere: (Set<DirectoryID>) -> [DirectoryID]) {
    guard !lost.isEmpty else { return }
    for directory in thoseThere(lost) {
      lost.remove(directory)
      unsought.remove(directory)
      list(directory, descends: true)
    }
  }

  /// Begins to seek what is lost: ``Action/seek(_:)`` follows, for the directory and those above it.
  ///
  /// - Returns: whether any of it was not sought the last time.
  package mutating func seek() -> Bool {
    let isNew = !unsought.isSubset(of: foundAgain)
    for directory in lost where seen.insert(directory).inserted { toSeek.append(directory) }
    // Found or not: what a listing was not trusted about may be the way to it.
    unscanned.formUnion(lost)
    sought = lost.union(sought.intersection(foundAgain))
    lost.removeAll()
    unsought.removeAll()
    return isNew
  }

  /// A directory was looked at that is sought, or above one that is. The nearest that is where it should be is listed,
  /// and tells. Each is looked at once, however many are sought beneath it.
  ///
  /// - Parameters:
  ///   - isThere: whether it is where the tree has it; `nil` when nobody can look now.
  ///   - parent: the directory above it, if there is one.
  package mutating func sought(_ directory: DirectoryID, isThere: Bool?, parent: DirectoryID?) {
    switch isThere {
    case true: list(directory, descends: true)
    case false: if let parent, seen.insert(parent).inserted { toSeek.append(parent) }
    case nil: break
    }
    if toSeek.isEmpty { seen.removeAll() }
  }

  /// Nothing is lost any more.
  package mutating func endSeeking() { (sought, foundAgain) = ([], []) }
}
