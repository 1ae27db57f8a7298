internal import CLinux
internal import Glibc
internal import LibraryModel
internal import Linux

/// Opens and looks, always beneath a root and never through a symbolic link (S43): openat2(2) with
/// RESOLVE_BENEATH, RESOLVE_NO_SYMLINKS and RESOLVE_NO_MAGICLINKS.
///
/// Descriptors are kept for the length of a batch only, so that an idle daemon holds no file system
/// mounted; and because a root is opened anew for every batch, one that was swapped is noticed by the next
/// look at anything in it (races 10 and 11).
///
/// It is long because each look is there twice: on the loop, and on the thread of a root that may not answer.
final class BeneathRoot: LibraryDisk {
  /// A root that is online: where it is, and which directory it must be.
  struct Expected {
    var path: String
    var identity: FileIdentity
    var device: UInt64
  }

  /// What came of opening a directory.
  enum Opened {
    case descriptor(CInt)
    /// It is not where the tree has it.
    case elsewhere
    /// Its root is offline.
    case offline
    /// It is there and cannot be used: EACCES, EMFILE, EIO.
    case failed(SystemError)
  }

  /// The roots that are online.
  var roots: [RootID: Expected] = [:]
  /// Where those are looked at that may not answer: of these the loop keeps nothing open.
  var threads: [RootID: RootThread] = [:]
  /// Roots that were not what they should be when last opened.
  var suspects: Set<RootID> = []
  /// Directories that are where the tree has them, with names that gave errors when they were looked at.
  var troubled: Set<DirectoryID> = []
  /// Names whose files are not as the index has them, as was seen when they were opened.
  var outdated: Set<Location> = []
  /// Directories of which something was found by another spelling than its own: to be listed.
  var misspelled: Set<DirectoryID> = []
  /// Which volumes there are.
  let volumes: Volumes
  /// What an edit has found on a root's thread where it has just done something, until it goes on there: it is not asked
  /// once more.
  var lookedAt: [Location: DiskAnswer] = [:]
  /// What a step of an edit knows of names by what it has just done itself, until the batch ends.
  var done: [Location: DiskAnswer] = [:]
  /// Of a job of a root's thread: whether anybody still waits for what comes of it.
  var attention: Attention?
  /// Of a job of a root's thread: who closes what is opened there and kept.
  let closer: Closer?
  private var descriptors: [DirectoryID: OpenDirectory] = [:]
  /// How names are spelled that are looked at: on the thread of a root, as the loop has listed it before.
  var exactNames = ExactNames()

  /// A directory that is open, the number of its device, and whether a process serves that.
  private struct OpenDirectory {
    let number: CInt
    let device: UInt64
    let isServed: Bool
  }

  private static let capacity = 128
  static let resolve = UInt64(RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS)

  /// - Parameter closer: nil on the loop.
  init(_ volumes: Volumes, closer: Closer?) {
    self.volumes = volumes
    self.closer = closer
  }

  deinit {
    endBatch()
  }

  /// Whether looking at files has found out more than what they are.
  var hasFindings: Bool { !troubled.isEmpty || !outdated.isEmpty || !misspelled.isEmpty }

  /// Whether something was found that is to be looked at in a turn, and nothing else need tell.
  var needsLooks: Bool { !suspects.isEmpty || !outdated.isEmpty }

  /// Closes what was opened for the batch, and forgets what was listed: what comes next may have been done by the daemon
  /// itself, and not been told yet.
  func endBatch() {
    done.removeAll()
    exactNames.listings.removeAll()
    closeDirectories()
  }

  /// Closes what was opened. What was listed holds as far as nothing else was told.
  func closeDirectories() {
    guard !descriptors.isEmpty else { return }
    for directory in descriptors.values { _ = OwnedDescriptor(owning: directory.number) }
    descriptors.removeAll(keepingCapacity: true)
  }

  /// Forgets the descriptor of a directory whose place or identity has changed.
  func forget(_ id: DirectoryID) {
    exactNames.listings.forget(id)
    if let directory = descriptors.removeValue(forKey: id) { _ = OwnedDescriptor(owning: directory.number) }
  }

  func look(at location: Location, in tree: DirectoryTree) -> DiskAnswer {
    if let thread = thread(of: location.directory, in: tree) {
      return look(at: location, in: tree, on: thread)
    }
    switch directory(location.directory, in: tree) {
    case .descriptor:
      // As it was kept: asked once for all that follows.
      guard let directory = descriptors[location.directory] else { return .unknown }
      return look(at: location, directory, in: tree)
    case .offline: return .offline
    case .elsewhere, .failed: return .unknown
    }
  }

  private func look(
    at location: Location, _ directory: OpenDirectory, in tree: DirectoryTree
  ) -> DiskAnswer {
    var facts = linux_facts()
    if look(location.name, directory.number, isServed: directory.isServed, &facts) {
      var caseCounts = volumes.caseCounts(on: facts.device)
      guard isExact(location, facts, directory, &caseCounts) else { return .absent }
      if var known = known(facts, at: location, directory, in: tree) {
        known.ignoresCase = caseCounts == false
        if known.kind == .regular, location.name.countsAsAsset {
          known.flags = withName(location.name) { FileAttributes.flags(of: $0, in: directory.number) }
        }
        return .found(known)
      }
      troubled.insert(location.directory)
      return .unknown
    }
    if errno == ENOENT || errno == ENAMETOOLONG {
      // Where case does not count, what an event tells of it may be of another spelling.
      if volumes.caseCounts(on: directory.device) == false { misspelled.insert(location.directory) }
      return .absent
    }
    troubled.insert(location.directory)
    return .unknown
  }

  /// What is at a name in an open directory of the tree, by no memory of the kernel's (race 39).
  ///
  /// - Returns: whether anything is; errno says why not.
  private func look(
    _ name: FileName, _ directory: CInt, isServed: Bool, _ facts: inout linux_facts
  ) -> Bool {
    withName(name) { name in
      (isServed ? linux_look_anew(directory, name, &facts) : linux_look(directory, name, &facts)) == 0
    }
  }

  /// Whether what was found by a name has it to the letter. If not, its directory is to be listed.
  ///
  /// - Parameter caseCounts: whether case counts there; nil where nobody knows: then it is found out.
  private func isExact(
    _ location: Location, _ facts: linux_facts, _ directory: OpenDirectory, _ caseCounts: inout Bool?
  ) -> Bool {
    func isListed(_ name: FileName) -> Bool {
      exactNames.has(name, in: location.directory, directory.number)
    }
    if caseCounts == nil {
      // By how it is now.
      if !exactNames.listings.isEmpty { exactNames.listings.forget(location.directory) }
      let isExact = volumes.findCase(
        location.name, on: facts.device, in: directory.number, isServed: directory.isServed,
        isListed: isListed)
      caseCounts = volumes.caseCounts(on: facts.device)
      if isExact {
        if !exactNames.listings.isEmpty { exactNames.listings.forget(location.directory) }
        return true
      }
    } else if caseCounts == true {
      if !exactNames.listings.isEmpty { exactNames.listings.forget(location.directory) }
      return true
    }
    if isListed(location.name) { return true }
    misspelled.insert(location.directory)
    return false
  }

  /// What was just read of a name in an open directory: it is on that one's volume, unless it is a directory itself, and
  /// something is mounted there, or a subvolume begins.
  ///
  /// - Returns: `nil` when it cannot be told on which volume it is.
  private func known(
    _ facts: linux_facts, at location: Location, _ directory: OpenDirectory, in tree: DirectoryTree
  ) -> FileFacts? {
    guard let parent = tree.volume(of: location.directory) else { return nil }
    guard facts.isDirectory, directory.device != facts.device else {
      var known = FileFacts(facts, on: parent)
      known.isServed = directory.isServed
      return known
    }
    let volume = withName(location.name) { name in
      try? volumes.number(of: facts, in: directory.number, name)
    }
    return volume.map { FileFacts(facts, on: $0) }
  }

  /// A directory of the tree, open with O_PATH until the batch ends.
  func directory(_ id: DirectoryID, in tree: DirectoryTree) -> Opened {
    if let known = descriptors[id] { return .descriptor(known.number) }
    // A root's own path is none.
    guard let node = tree.place(of: id), let path = id.isRoot ? [] : tree.pathBytes(of: id) else {
      return .elsewhere
    }
    guard let root = roots[node.root], !tree.isAway(id) else { return .offline }
    if id.isRoot { return open(root: node.root, root, id) }
    let rootDirectory: CInt
    switch directory(DirectoryID(of: node.root), in: tree) {
    case .descriptor(let descriptor): rootDirectory = descriptor
    case let other: return other
    }
    let result = open(path[...], in: rootDirectory)
    guard result >= 0 else { return failure("openat2") }
    return keep(result, as: id, if: node.identity)
  }

  /// Opens a directory beneath another with O_PATH: in several steps where no path may be that long (PATH_MAX). Who goes
  /// down step by step with chdir(2) makes such directories.
  ///
  /// - Parameter path: ends with 0.
  /// - Returns: the descriptor; -1 with errno set where that cannot be.
  private func open(_ path: ArraySlice<UInt8>, in start: CInt) -> CInt {
    let flags = UInt64(CInt(LINUX_O_PATH) | O_DIRECTORY | O_CLOEXEC)
    func open(_ path: ArraySlice<UInt8>) -> CInt {
      path.withUnsafeBufferPointer { path in
        path.withMemoryRebound(to: CChar.self) {
          linux_openat2(start, $0.baseAddress, flags, 0, BeneathRoot.resolve)
        }
      }
    }
    guard path.count > Int(PATH_MAX) else { return open(path) }
    guard let end = path.prefix(Int(PATH_MAX) - 1).lastIndex(of: UInt8(ascii: "/")) else {
      errno = ENAMETOOLONG
      return -1
    }
    let result = open(path[..<end] + [0])
    guard result >= 0 else { return result }
    let step = OwnedDescriptor(owning: result)
    return self.open(path[(end + 1)...], in: step.number)
  }

  private func open(root: RootID, _ expected: Expected, _ id: DirectoryID) -> Opened {
    let result = Glibc.open(expected.path, CInt(LINUX_O_PATH) | O_DIRECTORY | O_CLOEXEC)
    guard result >= 0 else {
      // Without its path, which apps are not told.
      let error = SystemError("open")
      // That says something about the daemon, and nothing about the root.
      if error.isShortage { return .failed(error) }
      suspects.insert(root)
      return .offline
    }
    let descriptor = OwnedDescriptor(owning: result)
    var facts = linux_facts()
    guard linux_look(descriptor.number, "", &facts) == 0, facts.device == expected.device,
      identity(of: facts, descriptor.number) == expected.identity
    else {
      suspects.insert(root)
      return .offline
    }
    descriptors[id] = opened(descriptor.take(), facts)
    return .descriptor(result)
  }

  private func opened(_ number: CInt, _ facts: linux_facts) -> OpenDirectory {
    // What a process serves may not answer: none of that is open on the loop.
    OpenDirectory(
      number: number, device: facts.device, isServed: closer != nil && volumes.isServed(facts))
  }

  private func keep(_ result: CInt, as id: DirectoryID, if identity: FileIdentity) -> Opened {
    let descriptor = OwnedDescriptor(owning: result)
    var facts = linux_facts()
    guard linux_look(result, "", &facts) == 0 else { return failure("statx") }
    guard self.identity(of: facts, result) == identity else { return .elsewhere }
    if descriptors.count >= BeneathRoot.capacity { endBatchKeepingRoots() }
    descriptors[id] = opened(descriptor.take(), facts)
    return .descriptor(result)
  }

  /// Which directory is open; `nil` when it cannot be told on which volume it is.
  private func identity(of facts: linux_facts, _ directory: CInt) -> FileIdentity? {
    (try? volumes.number(of: facts, in: directory, "")).map { FileFacts(facts, on: $0).identity }
  }

  private func endBatchKeepingRoots() {
    for (id, directory) in descriptors where !id.isRoot {
      _ = OwnedDescriptor(owning: directory.number)
      descriptors[id] = nil
    }
  }

  private func failure(_ call: StaticString) -> Opened {
    let code = errno
    // ENOENT and its like are normal: the directory is on its way elsewhere (race 9). EXDEV and ELOOP:
    // something on the path has become a symbolic link.
    switch code {
    case ENOENT, ENOTDIR, ESTALE, ELOOP, EXDEV, EAGAIN, ENAMETOOLONG: return .elsewhere
    default: return .failed(SystemError(call, code: code))
    }
  }

  // MARK: Files

  /// The number of the device that a directory is on, as statx(2) has it, the major one in the upper half.
  func device(of id: DirectoryID, in tree: DirectoryTree) -> UInt64? {
    if let thread = thread(of: id, in: tree) { return device(of: id, in: tree, on: thread) }
    var facts = linux_facts()
    guard case .descriptor(let directory) = directory(id, in: tree), linux_look(directory, "", &facts) == 0
    else {
      return nil
    }
    return facts.device
  }

  /// Opens a file for reading, if it is the very one that the index knows (S43). If it is not as the index has it, that
  /// is noted (S88).
  func open(_ known: Link, in tree: DirectoryTree) throws(LibraryFileError) -> OwnedDescriptor {
    let location = known.location
    let subject = location.name.description
    // Where none of those is closed that were opened, no more are.
    guard closer?.hasRoom ?? true else { throw LibraryFileError(.offline, subject: subject) }
    let parent = try parent(location.directory, in: tree, subject: subject)
    // Looked at before it is opened: opening a device can do things. O_NONBLOCK for what comes in between.
    var facts = linux_facts()
    let isServed = descriptors[location.directory]?.isServed ?? false
    guard look(location.name, parent, isServed: isServed, &facts) else {
      let cause = SystemError("statx")
      throw LibraryFileError(cause.code == ENOENT ? .gone : .system, subject: subject, cause: cause)
    }
    // What is in a directory of the tree, and is no directory, is on its volume.
    guard let volume = tree.volume(of: location.directory) else {
      throw LibraryFileError(.replaced, subject: subject)
    }
    guard !FileFacts(facts, on: volume).covers(known) else {
      throw LibraryFileError(.offline, subject: subject)
    }
    guard facts.kind == .regular else { throw LibraryFileError(.notRegular, subject: subject) }
    let flags = UInt64(O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    let result = withName(location.name) { linux_openat2(parent, $0, flags, 0, BeneathRoot.resolve) }
    guard result >= 0 else {
      let cause = SystemError("openat2")
      throw LibraryFileError(
        cause.code == ENOENT || cause.code == ELOOP ? .gone : .system, subject: subject, cause: cause)
    }
    let descriptor = OwnedDescriptor(owning: result)
    guard linux_look(result, "", &facts) == 0, facts.kind == .regular else {
      throw LibraryFileError(.notRegular, subject: subject)
    }
    let found = FileFacts(facts, on: volume)
    if !known.agrees(with: found) { outdated.insert(location) }
    guard found.identity == known.identity else { throw LibraryFileError(.replaced, subject: subject) }
    return descriptor
  }

  /// Whether no one is writing a file (S40).
  func completeness(of location: Location, in tree: DirectoryTree) -> Completeness {
    if let thread = thread(of: location.directory, in: tree) {
      return completeness(of: location, in: tree, on: thread)
    }
    guard case .descriptor(let parent) = directory(location.directory, in: tree) else {
      return .unknown(quietFor: 0)
    }
    return withName(location.name) { WriterCheck(of: $0, in: parent).result }
  }
}

extension SystemError {
  /// Whether the kernel had no room for another open file.
  var isShortage: Bool { [EMFILE, ENFILE, ENOMEM].contains(code) }
}

/// Calls `body` with the name as a C string.
func withName<Result>(_ name: FileName, _ body: (UnsafePointer<CChar>) -> Result) -> Result {
  withUnsafeTemporaryAllocation(of: CChar.self, capacity: name.bytes.count + 1) { buffer in
    name.bytes.withUnsafeBytes { UnsafeMutableRawBufferPointer(buffer).copyMemory(from: $0) }
    buffer[name.bytes.count] = 0
    guard let base = buffer.baseAddress else { preconditionFailure("an allocation has an address") }
    return body(base)
  }
}

extension linux_facts {
  /// What it is about.
  var kind: FileFacts.Kind {
    switch mode & 0o170000 {  // S_IFMT
    case 0o100000: .regular  // S_IFREG
    case 0o040000: .directory  // S_IFDIR
    default: .other
    }
  }

  var isDirectory: Bool { kind == .directory }
}

extension FileFacts {
  /// What statx(2) said of something on a volume.
  init(_ facts: linux_facts, on volume: VolumeNumber) {
    self.init(
      kind: facts.kind,
      identity: FileIdentity(volume: volume, inode: facts.inode, birthTime: facts.birth),
      byteCount: facts.size, modified: facts.modified, linkCount: facts.links)
    isMount = facts.mount_root != 0
    changed = facts.changed
  }
}
