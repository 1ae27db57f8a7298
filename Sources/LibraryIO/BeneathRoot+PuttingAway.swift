internal import CLinux
internal import Glibc
internal import LibraryModel
internal import Linux

// Removing a name takes two steps: rename(2) is atomic and unlink(2) cannot be told which file is meant. So
// what has the name is put away first, looked at, and put back if it is another file than was meant (S43).
extension BeneathRoot {
  /// Where things are put away: a directory in each root, and in each file system mounted beneath one. Hidden,
  /// so that it is neither watched nor counted (S40).
  static let hiddenDirectory = ".albumd-deleted"

  /// The directory that holds ``hiddenDirectory`` for what is in `directory`: the nearest at the top of its mount or
  /// subvolume, which no rename(2) leaves.
  static func place(for directory: DirectoryID, in tree: DirectoryTree) -> DirectoryID {
    var next = directory
    while let node = tree[next], !node.isMount, let parent = node.parent.flatMap({ tree[$0] }),
      parent.identity.volume == node.identity.volume
    {
      next = parent.id
    }
    return next
  }

  /// Opens the hidden directory in a place (O_PATH).
  ///
  /// - Parameter makes: whether it is made when it is not there; only the daemon may enter it.
  func openHidden(in place: DirectoryID, makes: Bool, _ tree: DirectoryTree) throws(LibraryFileError)
    -> OwnedDescriptor
  {
    let parent = try parent(place, in: tree, subject: Self.hiddenDirectory)
    let flags = UInt64(CInt(LINUX_O_PATH) | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    func open() -> CInt { linux_openat2(parent, Self.hiddenDirectory, flags, 0, BeneathRoot.resolve) }
    var result = open()
    if result < 0, errno == ENOENT, makes {
      guard mkdirat(parent, Self.hiddenDirectory, 0o700) == 0 || errno == EEXIST else {
        throw LibraryFileError("mkdirat", Self.hiddenDirectory)
      }
      result = open()
    }
    guard result >= 0 else { throw LibraryFileError("openat2", Self.hiddenDirectory) }
    return OwnedDescriptor(owning: result)
  }

  /// Puts a file away, if it is the very one.
  ///
  /// - Throws: ``LibraryFileError``: `gone` (nothing has the name), `replaced` (something else has, or its directory is
  ///   not where the tree has it), `offline`, `readOnly`, or `system`.
  func putAway(
    _ location: Location, _ identity: FileIdentity, to hidden: borrowing OwnedDescriptor, as key: String,
    in tree: DirectoryTree
  ) throws(LibraryFileError) {
    let subject = location.name.description
    let parent = try parent(location.directory, in: tree, subject: subject, elsewhere: .replaced)
    let number = hidden.number
    // The key is random: nothing can have that name.
    guard withName(location.name, { linux_rename(parent, $0, number, key, 0) }) == 0 else {
      throw LibraryFileError("renameat2", subject)
    }
    guard facts(of: key, in: number, on: identity.volume)?.identity == identity,
      tree[location.directory]?.identity.volume == identity.volume
    else {
      try putBack(key, from: hidden, to: location, in: tree)
      throw LibraryFileError(.replaced, subject: subject)
    }
  }

  /// Gives what was put away a name again.
  ///
  /// - Throws: ``LibraryFileError``; `system` with EEXIST when the name is taken.
  func putBack(
    _ key: String, from hidden: borrowing OwnedDescriptor, to location: Location, in tree: DirectoryTree
  ) throws(LibraryFileError) {
    let subject = location.name.description
    let parent = try parent(location.directory, in: tree, subject: subject)
    let number = hidden.number
    guard withName(location.name, { renameToFree(number, key, parent, $0) }) == 0 else {
      throw LibraryFileError("renameat2", subject)
    }
  }

  /// What is at a name in an open directory on a volume.
  func facts(of name: String, in directory: CInt, on volume: VolumeNumber) -> FileFacts? {
    var facts = linux_facts()
    return linux_look(directory, name, &facts) == 0 ? FileFacts(facts, on: volume) : nil
  }

  /// Whether anything is at a name in an open directory.
  func isThere(_ name: String, in directory: CInt) -> Bool {
    var facts = linux_facts()
    return linux_look(directory, name, &facts) == 0
  }

  /// A directory of the tree, open until the batch ends.
  ///
  /// - Parameter elsewhere: what it is called that it is not where the tree has it.
  func parent(
    _ id: DirectoryID, in tree: DirectoryTree, subject: String, elsewhere: LibraryFileError.Code = .gone
  ) throws(LibraryFileError) -> CInt {
    // What nobody waits for any more is not begun.
    if attention?.isLost ?? false { throw LibraryFileError(.offline, subject: subject) }
    // What may not answer has just answered when it is written to.
    if thread(of: id, in: tree) != nil, isThere(id, in: tree) == nil {
      throw LibraryFileError(.offline, subject: subject)
    }
    return switch directory(id, in: tree) {
    case .descriptor(let descriptor): descriptor
    case .elsewhere: throw LibraryFileError(elsewhere, subject: subject)
    case .offline: throw LibraryFileError(.offline, subject: subject)
    case .failed(let error): throw LibraryFileError(.system, subject: subject, cause: error)
    }
  }
}

/// Renames a file to a name that is free (RENAME_NOREPLACE, rename(2)); by a second link, where the file system knows no
/// such thing (NFS, some of FUSE): its first name is then removed, whatever has it, so it must be one that nobody guesses.
/// Where there are no links either (FAT and exFAT by FUSE), over an empty file that takes the name: who makes a file of
/// that name finds it taken, and only what is saved over an existing name just then is lost
/// (docs/decisions/0066-without-noreplace.md).
///
/// - Returns: 0, or -1 with errno: EEXIST when the name is taken.
func renameToFree(
  _ directory: CInt, _ name: UnsafePointer<CChar>, _ target: CInt, _ free: UnsafePointer<CChar>
) -> CInt {
  if linux_rename(directory, name, target, free, 1) == 0 { return 0 }
  guard errno == EINVAL || errno == ENOSYS || errno == EPERM else { return -1 }
  if linkat(directory, name, target, free, 0) == 0 { return unlinkat(directory, name, 0) }
  guard errno == EPERM || errno == ENOSYS || errno == EOPNOTSUPP else { return -1 }
  return renameOverReserved(directory, name, target, free)
}

/// The last of these ways, by itself.
func renameOverReserved(
  _ directory: CInt, _ name: UnsafePointer<CChar>, _ target: CInt, _ free: UnsafePointer<CChar>
) -> CInt {
  let flags = UInt64(O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC)
  let reserved = linux_openat2(target, free, flags, 0o600, 0)
  guard reserved >= 0 else { return -1 }
  // Closed at once: FUSE keeps what is renamed over, and open, under a name of its own.
  _ = OwnedDescriptor(owning: reserved)
  if linux_rename(directory, name, target, free, 0) == 0 { return 0 }
  let code = errno
  var facts = linux_facts()
  // Whatever is not empty is somebody's.
  if linux_look(target, free, &facts) == 0, facts.kind == .regular, facts.size == 0 {
    unlinkat(target, free, 0)
  }
  errno = code
  return -1
}
