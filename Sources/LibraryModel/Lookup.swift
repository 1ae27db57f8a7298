/// What the parts of a ``Librarian`` ask about files: the disk, where the tree has them, and the index.
final class Lookup {
  private let index: any FileRows
  private let disk: any LibraryDisk
  private let directories: Directories
  private let context: LibrarianContext
  /// Names of which it was told that they were removed, with the files that they were of: where there are no birth times.
  private var removed = RecentValues<FileIdentity, Location>(capacity: 1 << 13)
  /// The same of which it was told that they were renamed, and not where to.
  private var left = RecentValues<FileIdentity, Location>(capacity: 1 << 13)

  init(
    _ index: any FileRows, _ disk: any LibraryDisk, _ directories: Directories,
    _ context: LibrarianContext
  ) {
    self.index = index
    self.disk = disk
    self.directories = directories
    self.context = context
  }

  // MARK: The disk

  /// What is at a name, now.
  func look(at location: Location) -> DiskAnswer { disk.look(at: location, in: directories.tree) }

  /// Whether someone has a file open for writing (S40).
  func completeness(of location: Location) -> Completeness {
    disk.completeness(of: location, in: directories.tree)
  }

  /// Which file is at a name, as far as can be told.
  func identity(at location: Location) -> FileIdentity? {
    if case .found(let facts) = look(at: location) { facts.identity } else { nil }
  }

  /// Whether a file is at a name, as far as can be told.
  func mayBe(_ identity: FileIdentity, at location: Location) -> Bool {
    switch look(at: location) {
    // What covers it says nothing of it.
    case .found(let facts): return facts.identity == identity || facts.isMount
    case .absent: return false
    case .unknown, .offline: return directories.tree[location.directory] != nil
    }
  }

  /// Whether a name that the index has for a file which was just found under another is its name still.
  func isLive(_ location: Location, _ identity: FileIdentity, _ facts: FileFacts) -> Bool {
    // The disk is asked even about a file that had a single link: a listing may be older than the second. One
    // that has a single link still is found under two names where case does not count.
    // Only where the disk cannot tell, the name that the file was just found under is the one.
    switch look(at: location) {
    case .found(let cover) where cover.isMount && cover.identity != identity: return facts.linkCount > 1
    case .found(let facts): return facts.identity == identity && facts.linkCount > 1
    case .absent: return false
    case .unknown, .offline: return facts.linkCount > 1 && directories.tree[location.directory] != nil
    }
  }

  // MARK: The index

  /// Whether the index may know a file; `false` is certain.
  func mayKnow(_ facts: FileFacts) -> Bool {
    if facts.linkCount > 1 { return true }
    if context.expectsNewFiles { return false }
    return facts.identity.birthTime == 0 || facts.identity.birthTime <= index.newestBirth
  }

  /// The names that the index has for a file.
  ///
  /// - Parameter location: where it was found. A file that is there under another number has no other names by that.
  func knownLinks(_ facts: FileFacts, at location: Location? = nil) throws -> [Link] {
    if let location, try isItself(at: location, facts) { return [] }
    return try index.links(inode: facts.identity.inode).filter { try isSame($0, facts) }
  }

  /// The first other name that the index has for a file which was found at a location. The others are not looked at.
  func linkElsewhere(_ facts: FileFacts, than location: Location) throws -> Link? {
    guard try !isItself(at: location, facts) else { return nil }
    return try index.links(inode: facts.identity.inode).first {
      try $0.location != location && isSame($0, facts)
    }
  }

  /// Whether a file is known by another name.
  func isKnownElsewhere(_ facts: FileFacts, than location: Location) throws -> Bool {
    try mayKnow(facts) && linkElsewhere(facts, than: location) != nil
  }

  /// Whether a link named this file. Where a file system keeps no birth time, a number that was used again
  /// must not hand one file's id, and who may see it, to another: size and time must agree as well, and be no other's
  /// (``stamp(of:)``), or the file have been renamed, or be found under both names now. And where numbers may be given anew, the name comes
  /// first: a file that is under it still has not moved, whichever has its number by now.
  func isSame(_ link: Link, _ facts: FileFacts) throws -> Bool {
    guard link.identity == facts.identity else { return false }
    if facts.identity.isCertain { return true }
    if facts.identity.birthTime != 0 || link.agrees(with: facts) && mayBeSame(link, facts) {
      return try !isRenumbered(link)
    }
    if facts.linkCount > 1 { return isLive(link.location, link.identity, facts) }
    return link.agrees(with: facts) && identity(at: link.location) == link.identity
  }

  // MARK: Without birth times

  /// What brings an id back with a file, besides its name; nil where a file that was just made may have the same.
  func stamp(of facts: FileFacts) -> ContentStamp? {
    isOlder(facts) || left[facts.identity] != nil ? ContentStamp(facts) : nil
  }

  /// Whether a file that was renamed, or may have been, can be what a link named. Of one that was renamed the kernel has told
  /// that it is somewhere: until it is found, nothing else has its number.
  private func mayBeSame(_ link: Link, _ facts: FileFacts) -> Bool {
    (isOlder(facts) || hasLeft(link)) && !wasRemoved(link)
  }

  /// Whether a file is older than the second in which it was written, so that its number, length and time are those of no
  /// other. Inodes of 128 bytes have no birth time, and times in whole seconds: one that is removed, and another of the same
  /// length that gets its number within that second, cannot be told apart. It is older if something was done to it since, as
  /// by a rename, or if it is as it was before anyone listened. A time that was set, to one that is to come as well, says
  /// nothing of when it was written (docs/decisions/0134-numbers-that-change.md).
  private func isOlder(_ facts: FileFacts) -> Bool {
    guard facts.identity.birthTime == 0, !facts.isServed, facts.modified.isMultiple(of: Self.second) else {
      return true
    }
    let (distance, overflow) = facts.changed.subtractingReportingOverflow(facts.modified)
    return overflow || distance.magnitude >= 2 * Self.second.magnitude
      || facts.changed <= context.since
  }

  private static let second: Int64 = 1_000_000_000

  /// A name has gone. Where it was told that it was removed, and with it the file, who has its number from now on is another;
  /// where it was renamed, that is the same.
  func noteGone(_ link: Link, _ evidence: EventReducer.Evidence) {
    guard link.identity.birthTime == 0 else { return }
    switch evidence {
    case .removed: (removed[link.identity], left[link.identity]) = (link.location, nil)
    case .left: left[link.identity] = link.location
    case .closed, .renamed, .made, .none: return
    }
  }

  /// Whether it was told a moment ago that a name was renamed, and not where to.
  private func hasLeft(_ link: Link) -> Bool {
    left[link.identity] == link.location || context.isHalfMoved(link.location)
  }

  /// Whether that was told a moment ago.
  func wasRemoved(_ link: Link) -> Bool {
    link.identity.birthTime == 0 && removed[link.identity] == link.location
  }

  /// Forgets what was told of: when there are no doubts left.
  func forgetGone() {
    removed = RecentValues(capacity: 1 << 13)
    left = RecentValues(capacity: 1 << 13)
  }

  // MARK: Where numbers are given anew

  /// Whether what is under a name is the file that the index has there, under another number: by its birth, or else by its
  /// length and times. What is no longer quite what it was, and just what another file was that had this number, is that one.
  func isItself(_ row: Link, _ facts: FileFacts) throws -> Bool {
    guard row.identity != facts.identity, !facts.identity.isCertain, !row.identity.isCertain else {
      return false
    }
    let hasSameBirth = facts.identity.birthTime != 0 && row.identity.mayBeRenumbered(as: facts.identity)
    guard hasSameBirth || row.stamp.isSame(as: ContentStamp(facts)) else { return false }
    // One of several names that got a copy of the file, as rsync and tar give, says the same; but the others are that file still.
    // So does one that was linked to such a copy, which is another asset's file.
    if try isUnderAnotherName(row) || facts.linkCount > 1 && isOfAnother(row, facts.identity) { return false }
    if row.byteCount == facts.byteCount, row.modified == facts.modified { return true }
    return try !index.links(inode: facts.identity.inode).contains {
      $0.location != row.location && $0.agrees(with: facts)
    }
  }

  /// Whether a file has the number that the index knows by another of its names.
  private func isUnderAnotherName(_ row: Link) throws -> Bool {
    try index.links(inode: row.identity.inode).contains {
      $0.location != row.location && $0.asset == row.asset && $0.identity == row.identity
        && identity(at: $0.location) == row.identity
    }
  }

  /// Whether a number is that of another asset's file, which is there.
  private func isOfAnother(_ row: Link, _ found: FileIdentity) throws -> Bool {
    try index.links(inode: found.inode).contains {
      $0.asset != row.asset && $0.identity == found && identity(at: $0.location) == found
    }
  }

  /// Whether what is at a location is the file that the index has there, under another number.
  func isItself(at location: Location, _ facts: FileFacts) throws -> Bool {
    guard !facts.identity.isCertain, let row = try index.link(at: location) else { return false }
    return try isItself(row, facts)
  }

  /// Whether a file is under its name still, with another number; or may be, since its directory may have another.
  private func isRenumbered(_ link: Link) throws -> Bool {
    switch look(at: link.location) {
    case .found(let facts): try facts.kind == .regular && isItself(link, facts)
    case .absent, .offline: false
    case .unknown: mayBeRenumbered(link.location.directory)
    }
  }

  /// Whether a directory may be where the tree has it, under another number, or in one that may.
  func mayBeRenumbered(_ directory: DirectoryID) -> Bool {
    var next = directory
    while let node = directories.tree[next], let location = directories.tree.location(of: next) {
      switch look(at: location) {
      case .found(let facts):
        return facts.kind == .directory && node.identity.mayBeRenumbered(as: facts.identity)
      case .absent, .offline: return false
      case .unknown: next = location.directory
      }
    }
    return false
  }

  /// Whether a file with a single link is still found under the name that the index has, and so has not moved: where
  /// case does not count, only a listing says which of the two is its name; mounted twice, it is in the library once.
  func isNamedElsewhere(_ location: Location, _ facts: FileFacts) throws -> Bool {
    try knownLinks(facts).contains { link in
      guard link.location != location, case .found(let now) = look(at: link.location) else { return false }
      return now.identity == facts.identity && now.linkCount == 1
    }
  }
}
