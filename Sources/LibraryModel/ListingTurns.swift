/// Which directories are being listed on the threads of roots that may not answer, and which wait for that: a few of each root at
/// once, as each takes memory for all that it lies in, and a made-up tree has directories without end.
package struct ListingTurns {
  private struct OfRoot {
    var count = 0
    var waiting: [DirectoryID] = []
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
    // The last that was found first: what lies in it is listed before what lies beside it, and fewer wait.
    if let next = roots[root]?.waiting.popLast() { return next }
    roots[root]?.count -= 1
    if roots[root]?.count == 0 { roots[root] = nil }
    return nil
  }
}
