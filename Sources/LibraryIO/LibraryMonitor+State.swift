internal import LibraryModel

extension LibraryMonitor {
  /// Puts together how the library is, and tells when that has changed.
  func updateState() {
    isStateStale = false
    var problems: [String] = []
    unwatched = unwatched.filter { librarian.tree[$0] != nil }
    unreadable = unreadable.filter { librarian.tree[$0] != nil }
    if let failure { problems.append(failure) }
    if !unwatched.isEmpty {
      problems.append(
        "directories without a watch, which are compared now and then only: \(unwatched.count); raise the sysctl fs.inotify.max_user_watches"
      )
    }
    problems += self.problems(of: unreadable, "cannot be read; its assets are kept as they were")
    problems += self.problems(
      of: librarian.away, "another file system is mounted there, or none; its assets are offline")
    let offline = roots.filter { $0.offline != nil }
    for root in offline { problems.append("\(root.settings.path): offline: \(root.offline ?? "")") }
    let summary: LibraryState.Summary =
      if !roots.isEmpty, offline.count == roots.count {
        .offline
      } else if failure != nil {
        .degraded
      } else if isScanning {
        .scanning
      } else {
        problems.isEmpty ? .ready : .degraded
      }
    let new = LibraryState(
      summary: summary,
      roots: roots.map { LibraryState.Root(id: $0.id, path: $0.settings.path, offline: $0.offline) },
      problems: problems)
    guard new != state else { return }
    state = new
    onStateChange(new)
  }

  /// The same of several directories: the first are named.
  private func problems(of directories: Set<DirectoryID>, _ problem: String) -> [String] {
    let named = directories.sorted().prefix(LibraryMonitor.namedDirectories)
    let more = directories.count - named.count
    return named.map { "\(path(of: $0)): \(problem)" }
      + (more > 0 ? ["\(more) more directories: \(problem)"] : [])
  }

  private static var namedDirectories: Int { 20 }

  /// Beneath its root, or of the root itself.
  private func path(of directory: DirectoryID) -> String {
    let names = librarian.tree.path(of: directory) ?? []
    if names.isEmpty { return roots.first { $0.directory == directory }?.settings.path ?? "" }
    return names.map(\.description).joined(separator: "/")
  }
}
