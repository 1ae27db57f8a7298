internal import LibraryModel

// Where numbers do not last, a directory has another one after a mount, and is found by its path when all is compared. Who
// edits something in it does not wait for that (docs/decisions/0134-numbers-that-change.md).
extension BetweenTurns {
  /// Those of some directories that may have other numbers by now than the tree has, or are in one.
  func uncertain(_ directories: [DirectoryID]) -> [DirectoryID] {
    let tree = tree
    return directories.filter { directory in
      var next = tree[directory]
      while let node = next, let parent = node.parent {
        if !node.identity.isCertain { return true }
        next = tree[parent]
      }
      return false
    }
  }

  /// Finds directories by their paths that have other numbers. What cannot be found so is not where the tree has it, as
  /// whoever opens it learns.
  func recognize(_ directories: [DirectoryID]) async {
    for directory in directories {
      guard (try? EditDeadline.check("a directory")) != nil else { return }
      guard await isElsewhere(directory) else { continue }
      var path = [directory]
      while let parent = path.last.flatMap({ tree[$0] })?.parent, !parent.isRoot { path.append(parent) }
      for location in path.reversed().compactMap(tree.location(of:)) {
        guard let facts = await thereNow(location), !scan.isTold(of: location) else { continue }
        try? change { librarian, _ in try librarian.recognize(location, facts) }
      }
    }
  }

  /// Finds files by their names that have other numbers.
  ///
  /// - Parameter user: who asks for them.
  func recognize(_ files: [Link], for user: UInt32) async {
    var others: [Link] = []
    for file in files where !file.identity.isCertain {
      if await !isThere(file, for: user) { others.append(file) }
    }
    guard !others.isEmpty else { return }
    // Their directories first, as for every edit, and nothing is compared meanwhile.
    _ = try? await editing(others.map(\.location.directory), mayBegin: .always(by: user)) {
      for file in others {
        try EditDeadline.check(file.location.name.description)
        guard case .found(let facts) = await look(at: file.location), !scan.isTold(of: file.location)
        else { continue }
        try change { librarian, _ in try librarian.recognizeFile(at: file.location, facts) }
      }
    }
  }

  /// Whether a file is under its name, with the number that the index has; also where nothing is, which is not for here.
  private func isThere(_ file: Link, for user: UInt32) async -> Bool {
    switch await look(at: file.location, for: user) {
    case .found(let facts): facts.identity == file.identity
    case .absent, .offline: true
    case .unknown, nil: false
    }
  }

  /// - Parameter user: who asks; nil where it is a step of the edit that is under way.
  private func look(at location: Location, for user: UInt32? = nil) async -> DiskAnswer? {
    try? await onDisk(for: user, [location.directory], "a file") { (disk, tree) throws(LibraryFileError) in
      disk.look(at: location, in: tree)
    }
  }

  /// What is at the name of a directory that may have another number by now, if anything is.
  private func thereNow(_ location: Location) async -> FileFacts? {
    guard case .found(let facts) = await look(at: location), facts.kind == .directory else { return nil }
    return facts
  }

  private func isElsewhere(_ directory: DirectoryID) async -> Bool {
    let isThere = try? await onDisk([directory], "a directory") { (disk, tree) throws(LibraryFileError) in
      disk.isThere(directory, in: tree) ?? true
    }
    return isThere == false
  }
}
