internal import CLinux
internal import Glibc
package import LibraryModel
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
  package func noteAdded(_ location: Location) throws -> Asset? {
    try batch { try librarian.take(location, .renamed) }
    guard let link = try batches.index.link(at: location) else { return nil }
    return try batches.index.asset(link.asset)
  }

  /// Makes an album. A title that is taken gets a number.
  ///
  /// - Parameter note: writes what is to be known of it when it is told, and returns what it has written into the
  ///   journal.
  /// - Throws: ``LibraryFileError``: `invalidName`, `gone` or `offline` (the parent), `noSpace`, `readOnly`,
  ///   `system`; or the database's error.
  package func makeAlbum(
    _ title: FileName, in parent: DirectoryID,
    noting note: (Album, any ViewIndex) throws -> [PlacedChange] = { _, _ in [] }
  ) throws -> Album {
    let names = try NumberedNames(title: title)
    let place = try open(parent)
    let name = try names.take("mkdirat", title.description) { name, _ in mkdirat(place.number, name, 0o750) }
    let location = Location(parent, name)
    var made: Album?
    do {
      try batch { database in
        try librarian.take(location, .renamed)
        made = tree.child(location).flatMap { self.album($0.id) }
        if let made { librarian.add(try note(made, database)) }
      }
    } catch {
      // Else it would be found there, as nobody's, and be in the way of the next try.
      _ = withName(name) { unlinkat(place.number, $0, AT_REMOVEDIR) }
      throw error
    }
    guard let made else { throw LibraryFileError(.gone, subject: title.description) }
    return made
  }

  /// Puts an asset into another album: a hard link (S34), and one of its movie, if it is a live photo. One that
  /// is in it already stays as it is.
  ///
  /// - Throws: ``LibraryFileError``: `gone`, `replaced` (the asset), `otherFileSystem`, `noSpace`, `readOnly`,
  ///   `system` (EPERM: see fs.protected_hardlinks in proc(5)); or the database's error.
  package func link(_ asset: Asset, into album: AlbumID) throws {
    guard !asset.links.contains(where: { $0.directory == album }) else { return }
    let names = try NumberedNames(present: asset.filename)
    // By their descriptors, so that they are the very files (S43), whatever their names stand for by now.
    var files = [(try open(asset).take(), asset.filename)]
    defer { for (file, _) in files { _ = OwnedDescriptor(owning: file) } }
    if let video = try openPairedVideo(of: asset) {
      let name = video.name
      files.append((video.take().take(), name))
    }
    let place = try open(album)
    let presents = files.map(\.1)
    let locations = try self.place(names, all: { name in presents.map { $0.withStem(of: name) } }, in: album)
    {
      name in
      var facts = linux_facts()
      return withName(name) { linux_look(place.number, $0, &facts) } != 0 && errno == ENOENT
    } put: { names in
      let result = try placeAll(names) { index, name in
        linux_link_descriptor(files[index].0, place.number, name)
      } takeBack: { (index, name) throws(LibraryFileError) in
        // It has others.
        if let hidden = try takeNameBack(name, of: files[index].0, in: place.number) {
          unlinkat(place.number, hidden, 0)
        }
      }
      if result != 0, errno != EEXIST { throw LibraryFileError("linkat", asset.filename.description) }
      return result == 0
    }
    try batch { for location in locations { try librarian.take(location, .renamed) } }
  }

  // MARK: Means

  /// Writes into the journal what is not found by comparing: what viewers see. It is kept and published before
  /// this returns, in order with all other changes.
  ///
  /// - Parameter body: writes, and returns what it has written.
  package func changeViews(_ body: (any ViewIndex) throws -> [PlacedChange]) throws {
    try batch { librarian.add(try body($0)) }
  }

  /// Removes some of the oldest changes that need not be kept (S27).
  ///
  /// - Parameters:
  ///   - changes: how many are kept at most.
  ///   - days: for how long they are kept at most.
  /// - Returns: whether there is more to remove.
  package func trimJournal(keepChanges changes: Int64, keepDays days: Int64) throws -> Bool {
    var hasMore = false
    try batch { hasMore = try $0.trimJournal(keepChanges: changes, keepDays: days, limit: 1000) }
    return hasMore
  }

  /// Commits what was written but put off, so that it can be brought to disk.
  package func settle() throws { try batches.settle() }

  /// Changes the index, and tells of it, in a batch of its own, between two turns.
  func batch(_ body: () throws -> Void) throws {
    try batch { (_: any LibraryDatabase) in try body() }
  }

  /// The same, with what the librarian does not write.
  func batch(_ body: (any LibraryDatabase) throws -> Void) throws {
    precondition(!isInTurn, "called from onChanges")
    try batches.requireWritable()
    isInTurn = true
    disk.endBatch()
    defer {
      isInTurn = false
      disk.endBatch()
    }
    do {
      librarian.now = monotonicMicroseconds()
      try batches.write(body)
      try takeDuties()
      try finish()
    } catch {
      batches.fail(error)
      throw error
    }
    scheduleTurnIfNeeded()
  }

  /// Does something on disk, in directories that are opened for it, and keeps none open.
  func atDisk<Value: ~Copyable>(
    _ body: (DirectoryTree) throws(LibraryFileError) -> Value
  ) throws(LibraryFileError) -> Value {
    if !isInTurn { disk.endBatch() }
    defer { if !isInTurn { endRequest() } }
    return try body(librarian.tree)
  }
}

/// The index cannot be written at the moment; see ``LibraryMonitor/state``.
package struct LibraryUnwritable: Error, CustomStringConvertible {
  /// What the database said.
  package let cause: any Error

  /// The same, as a sentence.
  package var description: String { "\(cause)" }
}
