@testable import LibraryModel
import Testing

/// A librarian with a disk and an index in memory, and the least of a monitor: it lists what the librarian
/// wants to be listed, and looks for what is missing.
final class MemoryLibrary {
  let disk = MemoryDisk()
  let index = MemoryIndex()
  let keys = MemoryKeys()
  let order = MemoryOrder()
  let librarian: Librarian
  let root = DirectoryID(of: RootID(rawValue: 1))
  private(set) var changes: [Change] = []
  /// Whether directories are listed in the other order.
  var isListingReversed = false
  /// Whether there is time for one name only before it is looked what else there is to do.
  var isHurried = false

  init() {
    librarian = Librarian(
      index: LibraryIndex(
        files: index, directories: index, journal: index, sharing: index, keyPhotos: keys,
        customOrder: order), disk: disk)
    librarian.directories.restore(
      DirectoryTree.Node(
        id: root, root: RootID(rawValue: 1), parent: nil, name: FileName(""), identity: disk.rootIdentity))
  }

  /// A library with albums `a` and `b`, and one photo in `a`.
  static func withPhoto() throws -> (MemoryLibrary, AssetID) {
    let library = MemoryLibrary()
    for path in ["a", "b"] { library.disk.mkdir(path) }
    library.disk.write("a/1.jpg", 10)
    try library.rescan()
    let id = try #require(library.asset("a/1.jpg")?.id)
    library.forget()
    return (library, id)
  }

  // MARK: What events say

  /// Something happened to a name.
  func hint(_ path: String, removal: Bool = true, _ evidence: EventReducer.Evidence = .closed) throws {
    guard let location = location(path) else { return }
    try librarian.files.examine(location, removal: removal, evidence)
    try finish()
  }

  /// What an event says: of a directory by its watch, wherever it has moved since.
  struct Event {
    private let names: [(directory: UInt64, name: FileName)]

    private init(_ paths: [String], _ disk: MemoryDisk) {
      names = paths.compactMap { path in disk.place(path).map { ($0.parent, $0.name) } }
    }

    /// Something happened to a name.
    static func touched(_ path: String, _ disk: MemoryDisk) -> Event { Event([path], disk) }
    /// A name was renamed.
    static func moved(_ path: String, _ other: String, _ disk: MemoryDisk) -> Event {
      Event([path, other], disk)
    }

    /// Where that was, in the tree as it is now; of directories that nobody watches, nothing is told.
    func locations(in library: MemoryLibrary) -> [Location] {
      names.compactMap { directory, name in
        let node = library.disk.identity(directory).flatMap(
          library.librarian.directories.tree.directory(with:))
        return (directory == library.disk.root ? library.root : node?.id).map { Location($0, name) }
      }
    }
  }

  /// What happened, told together.
  func tell(_ events: [Event]) throws {
    for event in events {
      let locations = event.locations(in: self)
      if locations.count == 2 {
        try librarian.moved(from: locations[0], to: locations[1])
      } else {
        for location in locations { try librarian.files.examine(location, removal: true, .closed) }
      }
    }
    try finish()
  }

  /// Tells of the files that were away for a moment that they went and came back.
  func hintsOfMissed() throws {
    disk.isAway = nil
    for location in disk.missed.sorted() { try librarian.files.examine(location, removal: true, .none) }
    disk.missed.removeAll()
    try finish()
  }

  /// IN_IGNORED: directories that were removed and still are in the tree are looked for from the root on.
  func tellOfRemovedDirectories() throws {
    let directories = disk.directories
    if librarian.directories.tree.all.contains(where: {
      !$0.id.isRoot && !directories.contains($0.identity.inode)
    }) {
      try rescan()
    }
  }

  /// The same, of a name that is there.
  func hint(_ path: String, _ evidence: EventReducer.Evidence) throws {
    try hint(path, removal: false, evidence)
  }

  /// A name was renamed.
  func moved(_ path: String, _ other: String) throws {
    try tell([.moved(path, other, disk)])
  }

  /// Compares everything.
  func rescan() throws {
    try list([root])
    try finish()
  }

  private func finish() throws {
    changes += try librarian.finishBatch().compactMap(\.change)
    try list([])
  }

  private func list(_ directories: [DirectoryID]) throws {
    var toList = directories
    var doubts = Doubts()
    for _ in 0..<10_000 {
      toList += librarian.context.duties.list
      doubts.append(librarian.context.duties.doubts)
      // Where a directory is not found, whatever lies above it is compared.
      toList += librarian.context.duties.unresolved.map { _ in root }
      librarian.context.duties = Duties()
      if let directory = isListingReversed && !toList.isEmpty ? toList.removeFirst() : toList.popLast() {
        guard let listing = disk.listing(of: directory, in: librarian.directories.tree) else { continue }
        // Watched: or else it would be listed with every look.
        librarian.directories.setWatch(Int32(truncatingIfNeeded: directory.rawValue), of: directory)
        var reconciliation = Reconciliation(of: directory, with: listing, descends: true, isEmpty: false)
        while try !reconciliation.advance(librarian, limit: 3, while: { !isHurried }) {}
      } else if doubts.count > 0 {
        let raised = doubts.takeFirst()
        doubts.append(try librarian.decide(raised) { !isHurried })
      } else if librarian.directories.hasOrphans {
        try librarian.removeOrphans(limit: 2) { !isHurried }
      } else {
        librarian.forgetEvidence()
        changes += try librarian.finishBatch().compactMap(\.change)
        return
      }
    }
    Issue.record("the librarian finds no end")
  }

  // MARK: Looking

  func location(_ path: some StringProtocol) -> Location? {
    let names = path.split(separator: "/").map { FileName(String($0)) }
    var directory = root
    for name in names.dropLast() {
      guard let child = librarian.directories.tree.child(Location(directory, name)) else { return nil }
      directory = child.id
    }
    return names.last.map { Location(directory, $0) }
  }

  func asset(_ path: String) -> Asset? {
    location(path).flatMap(index.link).flatMap { index.asset($0.asset) }
  }

  func album(_ path: String) -> AlbumID? {
    location(path).flatMap { librarian.directories.tree.child($0)?.id }
  }

  /// What was told of an asset since the last ``forget()``.
  func told(_ id: AssetID?) -> [Change.Operation] {
    changes.filter { change in id.map { change.subject == .asset($0) } ?? false }.map(\.operation)
  }

  /// The same of an album.
  func told(album id: AlbumID?) -> [Change.Operation] {
    changes.filter { change in id.map { change.subject == .album($0) } ?? false }.map(\.operation)
  }

  /// What a caller did, in a batch of its own.
  func change(_ body: (Librarian) throws -> Void) throws {
    try body(librarian)
    try finish()
  }

  func forget() { changes = [] }

  /// Every path in the index, with the asset that it names.
  var indexed: [String: AssetID] {
    var found: [String: AssetID] = [:]
    for link in index.linksByLocation.values {
      let names =
        (librarian.directories.tree.path(of: link.location.directory) ?? [FileName("?")]) + [
          link.location.name
        ]
      found[names.map(\.description).joined(separator: "/")] = link.asset
    }
    return found
  }
}

extension Librarian {
  /// Decides about all of them, however long that takes.
  func decide(_ doubts: Doubts) throws { _ = try decide(doubts) { true } }
}
