internal import LibraryModel

extension LibraryMonitor {
  /// Puts together how the library is, and tells when that has changed.
  func updateState() {
    isStateStale = false
    var problems: [LibraryProblem] = []
    unwatched = unwatched.filter { librarian.tree[$0] != nil }
    unreadable = unreadable.filter { librarian.tree[$0] != nil }
    if let failure = batches.failure { problems.append(.database(failure)) }
    if !unwatched.isEmpty { problems.append(.unwatched(unwatched.count)) }
    problems += self.problems(of: unreadable) { .unreadable($0) }
    problems += self.problems(of: librarian.away) { .away($0) }
    let offline = roots.compactMap { root in
      root.offline.map { LibraryProblem.offline(root: root.settings.path, $0) }
    }
    problems += offline
    let summary: LibraryState.Summary =
      if !roots.isEmpty, offline.count == roots.count {
        .offline
      } else if batches.failure != nil {
        .degraded
      } else if plan.isScanning {
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
  private func problems(
    of directories: Set<DirectoryID>, _ problem: (String) -> LibraryProblem
  ) -> [LibraryProblem] {
    let named = directories.sorted().prefix(LibraryMonitor.namedDirectories)
    let more = directories.count - named.count
    return named.map { problem(path(of: $0)) } + (more > 0 ? [.moreDirectories(more)] : [])
  }

  private static var namedDirectories: Int { 20 }

  /// Beneath its root, or of the root itself.
  private func path(of directory: DirectoryID) -> String {
    let names = librarian.tree.path(of: directory) ?? []
    if names.isEmpty { return roots.first { $0.directory == directory }?.settings.path ?? "" }
    return names.map(\.description).joined(separator: "/")
  }
}
