internal import CLinux
package import EventLoop
internal import Glibc
package import LibraryModel
package import Linux

/// What the library holds, for whoever only reads it: its albums, as they are now, and its files, open.
@EventLoopActor
package final class LibraryContents {
  private let between: BetweenTurns
  private let roots: Roots

  init(_ between: BetweenTurns, _ roots: Roots) {
    self.between = between
    self.roots = roots
  }

  private var librarian: Librarian { between.librarian }
  private var disk: BeneathRoot { between.disk }

  // MARK: Albums

  /// The directories of the library.
  package var tree: DirectoryTree { librarian.directories.tree }

  /// An album as it is now.
  package func album(_ id: AlbumID) -> Album? { librarian.directories.album(id) }

  /// How many albums there are.
  package var albumCount: Int { tree.count - roots.count + librarian.directories.leavingAlbumCount }

  /// All albums, by age.
  package var albums: [Album] {
    (tree.all.map(\.id).filter { !$0.isRoot } + librarian.directories.leavingAlbums).sorted().compactMap(
      album)
  }

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
        let known = Link(
          location: link, asset: asset.id, identity: asset.identity, byteCount: asset.byteCount,
          modified: asset.modified)
        do throws(LibraryFileError) { return try disk.open(known, in: tree) } catch { failure = error }
      }
      throw failure
    }
  }

  /// The movies that belong to an asset: none unless it is a live photo; several if it has several links.
  package func pairedVideos(of asset: Asset) throws -> [Link] {
    try asset.links.flatMap { try librarian.livePhotos.movies(of: asset.id, at: $0) }
  }

  /// Opens the movie of a live photo, likewise: of several the first that can be opened.
  ///
  /// - Returns: `nil` if it is none.
  /// - Throws: ``LibraryFileError``, or the database's error.
  package func openPairedVideo(of asset: Asset) throws -> PairedVideo? {
    let videos = try pairedVideos(of: asset)
    return try between.looking { tree throws(LibraryFileError) in
      var failure: LibraryFileError?
      for video in videos {
        do throws(LibraryFileError) {
          let file = try disk.open(video, in: tree)
          return PairedVideo(name: video.location.name, file: file)
        } catch { failure = error }
      }
      if let failure { throw failure }
      return nil
    }
  }

  /// A directory of the library, open with O_PATH: where ``NewFiles`` get their names.
  package func open(_ directory: DirectoryID) throws(LibraryFileError) -> OwnedDescriptor {
    try between.atDisk { tree throws(LibraryFileError) in
      let subject = tree.path(of: directory)?.last?.description ?? "directory"
      let number = try disk.parent(directory, in: tree, subject: subject)
      let flags = UInt64(CInt(LINUX_O_PATH) | O_DIRECTORY | O_CLOEXEC)
      let result = linux_openat2(number, ".", flags, 0, 0)
      guard result >= 0 else {
        throw LibraryFileError(.system, subject: subject, cause: SystemError("openat2"))
      }
      return OwnedDescriptor(owning: result)
    }
  }
}

/// The movie of a live photo, open.
package struct PairedVideo: ~Copyable {
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
