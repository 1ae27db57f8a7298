internal import LibraryModel

/// On which volume each directory is, and so its files: a file is where its directory is, and no row of a file says so
/// again (docs/decisions/0065-volumes.md).
final class DirectoryVolumes {
  /// As it is now.
  private(set) var numbers = VolumeNumbers()

  /// That of a directory.
  subscript(directory: DirectoryID) -> VolumeNumber {
    get { numbers[directory] }
    set { numbers[directory] = newValue }
  }

  /// It is gone.
  func remove(_ directory: DirectoryID) { numbers.remove(directory) }

  /// All directories are read anew.
  func reset(_ nodes: some Collection<DirectoryTree.Node>) { numbers = VolumeNumbers(nodes) }
}

/// The same, for whoever reads files on another thread.
///
/// Nearly always all are on one: only directories on others are kept.
struct VolumeNumbers: Sendable {
  private var usual = VolumeNumber.unknown
  private var others: [DirectoryID: VolumeNumber] = [:]
  private var hasAny = false

  /// Of no directories.
  init() {}

  /// Of these.
  init(_ nodes: some Collection<DirectoryTree.Node>) {
    let counts = nodes.reduce(into: [:]) { $0[$1.identity.volume, default: 0] += 1 }
    usual = counts.max { ($0.value, $1.key.rawValue) < ($1.value, $0.key.rawValue) }?.key ?? .unknown
    hasAny = !counts.isEmpty
    for node in nodes where node.identity.volume != usual { others[node.id] = node.identity.volume }
  }

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
  mutating func remove(_ directory: DirectoryID) {
    if !others.isEmpty { others[directory] = nil }
  }
}
