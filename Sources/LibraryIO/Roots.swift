internal import EventLoop
internal import Inotify
internal import LibraryModel
internal import Linux

/// The roots of the configuration: which are there, and are what they were (docs/decisions/0013-whose-root.md).
///
/// It is long because every input is about all of them: a mount, a directory above that was renamed, an overflow and a
/// reload each can bring one root and take away another that lies beneath it.
@EventLoopActor
final class Roots {
  private var configuration: [LibraryRoot]
  private var roots: [WatchedRoot] = [] {
    didSet {
      absentSince = roots.lazy.compactMap(\.absentSince).max()
      isWhole = roots.allSatisfy { $0.offline == nil }
      isAnyUncertain = roots.contains(where: \.isUncertain)
    }
  }
  /// Whether all are there.
  private(set) var isWhole = true
  /// Whether looking at any of them failed when it was last tried.
  private var isAnyUncertain = false
  /// When the root went offline that did so last.
  private(set) var absentSince: UInt64?
  private var mounts: MountTable?
  private let batches: LibraryBatch
  private let disk: BeneathRoot
  private let watches: DirectoryWatches
  private let turns: Turns
  /// The roots whose file systems may not answer.
  private var disks: [RootID: RootDisk] = [:]
  /// Which of them are being looked at.
  private var lookedAt: Set<RootID> = []
  private var lookAgain: @EventLoopActor () -> Void = {}
  private var come: @EventLoopActor ([DirectoryID]) throws -> Void = { _ in }
  /// Looks whether those still answer that may not: of a file system that has died nothing else tells.
  private lazy var heart = Retry(every: .seconds(2)) { [unowned self] in lookAtApart() }
  /// Looks again at those that could not be looked at.
  private lazy var uncertain = Retry(after: .seconds(1), atMost: .seconds(60)) { [unowned self] in lookAgain()
  }
  /// Whoever mounts again and again has every directory looked at only so often.
  private lazy var mountedOver = Retry(every: .milliseconds(250)) { [unowned self] in lookForMounts() }

  init(
    _ configuration: [LibraryRoot], _ batches: LibraryBatch, _ disk: BeneathRoot, _ watches: DirectoryWatches,
    _ turns: Turns
  ) {
    self.configuration = configuration
    self.batches = batches
    self.disk = disk
    self.watches = watches
    self.turns = turns
  }

  /// - Parameters:
  ///   - lookAgain: called when one may have come or gone, between two turns.
  ///   - come: called with those that have come, or went, where looking has taken a while.
  func start(
    _ lookAgain: @escaping @EventLoopActor () -> Void,
    come: @escaping @EventLoopActor ([DirectoryID]) throws -> Void
  ) throws(SystemError) {
    self.lookAgain = lookAgain
    self.come = come
    mounts = try MountTable { [weak self] in
      self?.disk.volumes.mountsChanged()
      for disk in (self?.disks ?? [:]).values { disk.renew() }
      self?.lookAgain()
      self?.mountedOver.later()
    }
  }

  func stop() {
    mounts = nil
    disks = [:]
    disk.threads = [:]
    heart.stop()
    uncertain.stop()
    mountedOver.stop()
  }

  // MARK: As they are

  /// How many there are.
  var count: Int { roots.count }

  /// The directories of those that are there.
  var online: [DirectoryID] { roots.filter { $0.offline == nil }.map(\.directory) }

  /// The same for ``LibraryState``.
  var states: [LibraryState.Root] {
    roots.map { LibraryState.Root(id: $0.id, path: $0.settings.path, offline: $0.offline) }
  }

  /// Whether a directory is that of a root which is there.
  func isOnline(_ directory: DirectoryID) -> Bool {
    roots.first { $0.directory == directory }.map { disk.roots[$0.id] != nil } ?? false
  }

  /// Where the root of a directory is touched whose file system may not answer; nil where it is known to.
  func disk(of directory: DirectoryID) -> RootDisk? {
    idApart(of: directory).flatMap { disks[$0] }
  }

  /// The root of a directory, if its file system may not answer.
  func idApart(of directory: DirectoryID) -> RootID? {
    guard !disks.isEmpty, let root = batches.librarian.directories.tree[directory]?.root else { return nil }
    return disks[root] == nil ? nil : root
  }

  /// What is asked of one takes too long: it is taken for one that does not answer.
  func giveUp(_ id: RootID) { disks[id]?.giveUp() }

  /// The paths of those whose file systems may not answer.
  var apart: Set<String> { Set(roots.lazy.filter { self.disks[$0.id] != nil }.map(\.settings.path)) }

  // MARK: At the start

  /// Finds the roots of the configuration in the index, or gives them ids.
  func restore() throws {
    disk.volumes.restore(try batches.directories.volumes())
    let stored = try batches.directories.roots()
    var highest = stored.map(\.id.rawValue).max() ?? 0
    let ancestors = Dictionary(
      roots.map { ($0.id, $0.ancestorWatch) }, uniquingKeysWith: { first, _ in first })
    roots = configuration.map { settings in
      let path = FileName(settings.path)
      let same = stored.first { $0.path == path }
      if same == nil { highest += 1 }
      let root =
        same
        ?? StoredRoot(id: RootID(rawValue: highest), path: path, identity: .none)
      disk.volumes.expect(root.identity.volume, at: path.bytes)
      return WatchedRoot(
        settings: settings, stored: root, offline: .notLookedAt,
        ancestorWatch: ancestors[root.id] ?? nil)
    }
    disk.roots = [:]
  }

  /// Reads the directories of the index, and forgets those that only a batch knew which was taken back.
  func restoreTree() throws {
    let (present, orphans) = try batches.directories.directories()
    var known = Dictionary(present.lazy.filter(\.id.isRoot).map { ($0.id, $0) }) { first, _ in first }
    // One that was leaving, and is wanted again: what is left of it was not counted.
    for var node in orphans where node.id.isRoot {
      node.counts = try batches.directories.countNames(in: node.id)
      known[node.id] = node
    }
    let away = batches.librarian.directories.away
    let librarian = batches.renewLibrarian()
    librarian.context.isHalfMoved = { [unowned watches] in watches.hints.isHalfMoved($0) }
    noteSharedPaths()
    for root in roots {
      librarian.directories.restore(
        DirectoryTree.Node(
          id: root.directory, root: root.id, parent: nil, name: FileName(""), identity: root.stored.identity,
          counts: known[root.directory]?.counts ?? .none))
    }
    // A root that was taken out of the configuration leaves, with what is directly in it.
    let configured = Set(roots.map(\.directory))
    for node in present.filter(\.id.isRoot) + orphans where !configured.contains(node.id) {
      librarian.directories.restoreOrphan(node)
    }
    // After those: what is beneath one that has left leaves after it.
    librarian.directories.restore(present.filter { !$0.id.isRoot })
    for node in present where node.isMount {
      if let path = path(of: node.id) { disk.volumes.expect(node.identity.volume, at: FileName(path).bytes) }
    }
    librarian.directories.restoreAway(away)
  }

  /// The configuration names other shared albums (S19).
  ///
  /// - Parameter shared: by the path of the root; a root that is not there keeps what it has.
  func reload(shared: [String: [String]]) {
    for index in configuration.indices {
      configuration[index].shared = shared[configuration[index].path] ?? configuration[index].shared
    }
    for index in roots.indices {
      roots[index].settings.shared = shared[roots[index].settings.path] ?? roots[index].settings.shared
    }
    noteSharedPaths()
  }

  private func noteSharedPaths() {
    batches.librarian.directories.sharedPaths = Dictionary(
      uniqueKeysWithValues: roots.map { ($0.id, $0.sharedPaths) })
  }

  // MARK: Looking

  /// Looks at every root: is it there, is it the same? One that is not is offline, and keeps its assets (S41).
  ///
  /// - Returns: the directories of those that have come, or are others now, and are to be compared.
  /// - Throws: the database's error.
  func check() throws -> [DirectoryID] {
    disk.suspects.removeAll()
    noteApart()
    var come: [DirectoryID] = []
    for index in roots.indices {
      if let apart = disks[roots[index].id] {
        look(at: roots[index].id, on: apart)
        continue
      }
      // It may have come back, or what is above it, before the watch was there that tells of it.
      for _ in 0..<8 {
        let before = roots[index].ancestorWatch
        if try check(index) { come.append(roots[index].directory) }
        if roots[index].offline == nil || roots[index].ancestorWatch == before { break }
      }
    }
    return come
  }

  /// Takes what is there for these roots, whatever it is. One where nothing is stays what it was.
  ///
  /// - Returns: as ``check()``.
  func accept(_ paths: Set<String>) throws -> [DirectoryID] {
    var come: [DirectoryID] = []
    for index in roots.indices where paths.contains(roots[index].settings.path) {
      guard roots[index].offline != nil else { continue }
      if disks[roots[index].id] != nil {
        roots[index].isToBeAccepted = true
        continue
      }
      let old = roots[index].stored
      roots[index].stored.identity = .none
      if try check(index) { come.append(roots[index].directory) }
      if roots[index].offline != nil { roots[index].stored = old }
    }
    return come
  }

  /// Takes what is there for these directories beneath roots, which are away.
  func acceptMounts(_ paths: Set<String>) throws {
    let directories = batches.librarian.directories
    for id in directories.away where path(of: id).map(paths.contains) ?? false {
      guard let location = directories.tree.location(of: id) else { continue }
      if let apart = disk(of: location.directory) {
        acceptMount(id, at: location, on: apart)
      } else {
        try acceptMount(id, disk.look(at: location, in: directories.tree))
      }
    }
  }

  private func acceptMount(_ id: DirectoryID, _ answer: DiskAnswer) throws {
    let directories = batches.librarian.directories
    switch answer {
    case .found(let facts) where facts.kind == .directory:
      try batches.write { _ in try directories.accept(id, facts) }
    case .found, .absent: try batches.write { _ in try directories.accept(id, nil) }
    // What it lies in is away itself.
    case .unknown, .offline: return
    }
  }

  /// The same, where that may take a while.
  private func acceptMount(_ id: DirectoryID, at location: Location, on apart: RootDisk) {
    guard let place = disk.place(of: location.directory, in: batches.librarian.directories.tree) else {
      return
    }
    apart.run { disk in
      place.enter(disk)
      return Looked(disk.look(at: location, in: place.tree), disk)
    } then: { [weak self] looked in
      guard let self, let answer = disk.take(looked) else { return }
      changeBetween {
        // It may be at another name by now, which nobody has accepted.
        guard batches.librarian.directories.tree.location(of: id) == location else { return }
        try acceptMount(id, answer)
        // What was listed before was not of what is accepted now.
        try come(online)
      }
    }
  }

  /// Whether an owner may say of what is at a path that it is the library: it is that of a root, or of a directory
  /// beneath one that is away.
  func mayAccept(_ path: String) -> Bool {
    roots.contains { $0.settings.path == path }
      || batches.librarian.directories.away.contains { self.path(of: $0) == path }
  }

  /// The path of a directory.
  func path(of id: DirectoryID) -> String? {
    let tree = batches.librarian.directories.tree
    guard let node = tree[id], let names = tree.path(of: id),
      let root = roots.first(where: { $0.id == node.root })
    else { return nil }
    return names.reduce(root.settings.path) { "\($0)/\($1)" }
  }

  /// Sees to it that those are looked at again that could not be looked at.
  func awaitUncertain() {
    if isAnyUncertain { uncertain.later() } else { uncertain.reset() }
  }

  /// - Returns: whether it has come, or is another now.
  private func check(_ index: Int) throws -> Bool {
    let root = roots[index]
    let hasNothing = isEmpty(root)
    let found = Result { () throws(SystemError) in
      try FoundRoot(root, disk.volumes, isEmpty: hasNothing)
    }
    return try take(index, found)
  }

  /// Takes what was found where a root is.
  ///
  /// - Returns: as ``check(_:)``.
  private func take(_ index: Int, _ result: Result<FoundRoot, SystemError>) throws -> Bool {
    var root = roots[index]
    let wasOffline = root.offline != nil
    let found: FoundRoot
    do throws(SystemError) {
      found = try result.get()
      root.isUncertain = false
    } catch {
      if !root.isUncertain { uncertain.soon() }
      root.isUncertain = true
      // No reason to take a root for lost that is there: it stays what it was.
      if wasOffline || !error.isShortage { root.offline = .failed(reason: error.reason) }
      roots[index] = root
      if root.offline != nil { lose(index, wasOffline: wasOffline) }
      return false
    }
    if let reason = found.offline {
      root.offline = reason
      roots[index] = root
      lose(index, wasOffline: wasOffline)
      return false
    }
    let remembered = found.remembered(as: root.stored)
    if !wasOffline, root.stored == remembered, disk.roots[root.id]?.device == found.device {
      roots[index] = root
      return false
    }
    root.offline = nil
    root.absentSince = nil
    root.stored = remembered
    if let watch = root.ancestorWatch { watches.unwatchAncestor(watch, of: root.directory) }
    root.ancestorWatch = nil
    let former = roots[index].stored
    roots[index] = root
    disk.forget(root.directory)
    disk.roots[root.id] = BeneathRoot.Expected(
      path: root.settings.path, identity: found.identity, device: found.device)
    try remember(root, former)
    return true
  }

  /// Writes down what a root is: in the open batch, or in one of its own.
  private func remember(_ root: WatchedRoot, _ former: StoredRoot) throws {
    let alone = !batches.isOpen
    try batches.write { try $0.index.directories.put(root.stored) }
    let directories = batches.librarian.directories
    if former.identity.volume == .unknown, former.isSame(as: root.stored.identity) {
      try directories.setVolume(root.stored.identity.volume, of: root.directory)
    }
    try directories.setIdentity(root.stored.identity, of: root.directory)
    if alone { try batches.commit() }
  }

  /// A root went offline, or still is.
  private func lose(_ index: Int, wasOffline: Bool) {
    if roots[index].absentSince == nil { roots[index].absentSince = Clock.monotonic }
    let root = roots[index]
    disk.roots[root.id] = nil
    disk.forget(root.directory)
    if !wasOffline {
      let librarian = batches.librarian
      for id in librarian.directories.tree.subtree(of: root.directory) {
        guard let watch = librarian.directories.tree[id]?.watch else { continue }
        watches.unwatch(watch)
        librarian.directories.setWatch(nil, of: id)
      }
    }
    // That of one which may not answer is looked for again and again.
    if disks[root.id] != nil {
      if let watch = root.ancestorWatch { watches.unwatchAncestor(watch, of: root.directory) }
      roots[index].ancestorWatch = nil
      return
    }
    roots[index].ancestorWatch = watches.watchAncestor(
      of: root.settings.path, root.directory, former: root.ancestorWatch)
  }

  /// Whether the index has nothing in a root that could be lost.
  private func isEmpty(_ root: WatchedRoot) -> Bool {
    guard root.stored.identity != .none, let node = batches.librarian.directories.tree[root.directory]
    else {
      return true
    }
    return node.counts.isEmpty && node.children.isEmpty
  }

  // MARK: Where a file system may not answer

  /// Finds out which they are, without touching any.
  private func noteApart() {
    // Where the kernel does not tell, none is trusted.
    let mounts = try? Mounts()
    for root in roots {
      let mayHang = mounts?.mayHang(root.settings.path) ?? true
      if mayHang, disks[root.id] == nil {
        let id = root.id
        disks[id] = RootDisk(disk.volumes) { [weak self] in self?.changed(id) }
      } else if !mayHang {
        disks[root.id] = nil
        lookedAt.remove(root.id)
      }
    }
    disk.threads = disks.mapValues { $0.thread }
    if disks.isEmpty { heart.stop() } else { heart.later() }
  }

  /// Looks at those again that may not answer.
  private func lookAtApart() {
    for (id, disk) in disks { look(at: id, on: disk) }
    heart.later()
  }

  private func look(at id: RootID, on apart: RootDisk) {
    guard !apart.isHanging, let root = roots.first(where: { $0.id == id }), lookedAt.insert(id).inserted
    else {
      return
    }
    disk.threads[id] = apart.thread
    var asked = root
    let isAccepted = root.isToBeAccepted
    if isAccepted { asked.stored.identity = .none }
    let (looked, hasNothing, volumes) = (asked, isEmpty(asked), disk.volumes)
    apart.run { _ in
      Result { () throws(SystemError) in try FoundRoot(looked, volumes, isEmpty: hasNothing) }
    } then: { [weak self] result in
      self?.lookedAt.remove(id)
      // That nothing was said is noticed for all that was asked of it.
      if let result { self?.found(id, result, isAccepted: isAccepted) }
    }
  }

  /// - Parameter isAccepted: whether it was looked at as one that may be anything.
  private func found(_ id: RootID, _ result: Result<FoundRoot, SystemError>, isAccepted: Bool) {
    guard let index = roots.firstIndex(where: { $0.id == id }) else { return }
    let before = roots[index].offline
    changeBetween {
      if isAccepted { roots[index].isToBeAccepted = false }
      let old = roots[index].stored
      if isAccepted { roots[index].stored.identity = .none }
      let isNew = try take(index, result)
      if isAccepted, roots[index].offline != nil { roots[index].stored = old }
      if isAccepted, isNew {
        try come(online)
      } else if isNew || roots[index].offline != before {
        try come(isNew ? [roots[index].directory] : [])
      }
    }
    // An owner has accepted it meanwhile.
    if roots[index].isToBeAccepted, let apart = disks[id] { look(at: id, on: apart) }
  }

  /// One hangs, or answers again.
  private func changed(_ id: RootID) {
    guard let apart = disks[id], let index = roots.firstIndex(where: { $0.id == id }) else { return }
    lookedAt.remove(id)
    guard apart.isHanging else { return look(at: id, on: apart) }
    changeBetween {
      let wasOffline = roots[index].offline != nil
      roots[index].offline = .notAnswering
      lose(index, wasOffline: wasOffline)
      try come([])
    }
  }

  private func changeBetween(_ body: () throws -> Void) {
    do { try turns.alone(body) } catch { batches.fail(error) }
    turns.now()
  }

  // MARK: Mounts

  /// Looks at every directory: anything may have been mounted over, and inotify says nothing of that.
  private func lookForMounts() {
    for location in batches.librarian.directories.takePlacesOfMounts() {
      watches.hints.hint(location, removal: true)
    }
    turns.now()
  }
}
