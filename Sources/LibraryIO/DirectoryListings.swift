internal import EventLoop
internal import Glibc
internal import Inotify
internal import LibraryModel
internal import Linux

/// Has directories listed: watches first, lists then. What comes in between is told twice, and that is harmless
/// (race 1).
@EventLoopActor
final class DirectoryListings {
  /// What came of it.
  enum Beginning {
    case begun
    /// On its root's thread: nobody else waits for it.
    case begunApart
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
  private let roots: Roots
  private var lister: DirectoryLister?
  private var turnsApart = ListingTurns()
  private var deliver: @EventLoopActor @Sendable (DirectoryID, DirectoryLister.Result) -> Void = { _, _ in }

  init(_ batches: LibraryBatch, _ disk: BeneathRoot, _ watches: DirectoryWatches, _ roots: Roots) {
    self.roots = roots
    self.batches = batches
    self.disk = disk
    self.watches = watches
  }

  /// - Parameter deliver: is given what became of each that was begun.
  func start(
    _ deliver: @escaping @EventLoopActor @Sendable (DirectoryID, DirectoryLister.Result) -> Void
  ) throws(SystemError) {
    self.deliver = deliver
    // The results come back as values; the loop is entered on its own thread only.
    lister = try DirectoryLister(disk.volumes) { directory, result in
      Task { @EventLoopActor in deliver(directory, result) }
    }
  }

  func stop() {
    lister?.stop()
    lister = nil
    turnsApart = ListingTurns()
  }

  /// Begins to list a directory.
  func begin(_ directory: DirectoryID) -> Beginning {
    watches.hints.endListing(directory)
    if let root = roots.idApart(of: directory), let apart = roots.disk(of: directory) {
      guard turnsApart.begin(directory, of: root) else { return .begunApart }
      let beginning = begin(directory, of: root, on: apart)
      if beginning != .begunApart { beginNext(of: root) }
      return beginning
    }
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
        lister?.list(directory, readable, flagsKnown: batches.flagsKnown)
        return .begun
      } catch { return failed(directory, error) }
    }
  }

  // MARK: On a root's thread

  private enum Opened: Sendable {
    case ready(watch: Result<Int32, SystemError>, file: HeldFile)
    case failed(SystemError)
    case offline
  }

  /// Begins with those that wait.
  private func beginNext(of root: RootID) {
    while let next = turnsApart.end(root) {
      let beginning = roots.disk(of: next).map { begin(next, of: root, on: $0) } ?? .offline
      if beginning == .begunApart { return }
      let (deliver, isElsewhere) = (deliver, beginning == .elsewhere)
      // Who has begun another one meanwhile is not told within that.
      Task { @EventLoopActor in
        deliver(next, isElsewhere ? .failed(SystemError("openat2", code: ENOENT)) : .offline)
      }
    }
  }

  private func end(_ directory: DirectoryID, of root: RootID, _ result: DirectoryLister.Result) {
    deliver(directory, result)
    beginNext(of: root)
  }

  private func begin(_ directory: DirectoryID, of root: RootID, on apart: RootDisk) -> Beginning {
    guard let instance = watches.queue?.instance else { return .offline }
    guard let place = disk.place(of: directory, in: batches.librarian.directories.tree) else {
      return batches.librarian.directories.tree.path(of: directory) == nil ? .elsewhere : .offline
    }
    apart.run { disk in
      place.enter(disk)
      let opened: Opened =
        switch disk.directory(directory, in: place.tree) {
        case .descriptor(let descriptor): Self.open(descriptor, instance, disk.closer)
        case .failed(let error): .failed(error)
        case .elsewhere: .failed(SystemError("openat2", code: ENOENT))
        case .offline: .offline
        }
      return Looked(opened, disk)
    } then: { [weak self, weak apart] looked in
      guard let self else { return }
      opened(directory, of: root, self.disk.take(looked) ?? .offline, apart)
    }
    return .begunApart
  }

  private nonisolated static func open(
    _ directory: CInt, _ instance: InotifyInstance, _ closer: Closer?
  ) -> Opened {
    do throws(SystemError) {
      // Tried again later, as where the process may have no more open.
      guard closer?.hasRoom ?? true else { throw SystemError("openat", code: EMFILE) }
      let watch = Result { () throws(SystemError) in try instance.watch(directory) }
      let file = try OwnedDescriptor(
        openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), call: "openat")
      return .ready(watch: watch, file: HeldFile(file, closedBy: closer))
    } catch { return .failed(error) }
  }

  /// It is watched. Only when it is known by what watch it is listed: what comes after that is told.
  private func opened(_ directory: DirectoryID, of root: RootID, _ opened: Opened, _ apart: RootDisk?) {
    switch opened {
    case .offline: end(directory, of: root, .offline)
    case .failed(let error): end(directory, of: root, .failed(error))
    case .ready(let watch, let file):
      guard let apart else { return end(directory, of: root, .offline) }
      do throws(SystemError) {
        try watches.watched(directory, watch, batches.librarian)
      } catch { return end(directory, of: root, .failed(error)) }
      watches.hints.beginListing(directory)
      let (thread, volumes, known) = (apart.thread, disk.volumes, batches.flagsKnown)
      apart.run(.begun) { _ in
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 8)
        defer { buffer.deallocate() }
        return DirectoryLister.list(file.number, volumes, buffer, flagsKnown: known) { thread.progress() }
      } then: { [weak self] result in
        self?.end(directory, of: root, result ?? .offline)
      }
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
