/// Compares the disk with the index, name by name, and makes the index agree.
///
/// Live events, scans, rescans and start-up all come down to ``examine(_:removal:_:)``: level-triggered, so that a
/// hint too many does nothing and any order of hints ends in the same index. Which asset keeps its id (S39) depends
/// on no order either: names whose files are not the ones that the index has are collected (``Duties/doubts``), and
/// decided about together (``decide(_:)``) when all is known that there is to know.
///
/// All calls of a batch are made inside one transaction of the index; ``finishBatch()`` ends it.
package final class Librarian {
  /// What the caller must do for the directories that a call was about.
  package struct Duties {
    /// Directories to watch, then list: new, or not the same as before.
    package var list: [DirectoryID] = []
    /// Watches of directories that have left the library.
    package var unwatch: [Int32] = []
    /// Directories that were not where the tree has them: to be listed when they are found again.
    package var unresolved: Set<DirectoryID> = []
    /// Directories that were moved.
    package var moved: [DirectoryID] = []
    /// Names to be decided about when everything before is taken in.
    package var doubts = Doubts()
    /// Whether ``Librarian/away`` has changed.
    package var mountsChanged = false
    /// Whether directories have left the library that may still turn up: what is known now is not all that was told.
    package var hasLeft = false
    /// Files that someone is still writing, as far as is known, what events said of them, and whether the disk says so.
    package var incomplete: [(location: Location, evidence: EventReducer.Evidence, hasWriter: Bool)] = []
  }

  /// The index.
  package let index: any LibraryIndex
  /// The disk.
  package let disk: any LibraryDisk
  /// The directories.
  package internal(set) var tree = DirectoryTree()
  /// What the caller must do now.
  package var duties = Duties()
  /// The changes of the batch, in the order of the journal.
  package private(set) var changes: [PlacedChange] = []
  /// Whether changes go into the journal. Not during the first scan of an empty library: what is found
  /// then is the state that the journal begins with.
  package var publishes = true
  /// Whether a file with a single link is taken to be new without asking the index. True only while an
  /// empty library is scanned and nothing in it was renamed meanwhile.
  package var expectsNewFiles = false
  /// For each root, the paths beneath it that the configuration marks as shared (S19).
  package var sharedPaths: [RootID: [[FileName]]] = [:]
  /// The time, in microseconds of a steady clock, for ids that return.
  package var now: UInt64 = 0
  /// For how long what has gone is known when it turns up where nobody listens: until all of that was compared.
  package var memory: UInt64 = 0

  /// When the librarian began to listen, nanoseconds since 1970: what has not changed since was not written to.
  package var since: Int64 = 0

  /// Directories whose file system is not there, or that something is mounted over.
  package internal(set) var away: Set<DirectoryID> = []

  var assetTombstones = Tombstones<AssetID>()
  var albumTombstones = Tombstones<AlbumID>()
  var orphans = Orphans()
  var noticed = RecentValues<FileIdentity, Int64>(capacity: 1 << 13)
  /// Where files are that were found under the names of others.
  var whereabouts: [FileIdentity: Location] = [:]
  /// Directories that were taken for others which were found nowhere.
  var succeeded: [FileIdentity: DirectoryID] = [:]
  /// Directories that are not the ones whose files the index has in them.
  var remade: Set<DirectoryID> = []
  private var dirtyCounts: Set<DirectoryID> = []

  /// A librarian of an index and a disk.
  package init(index: any LibraryIndex, disk: any LibraryDisk) {
    self.index = index
    self.disk = disk
  }

  /// Compares one name.
  ///
  /// - Parameter removal: whether an absent file is gone for good. An event that says anything else about
  ///   a file that is absent will be followed by one that says where it went.
  /// - Parameter evidence: what is known about whether a file there is whole.
  package func examine(_ location: Location, removal: Bool, _ evidence: EventReducer.Evidence) throws {
    switch disk.look(at: location, in: tree) {
    case .found(let facts): try settle(location, facts, evidence)
    case .absent: if removal { try gone(location) }
    case .unknown, .offline:
      if tree[location.directory] != nil { duties.unresolved.insert(location.directory) }
    }
  }

  /// Compares one name with facts that were just read.
  package func settle(_ location: Location, _ facts: FileFacts, _ evidence: EventReducer.Evidence) throws {
    guard tree[location.directory] != nil else { return }
    if facts.kind == .directory {
      if let row = try index.link(at: location) { doubt(row, present: nil) }
      if location.name.countsAsAlbum {
        try settleDirectory(location, facts)
      } else if let node = tree.child(location) {
        // An older version took it for an album.
        try detach(node.id)
      }
      return
    }
    if let node = tree.child(location) {
      if node.isMount { setAway(node) } else { try detach(node.id) }
    }
    guard location.name.countsAsAsset else { return }
    guard facts.kind == .regular else {
      if let row = try index.link(at: location) { doubt(row, present: nil) }
      return
    }
    // A listing that is still to be compared may know the file by its first name only.
    if facts.linkCount > 1 { expectsNewFiles = false }
    // A file born after all that were ever indexed is not known under any name; nearly always its own
    // name is free as well, which the insertion finds out by itself.
    if evidence.isWhole, !mayKnow(facts), try insert(location, facts) {
      notice(facts)
      return
    }
    let row = try index.link(at: location)
    if let row, row.agrees(with: facts) { return try agreed(row, facts, evidence) }
    notice(facts)
    if try row == nil && isKnownElsewhere(facts, than: location) {
      // It has moved, whoever writes to it: that is told at once, and its content when its writer is done.
      if try facts.linkCount > 1 || !isNamedElsewhere(location, facts) { try arrive(location, facts) }
      return
    }
    let isOther = row.map { $0.resource == .main && $0.identity != facts.identity } ?? false
    if isOther { whereabouts[facts.identity] = location }
    guard
      let facts = whole(
        location, facts, isKnown: row?.identity == facts.identity, hadOther: isOther, evidence)
    else {
      return
    }
    if let row { try settle(row, facts) } else { try arrive(location, facts) }
  }

  /// Whether a file with a single link is still found under the name that the index has, and so has not moved: where
  /// case does not count, only a listing says which of the two is its name; mounted twice, it is in the library once.
  private func isNamedElsewhere(_ location: Location, _ facts: FileFacts) throws -> Bool {
    try knownLinks(facts).contains { link in
      guard link.location != location,
        case .found(let now) = disk.look(at: link.location, in: tree)
      else { return false }
      return now.identity == facts.identity && now.linkCount == 1
    }
  }

  /// A file at a name that the index has.
  func settle(_ row: Link, _ facts: FileFacts) throws {
    switch row.resource {
    case .pairedVideo: try settlePaired(row, facts)
    case .main where row.identity != facts.identity: doubt(row, present: facts.identity)
    case .main: if !row.agrees(with: facts) { try refresh(row.asset, facts) }
    }
  }

  /// Follows a rename that an event told of.
  ///
  /// A file that is no longer at `target` either has gone on from there: that is still to be told. But hints
  /// about one name are taken together, so `origin` may have been looked at already as it is after all that
  /// is still to be told: what is there on disk is never taken away.
  package func moved(from origin: Location, to target: Location) throws {
    if let node = tree.child(origin) {
      // The event is trusted about which directory it is, the disk about what both names are by now. One
      // that has come back already is left: what else is under the name it had meanwhile, is another.
      if identity(at: origin) != node.identity { try movedDirectory(node, to: target) }
      try examine(target, removal: false, .renamed)
      return try examine(origin, removal: false, .none)
    }
    // What a movie is depends on what is beside it: it is looked at anew where it is now.
    guard let row = try index.link(at: origin), row.resource == .main, identity(at: origin) != row.identity
    else {
      try examine(target, removal: false, .renamed)
      return try examine(origin, removal: true, .none)
    }
    let isFree = try index.link(at: target) == nil
    switch disk.look(at: target, in: tree) {
    case .found(let facts) where facts.kind == .regular && row.identity == facts.identity:
      // The event says that it is the same, and where there are no birth times only the event.
      notice(facts)
      if isFree { try relink(row, to: target, facts) } else { try settle(target, facts, .renamed) }
    case .unknown, .offline: duties.unresolved.formUnion([origin.directory, target.directory])
    case .found, .absent:
      // From there it has gone on, or was overwritten.
      if isFree, target.name.countsAsAsset { try relink(row, to: target, nil) }
      try examine(target, removal: true, .none)
    }
    try examine(origin, removal: true, .none)
  }

  /// Takes an asset out whose files the daemon itself has put away: one change, and its id goes to nothing
  /// that comes under its names.
  package func remove(_ id: AssetID) throws {
    guard let before = try index.asset(id) else { return }
    for link in before.links {
      try index.removeLink(at: link)
      count(-1, link)
      for movie in try movies(of: id, at: link) { try forget(movie) }
    }
    try index.remove(id)
    try publish(before, nil, content: false)
  }

  /// Gives an id back to a file that is found there next, as if it had gone only a moment ago (S39). An id
  /// that another file has by now stays with that.
  package func expect(_ id: AssetID, at location: Location, _ identity: FileIdentity) throws {
    guard try index.asset(id) == nil else { return }
    assetTombstones.bury(id, location, identity, now: now)
  }

  /// Writes what was gathered in memory. The transaction is committed next, and only then may anyone be
  /// told of the changes.
  ///
  /// - Returns: the changes of the batch.
  package func finishBatch() throws -> [PlacedChange] {
    for id in dirtyCounts {
      if let node = tree[id] {
        try index.setCounts(assets: node.assetCount, movies: node.movieCount, of: id)
      }
    }
    dirtyCounts.removeAll(keepingCapacity: true)
    defer { changes.removeAll(keepingCapacity: changes.count <= 4096) }
    return changes
  }

  // MARK: Keeping count

  func count(_ difference: Int, _ link: Location, resource: Link.Resource = .main) {
    let movies = link.name.isPairableMovie ? difference : 0
    let isThere = tree.count(
      assets: resource == .main ? difference : 0, movies: movies, in: link.directory)
    if isThere { dirtyCounts.insert(link.directory) }
  }

  func publish(_ before: Asset?, _ after: Asset?, content: Bool) throws {
    guard publishes, let change = Change.asset(before: before, after: after, content: content) else { return }
    try publish(change)
  }

  func publish(_ change: Change) throws {
    guard publishes else { return }
    changes.append(PlacedChange(place: try index.append(change), entry: .change(change)))
  }

  /// Makes entries part of the batch that were written beside what is compared.
  package func add(_ entries: [PlacedChange]) {
    changes += entries
  }
}
