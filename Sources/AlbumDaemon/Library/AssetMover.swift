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
  func rename(_ asset: Asset, to names: [FileName], mayBegin: MayBegin) async throws -> Asset {
    try await contents.waitForAnswer(of: asset, for: mayBegin.user)
    let asset = try await contents.recognized(asset, for: mayBegin.user)
    guard let relocation = try edits.assetMoves.recordRename(asset, to: names) else { return asset }
    return try await carryOut(relocation, of: asset.id, mayBegin)
  }

  /// Moves an asset into an album, out of the directories that the caller sees.
  ///
  /// - Throws: ``MoveRefusal``, ``LibraryFileError``, or the database's error.
  func move(
    _ asset: Asset, into album: AlbumID, outOf isSeen: (DirectoryID) -> Bool, mayBegin: MayBegin
  ) async throws {
    try await contents.waitForAnswer(of: asset, for: mayBegin.user)
    let asset = try await contents.recognized(asset, for: mayBegin.user)
    let origins = try origins(of: asset) { $0 != album && isSeen($0) }
    var rest = origins[...]
    if asset.albums.contains(album) || origins.isEmpty {
      try await edits.editor.link(asset, into: album, mayBegin: mayBegin)
    } else {
      rest = rest.dropFirst()
      try await move(asset, from: origins[0], into: album, mayBegin)
    }
    try await unlink(asset.id, from: rest, mayBegin)
  }

  /// Moves an asset out of all albums that the caller sees it in: to directly beneath its root, or, where it is somewhere else as
  /// well, to there alone.
  ///
  /// - Returns: whether it was in any.
  /// - Throws: ``MoveRefusal``, ``LibraryFileError``, or the database's error.
  func moveOut(
    _ asset: Asset, of isSeen: (AlbumID) -> Bool, mayBegin: MayBegin
  ) async throws -> Bool {
    try await contents.waitForAnswer(of: asset, for: mayBegin.user)
    let asset = try await contents.recognized(asset, for: mayBegin.user)
    let origins = try origins(of: asset) { !$0.isRoot && isSeen($0) }
    guard let first = origins.first, let root = contents.tree[first.directory]?.root else { return false }
    var rest = origins[...]
    if origins.count == asset.links.count {
      try await move(asset, from: first, into: DirectoryID(of: root), mayBegin)
      rest = rest.dropFirst()
    }
    try await unlink(asset.id, from: rest, mayBegin)
    return true
  }

  /// The names that it is to leave. Where a part lies beside one of them alone, that comes first: it takes the part along, or
  /// cannot be left, before anything has happened.
  private func origins(of asset: Asset, where isLeft: (DirectoryID) -> Bool) throws -> [Location] {
    let parts = try contents.parts(of: asset).map(\.location)
    func hasParts(_ link: Location) -> Bool {
      parts.contains { $0.directory == link.directory && $0.name.stem == link.name.stem }
    }
    let links = asset.links.filter { isLeft($0.directory) }
    return links.filter(hasParts) + links.filter { !hasParts($0) }
  }

  private func unlink(
    _ id: AssetID, from names: ArraySlice<Location>, _ mayBegin: MayBegin
  ) async throws {
    var left: Set<DirectoryID> = []
    for directory in names.map(\.directory) where left.insert(directory).inserted {
      guard let present = try store.files.asset(id) else { return }
      try await edits.removals.unlink(present, from: directory, mayBegin: mayBegin)
    }
  }

  private func move(
    _ asset: Asset, from origin: Location, into album: AlbumID, _ mayBegin: MayBegin
  ) async throws {
    for attempt in 1...Self.mostTries {
      let relocation = try edits.assetMoves.recordMove(asset, from: origin, into: album)
      do {
        _ = try await carryOut(relocation, of: asset.id, mayBegin)
        return
      } catch MoveRefusal.nameTaken where attempt < Self.mostTries { continue }
    }
  }

  private func carryOut(
    _ relocation: Relocation, of id: AssetID, _ mayBegin: MayBegin
  ) async throws -> Asset {
    do { try await index.sync() } catch {
      await edits.assetMoves.forget(relocation)
      throw error
    }
    return try await edits.assetMoves.carryOut(relocation, of: id, mayBegin: mayBegin)
  }
}
