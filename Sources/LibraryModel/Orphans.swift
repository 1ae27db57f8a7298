/// Directories that have left the library, and of which not everything is removed yet; children come before their parents
/// when they are taken.
struct Orphans {
  private var nodes: [DirectoryID: DirectoryTree.Node] = [:]
  private var byIdentity: [FileIdentity: DirectoryID] = [:]
  /// Those that are no longer there among them.
  private var order: [DirectoryID] = []

  /// Whether there are none.
  var isEmpty: Bool { nodes.isEmpty }

  /// All of them, in the order in which they came.
  var all: [DirectoryTree.Node] { order.compactMap { nodes[$0] } }

  subscript(_ id: DirectoryID) -> DirectoryTree.Node? { nodes[id] }

  /// The one that was last seen with this identity.
  subscript(_ identity: FileIdentity) -> DirectoryTree.Node? { byIdentity[identity].flatMap { nodes[$0] } }

  /// The one to be removed next.
  var next: DirectoryTree.Node? { order.last.flatMap { nodes[$0] } }

  mutating func append(_ node: DirectoryTree.Node) {
    if nodes.updateValue(node, forKey: node.id) == nil { order.append(node.id) }
    byIdentity[node.identity] = node.id
  }

  /// It is removed, or has returned.
  mutating func remove(_ id: DirectoryID) -> DirectoryTree.Node? {
    guard let node = nodes.removeValue(forKey: id) else { return nil }
    if byIdentity[node.identity] == id { byIdentity[node.identity] = nil }
    if order.last == id { order.removeLast() } else { order.removeAll { $0 == id } }
    return node
  }
}
