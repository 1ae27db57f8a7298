internal import DaemonConfiguration

extension Configuration {
  /// The keys whose values this one has changed and that count from the next start only.
  func keysForRestart(since running: Configuration) -> [String] {
    func facts(_ root: Root) -> [String] { [root.path, "\(root.requireMountPoint)"] }
    let changes: [(String, Bool)] = [
      ("roots", roots.map(facts) != running.roots.map(facts)),
      ("state", state != running.state),
      ("saveTo", saveTo != running.saveTo),
      ("limits", limits != running.limits),
      ("journal", journal != running.journal),
      ("recentlyDeletedDays", recentlyDeletedDays != running.recentlyDeletedDays),
      ("previews", previewCacheBytes != running.previewCacheBytes),
      ("contentHashes", contentHashes != running.contentHashes),
      ("accessLog", accessLogKeepDays != running.accessLogKeepDays),
    ]
    return changes.filter(\.1).map(\.0)
  }
}
