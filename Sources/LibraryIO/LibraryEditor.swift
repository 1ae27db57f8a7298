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
  ///   - files: in the directory: a photo or film, the movie of a live photo, its RAW, and sidecars.
  ///   - suggestion: the name of the first, if that is free.
  ///   - movieEnding: the extension of the movie, if there is one.
  ///   - rawEnding: that of RAW, if there is some.
  ///   - sidecarEndings: what follows the first one's name without its extension, and a dot, in those of the sidecars.
  ///   - created: when the picture came to be, in nanoseconds since 1970-01-01, where the file's own times do not say it.
  ///   - reading: what the copies say of themselves, where they were read: it is told with them.
  /// - Returns: the asset.
  /// - Throws: ``LibraryFileError``: `invalidName`, `gone` or `offline` (the directory), `noSpace`, `readOnly`,
  ///   `system`; or the database's error. No file keeps a name then.
  package func add(
    _ files: NewFiles, as suggestion: FileName, movieEnding: String? = nil, rawEnding: String? = nil,
    sidecarEndings: [String] = [],
    created: Int64? = nil, reading: ReadCopies? = nil, in directory: DirectoryID, mayBegin: MayBegin
  ) async throws -> Asset {
    try between.requireWritable()
    let endings = [movieEnding, rawEnding].compactMap(\.self) + sidecarEndings
    func all(_ name: FileName) -> [FileName] {
      [name] + endings.map { FileName(name.stem + Array(".\($0)".utf8)) }
    }
    // Each has room for a number.
    for name in all(suggestion) { _ = try NumberedNames(name) }
    let subject = suggestion.description
    return try await between.editing([directory], mayBegin: mayBegin) {
      let locations = try await place(try NumberedNames(suggestion), all: all, in: directory) { names in
        let after = AfterStep<Bool> {
          $0 ? names.map { Location(directory, $0) } : []
        } undo: { (isPlaced, _, _) throws(LibraryFileError) in
          if isPlaced { try files.takeBack() }
        }
        return try await between.onDisk([directory], subject, after: after) {
          (_, _) throws(LibraryFileError) in
          guard names.allSatisfy(files.isFree) else { return false }
          return try files.place(names)
        }
      }
      do {
        for _ in 0..<Self.mostLooks {
          try between.change { librarian, database in
            let read = try reading.map { try librarian.foretell($0, files, in: directory) }
            defer { librarian.files.forgetForetold() }
            for location in locations {
              librarian.files.forgetRemoved(at: location)
              try librarian.takeIn(location, .renamed)
            }
            if let created { try librarian.files.backdate(locations[0], to: created) }
            if let reading, let read { try database.note(read, at: locations[0], reader: reading.reader) }
          }
          if let link = try between.files.link(at: locations[0]),
            let asset = try between.files.asset(link.asset)
          {
            return asset
          }
          // A file system that answers late may not have said yet that it is there.
          try await between.onDisk([directory], subject) { (_, _) throws(LibraryFileError) in }
        }
        throw LibraryFileError(.gone, subject: subject)
      } catch {
        try await takeBack(files, in: directory, subject)
        throw error
      }
    }
  }

  /// So often a file is looked for that has been given its name.
  private static let mostLooks = 5

  private func takeBack(
    _ files: NewFiles, in directory: DirectoryID, _ subject: String
  ) async throws(LibraryFileError) {
    try await between.onDisk([directory], subject) { (_, _) throws(LibraryFileError) in try files.takeBack() }
  }

  /// Takes back what was added, because it could not be brought to disk.
  package func takeBack(_ files: NewFiles, _ asset: Asset) async throws {
    let companions = try contents.parts(of: asset) + contents.sidecarNames(of: asset)
    let locations = asset.links + companions.map(\.location)
    let directory = asset.primary.directory
    try await between.editing([directory], mayBegin: nobodyAsked) {
      var failure: LibraryFileError?
      do throws(LibraryFileError) {
        try await takeBack(files, in: directory, asset.filename.description)
      } catch { failure = error }
      try takeIn(locations)
      if let failure { throw failure }
    }
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

  /// Chooses names that are free in the index, and gives them, if they are on disk as well.
  ///
  /// - Parameters:
  ///   - all: the names of all files, by the first one's.
  ///   - put: gives them; `false` when one is taken after all.
  private func place(
    _ names: NumberedNames, all: (FileName) -> [FileName], in directory: DirectoryID,
    put: @EventLoopActor ([FileName]) async throws -> Bool
  ) async throws -> [Location] {
    var taken: Set<FileName> = []
    for _ in 0..<100 {
      try EditDeadline.check(names.suggestion.description)
      let name = try names.free { name in
        try !taken.contains(name)
          && between.librarian.areFree(all(name).map { Location(directory, $0) })
      }
      guard let name else { break }
      if try await put(all(name)) { return all(name).map { Location(directory, $0) } }
      taken.insert(name)
    }
    throw LibraryFileError(.invalidName, subject: names.suggestion.description)
  }

  // MARK: Albums

  /// Makes an album. A title that is taken gets a number.
  ///
  /// - Parameters:
  ///   - taken: names that it gets none of, whether they are there or not.
  ///   - note: writes what is to be known of it when it is told, and returns what it has written into the journal.
  /// - Throws: ``LibraryFileError``: `invalidName`, `gone` or `offline` (the parent), `noSpace`, `readOnly`,
  ///   `system`; or the database's error.
  package func makeAlbum(
    _ title: FileName, in parent: DirectoryID, without taken: Set<FileName> = [], mayBegin: MayBegin,
    noting note: @EventLoopActor (Album, any ViewIndex) throws -> [PlacedChange] = { _, _ in [] }
  ) async throws -> Album {
    let names = try NumberedNames(title: title)
    let subject = title.description
    return try await between.editing([parent], mayBegin: mayBegin) {
      let after = AfterStep<FileName> {
        [Location(parent, $0)]
      } undo: { (name, disk, tree) throws(LibraryFileError) in
        try disk.removeDirectory(Location(parent, name), in: tree)
      }
      let name = try await between.onDisk([parent], subject, after: after) {
        (disk, tree) throws(LibraryFileError) in
        let place = try disk.parent(parent, in: tree, subject: subject)
        return try names.claim("mkdirat", subject) { path, name in
          guard !taken.contains(name) else {
            errno = EEXIST
            return -1
          }
          return mkdirat(place, path, 0o750)
        }
      }
      let location = Location(parent, name)
      do {
        let made = try between.change { librarian, database in
          try librarian.takeIn(location, .renamed)
          let made = librarian.directories.tree.child(location).flatMap {
            librarian.directories.album($0.id)
          }
          if let made { librarian.context.add(try note(made, database.views)) }
          return made
        }
        guard let made else { throw LibraryFileError(.gone, subject: subject) }
        return made
      } catch {
        // Else it would be found there, as nobody's, and be in the way of the next try.
        _ = try? await between.onDisk([parent], subject) { (disk, tree) throws(LibraryFileError) in
          try disk.removeDirectory(location, in: tree)
        }
        throw error
      }
    }
  }

  /// The directory of that name in another, made when it is not there, and taken in.
  ///
  /// - Throws: ``LibraryFileError``: `gone`, `offline`, `noSpace`, `readOnly`, `system`; or the database's error.
  package func makeDirectory(
    _ name: String, in parent: DirectoryID, mayBegin: MayBegin
  ) async throws -> DirectoryID {
    let location = Location(parent, FileName(name))
    return try await between.editing([parent], mayBegin: mayBegin) {
      try await between.onDisk([parent], name, after: AfterStep { _ in [location] }) {
        (disk, tree) throws(LibraryFileError) in
        let place = try disk.parent(parent, in: tree, subject: name)
        guard mkdirat(place, name, 0o750) == 0 || errno == EEXIST else {
          throw LibraryFileError("mkdirat", name)
        }
      }
      try takeIn(location)
      guard let known = between.tree.child(location) else { throw LibraryFileError(.gone, subject: name) }
      return known.id
    }
  }

  /// Puts an asset into another album: a hard link (S34), and one of its movie, if it is a live photo, of its RAW, and of its
  /// sidecars. One that is in it already stays as it is.
  ///
  /// - Throws: ``LibraryFileError``: `gone`, `replaced` (the asset), `otherFileSystem`, `noSpace`, `readOnly`,
  ///   `system` (EPERM: see fs.protected_hardlinks in proc(5)); or the database's error.
  package func link(_ asset: Asset, into album: AlbumID, mayBegin: MayBegin) async throws {
    guard !asset.links.contains(where: { $0.directory == album }) else { return }
    let names = try NumberedNames(present: asset.filename)
    let subject = asset.filename.description
    try await between.editing([album] + asset.links.map(\.directory), mayBegin: mayBegin) {
      // By their descriptors, so that they are the very files (S43), whatever their names stand for by now.
      var opened = [(try await contents.waitToOpen(asset, for: nil), asset.filename)]
      for kind in [Link.Resource.pairedVideo, .alternatePhoto] {
        guard let part = try await contents.waitToOpen(kind, of: asset, for: nil) else { continue }
        opened.append((part.file, part.name.withStem(of: asset.filename)))
      }
      for number in 0..<asset.sidecars {
        try EditDeadline.check(subject)
        // One that is being written anew is no reason against it.
        guard let sidecar = try? await contents.waitToOpenSidecar(number, of: asset, for: nil) else {
          continue
        }
        let name = FileName(asset.filename.stem + Array(".\(asset.ending(of: sidecar.name))".utf8))
        opened.append((sidecar.file, name))
      }
      let files = opened.map(\.0)
      let presents = opened.map(\.1)
      let locations = try await place(
        names, all: { name in presents.map { asset.filename.renaming($0, with: name) } }, in: album
      ) { names in
        let after = AfterStep<Bool> {
          $0 ? names.map { Location(album, $0) } : []
        } undo: { (isLinked, disk, tree) throws(LibraryFileError) in
          if isLinked { try disk.unlink(files, names, from: album, tree, subject) }
        }
        return try await between.onDisk([album], subject, after: after) {
          (disk, tree) throws(LibraryFileError) in
          try disk.link(files, as: names, into: album, tree, subject)
        }
      }
      try takeIn(locations)
    }
  }
}

extension BeneathRoot {
  /// Gives open files names in a directory.
  ///
  /// - Returns: `false` when one is taken.
  fileprivate func link(
    _ files: [HeldFile], as names: [FileName], into directory: DirectoryID, _ tree: DirectoryTree,
    _ subject: String
  ) throws(LibraryFileError) -> Bool {
    let place = try parent(directory, in: tree, subject: subject)
    func isFree(_ name: FileName) -> Bool {
      var facts = linux_facts()
      return withName(name) { linux_look(place, $0, &facts) } != 0 && errno == ENOENT
    }
    guard names.allSatisfy(isFree) else { return false }
    let result = try placeAll(names) { index, name in
      linux_link_descriptor(files[index].number, place, name)
    } takeBack: { (index, name) throws(LibraryFileError) in
      try unlink(name, of: files[index], in: place)
    }
    if result != 0, errno != EEXIST { throw LibraryFileError("linkat", subject) }
    return result == 0
  }

  /// Takes those back, for nobody waits for them.
  fileprivate func unlink(
    _ files: [HeldFile], _ names: [FileName], from directory: DirectoryID, _ tree: DirectoryTree,
    _ subject: String
  ) throws(LibraryFileError) {
    let place = try parent(directory, in: tree, subject: subject, isWaitedFor: false)
    for (file, name) in zip(files, names) { try unlink(name, of: file, in: place) }
  }

  /// Takes a name back. The file has others.
  private func unlink(_ name: FileName, of file: HeldFile, in place: CInt) throws(LibraryFileError) {
    if let hidden = try takeNameBack(name, of: file.number, in: place) { unlinkat(place, hidden, 0) }
  }

  /// Removes a directory that was just made, unless something is in it by now.
  func removeDirectory(_ location: Location, in tree: DirectoryTree) throws(LibraryFileError) {
    let place = try parent(
      location.directory, in: tree, subject: location.name.description, isWaitedFor: false)
    _ = withName(location.name) { unlinkat(place, $0, AT_REMOVEDIR) }
  }
}
