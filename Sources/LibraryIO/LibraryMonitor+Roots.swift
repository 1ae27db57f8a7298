internal import CLinux
internal import Glibc
internal import Inotify
internal import LibraryModel
internal import Linux

/// A root of the configuration, and what has become of it.
struct WatchedRoot {
  var settings: LibraryRoot
  var stored: StoredRoot
  /// Why it is offline; `nil` when it is online.
  var offline: RootAbsence?
  /// Whether looking at it failed when it was last tried: nothing need tell when it would not.
  var isUncertain = false
  /// The watch on the nearest directory above it that is there, while it is offline.
  var ancestorWatch: Int32?
  /// Since when it is offline, by the monotonic clock in microseconds.
  var absentSince: UInt64?

  var id: RootID { stored.id }
  var directory: DirectoryID { DirectoryID(of: stored.id) }

  /// The shared albums as names from the root down.
  var sharedPaths: [[FileName]] {
    settings.shared.map { $0.split(separator: "/").map { FileName(String($0)) } }
  }
}

extension LibraryMonitor {
  /// Finds the roots of the configuration in the index, or gives them ids.
  func restoreRoots() throws {
    let stored = try batches.index.roots()
    var highest = stored.map(\.id.rawValue).max() ?? 0
    let ancestors = Dictionary(
      roots.map { ($0.id, $0.ancestorWatch) }, uniquingKeysWith: { first, _ in first })
    roots = configuration.map { settings in
      let path = FileName(settings.path)
      let same = stored.first { $0.path == path }
      if same == nil { highest += 1 }
      let root =
        same
        ?? StoredRoot(
          id: RootID(rawValue: highest), path: path, identity: FileIdentity(inode: 0, birthTime: 0),
          fileSystem: 0)
      return WatchedRoot(
        settings: settings, stored: root, offline: .notLookedAt,
        ancestorWatch: ancestors[root.id] ?? nil)
    }
    disk.roots = [:]
  }

  /// Reads the directories of the index, and forgets those that only a batch knew which was taken back.
  func restoreTree() throws {
    let (present, orphans) = try batches.index.directories()
    var known = Dictionary(present.lazy.filter(\.id.isRoot).map { ($0.id, $0) }) { first, _ in first }
    // One that was leaving, and is wanted again: what is left of it was not counted.
    for var node in orphans where node.id.isRoot {
      (node.assetCount, node.movieCount) = try batches.index.countLinks(in: node.id)
      known[node.id] = node
    }
    let away = librarian.away
    librarian = batches.librarian(disk)
    librarian.since = realtimeNanoseconds()
    librarian.publishes = batches.index.hasScanned
    librarian.expectsNewFiles = !batches.index.hasScanned && batches.index.assetCount == 0
    noteSharedPaths()
    for root in roots {
      librarian.restore(
        DirectoryTree.Node(
          id: root.directory, root: root.id, parent: nil, name: FileName(""), identity: root.stored.identity,
          assetCount: known[root.directory]?.assetCount ?? 0,
          movieCount: known[root.directory]?.movieCount ?? 0))
    }
    librarian.restore(present.filter { !$0.id.isRoot })
    // A root that was taken out of the configuration leaves, with what is directly in it.
    let configured = Set(roots.map(\.directory))
    for node in present.filter(\.id.isRoot) + orphans where !configured.contains(node.id) {
      librarian.restoreOrphan(node)
    }
    librarian.restoreAway(away)
  }

  /// The configuration names other shared albums (S19): what that hides is written, and published, before this returns.
  ///
  /// - Parameter shared: by the path of the root; a root that is not there keeps what it has.
  /// - Throws: the database's error. It is written when the index can be.
  package func reload(shared: [String: [String]]) throws {
    for index in configuration.indices {
      configuration[index].shared = shared[configuration[index].path] ?? configuration[index].shared
    }
    for index in roots.indices {
      roots[index].settings.shared = shared[roots[index].settings.path] ?? roots[index].settings.shared
    }
    noteSharedPaths()
    try batch { try librarian.noteSharedAlbums() }
  }

  private func noteSharedPaths() {
    librarian.sharedPaths = Dictionary(uniqueKeysWithValues: roots.map { ($0.id, $0.sharedPaths) })
  }

  /// Looks at every root: is it there, is it the same? One that is not is offline, and keeps its assets
  /// (S41); one that has returned is compared.
  ///
  /// - Throws: the database's error.
  func checkRoots() throws {
    disk.suspects.removeAll()
    for index in roots.indices {
      // It may have come back, or what is above it, before the watch was there that tells of it.
      for _ in 0..<8 {
        let before = roots[index].ancestorWatch
        try check(index)
        if roots[index].offline == nil || roots[index].ancestorWatch == before { break }
      }
    }
    updateState()
  }

  /// Takes what is there for these roots, whatever it is. One where nothing is stays what it was.
  func accept(_ paths: Set<String>) throws {
    for index in roots.indices where paths.contains(roots[index].settings.path) {
      guard roots[index].offline != nil else { continue }
      let old = roots[index].stored
      roots[index].stored.identity = FileIdentity(inode: 0, birthTime: 0)
      try check(index)
      if roots[index].offline != nil { roots[index].stored = old }
    }
  }

  /// Something was mounted, or no longer is: looks at every root.
  func checkMounts() {
    do { try checkRoots() } catch { return batches.fail(error) }
    turn()
  }

  /// Looks at every directory: anything may have been mounted over, and inotify says nothing of that.
  func checkMountedOver() {
    for node in librarian.tree.all {
      if let location = librarian.tree.location(of: node.id) { reducer.hint(location, removal: true) }
    }
    turn()
  }

  private func check(_ index: Int) throws {
    var root = roots[index]
    let wasOffline = root.offline != nil
    let found: Found
    do {
      found = try find(root)
      root.isUncertain = false
    } catch {
      if !root.isUncertain { noteTrouble() }
      root.isUncertain = true
      // No reason to take a root for lost that is there: it stays what it was.
      if wasOffline || !error.isShortage { root.offline = .failed(reason: error.reason) }
      roots[index] = root
      if root.offline != nil { lose(index, wasOffline: wasOffline) }
      return
    }
    if let reason = found.offline {
      root.offline = reason
      roots[index] = root
      lose(index, wasOffline: wasOffline)
      return
    }
    let expected = BeneathRoot.Expected(
      path: root.settings.path, identity: found.identity, device: found.device)
    let isSame =
      root.stored.identity == found.identity && root.stored.fileSystem == found.fileSystem
      && root.stored.place == found.place
    if !wasOffline, isSame, disk.roots[root.id]?.device == found.device {
      roots[index] = root
      return
    }
    root.offline = nil
    root.absentSince = nil
    root.stored.identity = found.identity
    root.stored.fileSystem = found.fileSystem
    root.stored.place = found.place
    roots[index] = root
    unwatchAncestor(index)
    root = roots[index]
    disk.forget(root.directory)
    disk.roots[root.id] = expected
    try remember(root)
    plan.scan(root.directory, with: Set(librarian.tree.subtree(of: root.directory)))
    scheduleTurn()
  }

  /// Writes down what a root is: in the open batch, or in one of its own.
  private func remember(_ root: WatchedRoot) throws {
    let alone = !batches.isOpen
    try batches.write { try $0.put(root.stored) }
    try librarian.setIdentity(root.stored.identity, of: root.directory)
    if alone { try finish() }
  }

  /// A root went offline, or still is.
  private func lose(_ index: Int, wasOffline: Bool) {
    if roots[index].absentSince == nil { roots[index].absentSince = monotonicMicroseconds() }
    let root = roots[index]
    disk.roots[root.id] = nil
    disk.forget(root.directory)
    if !wasOffline {
      for id in librarian.tree.subtree(of: root.directory) {
        guard let watch = librarian.tree[id]?.watch else { continue }
        unwatch(watch)
        librarian.setWatch(nil, of: id)
      }
    }
    watchAncestor(index)
  }

  private struct Found {
    var identity = FileIdentity(inode: 0, birthTime: 0)
    var device: UInt64 = 0
    var fileSystem: UInt64 = 0
    var place: FileName?
    var offline: RootAbsence?
  }

  private func find(_ root: WatchedRoot) throws(SystemError) -> Found {
    let path = root.settings.path
    let directory = try OwnedDescriptor(
      Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), call: "open", subject: path)
    var facts = linux_facts()
    guard linux_look(directory.number, "", &facts) == 0 else { throw SystemError("statx", subject: path) }
    var system = statfs()
    guard fstatfs(directory.number, &system) == 0 else { throw SystemError("fstatfs", subject: path) }
    var found = Found(identity: FileFacts(facts).identity, device: facts.device)
    found.fileSystem =
      UInt64(UInt32(bitPattern: system.f_fsid.__val.0)) << 32
      | UInt64(UInt32(bitPattern: system.f_fsid.__val.1))
    let isSame = found.identity == root.stored.identity
    found.place = try MountTable.place(of: directory.number) ?? (isSame ? root.stored.place : nil)
    if root.settings.requiresMountPoint, facts.mount_root == 0 {
      found.offline = .notMounted
    } else if !isEmpty(root), !mayReplace(root.stored, found) {
      found.offline = .otherFileSystem
    }
    return found
  }

  /// Whether what is there may be taken for a root whatever it holds: the very directory, wherever it was
  /// mounted meanwhile, or one that was put in its place on the same file system (race 11). Anything else has
  /// come by a mount that came or went, and taking that for the library would delete every asset (race 10).
  private func mayReplace(_ stored: StoredRoot, _ found: Found) -> Bool {
    // Some file systems have another number with every device or mount, some no birth times.
    if stored.identity == found.identity, stored.identity.birthTime != 0 { return true }
    guard stored.fileSystem == found.fileSystem else { return false }
    guard stored.identity != found.identity, let place = stored.place, let other = found.place else {
      return true
    }
    return place == other
  }

  /// Whether the index has nothing in a root that could be lost.
  private func isEmpty(_ root: WatchedRoot) -> Bool {
    guard root.stored.identity.inode != 0, let node = librarian.tree[root.directory] else { return true }
    return node.assetCount == 0 && node.movieCount == 0 && node.children.isEmpty
  }

  /// Watches the nearest directory above a root that is there, to hear when the root comes back.
  private func watchAncestor(_ index: Int) {
    guard let queue else { return }
    var path = roots[index].settings.path[...]
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
    if roots[index].ancestorWatch != found { unwatchAncestor(index) }
    roots[index].ancestorWatch = found
    // Names do not matter: whatever happens there, the root is looked at again.
    if let found { reducer.watchAncestor(found, of: roots[index].directory) }
  }

  private func unwatchAncestor(_ index: Int) {
    guard let watch = roots[index].ancestorWatch else { return }
    roots[index].ancestorWatch = nil
    if reducer.unwatchAncestor(watch, of: roots[index].directory) { queue?.unwatch(watch) }
  }

  /// A directory is watched no more. One watch may serve several: the kernel has one for each inode.
  func unwatch(_ watch: Int32) {
    if reducer.unwatch(watch) { queue?.unwatch(watch) }
  }
}
