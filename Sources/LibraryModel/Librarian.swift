/// Compares the disk with the index, name by name, and makes the index agree.
///
/// Live events, scans, rescans and start-up all come down to ``examine(_:removal:)``: level-triggered, so
/// that a hint too many does nothing and any order of hints ends in the same index. What order decides is
/// only which asset keeps its id, by these rules (S39):
///
/// - a file that the index knows by another name, and that is no longer there, was moved: its asset goes
///   with it;
/// - one that is still there as well has another link: the same asset;
/// - otherwise a name whose file was replaced keeps its asset;
/// - two files that changed places keep theirs.
///
/// All calls of a batch are made inside one transaction of the index; ``finishBatch()`` ends it.
public final class Librarian {
  /// What the caller must do for the directories that a call was about.
  public struct Duties {
    /// Directories to watch, then list: new, or not the same as before.
    public var list: [DirectoryID] = []
    /// Watches of directories that have left the library.
    public var unwatch: [Int32] = []
    /// Directories that were not where the tree has them: to be listed when they are found again.
    public var unresolved: Set<DirectoryID> = []
    /// Directories that were moved.
    public var moved: [DirectoryID] = []
    /// Names to be examined when everything is listed.
    public var deferred = DeferredNames()
    /// Whether ``Librarian/away`` has changed.
    public var mountsChanged = false
    /// Files that someone is still writing, as far as is known, and what events said of them.
    public var incomplete: [(location: Location, evidence: EventReducer.Evidence)] = []
  }

  /// The index.
  public let index: any LibraryIndex
  /// The disk.
  public let disk: any LibraryDisk
  /// The directories.
  public internal(set) var tree = DirectoryTree()
  /// What the caller must do now.
  public var duties = Duties()
  /// The changes of the batch, in the order of the journal.
  public private(set) var changes: [PlacedChange] = []
  /// Whether changes go into the journal. Not during the first scan of an empty library: what is found
  /// then is the state that the journal begins with.
  public var publishes = true
  /// Whether a file with a single link is taken to be new without asking the index. True only while an
  /// empty library is scanned and nothing in it was renamed meanwhile.
  public var expectsNewFiles = false
  /// For each root, the paths beneath it that the configuration marks as shared (S19).
  public var sharedPaths: [RootID: [[FileName]]] = [:]
  /// The time, in microseconds of a steady clock, for ids that return.
  public var now: UInt64 = 0
  /// For how long what has gone is known when it turns up where nobody listens: until all of that was compared.
  public var memory: UInt64 = 0

  /// When the librarian began to listen, nanoseconds since 1970: what has not changed since was not written to.
  public var since: Int64 = 0

  /// Directories whose file system is not there, or that something is mounted over.
  public internal(set) var away: Set<DirectoryID> = []

  var assetTombstones = Tombstones<AssetID>()
  var albumTombstones = Tombstones<AlbumID>()
  var orphans: [DirectoryTree.Node] = []
  private var noticed: [FileIdentity: Int64] = [:]
  /// Where files are that a listing found under the names of others.
  var whereabouts: [FileIdentity: Location] = [:]
  private var dirtyCounts: Set<DirectoryID> = []

  /// A librarian of an index and a disk.
  public init(index: any LibraryIndex, disk: any LibraryDisk) {
    self.index = index
    self.disk = disk
  }

  /// Compares one name.
  ///
  /// - Parameter removal: whether an absent file is gone for good. An event that says anything else about
  ///   a file that is absent will be followed by one that says where it went.
  /// - Parameter evidence: what is known about whether a file there is whole.
  public func examine(_ location: Location, removal: Bool, _ evidence: EventReducer.Evidence) throws {
    switch disk.look(at: location, in: tree) {
    case .found(let facts): try settle(location, facts, evidence)
    case .absent: if removal { try gone(location) }
    case .unknown: if tree[location.directory] != nil { duties.unresolved.insert(location.directory) }
    }
  }

  /// Compares one name with facts that were just read.
  public func settle(_ location: Location, _ facts: FileFacts, _ evidence: EventReducer.Evidence) throws {
    guard tree[location.directory] != nil else { return }
    if facts.kind == .directory {
      if let row = try index.link(at: location) { try drop(row) }
      if location.name.countsAsAlbum { try settleDirectory(location, facts) }
      return
    }
    if let node = tree.child(location) {
      if node.isMount { setAway(node) } else { try detach(node.id) }
    }
    guard location.name.countsAsAsset else { return }
    guard facts.kind == .regular else {
      if let row = try index.link(at: location) { try drop(row) }
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
    if !whereabouts.isEmpty { whereabouts[facts.identity] = nil }
    if try row == nil && isKnownElsewhere(facts, than: location) {
      // It has moved, whoever writes to it: that is told at once, and its content when its writer is done.
      if try facts.linkCount > 1 || !isNamedElsewhere(location, facts) { try arrive(location, facts) }
      return
    }
    guard let facts = whole(location, facts, isKnown: row?.identity == facts.identity, evidence) else {
      return
    }
    if let row { try settle(row, facts) } else { try arrive(location, facts) }
  }

  /// Whether a file with a single link is found under the name that the index has: where case does not count,
  /// only a listing says which of the two is its name.
  private func isNamedElsewhere(_ location: Location, _ facts: FileFacts) throws -> Bool {
    try knownLinks(facts).contains { link in
      guard link.location.directory == location.directory, link.location != location,
        case .found(let now) = disk.look(at: link.location, in: tree)
      else { return false }
      return now.identity == facts.identity && now.linkCount == 1
    }
  }

  /// A file that is as long and as old as the index has it: it was not written to, or its writer has set its
  /// time back.
  private func agreed(_ row: Link, _ facts: FileFacts, _ evidence: EventReducer.Evidence) throws {
    let before = noticed[facts.identity]
    guard notice(facts) else { return }
    switch disk.completeness(of: row.location, in: tree) {
    case .complete where evidence != .closed: return
    case .complete,
      .unknown where evidence == .closed:
      guard let asset = try index.asset(row.asset) else { return }
      try publish(asset, asset, content: true)
    case .beingWritten, .unknown: noticed[facts.identity] = before
    }
  }

  /// Notes when a file changed last, so that a later writer who leaves its length and time as they were is known
  /// to have written. Only what changed since ``since`` is noted, and not for ever: whoever opens a file for
  /// writing and does not write may be taken to have written then.
  ///
  /// - Returns: whether it has changed since it was looked at before.
  @discardableResult
  func notice(_ facts: FileFacts) -> Bool {
    guard facts.changed > since else { return false }
    if noticed.count >= 1 << 14 { noticed.removeAll() }
    return noticed.updateValue(facts.changed, forKey: facts.identity) != facts.changed
  }

  /// The facts of a file that counts as it is, or `nil` if it is to be looked at again when its writer is
  /// done (S40).
  ///
  /// - Parameter isKnown: whether it is the file that the index has at this name, perhaps written to in place.
  private func whole(
    _ location: Location, _ facts: FileFacts, isKnown: Bool, _ evidence: EventReducer.Evidence
  ) -> FileFacts? {
    // A file with two names was linked into place.
    if !isKnown, evidence.isWhole || facts.linkCount > 1 { return facts }
    let isWhole =
      switch disk.completeness(of: location, in: tree) {
      case .complete: true
      case .beingWritten: false
      case .unknown(let isQuiet): isKnown || isQuiet && evidence == .none
      }
    // Looked at again: what was read before it was known to be whole may be of half a file.
    if isWhole, case .found(let now) = disk.look(at: location, in: tree), now.identity == facts.identity {
      return now
    }
    duties.incomplete.append((location, evidence))
    return nil
  }

  /// A file at a name that the index has.
  private func settle(_ row: Link, _ facts: FileFacts) throws {
    switch row.resource {
    case .pairedVideo: try settlePaired(row, facts)
    case .main where row.identity != facts.identity: try replace(row, by: facts)
    case .main: if !row.agrees(with: facts) { try refresh(row.asset, facts) }
    }
  }

  /// Follows a rename that an event told of.
  ///
  /// A file that is no longer at `target` either has gone on from there: that is still to be told. But hints
  /// about one name are taken together, so `origin` may have been looked at already as it is after all that
  /// is still to be told: what is there on disk is never taken away.
  public func moved(from origin: Location, to target: Location) throws {
    if let node = tree.child(origin) {
      // The event is trusted about which directory it is, the disk about what both names are by now. One
      // that has come back already is left: what else is under the name it had meanwhile, is another.
      if identity(at: origin) != node.identity { try movedDirectory(node, to: target) }
      try examine(target, removal: false, .renamed)
      return try examine(origin, removal: false, .none)
    }
    // What a movie is depends on what is beside it: it is looked at anew where it is now.
    guard let row = try index.link(at: origin), row.resource == .main else {
      try examine(target, removal: false, .renamed)
      return try examine(origin, removal: true, .none)
    }
    let overwritten = try index.link(at: target)
    switch disk.look(at: target, in: tree) {
    case .found(let facts) where facts.kind == .regular && row.identity == facts.identity:
      // The event says that it is the same, and where there are no birth times only the event.
      notice(facts)
      if overwritten == nil {
        try relink(row, to: target, facts)
      } else {
        try settle(target, facts, .renamed)
      }
      if facts.linkCount > 1 { try examine(origin, removal: false, .none) }
    case .absent:
      if identity(at: origin) == row.identity { return }
      if overwritten == nil { try relink(row, to: target, nil) } else { try drop(row) }
    case .found(let facts):
      try settle(target, facts, .none)
      try examine(origin, removal: true, .none)
    case .unknown:
      duties.unresolved.formUnion([origin.directory, target.directory])
    }
  }

  /// Takes an asset out whose files the daemon itself has put away: one change, and its id goes to nothing
  /// that comes under its names.
  public func remove(_ id: AssetID) throws {
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
  public func expect(_ id: AssetID, at location: Location, _ identity: FileIdentity) throws {
    guard try index.asset(id) == nil else { return }
    assetTombstones.bury(id, location, identity, now: now)
  }

  /// Writes what was gathered in memory. The transaction is committed next, and only then may anyone be
  /// told of the changes.
  ///
  /// - Returns: the changes of the batch.
  public func finishBatch() throws -> [PlacedChange] {
    for id in dirtyCounts {
      if let node = tree[id] {
        try index.setCounts(assets: node.assetCount, movies: node.movieCount, of: id)
      }
    }
    dirtyCounts.removeAll(keepingCapacity: true)
    defer { changes.removeAll(keepingCapacity: changes.count <= 4096) }
    return changes
  }

  // MARK: Files

  /// A file at a name that the index may not have.
  func arrive(_ location: Location, _ facts: FileFacts) throws {
    notice(facts)
    if mayKnow(facts) {
      let known = try knownLinks(facts).filter { $0.location != location }
      if !known.isEmpty { return try adopt(known, at: location, facts) }
    }
    if try !insert(location, facts), let row = try index.link(at: location) { try settle(row, facts) }
  }

  /// A file that the index knows by no name.
  ///
  /// - Returns: whether the name was free.
  func insert(_ location: Location, _ facts: FileFacts) throws -> Bool {
    guard let mediaType = MediaType(name: location.name) else { return true }
    if let still = try still(for: location) { return try insert(location, facts, asMovieOf: still) }
    let id = try assetTombstones.raise(location, facts.identity, now: now) ?? index.reserveAssetID()
    guard try index.insert(Link(location, id, facts)) else { return false }
    let isLive = try mediaType == .image && takeMovie(for: location, id)
    let asset = Asset(
      id: id, mediaType: isLive ? .livePhoto : mediaType, identity: facts.identity,
      byteCount: facts.byteCount,
      created: facts.created, modified: facts.modified, primary: location)
    try index.insert(asset)
    count(1, location)
    try publish(nil, asset, content: true)
    return true
  }

  /// A file that the index knows by other names.
  private func adopt(_ known: [Link], at location: Location, _ facts: FileFacts) throws {
    guard let before = try index.asset(known[0].asset) else { return }
    var after = before
    after.addLink(location)
    var link = known[0]
    link.location = location
    guard try index.insert(link) else { return }
    count(1, location)
    for link in before.links where !isLive(link, before.identity, facts) {
      _ = after.removeLink(link)
      try index.removeLink(at: link)
      count(-1, link)
    }
    try save(before, after, whole(facts, of: link))
  }

  /// The same file under another name.
  private func relink(_ row: Link, to location: Location, _ facts: FileFacts?) throws {
    guard let before = try index.asset(row.asset) else { return }
    var link = row
    link.location = location
    guard try index.insert(link) else { return }
    try index.removeLink(at: row.location)
    count(-1, row.location)
    count(1, location)
    var after = before
    after.addLink(location)
    _ = after.removeLink(row.location)
    try save(before, after, facts.flatMap { whole($0, of: link) })
  }

  /// What is to be told of a file that is known by another name: what it is by now, unless somebody still
  /// writes to it; then that is told when he is done (S40).
  private func whole(_ facts: FileFacts, of link: Link) -> FileFacts? {
    guard !link.agrees(with: facts), case .beingWritten = disk.completeness(of: link.location, in: tree)
    else { return facts }
    duties.incomplete.append((link.location, .none))
    return nil
  }

  /// The content of an asset's file changed, or another file is there under all its names.
  public func refresh(_ id: AssetID, _ facts: FileFacts) throws {
    notice(facts)
    guard let before = try index.asset(id) else { return }
    try save(before, before, facts)
  }

  /// A name has gone.
  private func gone(_ location: Location) throws {
    if let node = tree.child(location) {
      // Whoever unmounts often removes the mount's place as well.
      if node.isMount { setAway(node) } else { try detach(node.id) }
    }
    if location.name.countsAsAsset, let row = try index.link(at: location) { try drop(row) }
  }

  /// Removes one link, and its asset with the last.
  func drop(_ row: Link, buries: Bool = true) throws {
    if row.resource == .pairedVideo { return try dropPaired(row) }
    guard let before = try index.asset(row.asset) else { return try index.removeLink(at: row.location) }
    try index.removeLink(at: row.location)
    count(-1, row.location)
    var after = before
    if after.removeLink(row.location) { return try save(before, after, nil) }
    try index.remove(before.id)
    if buries { assetTombstones.bury(before.id, row.location, row.identity, now: now, memory: memory) }
    try publish(before, nil, content: false)
    try release(movies(of: before.id, at: row.location))
  }

  /// Writes an asset after its links have changed, or its file, and the facts into all its links.
  func save(_ before: Asset, _ links: Asset, _ facts: FileFacts?) throws {
    var after = links
    let movies = try repair(before, after)
    after.mediaType = try mediaType(of: after)
    if let facts {
      after.identity = facts.identity
      after.byteCount = facts.byteCount
      after.modified = facts.modified
      after.created = min(before.created, facts.created)
    }
    let content =
      after.identity != before.identity || after.byteCount != before.byteCount
      || after.modified != before.modified
    if content, let facts {
      for location in after.links { try index.update(Link(location, after.id, facts)) }
    }
    try index.update(after)
    try publish(before, after, content: content)
    try release(movies)
    for location in after.links where location.name.isPairableMovie && !before.links.contains(location) {
      try pairMovie(at: location)
    }
  }

  // MARK: Questions

  /// Whether the index may know a file; `false` is certain.
  func mayKnow(_ facts: FileFacts) -> Bool {
    if facts.linkCount > 1 { return true }
    if expectsNewFiles { return false }
    return facts.identity.birthTime == 0 || facts.identity.birthTime <= index.newestBirth
  }

  /// Whether a file is known by another name.
  func isKnownElsewhere(_ facts: FileFacts, than location: Location) throws -> Bool {
    try mayKnow(facts) && knownLinks(facts).contains { $0.location != location }
  }

  func knownLinks(_ facts: FileFacts) throws -> [Link] {
    try index.links(inode: facts.identity.inode).filter { isSame($0, facts) }
  }

  /// Whether a link named this file. Where a file system keeps no birth time, a number that was used again
  /// must not hand one file's id, and who may see it, to another: size and time must agree as well.
  func isSame(_ link: Link, _ facts: FileFacts) -> Bool {
    guard link.identity == facts.identity else { return false }
    return facts.identity.birthTime != 0 || link.agrees(with: facts)
  }

  func isLive(_ location: Location, _ identity: FileIdentity, _ facts: FileFacts) -> Bool {
    // The disk is asked even about a file that had a single link: a listing may be older than the second. One
    // that has a single link still is found under two names where case does not count.
    // Only where the disk cannot tell, the name that the file was just found under is the one.
    switch disk.look(at: location, in: tree) {
    case .found(let facts): return facts.identity == identity && facts.linkCount > 1
    case .absent: return false
    case .unknown: return facts.linkCount > 1 && tree[location.directory] != nil
    }
  }

  /// Whether a file is at a name, as far as can be told.
  func mayBe(_ identity: FileIdentity, at location: Location) -> Bool {
    switch disk.look(at: location, in: tree) {
    case .found(let facts): return facts.identity == identity
    case .absent: return false
    case .unknown: return tree[location.directory] != nil
    }
  }

  func identity(at location: Location) -> FileIdentity? {
    if case .found(let facts) = disk.look(at: location, in: tree) { facts.identity } else { nil }
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
  public func add(_ entries: [PlacedChange]) {
    changes += entries
  }
}

extension Link {
  /// A link with what was just read.
  init(_ location: Location, _ asset: AssetID, _ facts: FileFacts, resource: Resource = .main) {
    self.init(
      location: location, asset: asset, identity: facts.identity, byteCount: facts.byteCount,
      modified: facts.modified, resource: resource)
  }
}
