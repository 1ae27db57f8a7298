/// Turns what inotify(7) reports into hints about what to look at, without looking.
///
/// A hint says "compare this name with the index", never what will be found: the disk is asked when the
/// hint is taken, so a hint too many is harmless, and hints about one name melt together while they
/// wait. What only events can tell is kept: which two halves are one rename (race 4), whether a name has
/// gone for good, whether a new file may still be open for writing (S40).
///
/// Time is passed in, in microseconds of any steady clock.
package struct EventReducer: ~Copyable {
  /// What to do next.
  package enum Hint: Hashable, Sendable {
    /// Compare the name with the index. Without `removal` an absent file means nothing: what took it
    /// away has an event of its own, still to come.
    case examine(Location, removal: Bool, Evidence)
    /// A rename within the library.
    case moved(from: Location, to: Location)
    /// The watch of this directory has gone, or a root was moved, deleted or unmounted.
    case checkDirectory(DirectoryID)
    /// The kernel dropped events: anything may have happened (S42).
    case rescan
    /// All that was told before a name was in doubt has been taken in.
    case decide(Doubts)
  }

  /// What events say about whether a file that is new under its name is whole (S40), and of how the one before has left it.
  package enum Evidence: Hashable, Sendable {
    /// It was closed after writing.
    case closed
    /// It was renamed into place.
    case renamed
    /// It was made while its directory was watched: that it is closed will be told, and until then only the
    /// disk's word counts.
    case made
    /// It was removed: what comes under its name is made anew.
    case removed
    /// It was renamed, and nothing tells where to: its file is where nobody listens yet, or has left the library.
    case left
    /// Nothing. It may have been closed before anyone listened: where the disk cannot tell, one that is left
    /// alone counts.
    case none

    /// Whether the file is whole.
    var isWhole: Bool { self == .closed || self == .renamed }

    /// What it says of a file that is there all the same.
    var ofWhatIsThere: Evidence {
      switch self {
      case .removed: .made
      case .left: .none
      case .closed, .renamed, .made, .none: self
      }
    }
  }

  private struct Half {
    var cookie: UInt32
    var from: Location
    var deadline: UInt64
  }

  private let moveWindow: UInt64
  private var directories: [Int32: DirectoryID] = [:]
  private var ancestors: [Int32: Set<DirectoryID>] = [:]
  /// Renames of which only the first half has come; nearly always none, never many.
  private var halves: [Half] = []
  private var incomplete = LocationSet()
  /// Those of them that may have been closed unheard.
  private var unsure = LocationSet()
  /// Those that were made, perhaps by link(2): nobody will tell of a close then.
  private var made = LocationSet()
  private var touched: [DirectoryID: Set<FileName>] = [:]
  private var queue = HintQueue()
  /// The hint that stands for a name, by its place in `queue`.
  private var standing: [Location: Int] = [:]
  /// How many hints wait.
  package var count: Int { queue.count }

  /// A reducer that knows no watches.
  ///
  /// - Parameter moveWindow: how long the second half of a rename may take, in microseconds. Both halves
  ///   are queued by one system call, so this only bounds how long a move *out* stays untold.
  package init(moveWindow: UInt64 = 50_000) {
    self.moveWindow = moveWindow
  }

  // MARK: Watches

  /// Says that a watch number stands for a directory from now on.
  ///
  /// - Returns: another directory that it stood for until now: one of the two is no longer where the tree
  ///   has it, or both are the same directory, mounted twice.
  package mutating func watch(_ number: Int32, _ directory: DirectoryID) -> DirectoryID? {
    let previous = directories.updateValue(directory, forKey: number)
    return previous == directory ? nil : previous
  }

  /// Says that a watch stands for a directory no more: late events of it are ignored (race 5).
  ///
  /// - Returns: whether it stands for nothing else, and is to be removed.
  package mutating func unwatch(_ number: Int32) -> Bool {
    // Nobody tells any more when they are closed: whoever lists them next sees.
    if let directory = directories.removeValue(forKey: number) {
      incomplete.removeAll(in: directory)
      unsure.removeAll(in: directory)
      made.removeAll(in: directory)
    }
    return ancestors[number] == nil
  }

  /// The directory that a watch stands for.
  package func directory(of watch: Int32) -> DirectoryID? { directories[watch] }

  /// How many directories are watched.
  package var watchCount: Int { directories.count }

  /// Says that a watch stands for a place above a root that is offline: whatever happens there, the root
  /// is to be looked at again.
  package mutating func watchAncestor(_ number: Int32, of root: DirectoryID) {
    ancestors[number, default: []].insert(root)
  }

  /// Says that a watch stands for the place above a root no more.
  ///
  /// - Returns: whether it stands for nothing else, and is to be removed.
  package mutating func unwatchAncestor(_ number: Int32, of root: DirectoryID) -> Bool {
    ancestors[number]?.remove(root)
    if ancestors[number]?.isEmpty ?? false { ancestors[number] = nil }
    return ancestors[number] == nil && directories[number] == nil
  }

  // MARK: Input

  /// Takes one event.
  package mutating func receive(_ event: WatchEvent, now: UInt64) {
    let mask = event.mask
    if mask.contains(.overflow) {
      overflow()
      return
    }
    // The directory above one root may lie in another.
    if let roots = ancestors[event.watch] {
      if mask.contains(.ignored) { ancestors[event.watch] = nil }
      for root in roots.sorted() { add(.checkDirectory(root)) }
    }
    guard let directory = directories[event.watch] else { return }
    if mask.contains(.ignored) {
      directories[event.watch] = nil
      add(.checkDirectory(directory))
      return
    }
    if !mask.isDisjoint(with: [.unmount, .deleteSelf, .moveSelf]) {
      // Of a directory inside the tree, its parent tells the same with a name.
      if directory.isRoot || mask.contains(.unmount) { add(.checkDirectory(directory)) }
      return
    }
    guard !event.name.bytes.isEmpty else { return }
    let isDirectory = mask.contains(.isDirectory)
    guard isDirectory ? event.name.countsAsAlbum : event.name.countsAsFile else {
      uncounted(directory, event)
      return
    }
    let location = Location(directory, event.name)
    if !touched.isEmpty { touched[directory]?.insert(event.name) }
    if mask.contains(.movedFrom) {
      stopWaiting(for: location)
      // What was closed, or made, has left; what comes under its name next may be half a file.
      if let index = standing[location], case .examine(_, let removal, let evidence)? = queue[index],
        evidence.isWhole || evidence == .made
      {
        queue[index] = .examine(location, removal: removal, .none)
      }
      halves.append(Half(cookie: event.cookie, from: location, deadline: now + moveWindow))
    } else if mask.contains(.movedTo) {
      if let from = takeHalf(event.cookie) {
        moved(from, location)
      } else {
        conclude(location, removal: false, .renamed)
      }
    } else if mask.contains(.delete) {
      conclude(location, removal: true, .removed)
    } else if mask.contains(.create) {
      conclude(location, removal: false, .made)
    } else if mask.contains(.closeWrite) {
      conclude(location, removal: false, .closed)
    } else {
      // IN_ATTRIB says nothing of writers; but of a file that is being written, a second link counts at once.
      let isWaiting = incomplete.contains(location) && !unsure.contains(location)
      examine(location, removal: false, isWaiting ? .made : .none)
    }
  }

  /// Gives up on second halves whose time is over: those files were moved out, or into a directory that is not watched yet.
  package mutating func expire(now: UInt64) {
    while let half = halves.first, half.deadline <= now {
      halves.removeFirst()
      examine(half.from, removal: true, .left)
    }
  }

  /// When to call ``expire(now:)``.
  package var nextDeadline: UInt64? { halves.first?.deadline }

  /// Keeps a file that someone is still writing until its CLOSE_WRITE comes.
  ///
  /// - Parameters:
  ///   - evidence: what was said of it; if nothing, it is looked at by ``recheck()`` as well.
  ///   - hasWriter: whether it is known that somebody writes it; if not, likewise.
  package mutating func wait(for location: Location, _ evidence: Evidence, hasWriter: Bool = true) {
    incomplete.insert(location)
    if evidence == .none { unsure.insert(location) } else if !hasWriter { made.insert(location) }
  }

  /// Whether a file is being written, as far as is known.
  package func isWaiting(for location: Location) -> Bool { incomplete.contains(location) }

  /// Forgets that a file was being written.
  package mutating func stopWaiting(for location: Location) {
    incomplete.remove(location)
    unsure.remove(location)
    made.remove(location)
  }

  /// Whether there are files for ``recheck()``.
  package var isUnsure: Bool { !unsure.isEmpty || !made.isEmpty }

  /// Asks for all files to be looked at again that are being written and may have been closed unheard.
  package mutating func recheck() {
    for location in unsure.sorted { examine(location, removal: false, .none) }
    for location in made.sorted { examine(location, removal: false, .made) }
  }

  /// Asks for a name to be looked at that no event has named.
  package mutating func hint(_ location: Location, removal: Bool) {
    examine(location, removal: removal, .none)
  }

  /// Asks for a few doubts to be decided when everything that was told until now is taken in.
  package mutating func decide(_ doubts: Doubts) { add(.decide(doubts)) }

  /// Whether a name was renamed, and where to is still to be told.
  package func isHalfMoved(_ location: Location) -> Bool { halves.contains { $0.from == location } }

  // MARK: Listings in flight

  /// From now on, until ``endListing(_:)``, remembers which names of `directory` events speak of, and which are looked at: a
  /// listing that is begun now cannot be trusted about those. What an earlier listing was not trusted about is
  /// forgotten, and so must that listing be.
  package mutating func beginListing(_ directory: DirectoryID) {
    touched[directory] = []
  }

  /// A name is looked at now, whoever asked for that: a listing of its directory is older (race 35).
  package mutating func noteCompared(_ location: Location) {
    if !touched.isEmpty { touched[location.directory]?.insert(location.name) }
  }

  /// The names that events spoke of, or that were looked at, since ``beginListing(_:)``.
  package func namesTouched(in directory: DirectoryID) -> Set<FileName> {
    touched[directory] ?? []
  }

  /// Ends what ``beginListing(_:)`` began: the listing is compared to its end, or is not used.
  package mutating func endListing(_ directory: DirectoryID) {
    touched[directory] = nil
  }

  // MARK: Output

  /// Takes the next hint.
  package mutating func next() -> Hint? {
    guard let (hint, place) = queue.next() else { return nil }
    if let location = hint.location, let index = standing.index(forKey: location),
      standing.values[index] == place
    {
      standing.remove(at: index)
    }
    if !touched.isEmpty { for location in hint.names { noteCompared(location) } }
    if count == 0 { clear() }
    return hint
  }

  /// Drops all hints and everything that waits: a rescan or an offline root has made them pointless.
  package mutating func reset() {
    clear()
    halves.removeAll()
    incomplete.removeAll()
    unsure.removeAll()
    made.removeAll()
    // Nobody speaks of these names any more: a listing must.
    for directory in touched.keys { touched[directory] = [] }
  }

  // MARK: Queue

  private mutating func clear() {
    queue.removeAll()
    standing.removeAll(keepingCapacity: standing.capacity <= 1 << 14)
  }

  private mutating func add(_ hint: Hint) { queue.append(hint) }

  private mutating func stand(_ location: Location, _ hint: Hint) {
    standing[location] = queue.append(hint)
  }

  private mutating func cancel(_ location: Location) -> Hint? {
    guard let index = standing.removeValue(forKey: location), let hint = queue[index] else { return nil }
    queue[index] = nil
    return hint
  }

  /// Adds a hint that says nothing new about whether a file there is whole; of how it left only what nothing else says.
  private mutating func examine(_ location: Location, removal: Bool, _ evidence: Evidence) {
    guard let index = standing[location], let hint = queue[index] else {
      return stand(location, .examine(location, removal: removal, evidence))
    }
    switch hint {
    case .examine(_, let isRemoval, let known):
      let hasLeft = known == .none && evidence == .left
      queue[index] = .examine(location, removal: isRemoval || removal, hasLeft ? .left : known)
    case .moved:
      // The move looks at its target anyway, but does not conclude from finding nothing there.
      if removal { stand(location, .examine(location, removal: true, evidence)) }
    case .checkDirectory, .rescan, .decide: preconditionFailure("stands for no name")
    }
  }

  /// Adds a hint that says all there is to say about whether a file there is whole: one that was closed
  /// before is another by now, and one that was being written is closed.
  private mutating func conclude(_ location: Location, removal: Bool, _ evidence: Evidence) {
    stopWaiting(for: location)
    if let index = standing[location], case .examine(_, let known, _)? = queue[index] {
      queue[index] = .examine(location, removal: known || removal, evidence)
    } else {
      stand(location, .examine(location, removal: removal, evidence))
    }
  }

  private mutating func moved(_ from: Location, _ to: Location) {
    var origin = from
    if case .moved(let first, _) = cancel(from) {
      // a → b → c is a → c, and whatever b named before is no longer there.
      origin = first
      examine(from, removal: true, .none)
    }
    if case .moved(let first, _) = cancel(to) {
      // It is overwritten before anyone looked; its own origin must still be seen to have gone.
      examine(first, removal: true, .none)
    }
    stopWaiting(for: to)
    if origin == to {
      conclude(to, removal: true, .renamed)
    } else {
      stand(to, .moved(from: origin, to: to))
    }
  }

  private mutating func takeHalf(_ cookie: UInt32) -> Location? {
    guard let index = halves.firstIndex(where: { $0.cookie == cookie }) else { return nil }
    return halves.remove(at: index).from
  }

  /// Names that do not count matter in two ways: a counted file may be renamed *to* one, and a file made
  /// with O_TMPFILE is closed under the name `#INODE` after it was linked into place (open(2)).
  private mutating func uncounted(_ directory: DirectoryID, _ event: WatchEvent) {
    if event.mask.contains(.movedTo), let from = takeHalf(event.cookie) {
      examine(from, removal: true, .none)
    } else if event.mask.contains(.closeWrite), event.name.bytes.first == UInt8(ascii: "#") {
      for location in incomplete.sorted {
        examine(location, removal: false, unsure.contains(location) ? .none : .made)
      }
    }
  }

  private mutating func overflow() {
    // What waits is kept: it may be the second half of something, and costs no more than the rescan.
    for half in halves { examine(half.from, removal: true, .left) }
    halves.removeAll()
    add(.rescan)
  }
}

extension EventReducer.Hint {
  /// The name that the hint stands for in the queue.
  var location: Location? {
    switch self {
    case .examine(let location, _, _), .moved(_, let location): location
    case .checkDirectory, .rescan, .decide: nil
    }
  }

  /// The names that are looked at because of it.
  fileprivate var names: [Location] {
    switch self {
    case .examine(let location, _, _): [location]
    case .moved(let from, let to): [from, to]
    case .decide(let doubts): (doubts.remade + doubts.missing + doubts.files).map(\.location)
    case .checkDirectory, .rescan: []
    }
  }
}
