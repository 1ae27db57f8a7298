internal import CLinux
internal import Glibc
internal import LibraryModel
internal import Linux

extension BeneathRoot {
  /// Renames a directory to a name that is free, if it is the very one (S43).
  ///
  /// - Returns: `false` where the name is taken.
  /// - Throws: ``LibraryFileError``: `gone` (it is not there), `replaced` (another is), `offline`, `noSpace`,
  ///   `otherFileSystem`, `readOnly`, `system`. Then it is where it was.
  func moveDirectory(
    _ identity: FileIdentity, from origin: Location, to target: Location, in tree: DirectoryTree
  ) throws(LibraryFileError) -> Bool {
    let subject = origin.name.description
    let from = try parent(origin.directory, in: tree, subject: subject)
    let to = try parent(target.directory, in: tree, subject: subject)
    guard case .found(let facts) = look(at: origin, in: tree) else {
      throw LibraryFileError(.gone, subject: subject)
    }
    guard facts.identity == identity else { throw LibraryFileError(.replaced, subject: subject) }
    guard try Self.rename(origin.name, in: from, to: target.name, in: to, subject) else { return false }
    // Between the look and the step another may have come there.
    let isOther: Bool
    if case .found(let facts) = look(at: target, in: tree) {
      isOther = facts.identity != identity
    } else {
      isOther = false
    }
    let isLost = attention?.isLost ?? false
    guard isOther || isLost else { return true }
    _ = try Self.rename(target.name, in: to, to: origin.name, in: from, subject)
    throw LibraryFileError(isOther ? .replaced : .offline, subject: subject)
  }

  /// - Returns: `false` where the name is taken.
  private static func rename(
    _ name: FileName, in from: CInt, to free: FileName, in to: CInt, _ subject: String
  ) throws(LibraryFileError) -> Bool {
    let result = withName(name) { name in
      withName(free) { free in renameDirectoryToFree(from, name, to, free) }
    }
    if result == 0 { return true }
    if errno == EEXIST || errno == ENOTEMPTY { return false }
    throw LibraryFileError("renameat2", subject)
  }
}

/// Renames a directory to a name that is free (RENAME_NOREPLACE, rename(2)), or to another spelling of its own, where case
/// does not count. Where the file system knows no such thing, over an empty directory that takes the name: of what is
/// saved into that one just then nothing is lost, since only an empty one is replaced.
///
/// - Returns: 0, or -1 with errno: EEXIST or ENOTEMPTY when the name is taken.
func renameDirectoryToFree(
  _ directory: CInt, _ name: UnsafePointer<CChar>, _ target: CInt, _ free: UnsafePointer<CChar>
) -> CInt {
  if linux_rename(directory, name, target, free, 1) == 0 { return 0 }
  if errno == EEXIST {
    var (own, other) = (linux_facts(), linux_facts())
    let isItself =
      linux_look(directory, name, &own) == 0 && linux_look(target, free, &other) == 0
      && own.inode == other.inode && own.device == other.device
    if isItself { return linux_rename(directory, name, target, free, 0) }
    errno = EEXIST
    return -1
  }
  guard errno == EINVAL || errno == ENOSYS else { return -1 }
  return renameOverEmptyDirectory(directory, name, target, free)
}

/// The last of these ways, by itself.
func renameOverEmptyDirectory(
  _ directory: CInt, _ name: UnsafePointer<CChar>, _ target: CInt, _ free: UnsafePointer<CChar>
) -> CInt {
  guard mkdirat(target, free, 0o700) == 0 else { return -1 }
  if linux_rename(directory, name, target, free, 0) == 0 { return 0 }
  let code = errno
  // What is no longer empty stays: it is somebody's.
  unlinkat(target, free, AT_REMOVEDIR)
  errno = code
  return -1
}
