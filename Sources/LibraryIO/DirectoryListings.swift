internal import EventLoop
internal import Glibc
internal import LibraryModel
internal import Linux

/// Has directories listed: watches first, lists then. What comes in between is told twice, and that is harmless
/// (race 1).
@EventLoopActor
final class DirectoryListings {
  /// What came of it.
  enum Beginning {
    case begun
    /// Its root is offline.
    case offline
    /// It is not where the tree has it.
    case elsewhere
    /// It gives errors.
    case unreadable
  }

  private let batches: LibraryBatch
  private let disk: BeneathRoot
  private let watches: DirectoryWatches
  private var lister: DirectoryLister?

  init(_ batches: LibraryBatch, _ disk: BeneathRoot, _ watches: DirectoryWatches) {
    self.batches = batches
    self.disk = disk
    self.watches = watches
  }

  /// - Parameter deliver: is given what became of each that was begun.
  func start(
    _ deliver: @escaping @EventLoopActor @Sendable (DirectoryID, DirectoryLister.Result) -> Void
  ) throws(SystemError) {
    // The results come back as values; the loop is entered on its own thread only.
    lister = try DirectoryLister(disk.volumes) { directory, result in
      Task { @EventLoopActor in deliver(directory, result) }
    }
  }

  func stop() {
    lister?.stop()
    lister = nil
  }

  /// Begins to list a directory.
  func begin(_ directory: DirectoryID) -> Beginning {
    watches.hints.endListing(directory)
    switch disk.directory(directory, in: batches.librarian.directories.tree) {
    case .offline: return .offline
    case .elsewhere: return .elsewhere
    case .failed(let error): return failed(directory, error)
    case .descriptor(let descriptor):
      do {
        try watches.watch(directory, descriptor, batches.librarian)
        watches.hints.beginListing(directory)
        let readable = try OwnedDescriptor(
          openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), call: "openat")
        lister?.list(directory, readable)
        return .begun
      } catch { return failed(directory, error) }
    }
  }

  /// A directory could not be listed.
  func failed(_ directory: DirectoryID, _ error: SystemError) -> Beginning {
    watches.hints.endListing(directory)
    switch error.code {
    case ENOENT, ENOTDIR, ESTALE: return .elsewhere
    default: return .unreadable
    }
  }
}
