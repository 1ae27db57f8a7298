internal import CLinux
internal import Glibc

/// Renames a file to a name that is free (RENAME_NOREPLACE, rename(2)); by a second link, where the file system knows no
/// such thing (NFS, some of FUSE): its first name is then removed, whatever has it, so it must be one that nobody guesses.
/// Where there are no links either (FAT and exFAT by FUSE), over an empty file that takes the name: who makes a file of
/// that name finds it taken, and only what is saved over an existing name just then is lost
/// (docs/decisions/0066-without-noreplace.md).
///
/// - Returns: 0, or -1 with errno: EEXIST when the name is taken.
package func renameToFree(
  _ directory: CInt, _ name: UnsafePointer<CChar>, _ target: CInt, _ free: UnsafePointer<CChar>
) -> CInt {
  if linux_rename(directory, name, target, free, 1) == 0 { return 0 }
  guard errno == EINVAL || errno == ENOSYS || errno == EPERM else { return -1 }
  if linkat(directory, name, target, free, 0) == 0 { return unlinkat(directory, name, 0) }
  guard errno == EPERM || errno == ENOSYS || errno == EOPNOTSUPP else { return -1 }
  return renameOverReserved(directory, name, target, free)
}

/// The last of these ways, by itself.
package func renameOverReserved(
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
  if linux_look(target, free, &facts) == 0, facts.mode & S_IFMT == S_IFREG, facts.size == 0 {
    unlinkat(target, free, 0)
  }
  errno = code
  return -1
}
