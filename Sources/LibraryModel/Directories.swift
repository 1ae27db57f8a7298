/// The directories of the library, as the tree and the index have them: those that are there, those that are away, and
/// those that have left. What becomes of one is written, and told.
///
/// It is long because a directory that moves, comes back or is mounted over changes its tree, its album, its parents' counts
/// and who sees it in one step, of which no half may be seen.
package final class Directories {
  /// Those that are there.
  package private(set) var tree = DirectoryTree()
  /// Those whose file system is not there, or that something is mounted over.
  package private(set) var away: Set<DirectoryID> = []
  /// What no library has: a file system that shows more shows a directory in itself, or is made up
  /// (docs/decisions/0160-directories-without-end.md).
  package var bounds = Bounds()
  /// Roots beneath which there are directories that were not taken in, because of ``bounds``.
  package private(set) var overfull: Set<RootID> = []
  /// Those of them that had as many directories as they may.
  private var full: Set<RootID> = []
  /// Where directories were found that are in the library under other names: mounted twice.
  private var secondNames: Set<Location> = []
  /// For each root, the paths beneath it that the configuration marks as shared (S19).
  package var sharedPaths: [RootID: [[FileName]]] = [:]
  /// Those that are not the ones whose files the index has in them.
  private var remade: Set<DirectoryID> = []
  private var orphans = Orphans()
  private var tombstones = Tombstones<AlbumID>()
  private var dirtyCounts: Set<DirectoryID> = []
  private let index: any DirectoryIndex
  private let sharing: any SharedAlbumIndex
  private let context: LibrarianContext

  init(
    _ index: any DirectoryIndex, _ sharing: any SharedAlbumIndex, _ context: LibrarianContext
  ) {
    self.index = index
    self.sharing = sharing
    self.context = context
  }

  /// How many directories are taken in. Those that are in the index already are never taken out because of it.
  package struct Bounds {
    /// Beneath one root, that itself included.
    package var count = 1 << 18
    /// One in the other, beneath the root.
    package var depth = 256
  }

  // MARK: At the start

  /// Puts the directory of a root into the tree: before anything is compared.
  package func restore(_ root: DirectoryTree.Node) {
    tree.insert(root)
  }

  /// Puts the directories into the tree that the index already knows, in any order: one may have been moved
  /// into another that is younger. What is beneath no root leaves the library.
  package func restore(_ nodes: some Sequence<DirectoryTree.Node>) {
    var byParent = Dictionary(grouping: nodes) { $0.parent }
    var parents = tree.all.map(\.id)
    while let parent = parents.popLast() {
      for node in byParent.removeValue(forKey: parent) ?? [] {
        tree.insert(node)
        parents.append(node.id)
      }
    }
    // Parents first, as when they leave.
    let left = Set(byParent.values.joined().lazy.map(\.id))
    parents = byParent.keys.compactMap { $0 }.filter { !left.contains($0) }.sorted()
    for node in byParent.removeValue(forKey: nil) ?? [] {
      orphans.append(node)
      parents.append(node.id)
    }
    while let parent = parents.popLast() {
      for node in byParent.removeValue(forKey: parent) ?? [] {
        orphans.append(node)
        parents.append(node.id)
      }
    }
  }

  /// Goes on removing a directory that had left the library before a restart.
  package func restoreOrphan(_ node: DirectoryTree.Node) {
    orphans.append(node)
  }

  /// Writes down which directories have left the library, so that a restart goes on with their removal and
  /// counts right meanwhile.
  package func noteOrphans() throws {
    for node in orphans.all { try index.orphan(node.id) }
  }

  /// Keeps directories away whose file systems are not there, as was known before the tree was read again.
  package func restoreAway(_ directories: Set<DirectoryID>) {
    for node in directories.sorted().compactMap({ tree[$0] }) { setAway(node) }
  }

  // MARK: As albums

  /// The albums that have left, of which nobody was told yet.
  package var leavingAlbums: [AlbumID] { orphans.all.map(\.id) }
  /// How many they are.
  package var leavingAlbumCount: Int { orphans.count }

  /// An album, with its count, as it is in the tree; or was, if it is leaving: whoever has not been told that it
  /// has gone must be able to find it (S27).
  package func album(_ id: AlbumID) -> Album? {
    guard !id.isRoot, let node = tree[id] ?? orphans[id] else { return nil }
    return Album(
      id: id, parent: node.parent.flatMap { $0.isRoot ? nil : $0 }, name: node.name, root: node.root,
      isShared: isShared(node), assetCount: node.counts.assets)
  }

  private func isShared(_ node: DirectoryTree.Node) -> Bool {
    guard let shared = sharedPaths[node.root], !shared.isEmpty else { return false }
    guard let path = tree.path(of: node.id) ?? formerPath(of: node) else { return true }
    return shared.contains { path.starts(with: $0) }
  }

  /// Where an album was that is leaving; `nil` when that has gone before it: it counts as shared then, so that
  /// nobody sees more of it than before.
  private func formerPath(of node: DirectoryTree.Node) -> [FileName]? {
    var names = [node.name]
    var parent = node.parent
    while let id = parent {
      if let path = tree.path(of: id) { return path + names.reversed() }
      guard let orphan = orphans[id] ?? tree[id] else { return nil }
      names.append(orphan.name)
      parent = orphan.parent
    }
    return nil
  }

  /// Notes of every album whether it is a shared one: at start, since the configuration may be another.
  package func noteSharedAlbums() throws {
    for id in tree.all.map(\.id).sorted() where !id.isRoot { try noteShared(id) }
  }

  /// - Parameter isTold: whether an entry that says how the album is by now was written just before.
  private func noteShared(_ id: AlbumID, isTold: Bool = false) throws {
    guard let node = tree[id] else { return }
    let (isShared, snapshot) = (isShared(node), Change.Snapshot.album(name: node.name, root: node.root))
    let change =
      try isTold || sharing.isNotedShared(id) == isShared
      ? nil
      : Change(
        .album(id), .changed(content: false), albumsBefore: albums(node.parent),
        albumsAfter: albums(node.parent),
        snapshot: snapshot)
    // Who does not see shared albums is told that it is there or is not, and of nothing else: this comes while it is not.
    if let change, !isShared { try context.publish(change) }
    let entries = try sharing.noteShared(
      id, isShared, parent: node.parent.flatMap { $0.isRoot ? nil : $0 }, snapshot: snapshot)
    if !entries.isEmpty { context.add(entries) }
    if let change, isShared { try context.publish(change) }
  }

  /// Whether an album with this path, or any beneath it, may be a shared one, in whichever root.
  private func mayShare(_ path: [FileName]?) -> Bool {
    guard let path else { return true }
    return sharedPaths.values.joined().contains { $0.starts(with: path) || path.starts(with: $0) }
  }

  private func albums(_ parent: DirectoryID?) -> [AlbumID] {
    parent.map { $0.isRoot ? [] : [$0] } ?? []
  }

  // MARK: What is in them

  /// Whether something in a directory can belong to a file that lies beside it: a movie, RAW or a sidecar. One that has left
  /// the tree has its rows until they are removed, and may return before that.
  func mayHaveCompanions(_ directory: DirectoryID) -> Bool {
    tree.counts(in: directory).map { $0.companions > 0 } ?? true
  }

  /// Counts a name that has come or gone.
  func count(_ difference: Int, _ link: Location, resource: Link.Resource = .main) {
    let companions = resource == .sidecar || link.name.part != nil ? difference : 0
    count(NameCounts(names: resource == .main ? difference : 0, companions: companions), in: link.directory)
  }

  /// Counts the directories that hold an asset by several names, whose names have changed: such a directory has the
  /// asset once.
  func countRepeats(_ before: Asset, _ after: Asset?) {
    // Nearly always it has one name.
    if before.otherLinks.isEmpty, after?.otherLinks.isEmpty ?? true { return }
    var former: DirectoryID?
    for link in before.links {
      if link.directory == former { count(NameCounts(repeats: -1), in: link.directory) }
      former = link.directory
    }
    former = nil
    for link in after?.links ?? [] {
      if link.directory == former { count(NameCounts(repeats: 1), in: link.directory) }
      former = link.directory
    }
  }

  private func count(_ difference: NameCounts, in directory: DirectoryID) {
    if tree.count(difference, in: directory) { dirtyCounts.insert(directory) }
  }

  /// Writes the counts of the batch.
  func writeCounts() throws {
    for id in dirtyCounts {
      if let counts = tree.counts(in: id) { try index.setCounts(counts, of: id) }
    }
    dirtyCounts.removeAll(keepingCapacity: true)
  }

  // MARK: What they are

  /// Notes the watch of a directory, or that it has none.
  package func setWatch(_ watch: Int32?, of directory: DirectoryID) {
    tree.setWatch(watch, of: directory)
  }

  /// Has a directory watched no more.
  func unwatch(_ node: DirectoryTree.Node) {
    if let watch = tree[node.id]?.watch { context.duties.unwatch.append(watch) }
    tree.setWatch(nil, of: node.id)
  }

  /// Notes that another directory is where this one was: a root that was replaced (race 11).
  package func setIdentity(_ identity: FileIdentity, of directory: DirectoryID) throws {
    if tree[directory]?.identity != identity { remade.insert(directory) }
    tree.setIdentity(identity, of: directory)
    if let node = tree[directory] { try index.put(node) }
  }

  /// Notes on which volume a directory is, and all beneath it up to the next mount, of which the index knows that not
  /// yet: nothing of them has changed.
  package func setVolume(_ volume: VolumeNumber, of directory: DirectoryID) throws {
    var rest = [directory]
    while let id = rest.popLast() {
      guard let node = tree[id], node.identity.volume == .unknown, id == directory || !node.isMount else {
        continue
      }
      var identity = node.identity
      identity.volume = volume
      tree.setIdentity(identity, of: id)
      if let node = tree[id] { try index.put(node) }
      rest += node.children.values
    }
  }

  /// Whether a directory is not the one whose files the index has in it.
  func isRemade(_ id: DirectoryID) -> Bool { remade.contains(id) }

  /// A directory turned out to be the one whose files the index has in it.
  func isItself(_ id: DirectoryID) { remade.remove(id) }

  /// Forgets which are not: when there are no doubts left.
  func forgetRemade() { remade.removeAll() }

  // MARK: Coming and moving

  /// A directory has come. If it has been here, it is the album that it was: by what it is, or by its name.
  ///
  /// - Returns: what had left and was known by its name, and has turned up as another; `nil` also when it is not taken in, as
  ///   there are too many.
  func insert(_ location: Location, _ facts: FileFacts) throws -> DirectoryTree.Node? {
    guard let parent = tree[location.directory] else { return nil }
    let isLeaving = facts.identity.birthTime == 0 ? nil : orphans[facts.identity]
    let buried = tombstones.raise(location, facts.identity, now: context.now)?.id
    // One that returned before all of it was removed may still be remembered by its old name.
    let returning = isLeaving?.id ?? buried.flatMap { tree[$0] == nil ? $0 : nil }
    // One that has just been in it is taken back.
    guard returning != nil || hasRoom(in: parent) else { return nil }
    let node = DirectoryTree.Node(
      id: try returning ?? index.reserveAlbumID(), root: parent.root, parent: parent.id, name: location.name,
      identity: facts.identity, isMount: facts.isMount)
    context.duties.list.append(node.id)
    guard let former = orphans.remove(node.id) else {
      try add(node)
      return nil
    }
    // It returns before all of it was removed, and nobody was told that it had gone.
    var old = former
    // By its name only: it may still turn up itself.
    let isOther = old.identity != node.identity
    if isOther { remade.insert(old.id) }
    old.parent = node.parent
    old.name = node.name
    old.root = node.root
    old.identity = node.identity
    old.isMount = node.isMount
    old.watch = nil
    old.counts = try index.countNames(in: node.id)
    old.forgetChildren()
    tree.insert(old)
    try index.put(old)
    try publishMove(old, from: former)
    return isOther ? former : nil
  }

  private func hasRoom(in parent: DirectoryTree.Node) -> Bool {
    let isFull = tree.count(beneath: parent.root) >= bounds.count
    if !isFull, !tree.lies(parent.id, inAsManyAs: bounds.depth) { return true }
    if isFull { full.insert(parent.root) }
    if overfull.insert(parent.root).inserted { context.duties.stateChanged = true }
    return false
  }

  /// Everything is compared anew, and what has no room is found again.
  package func forgetOverfull() {
    overfull.removeAll()
    full.removeAll()
  }

  /// Whether a root has room by now that had none while directories were to leave: those of one that was copied, and then
  /// removed, are twice as many meanwhile. What is beyond the depth is found no sooner for that.
  package var hasRoomAgain: Bool { full.contains { tree.count(beneath: $0) < bounds.count } }

  /// A directory has come that was never here.
  func add(_ node: DirectoryTree.Node) throws {
    tree.insert(node)
    try index.put(node)
    try context.publish(
      Change(
        .album(node.id), .inserted, albumsBefore: [], albumsAfter: albums(node.parent),
        snapshot: .album(name: node.name, root: node.root)))
    try noteShared(node.id, isTold: true)
  }

  /// A directory is in another place now.
  func move(_ node: DirectoryTree.Node, to location: Location) throws {
    tree.move(node.id, to: location)
    try writeMove(node)
  }

  /// A directory was found at its new name before it was told that it was renamed, and taken for another: it is itself.
  func resume(_ node: DirectoryTree.Node, insteadOf other: DirectoryTree.Node, at location: Location) throws {
    try move(node, to: location)
    noteIdentity(of: node.id)
    try detach(other.id)
  }

  /// A directory is where the tree has it, whatever else was taken for it.
  func noteIdentity(of id: DirectoryID) { tree.noteIdentity(of: id) }

  /// Two have changed places.
  ///
  /// - Parameters:
  ///   - origin: where the first was.
  ///   - target: where the second was.
  func exchange(
    _ node: DirectoryTree.Node, _ other: DirectoryTree.Node, _ origin: Location, _ target: Location
  ) throws {
    tree.move(other.id, to: origin)
    tree.move(node.id, to: target)
    try writeMove(node)
    try writeMove(other)
  }

  private func writeMove(_ before: DirectoryTree.Node) throws {
    guard let node = tree[before.id] else { return }
    context.duties.moved.append(node.id)
    if node.watch == nil { context.duties.list.append(node.id) }
    let members = node.root == before.root ? [node.id] : tree.subtree(of: node.id)
    for member in members.compactMap({ tree[$0] }) { try index.put(member) }
    try publishMove(node, from: before)
  }

  private func publishMove(_ node: DirectoryTree.Node, from former: DirectoryTree.Node) throws {
    let hasOtherRoot = node.root != former.root
    guard node.parent != former.parent || node.name != former.name || hasOtherRoot else { return }
    let formerPath = former.parent.flatMap { tree.path(of: $0) }.map { $0 + [former.name] }
    try publish(node, formerParent: former.parent)
    // Right after it, so that nothing that is told later is seen through an album that is hidden by now.
    let mayBeShared = mayShare(formerPath) || mayShare(tree.path(of: node.id))
    guard mayBeShared || hasOtherRoot else { return }
    for member in tree.subtree(of: node.id).compactMap({ tree[$0] }) {
      // All beneath it are in another root as well, and each says in which it is.
      if hasOtherRoot, member.id != node.id { try publish(member, formerParent: member.parent) }
      if mayBeShared { try noteShared(member.id, isTold: hasOtherRoot || member.id == node.id) }
    }
  }

  /// Tells of an album that is in another place, or in another root, than before.
  private func publish(_ node: DirectoryTree.Node, formerParent: DirectoryID?) throws {
    let (before, after) = (albums(formerParent), albums(node.parent))
    try context.publish(
      Change(
        .album(node.id), before == after ? .changed(content: false) : .moved(content: false),
        albumsBefore: before, albumsAfter: after, snapshot: .album(name: node.name, root: node.root)))
  }

  // MARK: Away

  /// Compares what is mounted (race 10). What a mount covers, what was in a file system that is no longer
  /// mounted, and what is there in its stead, is nobody's deletion and nobody's addition: the directory is
  /// kept as it was until what it was is back.
  ///
  /// - Returns: whether the directory is there to be compared.
  func compareMount(_ known: DirectoryTree.Node, _ facts: FileFacts) throws -> Bool {
    var node = known
    if node.identity.volume == .unknown, node.isMount, facts.isMount,
      node.identity.inode == facts.identity.inode,
      node.identity.birthTime == facts.identity.birthTime
    {
      try setVolume(facts.identity.volume, of: node.id)
      node = tree[node.id] ?? node
    }
    if node.identity == facts.identity {
      // Mounted over itself it is what it was; and what was found by a mount may be found without.
      let isMount = node.isMount && facts.isMount
      try noteMount(isMount, of: node.id)
      guard node.isAway else { return true }
      setBack(node.id, isMount: isMount)
      context.duties.list.append(node.id)
      return true
    }
    guard node.isMount || facts.isMount else { return true }
    if !node.isMount, node.counts.names == 0, node.children.isEmpty {
      // An empty place for a mount has got its mount.
      setBack(node.id, isMount: true)
      return true
    }
    setAway(node)
    return false
  }

  /// A directory's file system is there.
  private func setBack(_ id: DirectoryID, isMount: Bool) {
    tree.setMount(isMount, isAway: false, of: id)
    if away.remove(id) != nil { context.duties.stateChanged = true }
  }

  /// A directory is at a mount, or is not, where it has moved to.
  func noteMount(_ isMount: Bool, of id: DirectoryID) throws {
    guard let node = tree[id], node.isMount != isMount else { return }
    tree.setMount(isMount, isAway: node.isAway, of: id)
    if let node = tree[id] { try index.put(node) }
  }

  /// A directory was found that is in the library under another name.
  func noteSecondName(_ location: Location) { secondNames.insert(location) }

  /// Every name under which another directory may be when something was mounted or unmounted, in one order. Second names are
  /// noted anew when they are looked at.
  package func takePlacesOfMounts() -> [Location] {
    defer { secondNames.removeAll() }
    return tree.all.map(\.id).sorted().compactMap { tree.location(of: $0) } + secondNames.sorted()
  }

  /// What is there now is what a directory that is away is from now on: an owner says so (S41).
  ///
  /// - Parameter facts: of the directory that is there; `nil` when none is.
  package func accept(_ id: DirectoryID, _ facts: FileFacts?) throws {
    guard let node = tree[id], node.isAway else { return }
    guard let facts else { return try detach(id) }
    setBack(id, isMount: facts.isMount)
    try setIdentity(facts.identity, of: id)
    context.duties.list.append(id)
  }

  /// A directory is not at its name any more.
  func lose(_ node: DirectoryTree.Node) throws {
    // Whoever unmounts often removes the mount's place as well.
    if node.isMount { setAway(node) } else { try detach(node.id) }
  }

  /// A directory's file system is not there, or it is covered.
  func setAway(_ node: DirectoryTree.Node) {
    guard !node.isAway else { return }
    tree.setMount(node.isMount, isAway: true, of: node.id)
    away.insert(node.id)
    context.duties.stateChanged = true
    for member in tree.subtree(of: node.id) {
      guard let watch = tree[member]?.watch else { continue }
      context.duties.unwatch.append(watch)
      tree.setWatch(nil, of: member)
    }
  }

  // MARK: Leaving

  /// How many directories leave at once at most.
  private static let leavingAtOnce = 32

  /// A directory has left the library, with all beneath it: those of them that are many leave in slices, and so are
  /// their links removed. None has a path from now on.
  func detach(_ id: DirectoryID) throws {
    context.duties.hasLeft = true
    tree.cut(id)
    try leave(limit: Self.leavingAtOnce)
  }

  /// Whether directories are still to leave that lie beneath one which has.
  package var isLeaving: Bool { tree.hasCut }

  /// Has some of them leave.
  func leave(limit: Int) throws {
    for _ in 0..<limit {
      guard let node = tree.takeCut() else { return }
      if away.remove(node.id) != nil { context.duties.stateChanged = true }
      if let watch = node.watch { context.duties.unwatch.append(watch) }
      if let parent = node.parent {
        tombstones.bury(
          node.id, Location(parent, node.name), node.identity, now: context.now, memory: context.memory)
      }
      try index.orphan(node.id)
      // Taken from the end: children before their parents.
      orphans.append(node)
    }
  }

  /// Whether a directory was in the tree until a moment ago.
  func hasLeft(_ identity: FileIdentity) -> Bool {
    tombstones.contains(identity, now: context.now) || orphans[identity] != nil
  }

  /// Gives an id back to a directory that is found there next, as if it had gone only a moment ago (S39). An id that
  /// another directory has by now stays with that.
  package func expect(_ id: AlbumID, at location: Location, _ identity: FileIdentity) {
    guard tree[id] == nil, orphans[id] == nil else { return }
    tombstones.bury(id, location, identity, now: context.now)
  }

  /// Whether an album has left the library, and is still to be removed.
  func hasLeft(album id: AlbumID) -> Bool { orphans[id] != nil }

  /// Whether directories that have left the library still have links to be removed.
  package var hasOrphans: Bool { !orphans.isEmpty || isLeaving }

  /// ``isLeaving`` and ``hasOrphans``, which are asked several times in each turn.
  package var leaving: (isLeaving: Bool, hasOrphans: Bool) {
    let isLeaving = tree.hasCut
    return (isLeaving, isLeaving || !orphans.isEmpty)
  }

  /// The directory whose links are to be removed next.
  var nextOrphan: DirectoryID? { orphans.next?.id }

  /// The links of a directory that has left are removed.
  func removeOrphan(_ id: DirectoryID) throws {
    let node = orphans.remove(id)
    try index.remove(id)
    // A root is no album (S47).
    guard let node, !node.id.isRoot else { return }
    try context.publish(
      Change(.album(node.id), .removed, albumsBefore: albums(node.parent), albumsAfter: [], snapshot: nil))
  }
}

extension DirectoryTree.Node {
  fileprivate mutating func forgetChildren() {
    children = [:]
  }
}
