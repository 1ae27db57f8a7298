package import EventLoop
internal import Glibc
package import LibraryModel

/// Puts back what assets were before they were edited (S94).
///
/// The original rests where what the asset is now is going to rest, and both change places, in one step for each name: what
/// is written down of it has the name that the original has. So nothing is moved before that, and whatever ends the daemon
/// when, the one file or the other is under that name, which says how far it has come.
@EventLoopActor
package final class Reversions {
  private let between: BetweenTurns
  private let records: DeletionRecords

  init(_ between: BetweenTurns, _ records: DeletionRecords) {
    self.between = between
    self.records = records
  }

  /// Writes down that an asset is going to be what it was. What is deleted is its present content, which gets an id of its
  /// own.
  ///
  /// - Returns: nil where no original is kept.
  /// - Throws: ``LibraryFileError``: `replaced` (it is being put back already), `gone`; or the database's error.
  package func record(_ asset: Asset, by app: String?, at time: Int64) throws -> DeletedAsset? {
    guard let edit = try between.edits.edit(of: asset.id) else { return nil }
    guard try !between.deleted.halfDone().contains(where: { $0.key == edit.key }) else {
      throw LibraryFileError(.replaced, subject: asset.filename.description)
    }
    return try records.begin { database in
      let former = Asset(
        id: try database.index.files.reserveAssetID(), mediaType: asset.mediaType, identity: asset.identity,
        byteCount: asset.byteCount, created: asset.fileCreated, modified: asset.modified,
        primary: asset.primary, otherLinks: asset.otherLinks, flags: asset.flags)
      return DeletedAsset(
        key: edit.key, state: .reverting, asset: former, successor: edit.original.stamp.identity,
        root: edit.root, place: edit.place, deleted: time, app: app)
    }
  }

  /// Nobody carries it out: what was written down could not be brought to disk.
  package func forget(_ reversion: DeletedAsset) async {
    await records.takeBack(reversion.id) { [records] in try records.forget(reversion.id) }
  }

  /// Puts back what was written down. If that fails, the asset is as it was.
  ///
  /// - Throws: ``LibraryFileError``: `replaced` (it is another file by now, or its original is), `gone`, `offline`,
  ///   `noSpace`, `otherFileSystem`, `readOnly`, `system`; or the database's error.
  package func carryOut(
    _ reversion: DeletedAsset, of id: AssetID, mayBegin: MayBegin
  ) async throws -> Asset {
    let subject = reversion.asset.filename.description
    return try await records.carryOut(reversion, mayBegin: mayBegin) {
      let facts: FileFacts
      let marked = try records.marked(reversion, as: id)
      do throws(LibraryFileError) {
        guard records.agrees(reversion, with: id), let edit = try? between.edits.edit(of: id),
          edit.key == reversion.key
        else { throw LibraryFileError(.replaced, subject: subject) }
        facts = try await between.onDisk(reversion.directories, subject) {
          (disk, tree) throws(LibraryFileError) in try Self.exchange(marked, edit.original.stamp, disk, tree)
        }
      } catch {
        // Else what was begun is ended when the file system answers again.
        if !error.isUndecided { await forget(reversion) }
        throw error
      }
      try conclude(marked, of: id, facts)
      guard let asset = try between.files.asset(id) else { throw LibraryFileError(.gone, subject: subject) }
      return asset
    } takeBack: { [records] in
      try records.forget(reversion.id)
    }
  }

  private nonisolated static func exchange(
    _ recorded: DeletedAsset, _ original: ContentStamp, _ disk: BeneathRoot, _ tree: DirectoryTree
  ) throws(LibraryFileError) -> FileFacts {
    guard let resting = try resting(recorded, disk, tree), original.isOfOriginal(resting) else {
      throw LibraryFileError(.replaced, subject: recorded.asset.filename.description)
    }
    var reversion = recorded
    reversion.successor = resting.identity
    do throws(LibraryFileError) { return try Replacements.exchange(reversion, disk, tree) } catch {
      if !error.isUndecided { try? clear(reversion, disk, tree) }
      throw error
    }
  }

  /// What rests under the name of the original.
  private nonisolated static func resting(
    _ reversion: DeletedAsset, _ disk: BeneathRoot, _ tree: DirectoryTree
  ) throws(LibraryFileError) -> FileFacts? {
    let hidden = try HiddenDirectory(in: reversion.place, makes: false, disk, tree)
    return hidden.facts(of: reversion.key.name(0), on: reversion.asset.identity.volume)
  }

  /// Takes the names away again that the original had got for the others of the asset.
  private nonisolated static func clear(
    _ reversion: DeletedAsset, _ disk: BeneathRoot, _ tree: DirectoryTree
  ) throws(LibraryFileError) {
    let hidden = try HiddenDirectory(in: reversion.place, makes: false, disk, tree)
    let volume = reversion.asset.identity.volume
    for name in reversion.fileNames.dropFirst()
    where hidden.facts(of: name, on: volume)?.identity == reversion.successor {
      unlinkat(hidden.number, name, 0)
    }
  }

  /// Ends what a crash has left. Put back is what has changed places; else nothing has happened yet.
  ///
  /// - Returns: what the asset is now; nil where nothing has happened.
  nonisolated static func complete(
    _ reversion: DeletedAsset, _ disk: BeneathRoot, _ tree: DirectoryTree
  ) throws(LibraryFileError) -> FileFacts? {
    try HiddenDirectory(in: reversion.place, makes: false, disk, tree).settle(reversion)
    guard let found = reversion.found(as: try resting(reversion, disk, tree)) else {
      try clear(reversion, disk, tree)
      return nil
    }
    return try Replacements.exchange(found, disk, tree)
  }

  func completed(_ reversion: DeletedAsset, _ facts: FileFacts?) throws {
    guard let facts else { return try records.forget(reversion.id) }
    try conclude(reversion, of: try between.files.link(at: reversion.asset.primary)?.asset, facts)
  }

  /// Its files have changed places.
  private func conclude(_ reversion: DeletedAsset, of id: AssetID?, _ facts: FileFacts) throws {
    var deleted = reversion
    deleted.state = .deleted
    let known = deleted
    try between.change { librarian, database in
      try database.deleted.put(known)
      if let id, try database.edits.edit(of: id)?.key == known.key {
        try database.edits.remove(id)
      } else if let other = try database.edits.asset(ofOriginal: known.key) {
        // It has gone from there, or the index has not looked yet: what rests under that name is no original any more.
        try database.edits.remove(other)
        try librarian.files.forgetEdit(of: other)
      }
      if let id { try librarian.files.refresh(id, facts) }
    }
  }
}
