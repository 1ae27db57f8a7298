internal import Glibc
internal import LibraryModel
internal import Linux

/// A directory on its way to another name.
struct DirectoryMove: Sendable {
  let identity: FileIdentity
  let origin: Location
  let target: Location

  /// Renames it to a name that is free, if it is the very one (S43).
  ///
  /// - Returns: `false` where the name is taken.
  /// - Throws: ``LibraryFileError``: `gone` (it is not there), `replaced` (another is), `offline`, `noSpace`,
  ///   `otherFileSystem`, `readOnly`, `system`. Then it is where it was.
  func carryOut(_ disk: BeneathRoot, _ tree: DirectoryTree) throws(LibraryFileError) -> Bool {
    let subject = origin.name.description
    let from = try disk.parent(origin.directory, in: tree, subject: subject)
    let to = try disk.parent(target.directory, in: tree, subject: subject)
    guard case .found(let facts) = disk.look(at: origin, in: tree) else {
      throw LibraryFileError(.gone, subject: subject)
    }
    guard facts.identity == identity else { throw LibraryFileError(.replaced, subject: subject) }
    guard try Self.rename(origin.name, in: from, to: target.name, in: to, subject) else { return false }
    disk.noteMove(from: origin, to: target, facts)
    return true
  }

  /// What follows that: between the look and the step another may have come there, which is renamed back.
  var after: AfterStep<Bool> {
    let subject = origin.name.description
    return AfterStep {
      $0 ? [origin, target] : []
    } check: { (isFree, look) throws(LibraryFileError) in
      guard isFree, case .found(let facts) = look(target), facts.identity != identity else { return }
      throw LibraryFileError(.replaced, subject: subject)
    } undo: { (isFree, disk, tree) throws(LibraryFileError) in
      guard isFree else { return }
      let from = try disk.parent(origin.directory, in: tree, subject: subject, isWaitedFor: false)
      let to = try disk.parent(target.directory, in: tree, subject: subject, isWaitedFor: false)
      _ = try Self.rename(target.name, in: to, to: origin.name, in: from, subject)
    }
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
