internal import LibraryModel

/// On which volume each directory is, and so its files: a file is where its directory is, and no row of a file says so
/// again (docs/decisions/0065-volumes.md).
///
/// Nearly always all are on one: only directories on others are kept.
final class DirectoryVolumes {
  private var usual = VolumeNumber.unknown
  private var others: [DirectoryID: VolumeNumber] = [:]
  private var hasAny = false

  /// That of a directory.
  subscript(directory: DirectoryID) -> VolumeNumber {
    get { others.isEmpty ? usual : others[directory] ?? usual }
    set {
      if !hasAny { usual = newValue }
      hasAny = true
      if newValue != usual {
        others[directory] = newValue
      } else if !others.isEmpty {
        others[directory] = nil
      }
    }
  }

  /// It is gone.
  func remove(_ directory: DirectoryID) {
    if !others.isEmpty { others[directory] = nil }
  }

  /// All directories are read anew.
  func reset(_ nodes: some Collection<DirectoryTree.Node>) {
    let counts = nodes.reduce(into: [:]) { $0[$1.identity.volume, default: 0] += 1 }
    usual = counts.max { ($0.value, $1.key.rawValue) < ($1.value, $0.key.rawValue) }?.key ?? .unknown
    hasAny = !counts.isEmpty
    others = [:]
    for node in nodes where node.identity.volume != usual { others[node.id] = node.identity.volume }
  }
}
