internal import CLinux
package import EventLoop
internal import Glibc
package import LibraryModel
internal import Linux

/// Adds files, makes albums, and puts assets into them (S30, S34, S43).
///
/// A file is copied elsewhere, and named here, in one step with the index: what is chosen is free by both, and nothing
/// that was there before becomes part of what is added, or the other way round (S16).
@EventLoopActor
package final class LibraryEditor {
  private let between: BetweenTurns
  private let contents: LibraryContents

  init(_ between: BetweenTurns, _ contents: LibraryContents) {
    self.between = between
    self.contents = contents
  }

  // MARK: Files

  /// Gives copies the first free name, takes them in, and publishes that. Until ``NewFiles/sync()``, the names may not
  /// be on disk.
  ///
  /// - Parameters:
  ///   - files: in the directory; the files of a live photo are two.
  ///   - suggestion: the name of the first, if that is free.
  ///   - movieEnding: the extension of the second.
  ///   - created: when the picture came to be, in nanoseconds since 1970-01-01, where the file's own times do not say it.
  /// - Returns: the asset.
  /// - Throws: ``LibraryFileError``: `invalidName`, `gone` or `offline` (the directory), `noSpace`, `readOnly`,
  ///   `system`; or the database's error. No file keeps a name then.
  package func add(
    _ files: NewFiles, as suggestion: FileName, movieEnding: String? = nil, created: Int64? = nil,
    in directory: DirectoryID
  ) throws -> Asset {
    try between.requireWritable()
    let movie = movieEnding.map { FileName("x." + $0) }
    func all(_ name: FileName) -> [FileName] { [name] + (movie.map { [$0.withStem(of: name)] } ?? []) }
    let locations = try place(NumberedNames(suggestion), all: all, in: directory, isFree: files.isFree) {
      try files.place($0)
    }
    do {
      try between.change { librarian, _ in
        for location in locations {
          librarian.files.forgetRemoved(at: location)
          try librarian.takeIn(location, .renamed)
        }
        if let created { try librarian.files.backdate(locations[0], to: created) }
      }
      guard let link = try between.files.link(at: locations[0]),
        let asset = try between.files.asset(link.asset)
      else {
        throw LibraryFileError(.gone, subject: suggestion.description)
      }
      return asset
    } catch {
      try files.takeBack()
      throw error
    }
  }

  /// Takes back what was added, because it could not be brought to disk.
  package func takeBack(_ files: NewFiles, _ asset: Asset) throws {
    let locations = try asset.links + contents.pairedVideos(of: asset).map(\.location)
    let result = Result { () throws(LibraryFileError) in try files.takeBack() }
    try takeIn(locations)
    try result.get()
  }

  /// Takes in a file or directory that the daemon itself has just put into the library, without waiting for the kernel
  /// to tell. The change is committed and published before this returns; the event that comes later finds nothing new.
  ///
  /// - Returns: the asset there, or `nil` if the name is a directory's or does not count.
  @discardableResult
  package func takeIn(_ location: Location) throws -> Asset? {
    try takeIn([location])
    guard let link = try between.files.link(at: location) else { return nil }
    return try between.files.asset(link.asset)
  }

  private func takeIn(_ locations: [Location]) throws {
    try between.change { librarian, _ in
      for location in locations { try librarian.takeIn(location, .renamed) }
    }
  }

  /// Chooses names that are free on disk and in the index, and gives them.
  ///
  /// - Parameters:
  ///   - all: the names of all files, by the first one's.
  ///   - put: gives them; `false` when one is taken after all.
  private func place(
    _ names: NumberedNames, all: (FileName) -> [FileName], in directory: DirectoryID,
    isFree: (FileName) -> Bool, put: ([FileName]) throws -> Bool
  ) throws -> [Location] {
    // One that is taken by somebody else in between is not free at the next look.
    for _ in 0..<100 {
      let name = try names.free { name in
        try all(name).allSatisfy {
          try isFree($0) && between.librarian.livePhotos.isFree(Location(directory, $0))
        }
      }
      guard let name else { break }
      if try put(all(name)) { return all(name).map { Location(directory, $0) } }
    }
    throw LibraryFileError(.invalidName, subject: names.suggestion.description)
  }

  // MARK: Albums

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
    let place = try contents.open(parent)
    let name = try names.claim("mkdirat", title.description) { name, _ in mkdirat(place.number, name, 0o750) }
    let location = Location(parent, name)
    let made: Album?
    do {
      made = try between.change { librarian, database in
        try librarian.takeIn(location, .renamed)
        let made = librarian.directories.tree.child(location).flatMap { librarian.directories.album($0.id) }
        if let made { librarian.context.add(try note(made, database.views)) }
        return made
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
    var files = [(try contents.open(asset).take(), asset.filename)]
    defer { for (file, _) in files { _ = OwnedDescriptor(owning: file) } }
    if let video = try contents.openPairedVideo(of: asset) {
      let name = video.name
      files.append((video.take().take(), name))
    }
    let place = try contents.open(album)
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
    try takeIn(locations)
  }
}
