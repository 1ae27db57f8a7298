internal import CLinux
internal import Glibc
public import LibraryModel
internal import Linux

// What the daemon itself does to the library's directories (S34, S43). Each call is over when it returns: on
// disk as far as the kernel goes, in the index, and told. What inotify says later is no news.
extension LibraryMonitor {
  /// Takes in a file or directory that the daemon itself has just put into the library, without waiting
  /// for the kernel to tell. The change is committed and published before this returns; the event that
  /// comes later finds nothing new.
  ///
  /// - Returns: the asset there, or `nil` if the name is a directory's or does not count.
  @discardableResult
  public func noteAdded(_ location: Location) throws -> Asset? {
    try batch { try librarian.examine(location, removal: true) }
    guard let link = try database.link(at: location) else { return nil }
    return try database.asset(link.asset)
  }

  /// Makes an album. A title that is taken gets a number.
  ///
  /// - Throws: ``LibraryFileError``: `invalidName`, `gone` or `offline` (the parent), `noSpace`, `readOnly`,
  ///   `system`; or the database's error.
  public func makeAlbum(_ title: FileName, in parent: DirectoryID) throws -> Album {
    let names = try NumberedNames(title: title)
    let place = try open(parent)
    let name = try names.take("mkdirat", title.description) { mkdirat(place.number, $0, 0o750) }
    let location = Location(parent, name)
    try noteAdded(location)
    guard let album = tree.child(location).flatMap({ self.album($0.id) }) else {
      throw LibraryFileError(.gone, subject: title.description)
    }
    return album
  }

  /// Puts an asset into another album: a hard link (S34). One that is in it already stays as it is.
  ///
  /// - Throws: ``LibraryFileError``: `gone`, `replaced` (the asset), `otherFileSystem`, `noSpace`, `readOnly`,
  ///   `system` (EPERM: see fs.protected_hardlinks in proc(5)); or the database's error.
  public func link(_ asset: Asset, into album: AlbumID) throws {
    guard !asset.links.contains(where: { $0.directory == album }) else { return }
    let subject = asset.filename.description
    let names = try NumberedNames(present: asset.filename)
    // By its descriptor, so that it is the very file (S43), whatever its name stands for by now.
    let file = try open(asset)
    let place = try open(album)
    let name = try names.take("linkat", subject) {
      linux_link_descriptor(file.number, place.number, $0)
    }
    try noteAdded(Location(album, name))
  }

  /// Takes an asset out of an album: removes its names there, as long as it has another one elsewhere.
  ///
  /// - Throws: ``LibraryFileError``: `onlyName` (it would be gone), `gone`, `replaced`, `readOnly`, `system`;
  ///   or the database's error.
  public func unlink(_ asset: Asset, from album: AlbumID) throws {
    let subject = asset.filename.description
    let names = asset.links.filter { $0.directory == album }
    guard !names.isEmpty else { return }
    try atDisk { tree throws(LibraryFileError) in
      let isElsewhere = asset.links.contains { link in
        guard link.directory != album, case .found(let facts) = disk.look(at: link, in: tree) else {
          return false
        }
        return facts.identity == asset.identity
      }
      guard isElsewhere else { throw LibraryFileError(.onlyName, subject: subject) }
      for name in names { try disk.removeName(name, asset.identity, in: tree) }
    }
    try batch { for name in names { try librarian.examine(name, removal: true) } }
  }

  // MARK: Means

  /// Writes into the journal what is not found by comparing: what viewers see. It is kept and published before
  /// this returns, in order with all other changes.
  ///
  /// - Parameter body: writes, and returns what it has written.
  public func write(_ body: () throws -> [PlacedChange]) throws {
    try batch { librarian.add(try body()) }
  }

  /// Changes the index, and tells of it, in a batch of its own, between two turns.
  func batch(_ body: () throws -> Void) throws {
    precondition(!isInTurn, "called from onChanges")
    // What it holds of a batch that failed is dropped when it is tried again.
    if let failure { throw LibraryUnwritable(reason: failure) }
    isInTurn = true
    defer {
      isInTurn = false
      disk.endBatch()
    }
    do {
      librarian.now = monotonicMicroseconds()
      try begin()
      try body()
      try takeDuties()
      try finish()
    } catch {
      fail(error)
      throw error
    }
    if hasWork || !toList.isEmpty { scheduleTurn() }
  }

  /// Does something on disk, and keeps no directory open.
  func atDisk<Value: ~Copyable>(
    _ body: (DirectoryTree) throws(LibraryFileError) -> Value
  ) throws(LibraryFileError) -> Value {
    defer { if !isInTurn { disk.endBatch() } }
    return try body(librarian.tree)
  }
}

/// The index cannot be written at the moment; see ``LibraryMonitor/state``.
public struct LibraryUnwritable: Error, Hashable, CustomStringConvertible {
  /// What the database said.
  public let reason: String

  /// The same.
  public var description: String { reason }
}
