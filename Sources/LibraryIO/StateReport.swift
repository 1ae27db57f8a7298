internal import EventLoop
internal import LibraryModel

/// Puts together how the library is.
@EventLoopActor
final class StateReport {
  /// How it is.
  private(set) var state = LibraryState(summary: .scanning, roots: [], problems: [])
  private let batches: LibraryBatch
  private let watches: DirectoryWatches
  private let roots: Roots
  private let scan: Scan
  private let news: LibraryNews

  private static let namedDirectories = 20

  init(
    _ batches: LibraryBatch, _ watches: DirectoryWatches, _ roots: Roots, _ scan: Scan, _ news: LibraryNews
  ) {
    self.batches = batches
    self.watches = watches
    self.roots = roots
    self.scan = scan
    self.news = news
  }

  /// Looks, if something has changed of which it is time to tell.
  func updateIfDue() {
    if news.isStateUrgent || (news.isStateStale && !scan.isScanning) { update() }
  }

  /// Looks, and has it told when it is otherwise than before.
  func update() {
    let tree = batches.librarian.directories.tree
    watches.forgetUnwatched { tree[$0] != nil }
    scan.forgetUnreadable { tree[$0] != nil }
    let states = roots.states
    var problems: [LibraryProblem] = []
    if let failure = batches.failure { problems.append(.database(failure)) }
    if !watches.unwatched.isEmpty { problems.append(.unwatched(watches.unwatched.count)) }
    problems += self.problems(of: scan.unreadable, states) { .unreadable($0) }
    // With the root's path: it is what an owner says to accept what is there.
    problems += named(batches.librarian.directories.away) { .away(roots.path(of: $0) ?? "") }
    let overfull = batches.librarian.directories.overfull
    problems += states.filter { overfull.contains($0.id) }.map { .overfull(root: $0.path) }
    let offline = states.compactMap { root in
      root.offline.map { LibraryProblem.offline(root: root.path, $0) }
    }
    problems += offline
    let summary: LibraryState.Summary =
      if !states.isEmpty, offline.count == states.count {
        .offline
      } else if batches.failure != nil {
        .degraded
      } else if scan.isScanning {
        .scanning
      } else {
        problems.isEmpty ? .ready : .degraded
      }
    let new = LibraryState(summary: summary, roots: states, problems: problems)
    news.add(state: new == state ? nil : new)
    state = new
  }

  /// The same of several directories: the first are named.
  private func problems(
    of directories: Set<DirectoryID>, _ roots: [LibraryState.Root], _ problem: (String) -> LibraryProblem
  ) -> [LibraryProblem] {
    named(directories) { problem(path(of: $0, roots)) }
  }

  private func named(
    _ directories: Set<DirectoryID>, _ problem: (DirectoryID) -> LibraryProblem
  ) -> [LibraryProblem] {
    let named = directories.sorted().prefix(Self.namedDirectories)
    let more = directories.count - named.count
    return named.map(problem) + (more > 0 ? [.moreDirectories(more)] : [])
  }

  /// Beneath its root, or of the root itself.
  private func path(of directory: DirectoryID, _ roots: [LibraryState.Root]) -> String {
    let names = batches.librarian.directories.tree.path(of: directory) ?? []
    if names.isEmpty { return roots.first { DirectoryID(of: $0.id) == directory }?.path ?? "" }
    return names.map(\.description).joined(separator: "/")
  }
}
