internal import CLinux
internal import EventLoop
internal import Glibc
internal import LibraryModel
internal import Linux

/// What is at the path of a root, and whether it may be taken for the root.
@EventLoopActor
struct FoundRoot {
  private(set) var identity = FileIdentity.none
  private(set) var device: UInt64 = 0
  private var fileSystem: UInt64 = 0
  private var place: FileName?
  /// Why it is not the root; `nil` when it is.
  private(set) var offline: RootAbsence?

  /// - Parameter isEmpty: whether the index has nothing in the root that could be lost.
  init(_ root: WatchedRoot, isEmpty: Bool) throws(SystemError) {
    let path = root.settings.path
    let directory = try OwnedDescriptor(
      Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), call: "open", subject: path)
    var facts = linux_facts()
    guard linux_look(directory.number, "", &facts) == 0 else { throw SystemError("statx", subject: path) }
    var system = statfs()
    guard fstatfs(directory.number, &system) == 0 else { throw SystemError("fstatfs", subject: path) }
    identity = FileFacts(facts).identity
    device = facts.device
    fileSystem =
      UInt64(UInt32(bitPattern: system.f_fsid.__val.0)) << 32
      | UInt64(UInt32(bitPattern: system.f_fsid.__val.1))
    let isSame = identity == root.stored.identity
    place = try MountTable.place(of: directory.number) ?? (isSame ? root.stored.place : nil)
    if root.settings.requiresMountPoint, facts.mount_root == 0 {
      offline = .notMounted
    } else if !isEmpty, !mayReplace(root.stored) {
      offline = .otherFileSystem
    }
  }

  /// Whether what is there may be taken for a root whatever it holds: the very directory, wherever it was
  /// mounted meanwhile, or one that was put in its place on the same file system (race 11). Anything else has
  /// come by a mount that came or went, and taking that for the library would delete every asset (race 10).
  private func mayReplace(_ stored: StoredRoot) -> Bool {
    // Some file systems have another number with every device or mount, some no birth times.
    if stored.identity == identity, stored.identity.birthTime != 0 { return true }
    guard stored.fileSystem == fileSystem else { return false }
    guard stored.identity != identity, let former = stored.place, let place else { return true }
    return former == place
  }

  /// A root as it is remembered, with what was found there.
  func remembered(as stored: StoredRoot) -> StoredRoot {
    StoredRoot(id: stored.id, path: stored.path, identity: identity, fileSystem: fileSystem, place: place)
  }
}
