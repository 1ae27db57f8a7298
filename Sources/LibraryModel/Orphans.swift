/// Directories that have left the library, and of which not everything is removed yet; children come before their parents
/// when they are taken.
struct Orphans {
  private struct Orphan {
    var node: DirectoryTree.Node
    /// Its place in ``order``.
    var place: Int
  }

  private var orphans: [DirectoryID: Orphan] = [:]
  private var byIdentity: [FileIdentity: DirectoryID] = [:]
  /// Those that are no longer there among them.
  private var order: [DirectoryID] = []

  /// Whether there are none.
  var isEmpty: Bool { orphans.isEmpty }

  /// How many there are.
  var count: Int { orphans.count }

  /// All of them, in the order in which they came.
  var all: [DirectoryTree.Node] {
    order.indices.compactMap { place in orphans[order[place]].flatMap { $0.place == place ? $0.node : nil } }
  }

  subscript(_ id: DirectoryID) -> DirectoryTree.Node? { orphans[id]?.node }

  /// The one that was last seen with this identity.
  subscript(_ identity: FileIdentity) -> DirectoryTree.Node? { byIdentity[identity].flatMap { self[$0] } }

  /// The one to be removed next.
  var next: DirectoryTree.Node? { order.last.flatMap { self[$0] } }

  mutating func append(_ node: DirectoryTree.Node) {
    if orphans[node.id] != nil {
      orphans[node.id]?.node = node
    } else {
      orphans[node.id] = Orphan(node: node, place: order.count)
      order.append(node.id)
    }
    byIdentity[node.identity] = node.id
  }

  /// It is removed, or has returned.
  mutating func remove(_ id: DirectoryID) -> DirectoryTree.Node? {
    guard let node = orphans.removeValue(forKey: id)?.node else { return nil }
    if byIdentity[node.identity] == id { byIdentity[node.identity] = nil }
    // Whoever is last is there; of the others nothing is moved.
    while let last = order.last, orphans[last]?.place != order.count - 1 { order.removeLast() }
    return node
  }
}
