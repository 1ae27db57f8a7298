internal import CLinux
internal import Glibc
internal import LibraryModel
internal import Linux

/// What is at the path of a root, and whether it may be taken for the root.
struct FoundRoot: Sendable {
  private(set) var identity = FileIdentity.none
  private(set) var device: UInt64 = 0
  private let volumes: Volumes
  private var place: FileName?
  /// Why it is not the root; `nil` when it is.
  private(set) var offline: RootAbsence?

  /// - Parameter isEmpty: whether the index has nothing in the root that could be lost.
  init(_ root: WatchedRoot, _ volumes: Volumes, isEmpty: Bool) throws(SystemError) {
    self.volumes = volumes
    let path = root.settings.path
    let directory = try OwnedDescriptor(
      Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), call: "open", subject: path)
    var facts = linux_facts()
    guard linux_look(directory.number, "", &facts) == 0 else { throw SystemError("statx", subject: path) }
    identity = FileFacts(facts, on: try volumes.number(of: facts, in: directory.number, "")).identity
    device = facts.device
    let isSame = identity == root.stored.identity
    place = try MountTable.place(of: directory.number) ?? (isSame ? root.stored.place : nil)
    if root.settings.requiresMountPoint, facts.mount_root == 0 {
      offline = .notMounted
    } else if !isEmpty, try !mayReplace(root.stored, directory.number) {
      offline = .otherFileSystem
    }
  }

  /// Whether what is there may be taken for a root whatever it holds: the very directory, wherever it was
  /// mounted meanwhile, or one that was put in its place on the same file system (race 11). Anything else has
  /// come by a mount that came or went, and taking that for the library would delete every asset (race 10).
  ///
  /// A subvolume of the same file system may be what it is put back from.
  private func mayReplace(_ stored: StoredRoot, _ directory: CInt) throws(SystemError) -> Bool {
    if stored.identity == identity { return true }
    if stored.identity.volume == .unknown {
      if stored.isSame(as: identity), identity.birthTime != 0 { return true }
      guard try stored.formerFileSystem == Self.formerNumber(directory) else { return false }
      if stored.isSame(as: identity) { return true }
    } else if !volumes.areOfOneFileSystem(stored.identity.volume, identity.volume) {
      return false
    }
    guard let former = stored.place, let place else { return true }
    return former == place
  }

  /// What a file system was known by before volumes had numbers.
  private static func formerNumber(_ directory: CInt) throws(SystemError) -> UInt64 {
    var system = linux_file_system()
    guard linux_look_at_file_system(directory, &system) == 0 else { throw SystemError("fstatfs") }
    return UInt64(system.number.0) << 32 | UInt64(system.number.1)
  }

  /// A root as it is remembered, with what was found there.
  func remembered(as stored: StoredRoot) -> StoredRoot {
    StoredRoot(id: stored.id, path: stored.path, identity: identity, place: place)
  }
}

extension StoredRoot {
  /// Whether it is a directory, as far as was known before volumes had numbers.
  func isSame(as other: FileIdentity) -> Bool {
    identity.inode == other.inode && identity.birthTime == other.birthTime
  }
}
