internal import CLinux
internal import EventLoop
internal import Glibc
public import LibraryModel
public import Linux

extension LibraryMonitor {
  /// The directories of the library.
  public var tree: DirectoryTree { librarian.tree }

  /// An album as it is now.
  public func album(_ id: AlbumID) -> Album? {
    librarian.album(id)
  }

  /// All albums, by age.
  public var albums: [Album] {
    librarian.tree.all.map(\.id).filter { !$0.isRoot }.sorted().compactMap(album)
  }

  /// Whether an asset cannot be opened now, because all its links are beneath roots that are offline.
  public func isOffline(_ asset: Asset) -> Bool {
    asset.links.allSatisfy { link in
      librarian.tree[link.directory].map {
        disk.roots[$0.root] == nil || librarian.tree.isAway(link.directory)
      } ?? true
    }
  }

  /// Opens an asset's file for reading: a regular file, and the very one that the index knows (S43).
  public func open(_ asset: Asset) throws(LibraryFileError) -> OwnedDescriptor {
    defer { if !isInTurn { disk.endBatch() } }
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

  /// A directory of the library, open with O_PATH: where ``AtomicAdd`` puts files.
  public func open(_ directory: DirectoryID) throws(LibraryFileError) -> OwnedDescriptor {
    defer { if !isInTurn { disk.endBatch() } }
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

  /// Takes in a file or directory that the daemon itself has just put into the library, without waiting
  /// for the kernel to tell. The change is committed and published before this returns; the event that
  /// comes later finds nothing new.
  ///
  /// - Returns: the asset there, or `nil` if the name is a directory's or does not count.
  @discardableResult
  public func noteAdded(_ location: Location) throws -> Asset? {
    try inBatch {
      try librarian.examine(location, removal: true)
      try takeDuties()
    }
    if hasWork || !toList.isEmpty { nextSlice?.arm() }
    guard let link = try database.link(at: location) else { return nil }
    return try database.asset(link.asset)
  }

  /// Writes into the journal what is not found by comparing: what viewers see. It is committed and published
  /// before this returns, in order with all other changes.
  ///
  /// - Parameter body: writes, and returns what it has written.
  public func write(_ body: () throws -> [PlacedChange]) throws {
    try inBatch { librarian.add(try body()) }
  }

  /// One batch, between two turns.
  private func inBatch(_ body: () throws -> Void) throws {
    precondition(!isInTurn, "called from onChanges")
    // What it holds of a batch that failed is dropped when it is tried again.
    if let failure { throw LibraryUnwritable(reason: failure) }
    isInTurn = true
    defer {
      isInTurn = false
      disk.endBatch()
    }
    do {
      try begin()
      try body()
      try finish()
    } catch {
      fail(error)
      throw error
    }
  }
}

/// The index cannot be written at the moment; see ``LibraryMonitor/state``.
public struct LibraryUnwritable: Error, Hashable, CustomStringConvertible {
  /// What the database said.
  public let reason: String

  /// The same.
  public var description: String { reason }
}
