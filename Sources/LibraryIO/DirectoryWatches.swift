internal import CLinux
internal import EventLoop
internal import Glibc
internal import Inotify
internal import LibraryModel
internal import Linux

/// The directories that are watched, and what the kernel tells of them.
@EventLoopActor
final class DirectoryWatches {
  /// What is to be looked at because of that. Each part of the monitor tells and asks it its own.
  var hints = EventReducer()
  private(set) var queue: InotifyQueue?
  /// Directories without a watch, for lack of watches.
  private(set) var unwatched: Set<DirectoryID> = []
  /// How many events were read.
  private(set) var eventCount = 0
  private let limit: Int
  private let news: LibraryNews

  /// How many hints may wait before events are left to the kernel, which turns what is too much into an
  /// overflow, and that into a rescan: memory is bounded by this.
  private static let backlog = 1 << 17
  private static let renames =
    WatchEvent.Mask.movedFrom.rawValue | WatchEvent.Mask.movedTo.rawValue | WatchEvent.Mask.overflow.rawValue

  /// - Parameter limit: how many directories may be watched, below what the kernel allows.
  init(limit: Int, _ news: LibraryNews) {
    self.limit = limit
    self.news = news
  }

  func start(_ turns: Turns) throws(SystemError) {
    queue = try InotifyQueue(limit: limit) { [weak turns] in turns?.now() }
  }

  func stop() { queue = nil }

  // MARK: Events

  /// How much of what the kernel told was taken in.
  var taken: UInt64 { queue?.taken ?? 0 }
  /// How much it keeps.
  var pending: UInt64 { queue?.pending ?? 0 }

  /// Makes hints of what the kernel has told.
  ///
  /// - Parameters:
  ///   - deadline: however much more there is, it is left then.
  ///   - disk: what it has listed is older than that.
  /// - Returns: whether the kernel has no more.
  func read(_ now: UInt64, until deadline: UInt64, _ librarian: Librarian, _ disk: BeneathRoot) -> Bool {
    // What is not read now makes the descriptor readable again, as long as there is room for it.
    defer { queue?.isAwaited = hints.count < Self.backlog }
    do {
      while hints.count < Self.backlog, let queue {
        // Whoever makes more in the meantime than can be read keeps nobody waiting.
        if Clock.monotonic > deadline { return false }
        let any = try queue.read { record in
          eventCount += 1
          let event = WatchEvent(
            watch: record.watch, mask: WatchEvent.Mask(rawValue: record.mask), cookie: record.cookie,
            name: FileName(record.name))
          // What the kernel dropped may have been a rename.
          if event.mask.rawValue & Self.renames != 0 { librarian.context.expectsNewFiles = false }
          if !disk.exactNames.listings.isEmpty { note(event, in: &disk.exactNames.listings) }
          hints.receive(event, now: now)
        }
        if !any { return true }
      }
      return false
    } catch {
      // EFAULT or EINVAL: the descriptor is not what it was, which cannot happen.
      fatalError("cannot read inotify events: \(error)")
    }
  }

  /// What was listed before an event was read does not tell of its name.
  private func note(_ event: WatchEvent, in listings: inout SharedListings) {
    if event.mask.contains(.overflow) { return listings.removeAll() }
    guard let directory = hints.directory(of: event.watch) else { return }
    // Of itself: it may have gone.
    guard !event.name.bytes.isEmpty else { return listings.forget(directory) }
    listings.noteTold(of: Location(directory, event.name))
  }

  // MARK: Directories

  /// Watches an open directory.
  ///
  /// - Throws: what keeps it from being watched, but for a lack of watches: without one it is compared now and then.
  func watch(_ directory: DirectoryID, _ descriptor: CInt, _ librarian: Librarian) throws(SystemError) {
    try watch(directory, librarian) { queue throws(SystemError) in try queue.watch(descriptor) }
  }

  /// A directory was watched on another thread.
  ///
  /// - Throws: as ``watch(_:_:_:)``.
  func watched(_ directory: DirectoryID, _ result: Result<Int32, SystemError>, _ librarian: Librarian)
    throws(SystemError)
  {
    try watch(directory, librarian) { queue throws(SystemError) in try queue.take(try result.get()) }
  }

  private func watch(
    _ directory: DirectoryID, _ librarian: Librarian,
    _ place: (InotifyQueue) throws(SystemError) -> Int32
  ) throws(SystemError) {
    guard let queue, let node = librarian.directories.tree[directory] else { return }
    let number: Int32
    do {
      number = try place(queue)
    } catch  where error.code == ENOSPC {
      // Watches that become free are found when it is compared (race 7). Nor is a rename told of that goes from one
      // such directory to another.
      librarian.context.expectsNewFiles = false
      if unwatched.insert(directory).inserted { news.noteState() }
      return
    }
    if unwatched.remove(directory) != nil, unwatched.isEmpty { news.noteState() }
    if let old = node.watch, old != number { unwatch(old) }
    librarian.directories.setWatch(number, of: directory)
    if let other = hints.watch(number, directory) {
      // That one has been replaced by this; where it is itself, if anywhere, its parent knows.
      librarian.directories.setWatch(nil, of: other)
      if let location = librarian.directories.tree.location(of: other) { hints.hint(location, removal: true) }
    }
  }

  /// A directory is watched no more. One watch may serve several: the kernel has one for each inode.
  func unwatch(_ watch: Int32) {
    if hints.unwatch(watch) { queue?.unwatch(watch) }
  }

  /// Forgets directories that have left the library.
  func forgetUnwatched(but isKnown: (DirectoryID) -> Bool) { unwatched = unwatched.filter(isKnown) }

  // MARK: Above a root

  /// Watches the nearest directory above a path that is there, to hear when a root comes back.
  ///
  /// - Parameter former: the watch that the root has had there.
  /// - Returns: the watch that it has now.
  func watchAncestor(of path: String, _ root: DirectoryID, former: Int32?) -> Int32? {
    guard let queue else { return former }
    var path = path[...]
    var found: Int32?
    while found == nil, let slash = path.lastIndex(of: "/") {
      path = path[..<slash]
      let parent = path.isEmpty ? "/" : String(path)
      if let directory = try? OwnedDescriptor(
        Glibc.open(parent, CInt(LINUX_O_PATH) | O_DIRECTORY | O_CLOEXEC), call: "open")
      {
        // IN_CREATE | IN_MOVED_TO | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF
        found = try? queue.watch(directory.number, mask: 0x100 | 0x80 | 0x4 | 0x400 | 0x800 | 0x2000_0000)
      }
    }
    if let former, former != found { unwatchAncestor(former, of: root) }
    // Names do not matter: whatever happens there, the root is looked at again.
    if let found { hints.watchAncestor(found, of: root) }
    return found
  }

  /// A root is back.
  func unwatchAncestor(_ watch: Int32, of root: DirectoryID) {
    if hints.unwatchAncestor(watch, of: root) { queue?.unwatch(watch) }
  }
}
