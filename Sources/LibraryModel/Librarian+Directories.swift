extension Librarian {
  /// Puts the directory of a root into the tree: at start, before anything is compared.
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
    for node in byParent.values.joined() { orphans.append(node) }
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

  /// Notes the watch of a directory, or that it has none.
  package func setWatch(_ watch: Int32?, of directory: DirectoryID) {
    tree.setWatch(watch, of: directory)
  }

  /// Notes that another directory is where this one was: a root that was replaced (race 11).
  package func setIdentity(_ identity: FileIdentity, of directory: DirectoryID) throws {
    if tree[directory]?.identity != identity { remade.insert(directory) }
    tree.setIdentity(identity, of: directory)
    if let node = tree[directory] { try index.put(node) }
  }

  /// The albums that have left, of which nobody was told yet.
  package var leavingAlbums: [AlbumID] { orphans.all.map(\.id) }

  /// An album, with its count, as it is in the tree; or was, if it is leaving: whoever has not been told that it
  /// has gone must be able to find it (S27).
  package func album(_ id: AlbumID) -> Album? {
    guard !id.isRoot, let node = tree[id] ?? orphans[id] else { return nil }
    return Album(
      id: id, parent: node.parent.flatMap { $0.isRoot ? nil : $0 }, name: node.name, root: node.root,
      isShared: isShared(node), assetCount: node.assetCount)
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
      guard let orphan = orphans[id] else { return nil }
      names.append(orphan.name)
      parent = orphan.parent
    }
    return nil
  }

  /// Notes of every album whether it is a shared one: at start, since the configuration may be another.
  package func noteSharedAlbums() throws {
    for id in tree.all.map(\.id).sorted() where !id.isRoot { try noteShared(id) }
  }

  private func noteShared(_ id: AlbumID) throws {
    guard let node = tree[id] else { return }
    let entries = try index.noteShared(
      id, isShared(node), parent: node.parent.flatMap { $0.isRoot ? nil : $0 },
      snapshot: .album(name: node.name, root: node.root))
    if !entries.isEmpty { add(entries) }
  }

  /// Whether directories that have left the library still have links to be removed.
  package var hasOrphans: Bool { !orphans.isEmpty }

  /// Removes up to `limit` links of directories that have left the library.
  package func removeOrphans(limit: Int) throws {
    guard let node = orphans.next else { return }
    let links = try index.links(in: node.id, after: nil, limit: limit)
    for link in links { try drop(link) }
    guard links.count < limit else { return }
    _ = orphans.remove(node.id)
    try index.remove(node.id)
    // A root is no album (S47).
    if node.id.isRoot { return }
    try publish(
      Change(.album(node.id), .removed, albumsBefore: albums(node.parent), albumsAfter: [], snapshot: nil))
  }

  /// A directory at a name.
  func settleDirectory(_ location: Location, _ facts: FileFacts, isDecided: Bool = false) throws {
    let isPlace = tree.child(location).map { !$0.isMount && facts.isMount } ?? false
    if let node = tree.child(location), try !settleMount(node, facts) { return }
    let known = known(facts.identity)
    if let node = tree.child(location) {
      if node.identity == facts.identity {
        if node.watch == nil { duties.list.append(node.id) }
      } else if let known, try canMove(known, to: location) {
        if let origin = tree.location(of: known.id), mayBe(node, at: origin) {
          try exchange(known, node, origin, location)
        } else {
          // In this order: it may have come out of the one that it replaces.
          try move(known, to: location)
          try detach(node.id)
        }
      } else if let known, tree.contains(location.directory, beneath: known.id) {
        // Where it is in the tree is to be found out first.
        return
      } else if isReturning(facts.identity), succeeded[facts.identity] != node.id {
        try detach(node.id)
        try insertDirectory(location, facts)
      } else if !isDecided, !isPlace {
        duties.doubts.remade.append(
          Doubt(location: location, former: node.identity, present: facts.identity))
      } else {
        // Made anew under the name: the same album, with whatever is in it now.
        succeeded[node.identity] = node.id
        if let watch = node.watch { duties.unwatch.append(watch) }
        tree.setWatch(nil, of: node.id)
        try setIdentity(facts.identity, of: node.id)
        duties.list.append(node.id)
      }
    } else if let known {
      // Where it was, it still is: the same directory mounted twice. Its assets are in the library once.
      if try canMove(known, to: location) { try move(known, to: location) }
    } else {
      try insertDirectory(location, facts)
    }
  }

  /// The directory that turned up, as the tree has it. Where there are no birth times, a number proves nothing of
  /// one that is no longer where it was.
  private func known(_ identity: FileIdentity) -> DirectoryTree.Node? {
    guard let node = tree.directory(with: identity) else { return nil }
    if identity.birthTime != 0 { return node }
    return tree.location(of: node.id).flatMap { self.identity(at: $0) } == identity ? node : nil
  }

  /// Whether a directory was in the tree until a moment ago.
  private func isReturning(_ identity: FileIdentity) -> Bool {
    guard identity.birthTime != 0 else { return false }
    return succeeded[identity].map { tree[$0] != nil } ?? false
      || albumTombstones.contains(identity, now: now)
      || orphans[identity] != nil
  }

  private func insertDirectory(_ location: Location, _ facts: FileFacts) throws {
    guard let parent = tree[location.directory], try !giveBack(location, facts) else { return }
    let isLeaving = facts.identity.birthTime == 0 ? nil : orphans[facts.identity]
    let buried = albumTombstones.raise(location, facts.identity, now: now)
    // One that returned before all of it was removed may still be remembered by its old name.
    let returning = isLeaving?.id ?? buried.flatMap { tree[$0] == nil ? $0 : nil }
    let node = DirectoryTree.Node(
      id: try returning ?? index.reserveAlbumID(), root: parent.root, parent: parent.id, name: location.name,
      identity: facts.identity, isMount: facts.isMount)
    duties.list.append(node.id)
    if var old = orphans.remove(node.id) {
      // It returns before all of it was removed, and nobody was told that it had gone.
      let before = (old.parent, old.name)
      // By its name only: it may still turn up itself.
      if old.identity != node.identity {
        succeeded[old.identity] = old.id
        remade.insert(old.id)
      }
      old.parent = node.parent
      old.name = node.name
      old.root = node.root
      old.identity = node.identity
      old.isMount = node.isMount
      old.watch = nil
      (old.assetCount, old.movieCount) = try index.countLinks(in: node.id)
      old.forgetChildren()
      tree.insert(old)
      try index.put(old)
      return try publishMove(old, from: before.0, name: before.1)
    }
    try add(node)
  }

  private func add(_ node: DirectoryTree.Node) throws {
    tree.insert(node)
    try index.put(node)
    try publish(
      Change(
        .album(node.id), .inserted, albumsBefore: [], albumsAfter: albums(node.parent),
        snapshot: .album(name: node.name, root: node.root)))
    try noteShared(node.id)
  }

  /// Decides about a directory that is not where it was, when everything is listed but what is in the one that was
  /// found in its place.
  func decideDirectory(_ doubt: Doubt) throws {
    guard let node = tree.child(doubt.location), node.identity == doubt.former,
      case .found(let facts) = disk.look(at: doubt.location, in: tree), facts.kind == .directory
    else { return try examine(doubt.location, removal: true, .none) }
    try settleDirectory(doubt.location, facts, isDecided: true)
  }

  /// A directory turned up that another was taken for, which was made under its name: it may lie in that one, and
  /// so be found only after that was decided. It is given back its album; the other is a new one.
  ///
  /// - Returns: whether it was so.
  private func giveBack(_ location: Location, _ facts: FileFacts) throws -> Bool {
    guard facts.identity.birthTime != 0, let node = succeeded[facts.identity].flatMap({ tree[$0] }),
      node.parent != nil
    else { return false }
    succeeded = succeeded.filter { $0.value != node.id }
    let heir = DirectoryTree.Node(
      id: try index.reserveAlbumID(), root: node.root, parent: node.parent, name: node.name,
      identity: node.identity, isMount: node.isMount)
    if let watch = node.watch { duties.unwatch.append(watch) }
    tree.setWatch(nil, of: node.id)
    try add(heir)
    try setIdentity(facts.identity, of: node.id)
    remade.remove(node.id)
    var target = location
    if target.directory == node.id { target.directory = heir.id }
    // What was found in the other stays in it.
    if let inner = tree.ancestor(of: target.directory, in: node.id) {
      try move(inner, to: Location(heir.id, inner.name))
    }
    try move(node, to: target)
    duties.list.append(heir.id)
    return true
  }

  /// Follows a directory that an event says was renamed.
  func movedDirectory(_ node: DirectoryTree.Node, to target: Location) throws {
    guard tree[target.directory] != nil, !tree.contains(target.directory, beneath: node.id) else {
      // The tree is not as the events say: the target's parent is not where it is thought to be.
      duties.unresolved.insert(target.directory)
      return
    }
    if let overwritten = tree.child(target), overwritten.id != node.id {
      if identity(at: target) == overwritten.identity { return }
      let origin = tree.location(of: node.id)
      if let origin, mayBe(overwritten, at: origin) {
        return try exchange(node, overwritten, origin, target)
      }
      try move(node, to: target)
      return try detach(overwritten.id)
    }
    try move(node, to: target)
  }

  /// Whether two directories have changed places: this one is where the other was. Beneath a root that is offline by
  /// now it may be, and what may be there is not taken away (S41).
  private func mayBe(_ node: DirectoryTree.Node, at origin: Location) -> Bool {
    switch disk.look(at: origin, in: tree) {
    case .found(let facts): facts.identity == node.identity
    case .absent, .unknown: false
    case .offline: true
    }
  }

  private func exchange(
    _ node: DirectoryTree.Node, _ other: DirectoryTree.Node, _ origin: Location, _ target: Location
  ) throws {
    // On disk neither lies beneath the other: rename(2) refuses that. A tree that is behind may differ.
    guard !tree.contains(origin.directory, beneath: other.id) else {
      duties.unresolved.formUnion([origin.directory, target.directory])
      return
    }
    tree.move(other.id, to: origin)
    tree.move(node.id, to: target)
    try saveMove(node)
    try saveMove(other)
  }

  /// Whether a directory that turned up at a name is this one, and no longer where the tree has it.
  private func canMove(_ node: DirectoryTree.Node, to location: Location) throws -> Bool {
    guard let origin = tree.location(of: node.id), identity(at: origin) != node.identity else { return false }
    guard !tree.contains(location.directory, beneath: node.id) else {
      // The tree is behind: hints about one name are taken together, and so before others.
      duties.unresolved.formUnion([location.directory, origin.directory])
      return false
    }
    return true
  }

  private func move(_ node: DirectoryTree.Node, to location: Location) throws {
    tree.move(node.id, to: location)
    try saveMove(node)
  }

  private func saveMove(_ before: DirectoryTree.Node) throws {
    guard let node = tree[before.id] else { return }
    duties.moved.append(node.id)
    if node.watch == nil { duties.list.append(node.id) }
    let members = node.root == before.root ? [node.id] : tree.subtree(of: node.id)
    for member in members.compactMap({ tree[$0] }) { try index.put(member) }
    try publishMove(node, from: before.parent, name: before.name)
  }

  private func publishMove(_ node: DirectoryTree.Node, from parent: DirectoryID?, name: FileName) throws {
    guard node.parent != parent || node.name != name else { return }
    let moved = albums(parent) != albums(node.parent)
    try publish(
      Change(
        .album(node.id), moved ? .moved(content: false) : .changed(content: false),
        albumsBefore: albums(parent), albumsAfter: albums(node.parent),
        snapshot: .album(name: node.name, root: node.root)))
    // Right after it, so that nothing that is told later is seen through an album that is hidden by now.
    for member in tree.subtree(of: node.id) { try noteShared(member) }
  }

  /// Compares what is mounted (race 10). What a mount covers, what was in a file system that is no longer
  /// mounted, and what is there in its stead, is nobody's deletion and nobody's addition: the directory is
  /// kept as it was until what it was is back.
  ///
  /// - Returns: whether the directory is there to be compared.
  private func settleMount(_ node: DirectoryTree.Node, _ facts: FileFacts) throws -> Bool {
    if node.identity == facts.identity, node.isMount == facts.isMount {
      guard node.isAway else { return true }
      tree.setMount(node.isMount, isAway: false, of: node.id)
      away.remove(node.id)
      duties.mountsChanged = true
      duties.list.append(node.id)
      return true
    }
    guard node.isMount || facts.isMount else { return true }
    if !node.isMount, node.assetCount == 0, node.children.isEmpty {
      // An empty place for a mount has got its mount.
      tree.setMount(true, isAway: false, of: node.id)
      return true
    }
    setAway(node)
    return false
  }

  /// A directory's file system is not there.
  func setAway(_ node: DirectoryTree.Node) {
    guard !node.isAway else { return }
    tree.setMount(node.isMount, isAway: true, of: node.id)
    away.insert(node.id)
    duties.mountsChanged = true
    for member in tree.subtree(of: node.id) {
      guard let watch = tree[member]?.watch else { continue }
      duties.unwatch.append(watch)
      tree.setWatch(nil, of: member)
    }
  }

  /// A directory has left the library, with all beneath it. Its links are removed in slices.
  func detach(_ id: DirectoryID) throws {
    duties.hasLeft = true
    for node in tree.remove(id) {
      if away.remove(node.id) != nil { duties.mountsChanged = true }
      if let watch = node.watch { duties.unwatch.append(watch) }
      if let parent = node.parent {
        albumTombstones.bury(node.id, Location(parent, node.name), node.identity, now: now, memory: memory)
      }
      try index.orphan(node.id)
      // Taken from the end: children before their parents.
      orphans.append(node)
    }
  }

  private func albums(_ parent: DirectoryID?) -> [AlbumID] {
    parent.map { $0.isRoot ? [] : [$0] } ?? []
  }
}

extension DirectoryTree.Node {
  mutating func forgetChildren() {
    children = [:]
  }
}
