package import EventLoop
package import LibraryModel

/// Gives assets other names, in their albums or in another one (S77).
///
/// A live photo has two files, others have RAW or sidecars, and an asset may have several names, so it takes several steps: first it is written down
/// which, then files are renamed, then the index follows. Whatever ends the daemon when, ``HalfDone`` does the rest of
/// them, or takes back what was done.
@EventLoopActor
package final class AssetMoves {
  private let between: BetweenTurns
  private let records: DeletionRecords
  private let contents: LibraryContents

  init(_ between: BetweenTurns, _ records: DeletionRecords, _ contents: LibraryContents) {
    self.between = between
    self.records = records
    self.contents = contents
  }

  // MARK: Writing down

  /// Writes down that an asset gets the first of some names that is free in each of its directories; its movies, RAW and
  /// sidecars are called after it.
  ///
  /// - Parameter names: each keeps its own extension, whatever that of these is.
  /// - Returns: nothing where it has that name already.
  /// - Throws: ``MoveRefusal``, `nameTaken`; ``LibraryFileError``: `gone`, `invalidName`; or the database's error.
  package func recordRename(_ asset: Asset, to names: [FileName]) throws -> Relocation? {
    var seen: Set<DirectoryID> = []
    let links = asset.links.filter { seen.insert($0.directory).inserted }
    for name in names {
      let moves = try links.flatMap { link in
        try self.moves(of: asset, at: link) { Location($0.directory, $0.name.withStem(of: name)) }
      }
      .filter { $0.origin != $0.target }
      if moves.isEmpty { return nil }
      for move in moves
      where !move.target.name.countsAsFile || move.target.name.bytes.count > NumberedNames.longest {
        throw LibraryFileError(.invalidName, subject: move.target.name.description)
      }
      if try isFree(moves) { return try begin(moves, of: asset) }
    }
    throw MoveRefusal.nameTaken
  }

  /// Writes down that an asset goes from one of its names to an album, where it keeps that as long as it is free.
  ///
  /// - Throws: ``MoveRefusal``: `nameTaken`, `otherRoot`; ``LibraryFileError``: `gone`; or the database's error.
  package func recordMove(_ asset: Asset, from origin: Location, into album: AlbumID) throws -> Relocation {
    let tree = between.tree
    guard let from = tree[origin.directory], let to = tree[album] else {
      throw LibraryFileError(.gone, subject: asset.filename.description)
    }
    guard from.root == to.root, from.identity.volume == to.identity.volume else {
      throw MoveRefusal.otherRoot
    }
    func moves(_ name: FileName) throws -> [Relocation.Move] {
      try self.moves(of: asset, at: origin) { Location(album, $0.name.withStem(of: name)) }
    }
    let name = try NumberedNames(present: origin.name).free { try isFree(moves($0)) }
    guard let name else { throw MoveRefusal.nameTaken }
    return try begin(moves(name), of: asset)
  }

  /// One name of an asset, and the movies, RAW and sidecars beside it.
  private func moves(
    of asset: Asset, at link: Location, to target: (Location) -> Location
  ) throws -> [Relocation.Move] {
    let parts = try contents.parts(of: asset).filter {
      $0.location.directory == link.directory && $0.location.name.stem == link.name.stem
    }
    let sidecars = try between.librarian.sidecars.sidecars(of: asset.id, at: link)
    let new = target(link)
    return [Relocation.Move(identity: asset.identity, origin: link, target: new)]
      + parts.map {
        Relocation.Move(identity: $0.identity, origin: $0.location, target: target($0.location))
      }
      + sidecars.map {
        let name = link.name.renaming($0.location.name, with: new.name)
        return Relocation.Move(
          identity: $0.identity, origin: $0.location, target: Location(new.directory, name))
      }
  }

  /// Whether nothing has these names, and nothing beside them would be taken for a part of what gets them.
  private func isFree(_ moves: [Relocation.Move]) throws -> Bool {
    try moves.allSatisfy { move in
      try between.tree.child(move.target) == nil && between.librarian.parts.isFree(move.target)
        && between.librarian.sidecars.isFree(move.target)
    }
  }

  private func begin(_ moves: [Relocation.Move], of asset: Asset) throws -> Relocation {
    let directory = moves[0].origin.directory
    guard let root = between.tree[directory]?.root else {
      throw LibraryFileError(.gone, subject: asset.filename.description)
    }
    let place = HiddenDirectory.place(for: directory, in: between.tree)
    return Relocation(
      try records.begin { database in
        let id = try database.index.files.reserveAssetID()
        return Relocation(moves, of: asset, id: id, root: root, place: place).record
      })
  }

  // MARK: Carrying out

  /// Nobody carries it out: what was written down could not be brought to disk.
  package func forget(_ relocation: Relocation) async {
    let id = relocation.record.id
    await records.takeBack(id) { [records] in try records.forget(id) }
  }

  /// Renames what was written down. If that fails, every file has the name that it had.
  ///
  /// - Returns: the asset as it is now.
  /// - Throws: ``MoveRefusal``, `nameTaken`; ``LibraryFileError``: `gone`, `replaced`, `offline`, `noSpace`,
  ///   `otherFileSystem`, `readOnly`, `system`; or the database's error.
  package func carryOut(
    _ relocation: Relocation, of id: AssetID, mayBegin: MayBegin
  ) async throws -> Asset {
    let record = relocation.record
    return try await records.carryOut(record, mayBegin: mayBegin) {
      var isFree = false
      do throws(LibraryFileError) {
        try check(relocation, of: id)
        isFree = try await between.onDisk(
          record.directories, record.asset.filename.description, after: relocation.after
        ) {
          (disk, tree) throws(LibraryFileError) in try relocation.carryOut(disk, tree)
        }
      } catch {
        // Else what was begun is ended when the file system answers again.
        if !error.isUndecided { await forget(relocation) }
        throw error
      }
      guard isFree else {
        await forget(relocation)
        throw MoveRefusal.nameTaken
      }
      try follow(relocation)
      guard let asset = try between.files.asset(id) else {
        throw LibraryFileError(.gone, subject: record.asset.filename.description)
      }
      return asset
    } takeBack: { [records] in
      try records.forget(record.id)
    }
  }

  /// Whether the asset still has the names that are to be changed.
  private func check(_ relocation: Relocation, of id: AssetID) throws(LibraryFileError) {
    let links = (try? between.files.asset(id))?.links ?? []
    guard let first = relocation.steps.first, links.contains(first.origin) else {
      throw LibraryFileError(.gone, subject: relocation.record.asset.filename.description)
    }
  }

  /// Ends on disk what a crash has left: the rest is renamed, or, where that cannot be, what was is renamed back.
  ///
  /// - Returns: whether something is left that could not be given any name.
  nonisolated static func complete(
    _ record: DeletedAsset, _ disk: BeneathRoot, _ tree: DirectoryTree
  ) throws(LibraryFileError) -> Bool {
    try Relocation(record).finish(disk, tree)
  }

  /// That was done.
  func completed(_ record: DeletedAsset, isLeft: Bool) throws {
    // What could not be given any name rests, and can be restored.
    if isLeft { try records.put(record, as: .deleted) } else { try follow(Relocation(record)) }
  }

  /// The files have their names: the index follows.
  private func follow(_ relocation: Relocation) throws {
    try between.change { librarian, database in
      for step in relocation.steps {
        if try between.files.link(at: step.origin)?.resource == .main {
          try librarian.renamed(from: step.origin, to: step.target)
        } else {
          try librarian.takeIn(step.target, .renamed)
          try librarian.takeIn(step.origin, .none)
        }
      }
      try database.deleted.remove(relocation.record.id)
    }
    records.leave(relocation.record.id)
  }
}
