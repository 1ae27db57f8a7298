/// The directories of the library, in memory: what makes paths, finds albums, and is compared with disk.
///
/// A node knows its parent and its name and nothing of its path, so that a directory that is renamed
/// takes everything beneath it along (race 3).
package struct DirectoryTree: Sendable {
  /// One directory.
  package struct Node: Hashable, Sendable {
    /// Its id.
    package let id: DirectoryID
    /// The root it lies beneath, or is.
    package var root: RootID
    /// Its parent; `nil` for the directory of a root.
    package var parent: DirectoryID?
    /// Its name in the parent; empty for a root.
    package var name: FileName
    /// Which directory it was when last looked at.
    package var identity: FileIdentity
    /// How many names are directly in it.
    package var counts: NameCounts
    /// Whether a file system was mounted there: with nothing mounted, the directory is only its place.
    package var isMount: Bool
    /// Whether what was there when it was last looked at is covered, or no longer mounted: it, and all
    /// beneath it, is kept as it was (S41).
    package internal(set) var isAway = false
    /// Its inotify watch, if it has one.
    package var watch: Int32?
    /// The directories in it.
    package internal(set) var children: [FileName: DirectoryID] = [:]

    /// A node.
    package init(
      id: DirectoryID, root: RootID, parent: DirectoryID?, name: FileName, identity: FileIdentity,
      counts: NameCounts = .none, isMount: Bool = false
    ) {
      self.id = id
      self.root = root
      self.parent = parent
      self.name = name
      self.identity = identity
      self.counts = counts
      self.isMount = isMount
    }
  }

  private var nodes = NodeTable()
  private var byIdentity: [FileIdentity: DirectoryID] = [:]
  /// How many directories are away themselves.
  private var awayCount = 0
  /// How many directories each root has.
  private var counts: [RootID: Int] = [:]
  /// Directories to be taken out, each with all beneath it.
  private var cut: [DirectoryID] = []

  /// A tree without directories.
  package init() {}

  /// How many directories there are, roots included.
  package var count: Int { nodes.count }
  /// How many there are beneath a root, that itself included.
  package func count(beneath root: RootID) -> Int { counts[root] ?? 0 }
  /// Every directory, in no order.
  package var all: some Collection<Node> { nodes.all }

  /// A directory; `nil` when it has left the tree.
  package subscript(_ id: DirectoryID) -> Node? { nodes[id] }

  /// Whether a directory is in the tree. This and what follows is asked for each file: a node would be copied for it.
  package func contains(_ id: DirectoryID) -> Bool { nodes.place(of: id) != nil }

  /// Beneath which root a directory is, and which directory it is.
  package func place(of id: DirectoryID) -> (root: RootID, identity: FileIdentity)? {
    nodes.place(of: id).map { (nodes.all[$0].root, nodes.all[$0].identity) }
  }

  /// The volume that a directory is on.
  package func volume(of id: DirectoryID) -> VolumeNumber? {
    nodes.place(of: id).map { nodes.all[$0].identity.volume }
  }

  /// How many names are directly in a directory.
  func counts(in id: DirectoryID) -> NameCounts? {
    nodes.place(of: id).map { nodes.all[$0].counts }
  }

  /// The directory with a name in another.
  package func child(_ location: Location) -> Node? {
    // Most directories have none in them.
    guard let place = nodes.place(of: location.directory), !nodes.all[place].children.isEmpty else {
      return nil
    }
    return nodes.all[place].children[location.name].flatMap { nodes[$0] }
  }

  /// Where a directory is; `nil` for a root.
  package func location(of id: DirectoryID) -> Location? {
    guard let node = nodes[id], let parent = node.parent else { return nil }
    return Location(parent, node.name)
  }

  /// The directory that was last seen with this identity.
  package func directory(with identity: FileIdentity) -> Node? {
    byIdentity[identity].flatMap { nodes[$0] }
  }

  /// The names from the root down to a directory; empty for a root, `nil` when it has left the tree.
  package func path(of id: DirectoryID) -> [FileName]? {
    var names: [FileName] = []
    var next = nodes[id]
    while let node = next {
      guard let parent = node.parent else { return names.reversed() }
      names.append(node.name)
      next = nodes[parent]
    }
    return nil
  }

  /// A tree of a directory and those above it alone; `nil` when it has left the tree.
  package func chain(to id: DirectoryID) -> DirectoryTree? {
    let tree = chains(to: [id])
    return tree[id] == nil ? nil : tree
  }

  /// A tree of some directories and those above them alone, without those that have left the tree.
  package func chains(to ids: [DirectoryID]) -> DirectoryTree {
    var tree = DirectoryTree()
    for id in ids {
      var chain: [Node] = []
      var next = nodes[id]
      while var node = next, tree[node.id] == nil {
        node.children = [:]
        chain.append(node)
        next = node.parent.flatMap { nodes[$0] }
        if node.parent != nil, next == nil { chain = [] }
      }
      for node in chain.reversed() { tree.insert(node) }
    }
    return tree
  }

  /// The same as system calls take it: each name followed by a slash, and all of them by a zero.
  package func pathBytes(of id: DirectoryID) -> [UInt8]? {
    // From its end, as the tree is climbed: each name is turned round with all of it.
    var bytes: [UInt8] = []
    bytes.reserveCapacity(128)
    bytes.append(0)
    var next = id
    while let place = nodes.place(of: next) {
      guard let parent = nodes.all[place].parent else {
        bytes.reverse()
        return bytes
      }
      bytes.append(UInt8(ascii: "/"))
      bytes.append(contentsOf: nodes.all[place].name.bytes.reversed())
      next = parent
    }
    return nil
  }

  /// Those of some directories that are, or lie beneath, another: at the cost of the directories between, each once.
  package func those(of ids: Set<DirectoryID>, beneath ancestor: DirectoryID) -> [DirectoryID] {
    var known = [ancestor: true]
    return ids.filter { id in
      var climbed: [DirectoryID] = []
      var next: DirectoryID? = id
      var isBeneath = false
      while let id = next {
        if let answer = known[id] {
          isBeneath = answer
          break
        }
        climbed.append(id)
        next = nodes[id]?.parent
      }
      for id in climbed { known[id] = isBeneath }
      return isBeneath
    }
  }

  /// Whether a directory is, or lies beneath, another.
  package func contains(_ id: DirectoryID, beneath ancestor: DirectoryID) -> Bool {
    var next: DirectoryID? = id
    while let id = next {
      if id == ancestor { return true }
      next = nodes[id]?.parent
    }
    return false
  }

  /// The directory that lies directly in `parent`, and is or holds another; `nil` if there is none.
  func ancestor(of id: DirectoryID, in parent: DirectoryID) -> Node? {
    var next = nodes[id]
    while let node = next, let above = node.parent {
      if above == parent { return node }
      next = nodes[above]
    }
    return nil
  }

  /// Whether a directory lies in as many others as this, one in the other, or in more. The directory of a root lies in none.
  package func lies(_ id: DirectoryID, inAsManyAs count: Int) -> Bool {
    var next = id
    for _ in 0..<count {
      guard let place = nodes.place(of: next), let parent = nodes.all[place].parent else { return false }
      next = parent
    }
    return true
  }

  /// Whether a directory lies, or was, on a file system that is not there.
  package func isAway(_ id: DirectoryID) -> Bool {
    // Nearly always none is, and this is asked for every look at a file.
    guard awayCount > 0 else { return false }
    var next = nodes[id]
    while let node = next {
      if node.isAway { return true }
      next = node.parent.flatMap { nodes[$0] }
    }
    return false
  }

  /// A directory and all beneath it, parents first.
  package func subtree(of id: DirectoryID) -> [DirectoryID] {
    guard nodes[id] != nil else { return [] }
    var found = [id]
    var index = 0
    while index < found.count {
      if let node = nodes[found[index]] { found += node.children.values.sorted() }
      index += 1
    }
    return found
  }

  // MARK: Changing

  /// Adds a directory. Its parent must be there, and its name free.
  package mutating func insert(_ node: Node) {
    if let former = nodes.put(node) {
      if former.isAway { awayCount -= 1 }
      counts[former.root, default: 0] -= 1
    }
    if node.isAway { awayCount += 1 }
    counts[node.root, default: 0] += 1
    byIdentity[node.identity] = node.id
    if let parent = node.parent { nodes.change(parent) { $0.children[node.name] = node.id } }
  }

  /// Moves a directory with all beneath it. The caller has made sure that it does not go beneath itself; what
  /// had the name before must be moved or removed next.
  package mutating func move(_ id: DirectoryID, to location: Location) {
    precondition(!contains(location.directory, beneath: id), "a directory beneath itself")
    guard var node = nodes[id], let newParent = nodes[location.directory] else { return }
    if let parent = node.parent, nodes[parent]?.children[node.name] == id {
      nodes.change(parent) { $0.children[node.name] = nil }
    }
    node.parent = location.directory
    node.name = location.name
    nodes.put(node)
    nodes.change(location.directory) { $0.children[location.name] = id }
    guard node.root != newParent.root else { return }
    let members = subtree(of: id)
    for member in members { nodes.change(member) { $0.root = newParent.root } }
    counts[node.root, default: 0] -= members.count
    counts[newParent.root, default: 0] += members.count
  }

  /// Cuts a directory off, with all beneath it: it has no path any more, whatever it holds. They are taken out one by
  /// one (``takeCut()``); one that is moved to somewhere else before is not.
  package mutating func cut(_ id: DirectoryID) {
    guard let node = nodes[id], let parent = node.parent else { return }
    if nodes[parent]?.children[node.name] == id { nodes.change(parent) { $0.children[node.name] = nil } }
    cut.append(id)
  }

  /// Whether directories are cut off that were not taken out yet.
  package var hasCut: Bool { !cut.isEmpty }

  /// Takes one out that was cut off, parents before their children.
  package mutating func takeCut() -> Node? {
    while let id = cut.popLast() {
      guard let node = nodes[id], let parent = node.parent, nodes[parent]?.children[node.name] != id else {
        continue
      }
      cut += node.children.values.sorted(by: >)
      nodes.remove(id)
      counts[node.root, default: 0] -= 1
      if byIdentity[node.identity] == id { byIdentity[node.identity] = nil }
      if node.isAway { awayCount -= 1 }
      return node
    }
    return nil
  }

  /// Notes that another directory is there now, under the same name.
  package mutating func setIdentity(_ identity: FileIdentity, of id: DirectoryID) {
    guard let old = nodes[id]?.identity, old != identity else { return }
    if byIdentity[old] == id { byIdentity[old] = nil }
    byIdentity[identity] = id
    nodes.change(id) { $0.identity = identity }
  }

  /// A directory is the one that is known by its identity: another that was taken for it is not.
  package mutating func noteIdentity(of id: DirectoryID) {
    if let node = nodes[id] { byIdentity[node.identity] = id }
  }

  /// Notes the watch of a directory, or that it has none.
  package mutating func setWatch(_ watch: Int32?, of id: DirectoryID) {
    nodes.change(id) { $0.watch = watch }
  }

  /// Notes whether a file system is mounted where a directory is.
  mutating func setMount(_ isMount: Bool, isAway: Bool, of id: DirectoryID) {
    guard let wasAway = nodes[id]?.isAway else { return }
    awayCount += (isAway ? 1 : 0) - (wasAway ? 1 : 0)
    nodes.change(id) { ($0.isMount, $0.isAway) = (isMount, isAway) }
  }

  /// Counts names that have come to a directory, or, below zero, gone from it.
  ///
  /// - Returns: whether it is in the tree.
  mutating func count(_ difference: NameCounts, in id: DirectoryID) -> Bool {
    nodes.change(id) { $0.counts += difference }
  }
}

/// Nodes by their ids. They are in an array, since one in a dictionary is copied, with its name and what is in it, for each look at
/// anything of it.
private struct NodeTable: Sendable {
  private var places: [DirectoryID: Int] = [:]
  /// In no order.
  private(set) var all: [DirectoryTree.Node] = []

  /// How many there are.
  var count: Int { all.count }

  /// Where one is in ``all``, until another goes.
  func place(of id: DirectoryID) -> Int? { places[id] }

  subscript(_ id: DirectoryID) -> DirectoryTree.Node? { places[id].map { all[$0] } }

  /// Adds one, or puts it in the place of that with its id.
  ///
  /// - Returns: that.
  @discardableResult
  mutating func put(_ node: DirectoryTree.Node) -> DirectoryTree.Node? {
    guard let place = places[node.id] else {
      places[node.id] = all.count
      all.append(node)
      return nil
    }
    defer { all[place] = node }
    return all[place]
  }

  /// Changes one in its place, if it is there; not its id.
  ///
  /// - Returns: whether it is.
  @discardableResult
  mutating func change(_ id: DirectoryID, _ body: (inout DirectoryTree.Node) -> Void) -> Bool {
    guard let place = places[id] else { return false }
    body(&all[place])
    return true
  }

  /// Removes one; the last takes its place.
  mutating func remove(_ id: DirectoryID) {
    guard let place = places.removeValue(forKey: id) else { return }
    let last = all.removeLast()
    guard place < all.count else { return }
    all[place] = last
    places[last.id] = place
  }
}
