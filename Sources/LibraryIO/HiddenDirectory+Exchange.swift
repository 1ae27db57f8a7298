internal import CLinux
internal import Glibc
internal import LibraryModel
internal import Linux

// Files change places in one step (RENAME_EXCHANGE, rename(2)); where a file system knows no such thing (exFAT and NTFS by FUSE,
// sshfs, NFS, SMB), in three, of which a crash leaves what says how far it had come
// (docs/decisions/0132-exchange-in-steps.md).
extension HiddenDirectory {
  /// Lets a file that is put away and one in the library change places.
  ///
  /// - Throws: ``LibraryFileError``: `gone` (one of them), `replaced` (somebody has saved under the name meanwhile), undecided
  ///   where only ``settle(_:with:)`` can end it.
  func exchange(_ key: String, with location: Location) throws(LibraryFileError) {
    let subject = location.name.description
    let parent = try disk.parent(location.directory, in: tree, subject: subject)
    let number = number
    guard withName(location.name, { linux_rename(number, key, parent, $0, 2) }) != 0 else { return }
    guard errno == EINVAL || errno == ENOSYS || errno == EOPNOTSUPP else {
      throw LibraryFileError("renameat2", subject)
    }
    try exchangeInSteps(key, with: location)
  }

  /// The same in three steps: what is in the library waits under a name of its own while the other takes its place.
  func exchangeInSteps(_ key: String, with location: Location) throws(LibraryFileError) {
    let subject = location.name.description
    let parent = try disk.parent(location.directory, in: tree, subject: subject)
    let (number, waiting) = (number, Self.waiting(key))
    guard holds(key) else { throw LibraryFileError(.gone, subject: subject) }
    guard withName(location.name, { linux_rename(parent, $0, number, waiting, 0) }) == 0 else {
      throw LibraryFileError("renameat2", subject)
    }
    guard withName(location.name, { renameToFree(number, key, parent, $0) }) == 0 else {
      let isTaken = errno == EEXIST
      let failure = LibraryFileError("renameat2", subject)
      do throws(LibraryFileError) { try settle(key, with: location) } catch { throw .undecided(subject) }
      throw isTaken ? LibraryFileError(.replaced, subject: subject) : failure
    }
    // Whoever looks at what is half done ends it.
    guard linux_rename(number, waiting, number, key, 0) == 0 else { throw .undecided(subject) }
  }

  /// The name that a file has for a moment on its way to another.
  private static func waiting(_ key: String) -> String { key + ".former" }

  /// Ends an exchange that was left between two steps: done if the other file has the name in the library, else undone.
  ///
  /// - Throws: ``LibraryFileError``: nothing is lost then, and it can be tried again.
  func settle(_ key: String, with location: Location) throws(LibraryFileError) {
    let (number, waiting) = (number, Self.waiting(key))
    guard holds(waiting) else { return }
    let subject = location.name.description
    let parent = try disk.parent(location.directory, in: tree, subject: subject)
    var (put, found) = (linux_facts(), linux_facts())
    let isPut = linux_look(number, key, &put) != 0
    if isPut && errno != ENOENT { throw LibraryFileError("statx", subject) }
    let isFound = withName(location.name) { linux_look(parent, $0, &found) } == 0
    // It has both names where it was linked, and the first is still to be removed.
    let isLinked = !isPut && isFound && put.inode == found.inode && put.device == found.device
    if isPut || isLinked {
      if linux_rename(number, waiting, number, key, 0) == 0 { return }
      throw LibraryFileError("renameat2", subject)
    }
    // What is empty took the name for the other (renameToFree(_:_:_:_:)); what is not is somebody's.
    if isFound, found.mode & S_IFMT == S_IFREG, found.size == 0,
      withName(location.name, { linux_rename(number, waiting, parent, $0, 0) }) == 0
    {
      return
    }
    _ = try NumberedNames(present: location.name).claim("renameat2", subject) { name, _ in
      renameToFree(number, waiting, parent, name)
    }
  }

  /// Ends all of what was written down that were left so.
  func settle(_ record: DeletedAsset) throws(LibraryFileError) {
    for (name, link) in zip(record.fileNames, record.asset.links) { try settle(name, with: link) }
  }
}
