extension Directories {
  /// Whether other albums than now would be shared (S19) if an album were at another place: itself, or one that may lie in
  /// it. Also true where that cannot be told.
  package func sharesOtherwise(_ id: AlbumID, at target: Location) -> Bool {
    guard let node = tree[id], let path = tree.path(of: id), let parent = tree[target.directory],
      let above = tree.path(of: target.directory)
    else { return true }
    return shared(from: path, beneath: node.root) != shared(from: above + [target.name], beneath: parent.root)
  }

  /// The names in a directory of which the configuration says that what has one is shared, or holds such (S19): whether
  /// they are there or not.
  package func sharedNames(in directory: DirectoryID) -> Set<FileName> {
    guard let node = tree[directory], let path = tree.path(of: directory) else { return [] }
    return Set(
      (sharedPaths[node.root] ?? []).filter { $0.count > path.count && $0.starts(with: path) }.map {
        $0[path.count]
      })
  }

  /// The paths from a directory on at which albums are shared; the empty one where it is shared itself.
  private func shared(from path: [FileName], beneath root: RootID) -> Set<[FileName]> {
    let shared = sharedPaths[root] ?? []
    if shared.contains(where: { path.starts(with: $0) }) { return [[]] }
    return Set(shared.filter { $0.starts(with: path) }.map { Array($0.dropFirst(path.count)) })
  }
}
