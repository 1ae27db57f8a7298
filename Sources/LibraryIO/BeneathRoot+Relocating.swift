internal import CLinux
internal import Glibc
internal import LibraryModel
internal import Linux

extension BeneathRoot {
  /// Renames all files, or none.
  ///
  /// - Returns: `false` where a name is taken; then every file has the name that it had.
  func relocate(_ relocation: Relocation, in tree: DirectoryTree) throws(LibraryFileError) -> Bool {
    var done: [Relocation.Step] = []
    func takeBack() {
      for step in done.reversed() { _ = try? move(step, back: true, relocation, in: tree) }
    }
    for step in relocation.steps {
      let isFree: Bool
      do throws(LibraryFileError) { isFree = try move(step, back: false, relocation, in: tree) } catch {
        takeBack()
        throw error
      }
      guard isFree else {
        takeBack()
        return false
      }
      done.append(step)
    }
    guard attention?.isLost ?? false else { return true }
    takeBack()
    throw LibraryFileError(.offline, subject: relocation.record.asset.filename.description)
  }

  /// Renames the rest of them, or those back that were.
  ///
  /// - Returns: whether a file is left without a name of its own.
  /// - Throws: ``LibraryFileError``, `offline`: nothing can be told.
  func endRelocation(_ relocation: Relocation, in tree: DirectoryTree) throws(LibraryFileError) -> Bool {
    var isWhole = true
    for step in relocation.steps {
      do throws(LibraryFileError) {
        if !isAt(step.target, step.identity, in: tree) {
          isWhole = try unhide(step, relocation, in: tree) && isWhole
        }
      } catch {
        if error.code == .offline { throw error }
        isWhole = false
      }
    }
    if !isWhole {
      for step in relocation.steps where isAt(step.target, step.identity, in: tree) {
        _ = try? move(step, back: true, relocation, in: tree)
      }
    }
    do throws(LibraryFileError) {
      let hidden = try openHidden(in: relocation.record.place, makes: false, tree)
      let number = hidden.number
      return relocation.steps.contains { isThere($0.key, in: number) }
    } catch {
      if error.code == .gone { return false }
      throw error
    }
  }

  /// Gives a file its new name that has its former one, or a hidden one; where the new one is taken, the former.
  ///
  /// - Returns: whether it has its new name.
  private func unhide(
    _ step: Relocation.Step, _ relocation: Relocation, in tree: DirectoryTree
  ) throws(LibraryFileError) -> Bool {
    let hidden = try openHidden(in: relocation.record.place, makes: true, tree)
    guard isThere(step.key, in: hidden.number) else {
      return try move(step, back: false, relocation, in: tree)
    }
    do throws(LibraryFileError) {
      try putBack(step.key, from: hidden, to: step.target, in: tree)
      return true
    } catch {
      if error.code == .offline { throw error }
      try putBack(step.key, from: hidden, to: step.origin, in: tree)
      return false
    }
  }

  private func isAt(_ location: Location, _ identity: FileIdentity, in tree: DirectoryTree) -> Bool {
    guard case .found(let facts) = look(at: location, in: tree) else { return false }
    return facts.identity == identity
  }

  /// - Returns: `false` where the name is taken.
  private func move(
    _ step: Relocation.Step, back: Bool, _ relocation: Relocation, in tree: DirectoryTree
  ) throws(LibraryFileError) -> Bool {
    let (origin, target) = back ? (step.target, step.origin) : (step.origin, step.target)
    let subject = origin.name.description
    let from = try parent(origin.directory, in: tree, subject: subject)
    let to = try parent(target.directory, in: tree, subject: subject)
    guard isAt(origin, step.identity, in: tree) else { throw LibraryFileError(.gone, subject: subject) }
    switch Self.renameFile(origin.name, in: from, to: target.name, in: to) {
    case 0: break
    case EEXIST: return false
    case EINVAL, ENOSYS, EPERM: return try moveHidden(step, origin, to: target, relocation, in: tree)
    case let code:
      errno = code
      throw LibraryFileError("renameat2", subject)
    }
    // Between the look and the step another may have come there.
    guard case .found(let facts) = look(at: target, in: tree), facts.identity != step.identity else {
      return true
    }
    _ = Self.renameFile(target.name, in: to, to: origin.name, in: from)
    throw LibraryFileError(.replaced, subject: subject)
  }

  /// By a hidden name, where the file system knows no rename that does not replace.
  private func moveHidden(
    _ step: Relocation.Step, _ origin: Location, to target: Location, _ relocation: Relocation,
    in tree: DirectoryTree
  ) throws(LibraryFileError) -> Bool {
    let hidden = try openHidden(in: relocation.record.place, makes: true, tree)
    try putAway(origin, step.identity, to: hidden, as: step.key, in: tree)
    do throws(LibraryFileError) { try putBack(step.key, from: hidden, to: target, in: tree) } catch {
      try putBack(step.key, from: hidden, to: origin, in: tree)
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
