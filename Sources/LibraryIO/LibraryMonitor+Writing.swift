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
  public func noteAdded(_ location: Location) throws -> Asset? { try noteAdded([location]) }

  /// The same for the files of a live photo.
  ///
  /// - Returns: the asset at the first.
  public func noteAdded(_ locations: [Location]) throws -> Asset? {
    try batch { for location in locations { try librarian.examine(location, removal: true, .closed) } }
    guard let first = locations.first, let link = try database.link(at: first) else { return nil }
    return try database.asset(link.asset)
  }

  /// Makes an album. A title that is taken gets a number.
  ///
  /// - Throws: ``LibraryFileError``: `invalidName`, `gone` or `offline` (the parent), `noSpace`, `readOnly`,
  ///   `system`; or the database's error.
  public func makeAlbum(_ title: FileName, in parent: DirectoryID) throws -> Album {
    let names = try NumberedNames(title: title)
    let place = try open(parent)
    let name = try names.take("mkdirat", title.description) { name, _ in mkdirat(place.number, name, 0o750) }
    let location = Location(parent, name)
    try noteAdded(location)
    guard let album = tree.child(location).flatMap({ self.album($0.id) }) else {
      throw LibraryFileError(.gone, subject: title.description)
    }
    return album
  }

  /// Puts an asset into another album: a hard link (S34), and one of its movie, if it is a live photo. One that
  /// is in it already stays as it is.
  ///
  /// - Throws: ``LibraryFileError``: `gone`, `replaced` (the asset), `otherFileSystem`, `noSpace`, `readOnly`,
  ///   `system` (EPERM: see fs.protected_hardlinks in proc(5)); or the database's error.
  public func link(_ asset: Asset, into album: AlbumID) throws {
    guard !asset.links.contains(where: { $0.directory == album }) else { return }
    let names = try NumberedNames(present: asset.filename)
    let video = try pairedVideos(of: asset).first
    // By their descriptors, so that they are the very files (S43), whatever their names stand for by now.
    var files = [(try open(asset).take(), asset.filename)]
    defer { for (file, _) in files { _ = OwnedDescriptor(owning: file) } }
    if let video { files.append((try openPairedVideo(of: asset).take(), video.location.name)) }
    let place = try open(album)
    let name = try names.take("linkat", asset.filename.description) { _, name in
      AtomicAdd.placeAll(files.map { $0.1.withStem(of: name) }) { index, name in
        linux_link_descriptor(files[index].0, place.number, name)
      } takeBack: { _, name in
        unlinkat(place.number, name, 0)
      }
    }
    try batch {
      for (_, present) in files {
        try librarian.examine(Location(album, present.withStem(of: name)), removal: true, .closed)
      }
    }
  }

  /// Takes an asset out of an album: removes its names there, as long as it has another one elsewhere.
  ///
  /// - Throws: ``LibraryFileError``: `onlyName` (it would be gone), `gone`, `replaced`, `readOnly`, `system`;
  ///   or the database's error.
  public func unlink(_ asset: Asset, from album: AlbumID) throws {
    let names = asset.links.filter { $0.directory == album }
    guard !names.isEmpty else { return }
    let videos = try pairedVideos(of: asset)
    let files =
      names.map { ($0, asset.identity) }
      + videos.filter { $0.location.directory == album }.map { ($0.location, $0.identity) }
    let others =
      asset.links.map { ($0, asset.identity) } + videos.map { ($0.location, $0.identity) }
    try atDisk { tree throws(LibraryFileError) in
      for (location, identity) in files {
        let isElsewhere = others.contains { other, otherIdentity in
          guard other.directory != album, otherIdentity == identity,
            case .found(let facts) = disk.look(at: other, in: tree)
          else { return false }
          return facts.identity == identity
        }
        guard isElsewhere else { throw LibraryFileError(.onlyName, subject: location.name.description) }
      }
      for (location, identity) in files { try disk.removeName(location, identity, in: tree) }
    }
    try batch { for (location, _) in files { try librarian.examine(location, removal: true, .closed) } }
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
