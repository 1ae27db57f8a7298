internal import LibraryModel

// Where numbers do not last, a directory has another one after a mount, and is found by its path when all is compared. Who
// edits something in it does not wait for that (docs/decisions/0134-numbers-that-change.md).
extension BetweenTurns {
  /// Those of some directories that may have other numbers by now than the tree has, or are in one.
  func uncertain(_ directories: [DirectoryID]) -> [DirectoryID] {
    let tree = tree
    return directories.filter { directory in
      var next = tree[directory]
      while let node = next, let parent = node.parent {
        if !node.identity.isCertain { return true }
        next = tree[parent]
      }
      return false
    }
  }

  /// Finds directories by their paths that have other numbers. What cannot be found so is not where the tree has it, as
  /// whoever opens it learns.
  func recognize(_ directories: [DirectoryID]) async {
    for directory in directories {
      guard await isElsewhere(directory) else { continue }
      var path = [directory]
      while let parent = path.last.flatMap({ tree[$0] })?.parent, !parent.isRoot { path.append(parent) }
      for location in path.reversed().compactMap(tree.location(of:)) where !scan.isTold(of: location) {
        try? change { librarian, _ in try librarian.recognize(location) }
      }
    }
  }

  private func isElsewhere(_ directory: DirectoryID) async -> Bool {
    let isThere = try? await onDisk([directory], "a directory") { (disk, tree) throws(LibraryFileError) in
      disk.isThere(directory, in: tree) ?? true
    }
    return isThere == false
  }
}
