internal import Glibc
internal import Linux
internal import Sentences
internal import Synchronization
internal import Words

/// Where what was picked is loaded to.
public enum PickDestination: Hashable, Sendable {
  /// Into memory: the photo or video, without a movie or sidecars beside it.
  case memory
  /// Into files of a directory of the app's, by its path: of a live photo both, and sidecars where they were asked for. They
  /// keep their names, and one that exists gets a number.
  case directory(String)
}

/// What was loaded. PhotoKit: what `loadTransferable(type:)` gives.
public enum PickContent: Hashable, Sendable {
  /// What is in the photo or video.
  case data([UInt8])
  /// The paths of the files: the photo or video, then the movie of a live photo, then sidecars. A name that is not UTF-8 cannot be said in
  /// a path as text: look into the directory.
  case files([String])
}

extension PickedAsset {
  /// Loads it. PhotoKit: `PhotosPickerItem.loadTransferable(type:)`; **differs**: files stay, in a directory of the app's.
  ///
  /// Cancelling the task ends it, and what was written is removed, as it is when it fails.
  ///
  /// - Parameter progress: told how many bytes are there, and of how many, on no particular thread.
  /// - Throws: ``AlbumError``: `noSuchResource` where the app gets no file of it (``isAccessible``), `offline` where it cannot be read
  ///   any more, `noSpace`, `invalidFileDescriptor` where the directory cannot be written, `outOfResources`.
  ///   `CancellationError`.
  public func load(
    to destination: PickDestination = .memory,
    progress: (@Sendable (_ done: Int, _ total: Int) -> Void)? = nil
  ) async throws -> PickContent {
    let isCancelled = Mutex(false)
    let total = byteCount(to: destination)
    return try await withTaskCancellationHandler {
      let content = try await reading.pass { () async throws(AlbumError) in
        try await WorkLane.once(about: filename) { [self] () throws(AlbumError) -> PickContent? in
          let goesOn = { (done: Int) in
            progress?(min(done, total), total)
            return !isCancelled.withLock { $0 }
          }
          switch destination {
          case .memory: return try read(goesOn).map { .data($0) }
          case .directory(let path): return try write(into: path, goesOn).map { .files($0) }
          }
        }
      }
      guard let content else { throw CancellationError() }
      return content
    } onCancel: {
      isCancelled.withLock { $0 = true }
    }
  }

  /// How many bytes that takes.
  func byteCount(to destination: PickDestination) -> Int {
    switch destination {
    case .memory: return file?.byteCount() ?? 0
    case .directory:
      let beside = sidecars.reduce(0) { $0 + $1.file.byteCount() }
      return (file?.byteCount() ?? 0) + (pairedVideo?.byteCount() ?? 0) + beside
    }
  }

  private func read(_ goesOn: (Int) -> Bool) throws(AlbumError) -> [UInt8]? {
    guard file != nil else { throw notAccessible }
    return try file?.readAll(named: filename, byteCount: 0, goesOn)
  }

  private var notAccessible: AlbumError {
    AlbumError(.noSuchResource, .init(.pickedInaccessible, ["file": filename]), place: filename)
  }

  /// - Returns: nil where it was ended.
  private func write(into path: String, _ goesOn: (Int) -> Bool) throws(AlbumError) -> [String]? {
    guard file != nil else { throw notAccessible }
    do throws(SystemError) {
      var directory = try LoadingDirectory(path)
      do throws(SystemError) {
        if try write(into: &directory, goesOn) { return directory.paths }
      } catch {
        directory.removeAll()
        throw error
      }
      directory.removeAll()
      return nil
    } catch { throw AlbumError(loading: error, filename) }
  }

  private func write(
    into directory: inout LoadingDirectory, _ goesOn: (Int) -> Bool
  ) throws(SystemError) -> Bool {
    let wanted = ExportName(filename: filename, percentEncoded: percentEncodedFilename)
    guard try file?.load(into: &directory, as: wanted, goesOn) ?? false else { return false }
    // What is beside it is called after it, with its number.
    guard let name = directory.names.first else { return false }
    let movie = name.replacingExtension(with: pairedVideoExtension ?? "mov")
    guard try pairedVideo?.load(into: &directory, as: movie, goesOn) ?? true else { return false }
    for sidecar in sidecars {
      let wanted = name.replacingExtension(with: sidecar.fileExtension)
      guard try sidecar.file.load(into: &directory, as: wanted, goesOn) else { return false }
    }
    return true
  }
}

extension AlbumError {
  /// A file was not loaded.
  fileprivate init(loading error: SystemError, _ filename: String) {
    if error.call == "pread" {
      self.init(
        .offline, .init(.errNotReadable, ["file": filename, "reason": error.reason]), place: "pread")
    } else if error.code == ENOSPC || error.code == EDQUOT {
      self.init(.noSpace, .init(.errInvalidFile, ["reason": error.reason]), place: error.call)
    } else {
      self.init(opening: error)
    }
  }
}
