/// How far a listing has been compared with the index: work that is done in slices.
///
/// A listing is old when it is compared, and older with every slice. So it is trusted only about names that
/// no event spoke of since it was begun, and that nobody has looked at since (race 35), and never about what is missing or
/// replaced: such names are in doubt, and looked at again. And it is of a directory, not of an album: where that is another one by now, it says nothing.
package struct Reconciliation {
  private enum Phase {
    case directories
    case files
    case done
  }

  /// The directory.
  package let directory: DirectoryID
  private let listing: DirectoryListing
  /// Names that events spoke of, or that were looked at, since the listing was begun; to be brought up to date before every
  /// slice.
  package var touched: Set<FileName> = []
  /// Whether directories that are known already are listed as well.
  package let isDescending: Bool
  private var phase = Phase.directories
  private var next = 0
  private var rows: [Link] = []
  private var row = 0
  private var lastRow: FileName?
  private var moreRows: Bool

  /// Prepares the comparison of a directory with a listing of it.
  ///
  /// - Parameters:
  ///   - descends: whether directories that are known already are listed as well.
  ///   - isEmpty: whether the index has no links in the directory, so that none are read.
  package init(
    of directory: DirectoryID, with listing: DirectoryListing, descends: Bool, isEmpty: Bool
  ) {
    self.directory = directory
    self.listing = listing
    isDescending = descends
    moreRows = !isEmpty
  }

  /// Compares about `limit` names, at least one.
  ///
  /// - Parameter hasTime: asked after each: what one costs depends on how many names its file has, and on the file system.
  /// - Returns: whether it is finished.
  package mutating func advance(_ librarian: Librarian, limit: Int, while hasTime: () -> Bool) throws -> Bool
  {
    for _ in 0..<limit {
      if let identity = listing.identity, librarian.directories.tree[directory]?.identity != identity {
        return true
      }
      switch phase {
      case .directories: try nextDirectory(librarian)
      case .files: try nextFile(librarian)
      case .done: return true
      }
      guard hasTime() else { return false }
    }
    return false
  }

  private mutating func nextDirectory(_ librarian: Librarian) throws {
    while next < listing.entries.count {
      let entry = listing.entries[next]
      next += 1
      guard entry.facts.kind == .directory else { continue }
      let location = Location(directory, listing.name(of: entry))
      if !touched.contains(location.name) { try librarian.files.compare(location, entry.facts, .none) }
      if isDescending, let child = librarian.directories.tree.child(location),
        child.identity == entry.facts.identity
      {
        librarian.context.duties.list.append(child.id)
      }
      return
    }
    // What is in the tree and was not listed.
    let listed = Set(
      listing.entries.lazy.filter { $0.facts.kind == .directory }.map { [listing] in listing.name(of: $0) })
    let children = librarian.directories.tree[directory]?.children.keys ?? [:].keys
    for name in children.sorted() where !listed.contains(name) && !touched.contains(name) {
      let location = Location(directory, name)
      guard let child = librarian.directories.tree.child(location) else { continue }
      librarian.context.duties.doubts.missing.append(
        Doubt(location: location, former: child.identity, present: nil))
    }
    phase = .files
    next = 0
  }

  private mutating func nextFile(_ librarian: Librarian) throws {
    while next < listing.entries.count, listing.entries[next].facts.kind == .directory { next += 1 }
    try fetchRows(librarian)
    guard next < listing.entries.count else {
      if row < rows.count { gone(librarian) } else { phase = .done }
      return
    }
    let entry = listing.entries[next]
    let order = row < rows.count ? listing.compare(entry, to: rows[row].location.name) : -1
    if order > 0 {
      gone(librarian)
      return
    }
    next += 1
    if order < 0 {
      let location = Location(directory, listing.name(of: entry))
      if touched.contains(location.name) { return }
      // One that has moved is told to have, whoever writes to it.
      if try entry.isBeingWritten && !librarian.lookup.isKnownElsewhere(entry.facts, than: location) {
        librarian.context.duties.incomplete.append((location, .none, true))
      } else {
        // getdents64(2) may give a name twice that is removed and made again meanwhile, and some file systems do without that.
        let isRepeated = next >= 2 && listing.compare(listing.entries[next - 2], to: location.name) == 0
        try librarian.files.arrive(location, entry.facts, isFree: !isRepeated)
      }
      return
    }
    let known = rows[row]
    row += 1
    if touched.contains(known.location.name) { return }
    if known.agrees(with: entry.facts) {
      try librarian.files.confirm(known, entry.facts)
      return
    }
    if entry.facts.covers(known) { return }
    if known.identity != entry.facts.identity {
      librarian.files.found(entry.facts.identity, at: known.location)
    }
    if entry.isBeingWritten {
      librarian.context.duties.incomplete.append((known.location, .none, true))
    } else {
      librarian.context.duties.doubt(known, present: nil)
    }
  }

  /// The index has a row that was not listed.
  private mutating func gone(_ librarian: Librarian) {
    let known = rows[row]
    row += 1
    if !touched.contains(known.location.name) { librarian.context.duties.doubt(known, present: nil) }
  }

  private mutating func fetchRows(_ librarian: Librarian) throws {
    guard row == rows.count, moreRows else { return }
    rows = try librarian.index.links(in: directory, after: lastRow, limit: 256)
    row = 0
    lastRow = rows.last?.location.name
    moreRows = rows.count == 256
  }
}
