internal import LibraryModel
internal import Linux

// Where a file system may not answer, a look is a job of the root's thread. The loop waits for it a moment, which is
// what it takes, and where that is in vain nothing follows: what was to be looked at is lost, and sought, by listing.
extension BeneathRoot {
  /// The thread of the root that a directory is beneath; nil where a file system is known to answer.
  func thread(of directory: DirectoryID, in tree: DirectoryTree) -> RootThread? {
    guard !threads.isEmpty, let root = tree[directory]?.root else { return nil }
    return threads[root]
  }

  /// What a job needs to open a directory on another thread; nil when that cannot be: its root is offline, or it is not
  /// in the tree.
  func place(of directory: DirectoryID, in tree: DirectoryTree) -> PlaceBeneath? {
    guard let node = tree[directory], let expected = roots[node.root], !tree.isAway(directory),
      let chain = tree.chain(to: directory)
    else { return nil }
    return PlaceBeneath(root: node.root, expected: expected, tree: chain)
  }

  func look(at location: Location, in tree: DirectoryTree, on thread: RootThread) -> DiskAnswer {
    // Also of a root that has gone offline since.
    if let known = lookedAt[location] { return known }
    guard let place = place(of: location.directory, in: tree) else {
      return tree.path(of: location.directory) == nil ? .unknown : .offline
    }
    let known = exactNames.listings.names(for: location)
    let answer = thread.ask { disk in
      place.enter(disk)
      if let known { disk.exactNames.listings.add(known, of: location.directory) }
      let answer = disk.look(at: location, in: place.tree)
      return Looked((answer, disk.exactNames.listings.names(for: location)), disk)
    }
    guard let (found, listed) = take(answer) else { return .unknown }
    // No event was read while the loop waited for it: nothing was told since it began.
    if known == nil, let listed { exactNames.listings.add(listed, of: location.directory) }
    return found
  }

  func completeness(of location: Location, in tree: DirectoryTree, on thread: RootThread) -> Completeness {
    guard let place = place(of: location.directory, in: tree) else { return .unknown(quietFor: 0) }
    let answer = thread.ask { disk in
      place.enter(disk)
      return disk.completeness(of: location, in: place.tree)
    }
    return answer ?? .unknown(quietFor: 0)
  }

  func device(of id: DirectoryID, in tree: DirectoryTree, on thread: RootThread) -> UInt64? {
    guard let place = place(of: id, in: tree) else { return nil }
    // That of a root was found out when it was looked at.
    if id.isRoot { return place.expected.device }
    let answer = thread.ask { disk in
      place.enter(disk)
      return Looked(disk.device(of: id, in: place.tree), disk)
    }
    return take(answer) ?? nil
  }

  /// Whether a directory is where the tree has it; `nil` when nobody can look now.
  func isThere(_ directory: DirectoryID, in tree: DirectoryTree) -> Bool? {
    guard let thread = thread(of: directory, in: tree) else {
      return switch self.directory(directory, in: tree) {
      case .descriptor: true
      case .elsewhere, .failed: false
      case .offline: nil
      }
    }
    guard let place = place(of: directory, in: tree) else {
      return tree.path(of: directory) == nil ? false : nil
    }
    let answer = thread.ask { disk in
      place.enter(disk)
      return Looked(disk.isThere(directory, in: place.tree), disk)
    }
    return take(answer) ?? nil
  }

  /// A directory of the tree, open until the batch ends.
  ///
  /// - Parameters:
  ///   - elsewhere: what it is called that it is not where the tree has it.
  ///   - isWaitedFor: false where something is undone that nobody waits for any more.
  func parent(
    _ id: DirectoryID, in tree: DirectoryTree, subject: String, elsewhere: LibraryFileError.Code = .gone,
    isWaitedFor: Bool = true
  ) throws(LibraryFileError) -> CInt {
    // What nobody waits for any more is not begun.
    if isWaitedFor, attention?.isLost ?? false { throw LibraryFileError(.offline, subject: subject) }
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

  /// Notes what was just renamed.
  func noteMove(from origin: Location, to target: Location, _ facts: FileFacts) {
    done[origin] = .absent
    done[target] = .found(facts)
  }

  /// Notes what was found out on the thread.
  func take<Value: Sendable>(_ looked: Looked<Value>?) -> Value? {
    guard let looked else { return nil }
    suspects.formUnion(looked.suspects)
    troubled.formUnion(looked.troubled)
    outdated.formUnion(looked.outdated)
    misspelled.formUnion(looked.misspelled)
    return looked.value
  }
}

/// Where a directory is: its root, and the directories down to it.
struct PlaceBeneath: Sendable {
  let root: RootID
  let expected: BeneathRoot.Expected
  let tree: DirectoryTree

  /// Has a disk look beneath this root.
  func enter(_ disk: BeneathRoot) { disk.roots = [root: expected] }
}

/// What came of a look, and what it said of the root by the way.
struct Looked<Value: Sendable>: Sendable {
  let value: Value
  let suspects: Set<RootID>
  let troubled: Set<DirectoryID>
  let outdated: Set<Location>
  let misspelled: Set<DirectoryID>

  init(_ value: Value, _ disk: BeneathRoot) {
    self.value = value
    suspects = disk.suspects
    troubled = disk.troubled
    outdated = disk.outdated
    misspelled = disk.misspelled
  }
}
