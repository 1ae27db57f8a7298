internal import CLinux
internal import Glibc
internal import Linux

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
