internal import CLinux
package import EventLoop
internal import Glibc
package import LibraryModel
package import Linux

/// What the library holds, for whoever only reads it: its albums, as they are now, and its files, open.
@EventLoopActor
package final class LibraryContents {
  let between: BetweenTurns
  let roots: Roots

  init(_ between: BetweenTurns, _ roots: Roots) {
    self.between = between
    self.roots = roots
  }

  var librarian: Librarian { between.librarian }
  var disk: BeneathRoot { between.disk }

  // MARK: Albums

  /// The directories of the library.
  package var tree: DirectoryTree { librarian.directories.tree }
  /// The names in a directory that would be shared (S19).
  package func sharedNames(in directory: DirectoryID) -> Set<FileName> {
    librarian.directories.sharedNames(in: directory)
  }

  /// What apps are told of where a root is: the last part of it.
  package func name(of root: RootID) -> String? { roots.states.first { $0.id == root }?.name }

  /// An album as it is now.
  package func album(_ id: AlbumID) -> Album? { librarian.directories.album(id) }

  /// How many albums there are.
  package var albumCount: Int { tree.count - roots.count + librarian.directories.leavingAlbumCount }

  /// All albums, in no order.
  package var albumIDs: [AlbumID] {
    tree.all.lazy.map(\.id).filter { !$0.isRoot } + librarian.directories.leavingAlbums
  }

  /// All albums, by age.
  package var albums: [Album] { albumIDs.sorted().compactMap(album) }

  // MARK: Files

  /// Whether any asset can be offline now.
  package var isAnythingOffline: Bool {
    disk.roots.count < roots.count || !librarian.directories.away.isEmpty
  }

  /// Whether an asset cannot be opened now, because all its links are beneath roots that are offline.
  package func isOffline(_ asset: Asset) -> Bool {
    guard isAnythingOffline else { return false }
    return asset.links.allSatisfy { link in
      tree[link.directory].map { disk.roots[$0.root] == nil || tree.isAway(link.directory) } ?? true
    }
  }

  /// Opens an asset's file for reading: a regular file, and the very one that the index knows (S43).
  package func open(_ asset: Asset) throws(LibraryFileError) -> OwnedDescriptor {
    try between.looking { tree throws(LibraryFileError) in
      var failure = LibraryFileError(.gone, subject: asset.filename.description)
      for link in asset.links {
        do throws(LibraryFileError) { return try open(asset.link(at: link), tree) } catch { failure = error }
      }
      throw failure
    }
  }

  /// - Throws: `offline` where a file system may not answer: only who can wait may ask it.
  func open(_ known: Link, _ tree: DirectoryTree) throws(LibraryFileError) -> OwnedDescriptor {
    guard disk.thread(of: known.location.directory, in: tree) == nil else {
      throw LibraryFileError(.offline, subject: known.location.name.description)
    }
    return try disk.open(known, in: tree)
  }

  private nonisolated static func opening(
    _ known: Link, _ place: PlaceBeneath
  ) -> @Sendable (BeneathRoot) -> Looked<Result<HeldFile, LibraryFileError>> {
    { disk in
      place.enter(disk)
      let result = Result { () throws(LibraryFileError) in
        HeldFile(try disk.open(known, in: place.tree), closedBy: disk.closer)
      }
      return Looked(result, disk)
    }
  }

  /// Whether opening an asset, or its movie, may take a while: then it is opened with ``waitToOpen(_:for:)``.
  package func mayWait(for asset: Asset) -> Bool {
    asset.links.contains { roots.disk(of: $0.directory) != nil }
  }

  /// Opens an asset's file, or its movie, on the thread of its root.
  ///
  /// - Parameters:
  ///   - known: one of its links, or that of its movie.
  ///   - user: who asks for it, and takes turns with others; nil where it is the daemon, or a step of the edit that is under way.
  /// - Throws: ``LibraryFileError``; `offline` where its file system does not answer.
  func waitToOpen(_ known: Link, for user: UInt32?) async throws(LibraryFileError) -> HeldFile {
    let location = known.location
    guard let apart = roots.disk(of: location.directory) else {
      return try between.looking { tree throws(LibraryFileError) in
        HeldFile(try disk.open(known, in: tree), closedBy: nil)
      }
    }
    guard let place = disk.place(of: location.directory, in: tree),
      let looked = await apart.run(for: user, Self.opening(known, place))
    else { throw LibraryFileError(.offline, subject: location.name.description) }
    // What it said by the way is looked at in a turn.
    guard let result = between.looking({ _ in disk.take(looked) }) else {
      throw LibraryFileError(.offline, subject: location.name.description)
    }
    return try result.get()
  }

  /// The same as ``open(_:)``, where that may take a while.
  package func waitToOpen(_ asset: Asset, for user: UInt32?) async throws(LibraryFileError) -> HeldFile {
    var failure = LibraryFileError(.gone, subject: asset.filename.description)
    for link in asset.links {
      try EditDeadline.check(link.name.description)
      do throws(LibraryFileError) { return try await waitToOpen(asset.link(at: link), for: user) } catch {
        failure = error
      }
    }
    throw failure
  }

  /// The same as ``open(_:of:)``, where that may take a while.
  package func waitToOpen(
    _ part: Link.Resource, of asset: Asset, for user: UInt32?
  ) async throws -> (name: FileName, file: HeldFile)? {
    var failure: LibraryFileError?
    for file in try parts(part, of: asset) {
      try EditDeadline.check(file.location.name.description)
      do throws(LibraryFileError) {
        return (file.location.name, try await waitToOpen(file, for: user))
      } catch { failure = error }
    }
    if let failure { throw failure }
    return nil
  }

  /// The root of a directory, if its file system may not answer.
  package func rootApart(of directory: DirectoryID) -> RootID? {
    roots.idApart(of: directory)
  }

  /// Paths of roots whose file systems may not answer.
  package var rootsApart: Set<String> { roots.apart }

  /// Opens an asset's file likewise, to read what it says of itself.
  ///
  /// - Throws: ``LibraryFileError``, ``SystemError``.
  package func openForReading(_ asset: Asset) throws -> ReadableFile {
    try ReadableFile(try open(asset), on: asset.identity.volume)
  }

  /// The same of the movie of a live photo; nil if it is none.
  ///
  /// - Throws: ``LibraryFileError``, ``SystemError``, or the database's error.
  package func openPairedVideoForReading(of asset: Asset) throws -> ReadableFile? {
    guard asset.mediaType == .livePhoto, let video = try open(.pairedVideo, of: asset) else { return nil }
    return try ReadableFile(OwnedDescriptor(owning: video.take().take()), on: asset.identity.volume)
  }

  /// The movies and RAW that belong to an asset, by all their names.
  package func parts(of asset: Asset) throws -> [Link] {
    try asset.links.flatMap { try librarian.parts.parts(of: asset.id, at: $0) }
  }

  /// Those of one kind: several only if it has several links.
  package func parts(_ part: Link.Resource, of asset: Asset) throws -> [Link] {
    try librarian.parts.parts(part, of: asset.id, at: asset.links)
  }

  /// Opens the movie of a live photo, or the RAW of a photo, likewise: of several the first that can be opened.
  ///
  /// - Returns: `nil` if it has none.
  /// - Throws: ``LibraryFileError``, or the database's error.
  package func open(_ part: Link.Resource, of asset: Asset) throws -> Companion? {
    let files = try parts(part, of: asset)
    return try between.looking { tree throws(LibraryFileError) in
      var failure: LibraryFileError?
      for link in files {
        do throws(LibraryFileError) {
          let file = try open(link, tree)
          return Companion(name: link.location.name, file: file)
        } catch { failure = error }
      }
      if let failure { throw failure }
      return nil
    }
  }

  /// A directory of the library, open with O_PATH: where ``NewFiles`` get their names.
  ///
  /// - Parameter user: who asks for it, and takes turns with others.
  package func open(_ directory: DirectoryID, for user: UInt32) async throws(LibraryFileError) -> HeldFile {
    let subject = tree.path(of: directory)?.last?.description ?? "directory"
    return try await between.onDisk(for: user, [directory], subject) {
      (disk, tree) throws(LibraryFileError) in
      let number = try disk.parent(directory, in: tree, subject: subject)
      let flags = UInt64(CInt(LINUX_O_PATH) | O_DIRECTORY | O_CLOEXEC)
      let result = linux_openat2(number, ".", flags, 0, 0)
      guard result >= 0 else {
        throw LibraryFileError(.system, subject: subject, cause: SystemError("openat2"))
      }
      return HeldFile(OwnedDescriptor(owning: result), closedBy: disk.closer)
    }
  }
}

extension Asset {
  /// Its links, as the index has its file.
  var knownLinks: [Link] { links.map(link) }

  /// One of its links, as the index has its file.
  fileprivate func link(at location: Location) -> Link {
    Link(location: location, asset: id, identity: identity, byteCount: byteCount, modified: modified)
  }
}

/// A file that belongs to an asset besides its own, open: the movie of a live photo, RAW, or a sidecar.
package struct Companion: ~Copyable {
  /// What that very file is called.
  package let name: FileName
  private let file: OwnedDescriptor

  init(name: FileName, file: consuming OwnedDescriptor) {
    self.name = name
    self.file = file
  }

  /// Gives the open file to the caller.
  package consuming func take() -> OwnedDescriptor { file }
}
