internal import EventLoop
internal import LibraryIO
internal import LibraryModel
internal import Storage

/// Renames assets and moves them between albums (S77): what is going to happen is on disk before it does.
@EventLoopActor
final class AssetMover {
  private let edits: LibraryEdits
  private let contents: LibraryContents
  private let store: any LibraryReading
  private let index: IndexSync
  /// How often it is begun anew where a name was taken, or a file renamed, in between.
  private static let mostTries = 3

  init(monitor: LibraryMonitor, store: any LibraryReading, index: IndexSync) {
    edits = monitor.edits
    contents = monitor.contents
    self.store = store
    self.index = index
  }

  /// Gives an asset the first of some names that is free.
  ///
  /// - Throws: ``MoveRefusal``, ``LibraryFileError``, or the database's error.
  func rename(_ asset: Asset, to names: [FileName]) async throws -> Asset {
    try await contents.waitForAnswer(of: asset)
    guard let relocation = try edits.assetMoves.recordRename(asset, to: names) else { return asset }
    return try await carryOut(relocation, of: asset.id)
  }

  /// Moves an asset into an album, out of the directories that the caller sees.
  ///
  /// - Throws: ``MoveRefusal``, ``LibraryFileError``, or the database's error.
  func move(
    _ asset: Asset, into album: AlbumID, outOf isSeen: (DirectoryID) -> Bool
  ) async throws {
    try await contents.waitForAnswer(of: asset)
    let origins = asset.links.filter { $0.directory != album && isSeen($0.directory) }
    var rest = Set(origins.map(\.directory))
    if asset.albums.contains(album) || origins.isEmpty {
      try await edits.editor.link(asset, into: album)
    } else {
      rest = Set(origins.dropFirst().map(\.directory))
      try await move(asset, from: origins[0], into: album)
    }
    for directory in rest.sorted() {
      guard let present = try store.files.asset(asset.id) else { return }
      try await edits.removals.unlink(present, from: directory)
    }
  }

  /// Moves an asset out of all albums that the caller sees it in: to directly beneath its root, or, where it is somewhere else as
  /// well, to there alone.
  ///
  /// - Returns: whether it was in any.
  /// - Throws: ``MoveRefusal``, ``LibraryFileError``, or the database's error.
  func moveOut(_ asset: Asset, of isSeen: (AlbumID) -> Bool) async throws -> Bool {
    try await contents.waitForAnswer(of: asset)
    let origins = asset.links.filter { !$0.directory.isRoot && isSeen($0.directory) }
    guard let first = origins.first, let root = contents.tree[first.directory]?.root else { return false }
    var rest = origins[...]
    if origins.count == asset.links.count {
      try await move(asset, from: first, into: DirectoryID(of: root))
      rest = rest.dropFirst()
    }
    for directory in Set(rest.map(\.directory)).sorted() {
      guard let present = try store.files.asset(asset.id) else { return true }
      try await edits.removals.unlink(present, from: directory)
    }
    return true
  }

  private func move(_ asset: Asset, from origin: Location, into album: AlbumID) async throws {
    for attempt in 1...Self.mostTries {
      let relocation = try edits.assetMoves.recordMove(asset, from: origin, into: album)
      do {
        _ = try await carryOut(relocation, of: asset.id)
        return
      } catch MoveRefusal.nameTaken where attempt < Self.mostTries { continue }
    }
  }

  private func carryOut(_ relocation: Relocation, of id: AssetID) async throws -> Asset {
    do { try await index.sync() } catch {
      try? edits.assetMoves.forget(relocation)
      throw error
    }
    return try await edits.assetMoves.carryOut(relocation, of: id)
  }
}
