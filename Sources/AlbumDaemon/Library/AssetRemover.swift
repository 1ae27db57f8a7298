internal import AlbumAPI
internal import EventLoop
internal import Glibc
internal import LibraryIO
internal import LibraryModel
internal import Linux
internal import Storage
internal import Varlink

/// Deletes and overwrites assets (S33), after the owner has agreed. What waits for the disk is done off the
/// loop; the steps, and what a crash between them leaves, are the monitor's.
@EventLoopActor
final class AssetRemover {
  private let monitor: LibraryMonitor
  private let store: any LibraryReading
  private let limit: Int64
  private let threads: UserThreads
  /// For what waits for the disk and nothing else.
  private let queue = SerialThread()
  /// So many are written down in one turn of the loop.
  private static let slice = 16
  /// Told when something was deleted.
  var onDeletion: @EventLoopActor () -> Void = {}

  /// - Parameter limit: the most bytes that are taken, as in adding.
  init(monitor: LibraryMonitor, store: any LibraryReading, threads: UserThreads, limit: Int64) {
    self.threads = threads
    self.monitor = monitor
    self.store = store
    self.limit = limit
  }

  /// Deletes assets: all are written down, that is brought to disk once, then their files are moved.
  ///
  /// - Returns: those that were deleted, and the first failure.
  func delete(_ ids: [AssetID], by app: String?) async -> (deleted: [AssetID], failure: (any Error)?) {
    var deleted: [AssetID] = []
    var failure: (any Error)?
    var rest = ids
    // Twice more for what was renamed in between.
    for _ in 0..<3 where !rest.isEmpty {
      var records: [DeletedAsset] = []
      for id in rest {
        do {
          guard let asset = try store.asset(id) else { throw LibraryFileError(.gone, subject: "asset") }
          records.append(try monitor.recordDeletion(of: asset, by: app, at: RealTime.seconds))
        } catch { failure = failure ?? error }
        // Others have their turn between some.
        if records.count % Self.slice == 0 { await EventLoopActor.giveWay() }
      }
      rest = []
      do { try await sync() } catch {
        for record in records { try? monitor.forgetDeleted(record.id) }
        return (deleted, error)
      }
      for record in records {
        do {
          try monitor.carryOut(record)
          deleted.append(record.id)
        } catch let error as LibraryFileError where error.code == .replaced {
          rest.append(record.id)
        } catch { failure = failure ?? error }
        // Others have their turn between two.
        await EventLoopActor.giveWay()
      }
    }
    if !rest.isEmpty, failure == nil { failure = LibraryFileError(.replaced, subject: "asset") }
    // What could not be put back at once may be now; else when the library changes.
    if failure != nil { _ = try? monitor.settleDeleted() }
    if !deleted.isEmpty { onDeletion() }
    return (deleted, failure)
  }

  /// Overwrites an asset with the content of a file. The copy appears in its place when it is whole and on
  /// disk.
  ///
  /// - Parameters:
  ///   - source: the peer's file; the caller owns it.
  ///   - key: whose file it is.
  /// - Throws: `NotMedia`, `TooLarge`, `NoSpace`, `InvalidFileDescriptor`, or ``LibraryFileError``.
  func replace(_ asset: Asset, with source: CInt, of key: UserThreads.Key, by app: String?) async throws
    -> Asset
  {
    let record = try monitor.recordReplacement(of: asset, by: app, at: RealTime.seconds)
    do {
      let hidden = try monitor.openHidden(of: record)
      try await copy(
        Transfer(source: source, hidden: hidden.take()), of: key, as: record.key.name(0), asset.mediaType)
      try await sync()
    } catch {
      try monitor.forget(record)
      throw error
    }
    let replaced = try monitor.carryOut(record, of: asset.id)
    onDeletion()
    return replaced
  }

  // MARK: Off the loop

  /// Looks at the content of a peer's file, which may wait for a file system of the peer's own.
  ///
  /// - Throws: `InvalidFileDescriptor`, `NotMedia` unless it is of the kind of an asset's first file.
  func check(_ source: CInt, of key: UserThreads.Key, for kind: MediaType) async throws {
    try await onThread(of: key) { _ throws(LibraryFileError) in try requireMedia(source, kind) }
  }

  /// The peer's file, and where it goes, which is closed there.
  private struct Transfer: Sendable {
    let source: CInt
    let hidden: CInt
  }

  private func copy(
    _ transfer: Transfer, of key: UserThreads.Key, as name: String, _ kind: MediaType
  ) async throws {
    let limit = limit
    try await onThread(of: key) { progress throws(LibraryFileError) in
      let hidden = OwnedDescriptor(owning: transfer.hidden)
      try requireMedia(transfer.source, kind)
      let files = NewFiles(in: hidden)
      try files.copy(transfer.source, as: FileName(name), limit: limit, while: progress.step)
      // Again, of the copy: who brings a file may change it until then.
      try requireMedia(files.descriptor(0), kind)
      guard try files.place([FileName(name)]) else {
        throw LibraryFileError(.invalidName, subject: name)
      }
      try files.sync()
    }
  }

  private func onThread(
    of key: UserThreads.Key, _ body: @escaping @Sendable (WorkProgress) throws(LibraryFileError) -> Void
  ) async throws {
    let result = await threads.run(for: key) { progress -> Result<Void, LibraryFileError> in
      do throws(LibraryFileError) { return .success(try body(progress)) } catch { return .failure(error) }
    }
    do { try result.get() } catch { throw wireError(error) }
  }

  private func wireError(_ error: LibraryFileError) -> any Error {
    switch error.code {
    case .noSpace: LibraryInterface.NoSpace()
    case .tooLarge: LibraryInterface.TooLarge(item: 0, limit: limit)
    case .notMedia: LibraryInterface.NotMedia(item: 0)
    case .notRegular, .unreadableSource:
      LibraryInterface.InvalidFileDescriptor(item: 0, reason: error.description)
    case .invalidName, .offline, .gone, .replaced, .otherFileSystem, .onlyName, .readOnly, .system: error
    }
  }

  /// Brings to disk what was written down.
  func sync() async throws {
    try monitor.settle()
    let path = store.path
    let result: Result<Void, StorageError> = await withCheckedContinuation { continuation in
      queue.async {
        let result: Result<Void, StorageError>
        do throws(StorageError) { result = .success(try LibraryStore.sync(path)) } catch {
          result = .failure(error)
        }
        continuation.resume(returning: result)
      }
    }
    try result.get()
  }
}

/// Refuses what is no media by its content (S31), and a film for a still.
private func requireMedia(_ source: CInt, _ kind: MediaType) throws(LibraryFileError) {
  let found = try MediaFormat(descriptor: source)?.type
  guard found == kind.stillOrVideo else { throw LibraryFileError(.notMedia, subject: "the new content") }
}
