internal import AlbumAPI
internal import EventLoop
internal import Glibc
internal import LibraryIO
internal import LibraryModel
internal import Linux
internal import Storage
internal import Varlink
internal import VarlinkServer

/// Deletes and overwrites assets (S33), after the owner has agreed. What waits for the disk is done off the
/// loop; the steps, and what a crash between them leaves, are the monitor's.
@EventLoopActor
final class AssetRemover {
  private let edits: LibraryEdits
  private let contents: LibraryContents
  private let disks: DiskThreads
  private let store: any LibraryReading
  private let limit: Int64
  private let room: StateRoom
  /// For what waits for the disk and nothing else.
  private let queue = SerialThread()
  /// So many are written down in one turn of the loop.
  private static let slice = 16
  private let index: IndexSync
  /// Removes for good what was deleted.
  private let recentlyDeleted: RecentlyDeleted

  /// - Parameters:
  ///   - limit: the most bytes that are taken, as in adding.
  ///   - room: what has to be left, as in adding.
  init(
    monitor: LibraryMonitor, store: any LibraryReading, limit: Int64, room: StateRoom, index: IndexSync,
    recentlyDeleted: RecentlyDeleted
  ) {
    self.room = room
    edits = monitor.edits
    contents = monitor.contents
    disks = DiskThreads(monitor.contents)
    self.store = store
    self.limit = limit
    self.index = index
    self.recentlyDeleted = recentlyDeleted
  }

  /// Deletes assets: all are written down, that is brought to disk once, then their files are moved.
  ///
  /// - Parameters:
  ///   - user: against whose places it counts where edits wait for a file system.
  ///   - mayBegin: whether one may still be deleted, asked when it is its turn.
  /// - Returns: those that were deleted, and the first failure.
  func delete(
    _ ids: [AssetID], by app: String?, for user: UInt32,
    mayBegin: @escaping @EventLoopActor (AssetID) throws -> Void
  ) async -> (deleted: [AssetID], failure: (any Error)?) {
    var deleted: [AssetID] = []
    var failure: (any Error)?
    var rest = ids
    // Twice more for what was renamed in between.
    for _ in 0..<3 where !rest.isEmpty {
      var records: [DeletedAsset] = []
      for id in rest {
        do {
          guard let asset = try store.files.asset(id) else { throw LibraryFileError(.gone, subject: "asset") }
          try await contents.waitForAnswer(of: asset, for: user)
          let present = try await contents.recognized(asset, for: user)
          records.append(try edits.deletions.record(present, by: app, at: RealTime.seconds))
        } catch { failure = failure ?? error }
        // Others have their turn between some.
        if records.count % Self.slice == 0 { await EventLoopActor.giveWay() }
      }
      rest = []
      do { try await index.sync() } catch {
        for record in records { await edits.deletions.forget(record) }
        return (deleted, error)
      }
      for record in records {
        do {
          try await edits.deletions.carryOut(
            record, mayBegin: MayBegin(by: user) { try mayBegin(record.id) })
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
    if failure != nil { _ = try? edits.halfDone.complete() }
    if !deleted.isEmpty { recentlyDeleted.begin() }
    return (deleted, failure)
  }

  /// Overwrites an asset with the content of a file. The copy appears in its place when it is whole and on
  /// disk.
  ///
  /// - Parameters:
  ///   - source: the peer's file.
  ///   - user: whose turn it takes at the disk.
  ///   - adjustment: what was done to it, if that can be undone (S94).
  ///   - share: what the caller may add today, which this counts against: what was there before is kept. `nil` for an
  ///     owner.
  ///   - mayBegin: whether it may still be overwritten, asked when the copy is there.
  /// - Throws: `NotMedia`, `TooLarge`, `NoSpace`, `Throttled`, `InvalidFileDescriptor`, or ``LibraryFileError``.
  func replace(
    _ asset: Asset, with source: Source, for user: UInt32, adjustment: Adjustment? = nil, by app: String?,
    share: DailyAdditions.Share?, mayBegin: MayBegin
  ) async throws -> Asset {
    let growing = try GrowingCopies(share: share, room: room, limit: limit)
    defer { growing.end() }
    try await checkRoom()
    try await contents.waitForAnswer(of: asset, for: user)
    let asset = try await contents.recognized(asset, for: user)
    let record = try edits.replacements.record(
      asset, adjustment: adjustment, by: app, at: RealTime.seconds)
    do {
      let hidden = try await edits.records.openHidden(of: record, for: user)
      let byteCount = try await copy(
        source, into: hidden, as: record.key.name(0), asset.mediaType, growing,
        disks[record.place, for: user])
      growing.end()
      try share?.take(bytes: byteCount + Int64(adjustment?.data.count ?? 0), files: 1)
      try await index.sync()
    } catch {
      growing.end()
      await edits.replacements.forget(record)
      if let share, error is LibraryInterface.TooLarge, growing.isBoundByDay { throw share.isOver }
      throw error
    }
    let replaced = try await edits.replacements.carryOut(record, of: asset.id, mayBegin: mayBegin)
    recentlyDeleted.begin()
    return replaced
  }

  /// Puts an asset's original back (S94).
  ///
  /// - Returns: nil where none is kept.
  /// - Throws: ``LibraryFileError``, or the database's error.
  func revert(_ asset: Asset, by app: String?, mayBegin: MayBegin) async throws -> Asset? {
    try await checkRoom()
    try await contents.waitForAnswer(of: asset, for: mayBegin.user)
    let asset = try await contents.recognized(asset, for: mayBegin.user)
    guard let record = try edits.reversions.record(asset, by: app, at: RealTime.seconds) else { return nil }
    do { try await index.sync() } catch {
      await edits.reversions.forget(record)
      throw error
    }
    let reverted = try await edits.reversions.carryOut(record, of: asset.id, mayBegin: mayBegin)
    recentlyDeleted.begin()
    return reverted
  }

  // MARK: Off the loop

  /// A file that came with a call.
  struct Source {
    let files: any BroughtFiles
    let index: Int
  }

  /// Looks at the content of a peer's file.
  ///
  /// - Throws: `InvalidFileDescriptor`, `NotMedia` unless it is of the kind of an asset's first file.
  func check(_ source: Source, for kind: MediaType) async throws {
    do throws(LibraryFileError) {
      try require(try await source.files.format(of: source.index), kind)
    } catch { throw wireError(error) }
  }

  /// - Parameter hidden: the directory where it goes.
  /// - Returns: how many bytes it has.
  private func copy(
    _ source: Source, into hidden: HeldFile, as name: String, _ kind: MediaType,
    _ growing: GrowingCopies, _ disk: DiskThreads.Place
  ) async throws -> Int64 {
    let files = NewFiles(in: hidden)
    let room = room
    do throws(LibraryFileError) {
      try require(try await source.files.format(of: source.index), kind)
      try await source.files.copy(source.index, to: files, as: FileName(name), growing, disk)
      // Again, of the copy: who brings a file may change it until then.
      try require(
        try await disk.run { () throws(LibraryFileError) in try MediaFormat(descriptor: files.descriptor(0))
        },
        kind)
      try await disk.run { () throws(LibraryFileError) in
        // What has no name yet goes again, and with it what it took.
        try room.check()
        guard try files.place([FileName(name)]) else { throw LibraryFileError(.invalidName, subject: name) }
        try files.sync()
      }
      return files.byteCount
    } catch { throw wireError(error) }
  }

  /// Before anything is written down: where there is no room, that fails as well.
  private func checkRoom() async throws {
    let room = room
    do throws(LibraryFileError) {
      try await queue.run { () throws(LibraryFileError) in try room.check() }
    } catch { throw wireError(error) }
  }

  private func wireError(_ error: LibraryFileError) -> any Error {
    switch error.code {
    case .noSpace: LibraryInterface.NoSpace()
    case .tooLarge: LibraryInterface.TooLarge(item: 0, limit: limit)
    case .notMedia: LibraryInterface.NotMedia(item: 0)
    case .notRegular, .unreadableSource:
      LibraryInterface.InvalidFileDescriptor(item: 0, reason: error.description)
    case .invalidName, .offline, .busy, .gone, .replaced, .otherFileSystem, .onlyName, .readOnly,
      .noAttributes,
      .system:
      error
    }
  }
}

/// Refuses what is no media by its content (S31), and a film for a still.
private func require(_ found: MediaFormat?, _ kind: MediaType) throws(LibraryFileError) {
  guard found?.type == kind.stillOrVideo else {
    throw LibraryFileError(.notMedia, subject: "the new content")
  }
}
