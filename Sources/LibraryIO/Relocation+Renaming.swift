internal import CLinux
internal import Glibc
internal import LibraryModel
internal import Linux

extension Relocation {
  /// Renames all files, or none.
  ///
  /// - Returns: `false` where a name is taken; then every file has the name that it had.
  func carryOut(_ disk: BeneathRoot, _ tree: DirectoryTree) throws(LibraryFileError) -> Bool {
    var done: [Step] = []
    for step in steps {
      let isFree: Bool
      do throws(LibraryFileError) { isFree = try rename(step, back: false, disk, tree) } catch {
        takeBack(done, disk, tree)
        throw error
      }
      guard isFree else {
        takeBack(done, disk, tree)
        return false
      }
      done.append(step)
    }
    return true
  }

  private func takeBack(_ done: [Step], _ disk: BeneathRoot, _ tree: DirectoryTree) {
    for step in done.reversed() { _ = try? move(step, back: true, disk, tree) }
  }

  /// What follows that: between the look and the step others may have come there, which are renamed back.
  var after: AfterStep<Bool> {
    let subject = record.asset.filename.description
    return AfterStep {
      $0 ? steps.flatMap { [$0.target, $0.origin] } : []
    } check: { (isFree, look) throws(LibraryFileError) in
      guard isFree, steps.contains(where: { $0.isAnother(look($0.target)) }) else { return }
      throw LibraryFileError(.replaced, subject: subject)
    } undo: { (isFree, disk, tree) throws(LibraryFileError) in
      // What nobody waits for any more was written down, and is ended.
      guard isFree, !(disk.attention?.isLost ?? false) else { return }
      for step in steps.reversed() {
        if step.isAnother(disk.look(at: step.target, in: tree)) {
          try Self.renameBack(from: step.target, to: step.origin, disk, tree)
        } else {
          takeBack([step], disk, tree)
        }
      }
    }
  }

  /// Renames the rest of them, or those back that were.
  ///
  /// - Returns: whether a file is left without a name of its own.
  /// - Throws: ``LibraryFileError``, `offline`: nothing can be told.
  func finish(_ disk: BeneathRoot, _ tree: DirectoryTree) throws(LibraryFileError) -> Bool {
    var isWhole = true
    for step in steps {
      do throws(LibraryFileError) {
        if !isAt(step.target, step.identity, disk, tree) {
          isWhole = try unhide(step, disk, tree) && isWhole
        }
      } catch {
        if error.code == .offline { throw error }
        isWhole = false
      }
    }
    if !isWhole {
      for step in steps where isAt(step.target, step.identity, disk, tree) {
        _ = try? move(step, back: true, disk, tree)
      }
    }
    do throws(LibraryFileError) {
      let hidden = try HiddenDirectory(in: record.place, makes: false, disk, tree)
      for step in steps where hidden.holds(step.key) { return true }
      return false
    } catch {
      if error.code == .gone { return false }
      throw error
    }
  }

  /// Gives a file its new name that has its former one, or a hidden one; where the new one is taken, the former.
  ///
  /// - Returns: whether it has its new name.
  private func unhide(
    _ step: Step, _ disk: BeneathRoot, _ tree: DirectoryTree
  ) throws(LibraryFileError) -> Bool {
    let hidden = try HiddenDirectory(in: record.place, disk, tree)
    guard hidden.holds(step.key) else {
      return try move(step, back: false, disk, tree)
    }
    do throws(LibraryFileError) {
      try hidden.finishPuttingBack(step.key, to: step.target)
      return true
    } catch {
      if error.code == .offline { throw error }
      try hidden.finishPuttingBack(step.key, to: step.origin)
      return false
    }
  }

  private func isAt(
    _ location: Location, _ identity: FileIdentity, _ disk: BeneathRoot, _ tree: DirectoryTree
  ) -> Bool {
    guard case .found(let facts) = disk.look(at: location, in: tree) else { return false }
    return facts.identity == identity
  }

  /// The same as ``rename(_:back:_:_:)``; what is another file than was meant, is renamed back.
  private func move(
    _ step: Step, back: Bool, _ disk: BeneathRoot, _ tree: DirectoryTree
  ) throws(LibraryFileError) -> Bool {
    guard try rename(step, back: back, disk, tree) else { return false }
    let (origin, target) = back ? (step.target, step.origin) : (step.origin, step.target)
    // Between the look and the step another may have come there.
    guard step.isAnother(disk.look(at: target, in: tree)) else { return true }
    try Self.renameBack(from: target, to: origin, disk, tree)
    throw LibraryFileError(.replaced, subject: origin.name.description)
  }

  /// - Returns: `false` where the name is taken.
  private func rename(
    _ step: Step, back: Bool, _ disk: BeneathRoot, _ tree: DirectoryTree
  ) throws(LibraryFileError) -> Bool {
    let (origin, target) = back ? (step.target, step.origin) : (step.origin, step.target)
    let subject = origin.name.description
    let from = try disk.parent(origin.directory, in: tree, subject: subject)
    let to = try disk.parent(target.directory, in: tree, subject: subject)
    guard case .found(let facts) = disk.look(at: origin, in: tree), facts.identity == step.identity else {
      throw LibraryFileError(.gone, subject: subject)
    }
    switch Self.renameFile(origin.name, in: from, to: target.name, in: to) {
    case 0: break
    case EEXIST: return false
    case EINVAL, ENOSYS, EPERM:
      guard try moveHidden(step, origin, to: target, disk, tree) else { return false }
    case let code:
      errno = code
      throw LibraryFileError("renameat2", subject)
    }
    disk.noteMove(from: origin, to: target, facts)
    return true
  }

  /// Gives what was renamed its former name, whatever it is.
  private static func renameBack(
    from target: Location, to origin: Location, _ disk: BeneathRoot, _ tree: DirectoryTree
  ) throws(LibraryFileError) {
    let subject = target.name.description
    let to = try disk.parent(target.directory, in: tree, subject: subject)
    let from = try disk.parent(origin.directory, in: tree, subject: subject)
    _ = renameFile(target.name, in: to, to: origin.name, in: from)
  }

  /// By a hidden name, where the file system knows no rename that does not replace.
  private func moveHidden(
    _ step: Step, _ origin: Location, to target: Location, _ disk: BeneathRoot, _ tree: DirectoryTree
  ) throws(LibraryFileError) -> Bool {
    let hidden = try HiddenDirectory(in: record.place, disk, tree)
    try hidden.putAway(origin, step.identity, as: step.key)
    do throws(LibraryFileError) { try hidden.putBack(step.key, to: target) } catch {
      try hidden.putBack(step.key, to: origin)
      guard error.cause?.code == EEXIST else { throw error }
      return false
    }
    return true
  }

  /// - Returns: 0, or errno.
  private static func renameFile(
    _ name: FileName, in from: CInt, to free: FileName, in to: CInt
  ) -> CInt {
    withName(name) { name in
      withName(free) { free in
        if linux_rename(from, name, to, free, 1) == 0 { return 0 }
        let code = errno
        guard code == EEXIST else { return code }
        // Another spelling of its own name, where case does not count. Of a file with several names it may be one of
        // those, over which rename(2) would do nothing.
        var (own, other) = (linux_facts(), linux_facts())
        let isItself =
          linux_look(from, name, &own) == 0 && linux_look(to, free, &other) == 0
          && own.inode == other.inode && own.device == other.device && own.links == 1
        return isItself && linux_rename(from, name, to, free, 0) == 0 ? 0 : EEXIST
      }
    }
  }
}
