internal import AlbumAPI
internal import EventLoop
internal import Glibc
internal import LibraryIO
internal import LibraryModel
internal import Linux
internal import Varlink
internal import VarlinkServer

/// Adds what apps bring (S30–S32): looks at the content, copies off the loop, takes the file in.
///
/// The copy belongs to the daemon from the moment it has a name. Until then it is the app's: when that goes away,
/// it ends between two parts and leaves nothing.
@EventLoopActor
final class AssetAdder {
  private let monitor: LibraryMonitor
  private let renderer: LibraryRenderer
  private let saveTo: String
  private let limit: Int64
  private let threads: UserThreads
  private let room: StateRoom

  init(
    monitor: LibraryMonitor, renderer: LibraryRenderer, threads: UserThreads, saveTo: String, limit: Int64,
    room: StateRoom
  ) {
    self.room = room
    self.threads = threads
    self.monitor = monitor
    self.renderer = renderer
    self.saveTo = saveTo
    self.limit = limit
  }

  /// What was added, and the failure of each item that was not.
  struct Outcome {
    var assets: [Asset] = []
    var failures: [(item: Int, error: any Error)] = []
  }

  /// Adds items in their order; one failure leaves the others.
  ///
  /// - Parameters:
  ///   - album: where to; the configured directory when `nil`.
  ///   - allow: throws where the caller may add no more: asked when a copy is there and has no name yet.
  func add(
    _ items: [LibraryInterface.AddItem], _ descriptors: DescriptorBatch, for key: UserThreads.Key,
    to album: AlbumID?, allow: () throws -> Void, progress: @EventLoopActor (Outcome) async -> Void
  ) async -> Outcome {
    var outcome = Outcome()
    for (index, item) in items.enumerated() where !Task.isCancelled {
      do {
        outcome.assets.append(try await add(item, index, descriptors, for: key, to: album, allow))
      } catch { outcome.failures.append((index, error)) }
      await progress(outcome)
    }
    return outcome
  }

  private func add(
    _ item: LibraryInterface.AddItem, _ index: Int, _ descriptors: DescriptorBatch, for key: UserThreads.Key,
    to album: AlbumID?, _ allow: () throws -> Void
  ) async throws -> Asset {
    let missing = LibraryInterface.InvalidFileDescriptor(
      item: index, reason: "no such descriptor came with the call")
    guard let source = descriptors.number(item.fileDescriptor) else { throw missing }
    let video = item.pairedVideoFileDescriptor.flatMap(descriptors.number)
    if video == nil, item.pairedVideoFileDescriptor != nil { throw missing }
    let transfer = Transfer(source: source, video: video, movieEnding: item.pairedVideoExtension)
    do {
      let target = try directory(album)
      let place = try monitor.open(target)
      let name = FileName(item.filename)
      let copies = try await copy(transfer, into: place.take(), as: name, for: key)
      try allow()
      let asset = try monitor.add(
        copies.files, as: copies.name, movieEnding: copies.movieEnding, in: target)
      do { try await onThread(of: key) { _ throws(LibraryFileError) in try copies.files.sync() } } catch {
        try monitor.takeBack(copies.files, asset)
        throw error
      }
      return asset
    } catch let error as LibraryFileError {
      throw wireError(error, index)
    }
  }

  // MARK: Where to

  /// The directory that files are added to.
  private func directory(_ album: AlbumID?) throws -> DirectoryID {
    if let album { return album }
    guard let root = monitor.state.roots.first else { throw LibraryFileError(.offline, subject: "library") }
    var directory = DirectoryID(of: root.id)
    for part in saveTo.split(separator: "/") { directory = try subdirectory(String(part), of: directory) }
    return directory
  }

  /// The directory of that name, made when needed. It is opened and known one by one, so that no symbolic link is
  /// followed (S43).
  private func subdirectory(_ name: String, of parent: DirectoryID) throws -> DirectoryID {
    let location = Location(parent, FileName(name))
    if let known = monitor.tree.child(location) { return known.id }
    let place = try monitor.open(location.directory)
    let made = mkdirat(place.number, name, 0o750)
    if made != 0, errno != EEXIST {
      let code: LibraryFileError.Code = errno == ENOSPC || errno == EDQUOT ? .noSpace : .system
      throw LibraryFileError(code, subject: name, cause: SystemError("mkdirat"))
    }
    _ = try monitor.noteAdded(location)
    guard let known = monitor.tree.child(location) else {
      throw LibraryFileError(.gone, subject: name)
    }
    return known.id
  }

  // MARK: Copying

  /// What an app brings, for another thread. Its call owns them.
  struct Transfer: Sendable {
    let source: CInt
    let video: CInt?
    /// The extension that the app gives the movie.
    var movieEnding: String?
  }

  /// What became of it.
  struct Copies: Sendable {
    let files: NewFiles
    /// What the first shall be called: as the app says, with an extension that counts.
    let name: FileName
    /// The extension of the second, if it is a live photo.
    let movieEnding: String?
  }

  /// Copies a file, or the two of a live photo.
  ///
  /// - Parameter place: closed here.
  private func copy(
    _ transfer: Transfer, into place: CInt, as name: FileName, for key: UserThreads.Key
  ) async throws(LibraryFileError) -> Copies {
    let (limit, room) = (limit, room)
    return try await onThread(of: key) { progress throws(LibraryFileError) in
      let files = NewFiles(in: OwnedDescriptor(owning: place))
      try room.check()
      let copies = try transfer.copy(into: files, as: name, limit: limit, while: progress.step)
      // What has no name yet goes again, and with it what it took.
      try room.check()
      return copies
    }
  }

  private func onThread<Value: Sendable>(
    of key: UserThreads.Key, _ body: @escaping @Sendable (WorkProgress) throws(LibraryFileError) -> Value
  ) async throws(LibraryFileError) -> Value {
    let result = await threads.run(for: key) { progress -> Result<Value, LibraryFileError> in
      do throws(LibraryFileError) { return .success(try body(progress)) } catch { return .failure(error) }
    }
    return try result.get()
  }

  private func wireError(_ error: LibraryFileError, _ item: Int) -> any Error {
    switch error.code {
    case .noSpace: LibraryInterface.NoSpace()
    case .tooLarge: LibraryInterface.TooLarge(item: item, limit: limit)
    case .notMedia: LibraryInterface.NotMedia(item: item)
    case .notRegular, .unreadableSource:
      LibraryInterface.InvalidFileDescriptor(item: item, reason: error.description)
    case .invalidName: InvalidParameter(parameter: "items[\(item)].filename")
    case .offline: LibraryInterface.Offline(root: monitor.state.roots.first?.name ?? "")
    case .gone, .replaced, .otherFileSystem, .onlyName, .readOnly, .system: error
    }
  }
}

extension AssetAdder.Transfer {
  /// Copies what is media by its content, on a thread that may wait for the disk.
  ///
  /// - Parameter goesOn: asked before each part.
  func copy(
    into files: NewFiles, as name: FileName, limit: Int64, while goesOn: NewFiles.Continuing
  ) throws(LibraryFileError) -> AssetAdder.Copies {
    _ = try fitting(name, source)
    guard let video else {
      try files.copy(source, as: name, limit: limit, while: goesOn)
      // Again, of the copy: who brings a file may change it until then (S31).
      return AssetAdder.Copies(files: files, name: try fitting(name, files.descriptor(0)), movieEnding: nil)
    }
    // The pair is found again by its names, so they must be those of a pair.
    _ = try movieEnding(source, video, name)
    try files.copy(source, as: name, limit: limit, while: goesOn)
    try files.copy(video, as: name, limit: limit, while: goesOn)
    return AssetAdder.Copies(
      files: files, name: try fitting(name, files.descriptor(0)),
      movieEnding: try movieEnding(files.descriptor(0), files.descriptor(1), name))
  }

  /// The extension of the movie, if the two are a pair.
  private func movieEnding(
    _ still: CInt, _ movie: CInt, _ name: FileName
  ) throws(LibraryFileError) -> String {
    guard try MediaFormat(descriptor: still)?.type == .image else {
      throw LibraryFileError(.notMedia, subject: name.description)
    }
    guard let ending = try MediaFormat(descriptor: movie)?.movieEnding else {
      throw LibraryFileError(.notMedia, subject: "the paired video of \(name)")
    }
    // Cameras name both kinds either way.
    guard let given = movieEnding, FileName("x.\(given)").isPairableMovie, given.utf8.count == 3 else {
      return ending
    }
    return given
  }
}

/// The name with the extension of what it holds, if it has none of that kind (S30).
///
/// Refuses what is not media by its content (S31), and a name that would not count as an asset afterwards.
private func fitting(_ name: FileName, _ source: CInt) throws(LibraryFileError) -> FileName {
  guard let format = try MediaFormat(descriptor: source) else {
    throw LibraryFileError(.notMedia, subject: name.description)
  }
  let fitting = name.fitting(format)
  guard fitting.countsAsAsset else { throw LibraryFileError(.invalidName, subject: name.description) }
  return fitting
}

extension MediaFormat {
  /// The format of a file, by its beginning.
  init?(descriptor: CInt) throws(LibraryFileError) {
    // Others can make a read wait for as long as they like, and need no file system of their own for it.
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw LibraryFileError(.notRegular, subject: "the file")
    }
    var beginning = [UInt8](repeating: 0, count: MediaFormat.beginningLength)
    let count = pread(descriptor, &beginning, beginning.count, 0)
    guard count >= 0 else {
      throw LibraryFileError(.unreadableSource, subject: "the file", cause: SystemError("pread"))
    }
    self.init(beginning: beginning.prefix(count))
  }
}

extension LibraryState.Root {
  /// The last part of its path: what may be told to apps.
  var name: String { path.split(separator: "/").last.map(String.init) ?? path }
}
