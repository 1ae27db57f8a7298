/// Which directory is at a name: the one that the tree has there, one that has moved, or another (S39), by the evidence
/// in docs/decisions/0015-identity.md.
final class DirectoryComparison {
  /// Directories that were taken for others which were found nowhere.
  private var succeeded: [FileIdentity: DirectoryID] = [:]
  private let index: any DirectoryIndex
  private let directories: Directories
  private let lookup: Lookup
  private let context: LibrarianContext

  init(
    _ index: any DirectoryIndex, _ directories: Directories, _ lookup: Lookup, _ context: LibrarianContext
  ) {
    self.index = index
    self.directories = directories
    self.lookup = lookup
    self.context = context
  }

  /// Forgets what was taken for what: when there are no doubts left.
  func forgetEvidence() {
    succeeded.removeAll()
    directories.forgetRemade()
  }

  /// A directory at a name.
  ///
  /// - Parameter isDecided: whether all is listed that may say where the former one is.
  func compare(_ location: Location, _ facts: FileFacts, isDecided: Bool = false) throws {
    let former = directories.tree.child(location)
    if let former, cover(former, facts) { return }
    let isPlace = former.map { !$0.isMount && facts.isMount } ?? false
    if let former, try !directories.compareMount(former, facts) { return }
    let known = known(facts)
    guard let node = directories.tree.child(location) else {
      guard let known else { return try insert(location, facts) }
      // Where it was, it still is: the same directory mounted twice. Its assets are in the library once.
      if canMove(known, to: location) {
        try move(known, to: location, facts)
      } else {
        directories.noteSecondName(location)
      }
      return
    }
    if node.identity == facts.identity {
      if let known, known.id != node.id, known.isMount {
        // Taken for this one, by an earlier version.
        directories.setAway(known)
        directories.noteIdentity(of: node.id)
      } else if known == nil {
        directories.noteIdentity(of: node.id)
      }
      if node.watch == nil { context.duties.list.append(node.id) }
    } else if node.isItself(renumbered: facts.identity) {
      // The same, by its name and its birth; what has its former number is another.
      try renumber(node, facts)
    } else if let known, canMove(known, to: location) {
      if let origin = directories.tree.location(of: known.id), mayBe(node, at: origin) {
        try exchange(known, node, origin, location)
      } else {
        // In this order: it may have come out of the one that it replaces.
        try move(known, to: location, facts)
        try directories.detach(node.id)
      }
    } else if let known, directories.tree.contains(location.directory, beneath: known.id) {
      // Where it is in the tree is to be found out first.
      return
    } else if isReturning(facts.identity), succeeded[facts.identity] != node.id {
      try directories.detach(node.id)
      try insert(location, facts)
    } else if !isDecided, !isPlace {
      context.duties.doubts.remade.append(
        Doubt(location: location, former: node.identity, present: facts.identity))
    } else {
      // Made anew under the name: the same album, with whatever is in it now.
      succeeded[node.identity] = node.id
      directories.unwatch(node)
      try directories.setIdentity(facts.identity, of: node.id)
      context.duties.list.append(node.id)
    }
  }

  /// A directory that is in the library is mounted over another one of it: it is followed where it is already, and what it
  /// covers is kept as it was (race 38).
  ///
  /// - Returns: whether it is so.
  private func cover(_ node: DirectoryTree.Node, _ facts: FileFacts) -> Bool {
    guard facts.isMount, let other = directories.tree.directory(with: facts.identity), other.id != node.id
    else { return false }
    if let place = directories.tree.location(of: other.id) {
      switch lookup.look(at: place) {
      case .found(let there): guard there.identity == other.identity else { return false }
      case .absent, .offline: return false
      case .unknown:
        // Nothing is concluded until it can be looked at.
        context.duties.unresolved.formUnion([node.id, place.directory])
        return true
      }
    }
    directories.setAway(node)
    return true
  }

  /// Takes what is at a directory's name for that directory, if it may be it under another number, before everything is
  /// listed: somebody is about to do something in it.
  ///
  /// - Parameter facts: of that, as just read.
  func recognize(_ location: Location, _ facts: FileFacts) throws {
    guard let node = directories.tree.child(location), facts.kind == .directory,
      node.identity.mayBeRenumbered(as: facts.identity)
    else { return }
    try compare(location, facts, isDecided: true)
  }

  /// Decides about a directory that is not where it was, when everything is listed but what is in the one that was
  /// found in its place.
  ///
  /// - Returns: whether a directory is still in another's place; if not, the name is to be looked at.
  func decide(_ doubt: Doubt) throws -> Bool {
    guard let node = directories.tree.child(doubt.location), node.identity == doubt.former,
      case .found(let facts) = lookup.look(at: doubt.location), facts.kind == .directory
    else { return false }
    try compare(doubt.location, facts, isDecided: true)
    return true
  }

  /// Follows a directory that an event says was renamed.
  func moved(_ node: DirectoryTree.Node, to target: Location) throws {
    guard directories.tree[target.directory] != nil,
      !directories.tree.contains(target.directory, beneath: node.id)
    else {
      // The tree is not as the events say: the target's parent is not where it is thought to be.
      context.duties.unresolved.insert(target.directory)
      return
    }
    guard let overwritten = directories.tree.child(target), overwritten.id != node.id else {
      return try directories.move(node, to: target)
    }
    if lookup.identity(at: target) == overwritten.identity {
      guard overwritten.identity == node.identity else { return }
      // Where there are no birth times a number proved nothing; the event does.
      return try directories.resume(node, insteadOf: overwritten, at: target)
    }
    if let origin = directories.tree.location(of: node.id), mayBe(overwritten, at: origin) {
      return try exchange(node, overwritten, origin, target)
    }
    try directories.move(node, to: target)
    try directories.detach(overwritten.id)
  }

  // MARK: Which it is

  /// The directory that turned up, as the tree has it. Where there are no birth times, a number proves nothing of
  /// one that is no longer where it was; where births are counted in steps, it proves nothing of one that may still be where
  /// it was, under another number.
  private func known(_ facts: FileFacts) -> DirectoryTree.Node? {
    let identity = facts.identity
    guard let node = directories.tree.directory(with: identity) else { return nil }
    // A root is where the configuration says, and somewhere else only if it is mounted there.
    if identity.isCertain || node.id.isRoot && facts.isMount { return node }
    guard identity.birthTime == 0 else { return lookup.mayBeRenumbered(node.id) ? nil : node }
    return directories.tree.location(of: node.id).flatMap { lookup.identity(at: $0) } == identity ? node : nil
  }

  /// A directory has another number, and is itself.
  private func renumber(_ node: DirectoryTree.Node, _ facts: FileFacts) throws {
    directories.unwatch(node)
    try directories.setIdentity(facts.identity, of: node.id)
    directories.isItself(node.id)
    context.duties.list.append(node.id)
  }

  /// Whether a directory was in the tree until a moment ago.
  private func isReturning(_ identity: FileIdentity) -> Bool {
    guard identity.birthTime != 0 else { return false }
    return succeeded[identity].map { directories.tree[$0] != nil } ?? false || directories.hasLeft(identity)
  }

  /// Whether two directories have changed places: this one is where the other was. Beneath a root that is offline by
  /// now it may be, and what may be there is not taken away (S41).
  private func mayBe(_ node: DirectoryTree.Node, at origin: Location) -> Bool {
    switch lookup.look(at: origin) {
    case .found(let facts): facts.identity == node.identity
    case .absent, .unknown: false
    case .offline: true
    }
  }

  /// Whether a directory that turned up at a name is this one, and no longer where the tree has it.
  private func canMove(_ node: DirectoryTree.Node, to location: Location) -> Bool {
    guard let origin = directories.tree.location(of: node.id), lookup.identity(at: origin) != node.identity
    else {
      return false
    }
    guard !directories.tree.contains(location.directory, beneath: node.id) else {
      // The tree is behind: hints about one name are taken together, and so before others.
      context.duties.unresolved.formUnion([location.directory, origin.directory])
      return false
    }
    return true
  }

  /// A directory turned up elsewhere. If it was away, it is there again, and at its former name may be what was its place.
  private func move(_ node: DirectoryTree.Node, to location: Location, _ facts: FileFacts) throws {
    try directories.move(node, to: location)
    try directories.noteMount(facts.isMount, of: node.id)
    guard let moved = directories.tree[node.id], moved.isAway else { return }
    if try directories.compareMount(moved, facts), let parent = node.parent {
      context.duties.list.append(parent)
    }
  }

  private func exchange(
    _ node: DirectoryTree.Node, _ other: DirectoryTree.Node, _ origin: Location, _ target: Location
  ) throws {
    // On disk neither lies beneath the other: rename(2) refuses that. A tree that is behind may differ.
    guard !directories.tree.contains(origin.directory, beneath: other.id) else {
      context.duties.unresolved.formUnion([origin.directory, target.directory])
      return
    }
    try directories.exchange(node, other, origin, target)
  }

  // MARK: One that the tree does not have

  private func insert(_ location: Location, _ facts: FileFacts) throws {
    guard directories.tree[location.directory] != nil, try !giveBack(location, facts) else { return }
    if let former = try directories.insert(location, facts) { succeeded[former.identity] = former.id }
  }

  /// A directory turned up that another was taken for, which was made under its name: it may lie in that one, and
  /// so be found only after that was decided. It is given back its album; the other is a new one.
  ///
  /// - Returns: whether it was so.
  private func giveBack(_ location: Location, _ facts: FileFacts) throws -> Bool {
    guard facts.identity.birthTime != 0,
      let node = succeeded[facts.identity].flatMap({ directories.tree[$0] }),
      node.parent != nil
    else { return false }
    succeeded = succeeded.filter { $0.value != node.id }
    let heir = DirectoryTree.Node(
      id: try index.reserveAlbumID(), root: node.root, parent: node.parent, name: node.name,
      identity: node.identity, isMount: node.isMount)
    directories.unwatch(node)
    try directories.add(heir)
    try directories.setIdentity(facts.identity, of: node.id)
    directories.isItself(node.id)
    var target = location
    if target.directory == node.id { target.directory = heir.id }
    // What was found in the other stays in it.
    if let inner = directories.tree.ancestor(of: target.directory, in: node.id) {
      try directories.move(inner, to: Location(heir.id, inner.name))
    }
    try directories.move(node, to: target)
    context.duties.list.append(heir.id)
    return true
  }
}

extension DirectoryTree.Node {
  /// Whether a directory that was found under its name is this one by its birth as well, with another number.
  fileprivate func isItself(renumbered identity: FileIdentity) -> Bool {
    identity.birthTime != 0 && self.identity.mayBeRenumbered(as: identity)
  }
}
