internal import CLinux
package import EventLoop
internal import Glibc
package import LibraryModel
internal import Linux

/// Overwrites assets (S33): the former content rests as what is deleted does, and can be restored. Where it is said what was
/// done to it, the content from before the first such edit is kept as the asset's original instead (S94).
@EventLoopActor
package final class Replacements {
  private let between: BetweenTurns
  private let records: DeletionRecords

  init(_ between: BetweenTurns, _ records: DeletionRecords) {
    self.between = between
    self.records = records
  }

  /// Writes down that an asset is going to be overwritten. What is deleted is its present content, which gets
  /// an id of its own: restored, it comes back beside the new one.
  ///
  /// - Parameter adjustment: what was done to it, if that can be undone.
  package func record(
    _ asset: Asset, adjustment: Adjustment? = nil, by app: String?, at time: Int64
  ) throws -> DeletedAsset {
    let isFirst = try adjustment != nil && between.edits.edit(of: asset.id) == nil
    let replacement = try DeletedAsset(
      isFirst ? .adjusting : .replacing, asset, by: app, at: time, in: between.tree)
    return try records.begin { database in
      let record = replacement.renamed(try database.index.files.reserveAssetID())
      if let adjustment { try database.edits.put(adjustment, of: record.id) }
      return record
    }
  }

  /// Overwrites an asset with the file that was put where its former content is going to rest, under the name
  /// with the number 0: both change places, in one step for each name (RENAME_EXCHANGE, rename(2)). If that
  /// fails, nothing has changed.
  ///
  /// - Throws: as ``Deletions/carryOut(_:mayBegin:)``.
  package func carryOut(
    _ replacement: DeletedAsset, of id: AssetID, mayBegin: MayBegin
  ) async throws -> Asset {
    let subject = replacement.asset.filename.description
    return try await records.carryOut(replacement, mayBegin: mayBegin) {
      let outcome: Exchanged
      var known = try records.marked(replacement, as: id)
      known.successor = try await between.onDisk(replacement.directories, subject) {
        (disk, tree) throws(LibraryFileError) in try Self.newFile(of: replacement, disk, tree)
      }
      // From here on something else may come to rest under its names.
      let record = try records.put(known, as: known.state)
      do throws(LibraryFileError) {
        guard records.agrees(record, with: id) else {
          throw LibraryFileError(.replaced, subject: record.asset.filename.description)
        }
        outcome = try await between.onDisk(record.directories, subject) {
          (disk, tree) throws(LibraryFileError) in try Self.exchanged(record, disk, tree)
        }
      } catch {
        // Else what was begun is ended when the file system answers again.
        if !error.isUndecided { await forget(record) }
        throw error
      }
      try conclude(record, of: id, outcome)
      guard let asset = try between.files.asset(id) else { throw LibraryFileError(.gone, subject: subject) }
      return asset
    } takeBack: { [self] in
      // What was to take its place is that, wherever the asset is by now.
      var known = replacement
      known.successor = try? await between.onDisk(replacement.directories, subject) {
        (disk, tree) throws(LibraryFileError) in try Self.newFile(of: replacement, disk, tree)
      }
      try await takeBack(known)
    }
  }

  /// Takes back what was written down about an asset that was not overwritten, with the file that was to take
  /// its place. Whatever else has come to rest there and could not be given back is somebody's: it stays, and can be
  /// restored.
  package func forget(_ replacement: DeletedAsset) async {
    await records.takeBack(replacement.id) { [self] in try await takeBack(replacement) }
  }

  private func takeBack(_ replacement: DeletedAsset) async throws {
    let subject = replacement.asset.filename.description
    try end(
      replacement,
      isOver: await between.onDisk(replacement.directories, subject) {
        (disk, tree) throws(LibraryFileError) in try Self.clear(replacement, disk, tree)
      })
  }

  private func end(_ replacement: DeletedAsset, isOver: Bool) throws {
    try between.change { _, database in try database.edits.remove(replacement.id) }
    if isOver { try records.forget(replacement.id) } else { try records.put(replacement, as: .deleted) }
  }

  /// - Returns: whether nothing is left of it.
  private nonisolated static func clear(
    _ replacement: DeletedAsset, _ disk: BeneathRoot, _ tree: DirectoryTree
  ) throws(LibraryFileError) -> Bool {
    let hidden = try HiddenDirectory(in: replacement.place, disk, tree)
    let number = hidden.number
    // Not written down yet, or lost with the power: nothing has changed places where the asset has all its names.
    let isUntouched = replacement.asset.links.allSatisfy { link in
      guard case .found(let facts) = disk.look(at: link, in: tree) else { return false }
      return facts.identity == replacement.asset.identity
    }
    let volume = replacement.asset.identity.volume
    let rest = replacement.fileNames.filter { name in
      guard let identity = hidden.facts(of: name, on: volume)?.identity else { return false }
      let isNew = replacement.successor.map { $0 == identity } ?? isUntouched
      guard isNew, identity != replacement.asset.identity else { return true }
      unlinkat(number, name, 0)
      return false
    }
    return rest.isEmpty
  }

  /// Ends what a crash has left. Overwritten is what has changed places; else nothing has happened yet.
  nonisolated static func complete(
    _ replacement: DeletedAsset, _ disk: BeneathRoot, _ tree: DirectoryTree
  ) throws(LibraryFileError) -> Completed {
    let hidden = try HiddenDirectory(in: replacement.place, disk, tree)
    try hidden.settle(replacement)
    let resting = hidden.facts(of: replacement.key.name(0), on: replacement.asset.identity.volume)
    guard let found = replacement.found(as: resting) else {
      return .cleared(isOver: try clear(replacement, disk, tree))
    }
    return .exchanged(try exchanged(found, disk, tree))
  }

  /// What is where after that.
  struct Exchanged: Sendable {
    /// In the asset's place.
    let present: FileFacts
    /// At rest.
    let former: FileFacts?
    /// Whether what is in its place is the file that was put there, under another number.
    let isRenumbered: Bool
  }

  private nonisolated static func exchanged(
    _ replacement: DeletedAsset, _ disk: BeneathRoot, _ tree: DirectoryTree
  ) throws(LibraryFileError) -> Exchanged {
    let hidden = try HiddenDirectory(in: replacement.place, disk, tree)
    let (name, volume) = (replacement.key.name(0), replacement.asset.identity.volume)
    let put = hidden.facts(of: name, on: volume)
    let present = try exchange(replacement, disk, tree)
    // Where changing places takes several steps, a file may get another number with its name (sshfs, mergerfs).
    let isRenumbered =
      put.map { put in
        put.identity == replacement.successor && put.identity != present.identity
          && !present.identity.isCertain && ContentStamp(put).isSame(as: ContentStamp(present))
      } ?? false
    return Exchanged(
      present: present, former: hidden.facts(of: name, on: volume), isRenumbered: isRenumbered)
  }

  /// What came of that on disk.
  enum Completed: Sendable {
    case exchanged(Exchanged)
    /// - Parameter isOver: whether nothing is left of it.
    case cleared(isOver: Bool)
  }

  func completed(_ replacement: DeletedAsset, _ completed: Completed) throws {
    switch completed {
    case .cleared(let isOver): try end(replacement, isOver: isOver)
    case .exchanged(let outcome):
      try conclude(replacement, of: try between.files.link(at: replacement.asset.primary)?.asset, outcome)
    }
  }

  /// Its files have changed places.
  private func conclude(_ replacement: DeletedAsset, of id: AssetID?, _ outcome: Exchanged) throws {
    var deleted = replacement
    deleted.state = .deleted
    if outcome.isRenumbered { deleted.successor = outcome.present.identity }
    if let former = outcome.former {
      // What is kept is known by what it is, which the index may not have been told yet.
      (deleted.asset.identity, deleted.asset.byteCount) = (former.identity, former.byteCount)
      deleted.asset.modified = former.modified
    }
    let known = deleted
    try between.change { librarian, database in
      if let id, try database.follow(known, isFirst: replacement.state == .adjusting, of: id, outcome.present)
      {
        try database.deleted.remove(known.id)
      } else {
        try database.deleted.put(known)
        try database.edits.remove(known.id)
      }
      if let id { try librarian.files.refresh(id, outcome.present) }
    }
  }

  /// What is under the name with the number 0.
  private nonisolated static func newFile(
    of replacement: DeletedAsset, _ disk: BeneathRoot, _ tree: DirectoryTree
  ) throws(LibraryFileError) -> FileIdentity? {
    let hidden = try HiddenDirectory(in: replacement.place, disk, tree)
    let volume = replacement.asset.identity.volume
    return hidden.facts(of: replacement.key.name(0), on: volume)?.identity
  }

  /// The file that takes an asset's place says what the asset's did (S90): first, so that it is never there without. What
  /// cannot be written is inherited.
  private nonisolated static func mark(
    _ name: String, in hidden: borrowing HiddenDirectory, as asset: Asset, _ disk: BeneathRoot
  ) {
    guard disk.closer?.hasRoom ?? true else { return }
    let flags = UInt64(O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    let result = linux_openat2(hidden.number, name, flags, 0, BeneathRoot.resolve)
    guard result >= 0 else { return }
    let file = HeldFile(OwnedDescriptor(owning: result), closedBy: disk.closer)
    let told = asset.flags.told
    _ = try? FileAttributes.change(
      file.number, setting: told, clearing: AssetFlags.told.subtracting(told),
      subject: asset.filename.description)
  }

  /// - Returns: what is there now.
  nonisolated static func exchange(
    _ replacement: DeletedAsset, _ disk: BeneathRoot, _ tree: DirectoryTree
  ) throws(LibraryFileError) -> FileFacts {
    let subject = replacement.asset.filename.description
    let hidden = try HiddenDirectory(in: replacement.place, disk, tree)
    let directory = hidden.number
    let names = replacement.fileNames
    let former = replacement.asset.identity
    if hidden.facts(of: names[0], on: former.volume)?.identity != former {
      mark(names[0], in: hidden, as: replacement.asset, disk)
    }
    for name in names.dropFirst() {
      guard linkat(directory, names[0], directory, name, 0) == 0 || errno == EEXIST else {
        throw LibraryFileError("linkat", subject)
      }
    }
    var done: [(String, Location)] = []
    do throws(LibraryFileError) {
      for (name, link) in zip(names, replacement.asset.links) {
        if hidden.facts(of: name, on: former.volume)?.identity != former {
          try hidden.exchange(name, with: link)
        }
        done.append((name, link))
        guard hidden.facts(of: name, on: former.volume)?.identity == former else {
          throw LibraryFileError(.replaced, subject: subject)
        }
      }
    } catch {
      for (name, link) in done { try? hidden.exchange(name, with: link) }
      throw error
    }
    if replacement.state == .adjusting {
      // An original has one name.
      for name in names.dropFirst() { unlinkat(directory, name, 0) }
    }
    guard case .found(let facts) = disk.look(at: replacement.asset.primary, in: tree) else {
      throw LibraryFileError(.gone, subject: subject)
    }
    return facts
  }
}

extension DeletedAsset {
  /// The same, if it is the asset's own file that rests under the name with the number 0: with the number that it has by now.
  ///
  /// - Parameter resting: what is under that name.
  func found(as resting: FileFacts?) -> DeletedAsset? {
    guard let resting, resting.identity != successor,
      resting.identity == asset.identity || ContentStamp(asset).isSame(as: ContentStamp(resting))
    else { return nil }
    var found = self
    found.asset.identity = resting.identity
    return found
  }

  /// The same with an id of its own.
  fileprivate func renamed(_ id: AssetID) -> DeletedAsset {
    let former = Asset(
      id: id, mediaType: asset.mediaType, identity: asset.identity, byteCount: asset.byteCount,
      created: asset.created, modified: asset.modified, primary: asset.primary, otherLinks: asset.otherLinks,
      flags: asset.flags)
    return DeletedAsset(
      key: key, state: state, asset: former, root: root, place: place, deleted: deleted, app: app)
  }
}
