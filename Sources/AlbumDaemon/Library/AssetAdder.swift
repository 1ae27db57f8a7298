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
  /// For what waits for the library's disk.
  private let disks: DiskThreads
  private let room: StateRoom
  /// Says what is added before it is told; nil where nobody does.
  private let reader: CopyReader?

  init(
    monitor: LibraryMonitor, renderer: LibraryRenderer, saveTo: String, limit: Int64, room: StateRoom,
    reader: CopyReader? = nil
  ) {
    self.reader = reader
    self.room = room
    self.monitor = monitor
    disks = DiskThreads(monitor.contents)
    self.renderer = renderer
    self.saveTo = saveTo
    self.limit = limit
  }

  /// The most bytes of a sidecar: of larger ones none could be handed out without the place (S79).
  private static let sidecarLimit: Int64 = 32 << 20

  /// What was added, and the failure of each item that was not.
  struct Outcome {
    var assets: [Asset] = []
    var failures: [(item: Int, error: any Error)] = []
  }

  /// Adds items in their order; one failure leaves the others.
  ///
  /// - Parameters:
  ///   - files: what came with the call.
  ///   - user: whose turn it takes at the disk.
  ///   - album: where to; the configured directory when `nil`.
  ///   - share: what the caller may add today; `nil` for an owner.
  ///   - allow: throws where the caller may add no more: asked when a copy is there and has no name yet, and when it is to
  ///     get one.
  func add(
    _ items: [LibraryInterface.AddItem], _ files: any BroughtFiles, for user: UInt32, to album: AlbumID?,
    share: DailyAdditions.Share?, allow: MayBegin,
    progress: @EventLoopActor (Outcome) async -> Void
  ) async -> Outcome {
    var outcome = Outcome()
    for (index, item) in items.enumerated() where !Task.isCancelled {
      do {
        outcome.assets.append(try await add(item, index, files, for: user, to: album, share, allow))
      } catch { outcome.failures.append((index, error)) }
      await progress(outcome)
    }
    return outcome
  }

  private func add(
    _ item: LibraryInterface.AddItem, _ index: Int, _ files: any BroughtFiles, for user: UInt32,
    to album: AlbumID?, _ share: DailyAdditions.Share?, _ allow: MayBegin
  ) async throws -> Asset {
    let growing = try GrowingCopies(share: share, room: room, limit: limit)
    defer { growing.end() }
    do {
      let name = try item.name(index)
      let target = try await directory(album, allow)
      try await monitor.contents.waitForAnswer(of: target, for: user)
      let disk = disks[target, for: user]
      let endings = try item.sidecarEndings(index)
      let rawEnding = try item.rawEnding(index)
      let copies = try await copy(
        item, named: name, files, into: try await monitor.contents.open(target, for: user), growing, disk)
      guard
        endings.allSatisfy({
          copies.name.takesSidecar($0, movieEnding: copies.movieEnding, rawEnding: rawEnding)
        })
      else {
        throw InvalidParameter(parameter: "items[\(index)].sidecars")
      }
      for sidecar in item.sidecars ?? [] {
        try await copy(sidecar, index, files, to: copies, growing, disk)
      }
      let mayWait = monitor.contents.rootApart(of: target) != nil
      let hasMovie = copies.movieEnding != nil
      let reading = mayWait ? nil : await reader?.read(copies.files, hasMovie: hasMovie, for: user)
      try await monitor.contents.waitForAnswer(of: target, for: user)
      try allow()
      growing.end()
      try share?.take(bytes: copies.files.byteCount, files: copies.files.count)
      let asset = try await monitor.edits.editor.add(
        copies.files, as: copies.name, movieEnding: copies.movieEnding, rawEnding: rawEnding,
        sidecarEndings: endings,
        created: item.created?.nanoseconds, reading: reading, in: target, mayBegin: allow)
      do { try await disk.run { () throws(LibraryFileError) in try copies.files.sync() } } catch {
        try await monitor.edits.editor.takeBack(copies.files, asset)
        throw error
      }
      return asset
    } catch let error as LibraryFileError {
      growing.end()
      if let share, error.code == .tooLarge, growing.isBoundByDay { throw share.isOver }
      throw wireError(error, item, index)
    } catch  where error.isNoSpace {
      throw LibraryInterface.NoSpace()
    }
  }

  // MARK: Where to

  /// The directory that files are added to.
  private func directory(_ album: AlbumID?, _ allow: MayBegin) async throws -> DirectoryID {
    if let album { return album }
    guard let root = monitor.state.roots.first else { throw LibraryFileError(.offline, subject: "library") }
    var directory = DirectoryID(of: root.id)
    for part in saveTo.split(separator: "/") {
      directory = try await subdirectory(String(part), of: directory, allow)
    }
    return directory
  }

  /// The directory of that name, made when needed. It is opened and known one by one, so that no symbolic link is
  /// followed (S43).
  private func subdirectory(
    _ name: String, of parent: DirectoryID, _ allow: MayBegin
  ) async throws -> DirectoryID {
    if let known = monitor.contents.tree.child(Location(parent, FileName(name))) { return known.id }
    return try await monitor.edits.editor.makeDirectory(name, in: parent, mayBegin: allow)
  }

  // MARK: Copying

  /// What became of an item.
  private struct Copies: Sendable {
    let files: NewFiles
    /// What the first shall be called: as the app says, with an extension that counts.
    let name: FileName
    /// The extension of the second, if it is a live photo.
    let movieEnding: String?
  }

  /// Copies a file, or those of a live photo, and RAW of either, if they are media by their content.
  private func copy(
    _ item: LibraryInterface.AddItem, named name: FileName, _ files: any BroughtFiles, into place: HeldFile,
    _ growing: GrowingCopies, _ disk: DiskThreads.Place
  ) async throws(LibraryFileError) -> Copies {
    let new = NewFiles(in: place)
    let video = item.pairedVideoFileDescriptor
    // What can be refused is refused before it is copied.
    let brought = try await files.format(of: item.fileDescriptor)
    _ = try name.fitting(brought, isPaired: video != nil || item.alternatePhotoFileDescriptor != nil)
    if let video {
      _ = try await files.format(of: video)?.movieEnding(of: name, given: item.pairedVideoExtension)
    }
    let raw = item.alternatePhotoFileDescriptor
    if let raw { try name.requireRaw(try await files.format(of: raw)) }
    let room = room
    try await disk.run { () throws(LibraryFileError) in try room.check() }
    try await files.copy(item.fileDescriptor, to: new, as: name, growing, disk)
    for part in [video, raw].compactMap(\.self) {
      try await files.copy(part, to: new, as: name, growing, disk)
    }
    // What has no name yet goes again, and with it what it took.
    let modified = item.modified.map { min($0, Instant(microseconds: RealTime.microseconds)) }
    try await disk.run { () throws(LibraryFileError) in
      try room.check()
      if let modified { try new.date(modified.nanoseconds) }
    }
    // Again, of the copies: who brings a file may change it until then (S31).
    let copied = try await disk.run { () throws(LibraryFileError) in
      try MediaFormat(descriptor: new.descriptor(0))
    }
    let fitting = try name.fitting(copied, isPaired: video != nil || raw != nil)
    if raw != nil {
      let last = video == nil ? 1 : 2
      try fitting.requireRaw(
        try await disk.run { () throws(LibraryFileError) in try MediaFormat(descriptor: new.descriptor(last))
        })
    }
    guard video != nil else { return Copies(files: new, name: fitting, movieEnding: nil) }
    // The pair is found again by its names, so they must be those of a pair.
    let copiedMovie = try await disk.run { () throws(LibraryFileError) in
      try MediaFormat(descriptor: new.descriptor(1))
    }
    guard let movie = copiedMovie else {
      throw LibraryFileError(.notMedia, subject: "the paired video of \(name)")
    }
    return Copies(
      files: new, name: fitting,
      movieEnding: try movie.movieEnding(of: name, given: item.pairedVideoExtension))
  }

  /// Copies a sidecar of an item behind its media: it keeps its own times, whatever the item says of its own.
  private func copy(
    _ sidecar: LibraryInterface.AddedSidecar, _ index: Int, _ files: any BroughtFiles, to copies: Copies,
    _ growing: GrowingCopies, _ disk: DiskThreads.Place
  ) async throws {
    do throws(LibraryFileError) {
      try await files.copy(
        sidecar.fileDescriptor, to: copies.files, as: copies.name, growing, most: Self.sidecarLimit, disk)
    } catch {
      guard error.code == .tooLarge, !growing.isBoundByDay, limit >= Self.sidecarLimit else { throw error }
      throw LibraryInterface.TooLarge(item: index, limit: Self.sidecarLimit)
    }
    let room = room
    try await disk.run { () throws(LibraryFileError) in try room.check() }
  }

  private func wireError(
    _ error: LibraryFileError, _ item: LibraryInterface.AddItem, _ index: Int
  ) -> any Error {
    switch error.code {
    case .noSpace: LibraryInterface.NoSpace()
    case .tooLarge: LibraryInterface.TooLarge(item: index, limit: limit)
    case .notMedia: LibraryInterface.NotMedia(item: index)
    case .notRegular, .unreadableSource:
      LibraryInterface.InvalidFileDescriptor(item: index, reason: error.description)
    case .invalidName: InvalidParameter(parameter: item.nameParameter(index))
    case .offline: LibraryInterface.Offline(root: monitor.state.roots.first?.name ?? "")
    case .busy: AuthorizationInterface.Busy()
    case .gone, .replaced, .otherFileSystem, .onlyName, .readOnly, .noAttributes, .system: error
    }
  }
}

extension LibraryInterface.AddItem {
  /// So many sidecars lie beside one name of a photo at most: three kinds, whose letters are of either case, with the
  /// photo's extension before them or without.
  private static let mostSidecars = 48

  /// The extensions of its sidecars: not too many, each once, and those of sidecars.
  fileprivate func sidecarEndings(_ index: Int) throws(InvalidParameter) -> [String] {
    let endings = (sidecars ?? []).map(\.sidecarExtension)
    guard endings.count <= Self.mostSidecars, Set(endings).count == endings.count,
      endings.allSatisfy({ FileName("x.\($0)").isSidecar })
    else { throw InvalidParameter(parameter: "items[\(index)].sidecars") }
    return endings
  }
}

extension LibraryInterface.AddItem {
  /// The extension of its RAW, where it brings some: nothing in such a file says it.
  fileprivate func rawEnding(_ index: Int) throws(InvalidParameter) -> String? {
    guard alternatePhotoFileDescriptor != nil else { return nil }
    guard let ending = alternatePhotoExtension, ending.utf8.count == 3, FileName("x.\(ending)").isRaw else {
      throw InvalidParameter(parameter: "items[\(index)].alternatePhotoExtension")
    }
    return ending
  }
}

extension FileName {
  /// Refuses what is no still as the RAW of a photo with this name, and a photo that is RAW itself (S99).
  fileprivate func requireRaw(_ format: MediaFormat?) throws(LibraryFileError) {
    guard let format, format.type == .image, !isRaw else {
      throw LibraryFileError(.notMedia, subject: "the RAW of \(self)")
    }
  }

  /// The name with the extension of what it holds, if it has none of that kind (S30).
  ///
  /// Refuses what is not media by its content (S31), and a name that would not count as an asset afterwards.
  fileprivate func fitting(_ format: MediaFormat?, isPaired: Bool) throws(LibraryFileError) -> FileName {
    guard let format, !isPaired || format.type == .image else {
      throw LibraryFileError(.notMedia, subject: description)
    }
    let fitting = fitting(format)
    guard fitting.countsAsAsset else { throw LibraryFileError(.invalidName, subject: description) }
    return fitting
  }
}

extension MediaFormat {
  /// The extension of the movie of a pair.
  ///
  /// - Parameter given: the one that the app gives it.
  fileprivate func movieEnding(of name: FileName, given: String?) throws(LibraryFileError) -> String {
    guard let ending = movieEnding else {
      throw LibraryFileError(.notMedia, subject: "the paired video of \(name)")
    }
    // Cameras name both kinds either way.
    guard let given, FileName("x.\(given)").isPairableMovie, given.utf8.count == 3 else { return ending }
    return given
  }
}
