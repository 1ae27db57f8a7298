internal import CLinux
internal import Glibc
internal import LibraryModel
internal import Linux

/// Where files rest that are put away: a directory in each root, and in each file system mounted beneath one. Hidden, so
/// that it is neither watched nor counted (S40).
///
/// Removing a name takes two steps: rename(2) is atomic and unlink(2) cannot be told which file is meant. So what has the
/// name is put away first, looked at, and put back if it is another file than was meant (S43).
struct HiddenDirectory: ~Copyable {
  static let name = ".albumd-deleted"

  /// Open as a place (O_PATH).
  let descriptor: OwnedDescriptor
  let disk: BeneathRoot
  let tree: DirectoryTree

  /// The directory that holds it for what is in `directory`: the nearest at the top of its mount or subvolume, which no
  /// rename(2) leaves.
  static func place(for directory: DirectoryID, in tree: DirectoryTree) -> DirectoryID {
    var next = directory
    while let node = tree[next], !node.isMount, let parent = node.parent.flatMap({ tree[$0] }),
      parent.identity.volume == node.identity.volume
    {
      next = parent.id
    }
    return next
  }

  /// Opens that of a place.
  ///
  /// - Parameter makes: whether it is made when it is not there; only the daemon may enter it.
  init(in place: DirectoryID, makes: Bool = true, _ disk: BeneathRoot, _ tree: DirectoryTree)
    throws(LibraryFileError)
  {
    let parent = try disk.parent(place, in: tree, subject: Self.name)
    let flags = UInt64(CInt(LINUX_O_PATH) | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    func open() -> CInt { linux_openat2(parent, Self.name, flags, 0, BeneathRoot.resolve) }
    var result = open()
    if result < 0, errno == ENOENT, makes {
      guard mkdirat(parent, Self.name, 0o700) == 0 || errno == EEXIST else {
        throw LibraryFileError("mkdirat", Self.name)
      }
      result = open()
    }
    guard result >= 0 else { throw LibraryFileError("openat2", Self.name) }
    descriptor = OwnedDescriptor(owning: result)
    self.disk = disk
    self.tree = tree
  }

  /// Its descriptor's number, for a call made while it lives.
  var number: CInt { descriptor.number }

  /// Gives the descriptor away.
  consuming func release() -> OwnedDescriptor { descriptor }

  /// Puts a file away, if it is the very one.
  ///
  /// - Throws: ``LibraryFileError``: `gone` (nothing has the name), `replaced` (something else has, or its directory is
  ///   not where the tree has it), `offline`, `readOnly`, or `system`.
  func putAway(_ location: Location, _ identity: FileIdentity, as key: String) throws(LibraryFileError) {
    let subject = location.name.description
    let parent = try disk.parent(location.directory, in: tree, subject: subject, elsewhere: .replaced)
    let number = number
    // The key is random: nothing can have that name.
    guard withName(location.name, { linux_rename(parent, $0, number, key, 0) }) == 0 else {
      throw LibraryFileError("renameat2", subject)
    }
    guard facts(of: key, on: identity.volume)?.identity == identity,
      tree[location.directory]?.identity.volume == identity.volume
    else {
      try putBack(key, to: location)
      throw LibraryFileError(.replaced, subject: subject)
    }
  }

  /// Gives what was put away a name again.
  ///
  /// - Throws: ``LibraryFileError``; `system` with EEXIST when the name is taken.
  func putBack(_ key: String, to location: Location) throws(LibraryFileError) {
    let subject = location.name.description
    let parent = try disk.parent(location.directory, in: tree, subject: subject)
    let number = number
    guard withName(location.name, { renameToFree(number, key, parent, $0) }) == 0 else {
      throw LibraryFileError("renameat2", subject)
    }
  }

  /// The same, where a crash may have ended it between two steps (``renameToFree(_:_:_:_:)``): the file has both names then, or
  /// an empty one took its name for it. What is not empty is somebody's.
  ///
  /// - Throws: as ``putBack(_:to:)``.
  func finishPuttingBack(_ key: String, to location: Location) throws(LibraryFileError) {
    do throws(LibraryFileError) { return try putBack(key, to: location) } catch {
      guard error.cause?.code == EEXIST else { throw error }
      let subject = location.name.description
      let parent = try disk.parent(location.directory, in: tree, subject: subject)
      var (put, found) = (linux_facts(), linux_facts())
      guard linux_look(number, key, &put) == 0,
        withName(location.name, { linux_look(parent, $0, &found) }) == 0
      else { throw error }
      let isLinked = put.links > 1 && put.inode == found.inode && put.device == found.device
      let isReserved = found.mode & S_IFMT == S_IFREG && found.size == 0
      let number = number
      if isLinked, unlinkat(number, key, 0) == 0 { return }
      if !isLinked, isReserved, withName(location.name, { linux_rename(number, key, parent, $0, 0) }) == 0 {
        return
      }
      throw error
    }
  }

  /// What is put away by a name, on a volume.
  func facts(of key: String, on volume: VolumeNumber) -> FileFacts? {
    var facts = linux_facts()
    return linux_look(number, key, &facts) == 0 ? FileFacts(facts, on: volume) : nil
  }

  /// Whether anything is put away by a name.
  func holds(_ key: String) -> Bool {
    var facts = linux_facts()
    return linux_look(number, key, &facts) == 0
  }
}
