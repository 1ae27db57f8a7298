internal import CLinux
internal import EventLoop
internal import Glibc
package import LibraryModel
package import Linux

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

extension LibraryMonitor {
  /// The directories of the library.
  package var tree: DirectoryTree { librarian.tree }

  /// An album as it is now.
  package func album(_ id: AlbumID) -> Album? {
    librarian.album(id)
  }

  /// How many albums there are.
  package var albumCount: Int { librarian.tree.count - roots.count + librarian.leavingAlbums.count }

  /// All albums, by age.
  package var albums: [Album] {
    (librarian.tree.all.map(\.id).filter { !$0.isRoot } + librarian.leavingAlbums).sorted()
      .compactMap(album)
  }

  /// Whether any asset can be offline now.
  package var isAnythingOffline: Bool { disk.roots.count < roots.count || !librarian.away.isEmpty }

  /// Whether an asset cannot be opened now, because all its links are beneath roots that are offline.
  package func isOffline(_ asset: Asset) -> Bool {
    guard isAnythingOffline else { return false }
    return asset.links.allSatisfy { link in
      librarian.tree[link.directory].map {
        disk.roots[$0.root] == nil || librarian.tree.isAway(link.directory)
      } ?? true
    }
  }

  /// Opens an asset's file for reading: a regular file, and the very one that the index knows (S43).
  package func open(_ asset: Asset) throws(LibraryFileError) -> OwnedDescriptor {
    defer { endRequests() }
    var failure = LibraryFileError(.gone, subject: asset.filename.description)
    for link in asset.links {
      do {
        return try disk.open(link, asset.identity, in: librarian.tree)
      } catch {
        failure = error
      }
    }
    throw failure
  }

  /// The movies that belong to an asset: none unless it is a live photo; several if it has several links.
  package func pairedVideos(of asset: Asset) throws -> [Link] {
    try asset.links.flatMap { try librarian.movies(of: asset.id, at: $0) }
  }

  /// Opens the movie of a live photo, likewise: of several the first that can be opened.
  ///
  /// - Returns: `nil` if it is none.
  /// - Throws: ``LibraryFileError``, or the database's error.
  package func openPairedVideo(of asset: Asset) throws -> PairedVideo? {
    defer { endRequests() }
    var failure: LibraryFileError?
    for video in try pairedVideos(of: asset) {
      do throws(LibraryFileError) {
        let file = try disk.open(video.location, video.identity, in: librarian.tree)
        return PairedVideo(name: video.location.name, file: file)
      } catch { failure = error }
    }
    if let failure { throw failure }
    return nil
  }

  /// A directory of the library, open with O_PATH: where ``NewFiles`` get their names.
  package func open(_ directory: DirectoryID) throws(LibraryFileError) -> OwnedDescriptor {
    if !isInTurn { disk.endBatch() }
    defer { if !isInTurn { endRequest() } }
    let subject = librarian.tree.path(of: directory)?.last?.description ?? "directory"
    switch disk.directory(directory, in: librarian.tree) {
    case .descriptor(let number):
      let flags = UInt64(CInt(LINUX_O_PATH) | O_DIRECTORY | O_CLOEXEC)
      let result = linux_openat2(number, ".", flags, 0, 0)
      guard result >= 0 else {
        throw LibraryFileError(.system, subject: subject, cause: SystemError("openat2"))
      }
      return OwnedDescriptor(owning: result)
    case .elsewhere: throw LibraryFileError(.gone, subject: subject)
    case .offline: throw LibraryFileError(.offline, subject: subject)
    case .failed(let error): throw LibraryFileError(.system, subject: subject, cause: error)
    }
  }

  /// Requests that only read and came together share the directories that they opened.
  private func endRequests() {
    guard !isInTurn, !endsRequests else { return }
    endsRequests = true
    EventLoop.shared.atEndOfTurn { [self] in
      endsRequests = false
      endRequest()
    }
  }

  /// What a request has found out about a root, or a directory, nothing else need tell.
  func endRequest() {
    disk.endBatch()
    scheduleTurnIfNeeded()
  }
}
