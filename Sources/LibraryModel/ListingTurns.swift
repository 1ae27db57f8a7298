/// Which directories are being listed on the threads of roots that may not answer, and which wait for that: a few of each root at
/// once, as each takes memory for all that it lies in, and a made-up tree has directories without end.
package struct ListingTurns {
  private struct OfRoot {
    var count = 0
    /// In the order in which they came, from `first` on.
    var waiting: [DirectoryID] = []
    var first = 0

    mutating func takeFirst() -> DirectoryID? {
      guard first < waiting.count else { return nil }
      defer {
        first += 1
        // Each is moved once for as many that are taken.
        if 2 * first > waiting.count {
          waiting.removeFirst(first)
          first = 0
        }
      }
      return waiting[first]
    }
  }

  /// How many of one root are listed at once at most.
  package static let most = 16

  private var roots: [RootID: OfRoot] = [:]

  /// None.
  package init() {}

  /// A directory is to be listed.
  ///
  /// - Returns: whether it is its turn, until ``end(_:)``; if not, it waits.
  package mutating func begin(_ directory: DirectoryID, of root: RootID) -> Bool {
    guard roots[root, default: OfRoot()].count < Self.most else {
      roots[root]?.waiting.append(directory)
      return false
    }
    roots[root, default: OfRoot()].count += 1
    return true
  }

  /// One of a root is listed, or could not be.
  ///
  /// - Returns: which one's turn it is by that.
  package mutating func end(_ root: RootID) -> DirectoryID? {
    // In their order: what lies near the root is listed before what has no end.
    if let next = roots[root]?.takeFirst() { return next }
    roots[root]?.count -= 1
    if roots[root]?.count == 0 { roots[root] = nil }
    return nil
  }
}
