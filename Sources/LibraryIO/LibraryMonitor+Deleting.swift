internal import CLinux
internal import Glibc
package import LibraryModel
package import Linux

// Deleting and overwriting (S33). First it is written down what is going to happen, then files are moved, then
// the index is changed: whatever ends the daemon when, ``LibraryMonitor/settleDeleted()`` knows what to do.
// Between the first step and the second, the caller syncs the record to disk.
extension LibraryMonitor {
  /// Everything that was deleted and is kept, oldest first.
  package func deletedAssets() throws -> [DeletedAsset] { try batches.index.deletedAssets() }

  /// One of them.
  package func deletedAsset(_ id: AssetID) throws -> DeletedAsset? { try batches.index.deletedAsset(id) }

  /// Writes down that an asset is going to be deleted.
  ///
  /// - Parameters:
  ///   - app: which app does it; `nil` for an owner.
  ///   - time: seconds since 1970.
  /// - Throws: ``LibraryFileError``, `gone`: it is being deleted already; or the database's error.
  package func recordDeletion(of asset: Asset, by app: String?, at time: Int64) throws -> DeletedAsset {
    guard try batches.index.deletedAsset(asset.id) == nil else {
      throw LibraryFileError(.gone, subject: asset.filename.description)
    }
    var deleted = try DeletedAsset(.deleting, asset, by: app, at: time, in: tree)
    deleted.videos = try pairedVideos(of: asset).map { .init(location: $0.location, identity: $0.identity) }
    try batch { try $0.put(deleted) }
    underWay.insert(deleted.id)
    return deleted
  }

  /// Deletes what was written down: puts away each of its files. If that fails, none is, and the record goes.
  ///
  /// - Throws: ``LibraryFileError``: `replaced` (it is another file, or has other names, by now: look again),
  ///   `gone`, `offline`, `noSpace`, `readOnly`, `system`; or the database's error.
  package func carryOut(_ deletion: DeletedAsset) throws {
    defer { underWay.remove(deletion.id) }
    var isLeft = false
    do throws(LibraryFileError) {
      guard try isAsRecorded(deletion, deletion.id) else {
        throw LibraryFileError(.replaced, subject: deletion.asset.filename.description)
      }
      try atDisk { tree throws(LibraryFileError) in try putAway(deletion, tree, isLeft: &isLeft) }
    } catch {
      try abandon(deletion, isLeft: isLeft)
      throw error
    }
    try finish(deletion)
  }

  /// What was said not to be deleted must not be deleted later, when its root is back: the record goes, or is from now
  /// on about putting back what is left of it in the place where it was to rest.
  func abandon(_ deletion: DeletedAsset, isLeft: Bool) throws {
    guard isLeft else { return try batch { try $0.removeDeleted(deletion.id) } }
    var abandoned = deletion
    abandoned.state = .restoring
    let record = abandoned
    try batch { try $0.put(record) }
  }

  private func isAsRecorded(_ deletion: DeletedAsset, _ id: AssetID) throws(LibraryFileError) -> Bool {
    guard let asset = try? batches.index.asset(id) else { return false }
    return asset.links == deletion.asset.links && asset.identity == deletion.asset.identity
  }

  func finish(_ deletion: DeletedAsset) throws {
    var deleted = deletion
    deleted.state = .deleted
    try batch { database in
      try database.put(deleted)
      try librarian.remove(deleted.id)
    }
  }

  /// Puts away what is not yet; what has gone by itself is not missed, as long as something is left.
  ///
  /// - Parameter isLeft: whether, though it failed, something is put away that could not be put back.
  func putAway(
    _ deletion: DeletedAsset, _ tree: DirectoryTree, isLeft: inout Bool
  ) throws(LibraryFileError) {
    let hidden = try disk.openHidden(in: deletion.place, makes: true, tree)
    var taken: [(String, Location)] = []
    do throws(LibraryFileError) {
      for file in deletion.files {
        if disk.facts(of: file.name, in: hidden.number) == nil {
          do throws(LibraryFileError) {
            try disk.putAway(file.location, file.identity, to: hidden, as: file.name, in: tree)
          } catch {
            if error.code == .gone { continue }
            // Perhaps its album was renamed, and nobody need tell (race 7).
            if error.code == .replaced { plan.lose(file.location.directory) }
            throw error
          }
        }
        taken.append((file.name, file.location))
      }
    } catch {
      for (name, link) in taken {
        do { try disk.putBack(name, from: hidden, to: link, in: tree) } catch { isLeft = true }
      }
      throw error
    }
    if taken.isEmpty { throw LibraryFileError(.gone, subject: deletion.asset.filename.description) }
  }

  /// Whether any of its files is put away.
  func hasFiles(_ deleted: DeletedAsset) throws(LibraryFileError) -> Bool {
    try atDisk { tree throws(LibraryFileError) in
      do throws(LibraryFileError) {
        let hidden = try disk.openHidden(in: deleted.place, makes: false, tree)
        let directory = hidden.number
        return deleted.fileNames.contains { disk.facts(of: $0, in: directory) != nil }
      } catch {
        if error.code == .gone { return false }
        throw error
      }
    }
  }

  /// The directory that an asset's files rest in (O_PATH), made when it is not there.
  package func openHidden(of deleted: DeletedAsset) throws(LibraryFileError) -> OwnedDescriptor {
    try atDisk { tree throws(LibraryFileError) in
      try disk.openHidden(in: deleted.place, makes: true, tree)
    }
  }

  // MARK: Overwriting

  /// Writes down that an asset is going to be overwritten. What is deleted is its present content, which gets
  /// an id of its own: restored, it comes back beside the new one.
  package func recordReplacement(of asset: Asset, by app: String?, at time: Int64) throws -> DeletedAsset {
    var deleted = try DeletedAsset(.replacing, asset, by: app, at: time, in: tree)
    try batch { database in
      deleted = deleted.renamed(try database.reserveAssetID())
      try database.put(deleted)
    }
    underWay.insert(deleted.id)
    return deleted
  }

  /// Overwrites an asset with the file that was put where its former content is going to rest, under the name
  /// with the number 0: both change places, in one step for each name (RENAME_EXCHANGE, rename(2)). If that
  /// fails, nothing has changed.
  ///
  /// - Throws: as ``carryOut(_:)``.
  package func carryOut(_ replacement: DeletedAsset, of id: AssetID) throws -> Asset {
    defer { underWay.remove(replacement.id) }
    let facts: FileFacts
    var known = replacement
    known.successor = try atDisk { tree throws(LibraryFileError) in try newFile(of: replacement, tree) }
    // From here on something else may come to rest under its names.
    let record = known
    try batch { try $0.put(record) }
    do throws(LibraryFileError) {
      guard try isAsRecorded(record, id) else {
        throw LibraryFileError(.replaced, subject: record.asset.filename.description)
      }
      facts = try atDisk { tree throws(LibraryFileError) in try exchange(record, tree) }
    } catch {
      try forget(record)
      throw error
    }
    var deleted = record
    deleted.state = .deleted
    try batch { database in
      try database.put(deleted)
      try librarian.refresh(id, facts)
    }
    guard let asset = try batches.index.asset(id) else {
      throw LibraryFileError(.gone, subject: replacement.asset.filename.description)
    }
    return asset
  }

  /// Takes back what was written down about an asset that was not overwritten, with the file that was to take
  /// its place. Whatever else has come to rest there and could not be given back is somebody's: it stays, and can be
  /// restored.
  package func forget(_ replacement: DeletedAsset) throws {
    underWay.remove(replacement.id)
    let isOver = try atDisk { tree throws(LibraryFileError) in
      let hidden = try disk.openHidden(in: replacement.place, makes: true, tree)
      let number = hidden.number
      // Not written down yet, or lost with the power: nothing has changed places where the asset has all its names.
      let isUntouched = replacement.asset.links.allSatisfy { link in
        guard case .found(let facts) = disk.look(at: link, in: tree) else { return false }
        return facts.identity == replacement.asset.identity
      }
      let rest = replacement.fileNames.filter { name in
        guard let identity = disk.facts(of: name, in: number)?.identity else { return false }
        let isNew = replacement.successor.map { $0 == identity } ?? isUntouched
        guard isNew, identity != replacement.asset.identity else { return true }
        unlinkat(number, name, 0)
        return false
      }
      return rest.isEmpty
    }
    var kept = replacement
    kept.state = .deleted
    let record = kept
    try batch { if isOver { try $0.removeDeleted(record.id) } else { try $0.put(record) } }
  }

  private func newFile(
    of replacement: DeletedAsset, _ tree: DirectoryTree
  ) throws(LibraryFileError) -> FileIdentity? {
    let hidden = try disk.openHidden(in: replacement.place, makes: true, tree)
    return disk.facts(of: replacement.key.name(0), in: hidden.number)?.identity
  }

  /// - Returns: what is there now.
  func exchange(
    _ replacement: DeletedAsset, _ tree: DirectoryTree
  ) throws(LibraryFileError) -> FileFacts {
    let subject = replacement.asset.filename.description
    let hidden = try disk.openHidden(in: replacement.place, makes: true, tree)
    let directory = hidden.number
    let names = replacement.fileNames
    for name in names.dropFirst() {
      guard linkat(directory, names[0], directory, name, 0) == 0 || errno == EEXIST else {
        throw LibraryFileError("linkat", subject)
      }
    }
    var done: [(String, Location)] = []
    do throws(LibraryFileError) {
      for (name, link) in zip(names, replacement.asset.links) {
        if disk.facts(of: name, in: directory)?.identity != replacement.asset.identity {
          try disk.exchange(name, in: directory, with: link, tree)
        }
        done.append((name, link))
        guard disk.facts(of: name, in: directory)?.identity == replacement.asset.identity else {
          throw LibraryFileError(.replaced, subject: subject)
        }
      }
    } catch {
      for (name, link) in done { try? disk.exchange(name, in: directory, with: link, tree) }
      throw error
    }
    guard case .found(let facts) = disk.look(at: replacement.asset.primary, in: tree) else {
      throw LibraryFileError(.gone, subject: subject)
    }
    return facts
  }
}

extension DeletedAsset {
  /// A deletion of an asset of the tree.
  fileprivate init(_ state: State, _ asset: Asset, by app: String?, at time: Int64, in tree: DirectoryTree)
    throws(LibraryFileError)
  {
    guard let root = tree[asset.primary.directory]?.root else {
      throw LibraryFileError(.gone, subject: asset.filename.description)
    }
    self.init(
      key: .random(), state: state, asset: asset, root: root,
      place: BeneathRoot.place(for: asset.primary.directory, in: tree), deleted: time, app: app)
  }

  /// The same with an id of its own.
  fileprivate func renamed(_ id: AssetID) -> DeletedAsset {
    let former = Asset(
      id: id, mediaType: asset.mediaType, identity: asset.identity, byteCount: asset.byteCount,
      created: asset.created, modified: asset.modified, primary: asset.primary, otherLinks: asset.otherLinks)
    return DeletedAsset(
      key: key, state: state, asset: former, root: root, place: place, deleted: deleted, app: app)
  }

  /// The names that its files rest under.
  package var fileNames: [String] { files.map(\.name) }
}

extension BeneathRoot {
  /// Lets a file that is put away and one in the library change places.
  fileprivate func exchange(
    _ name: String, in directory: CInt, with location: Location, _ tree: DirectoryTree
  ) throws(LibraryFileError) {
    let subject = location.name.description
    let parent = try parent(location.directory, in: tree, subject: subject)
    guard withName(location.name, { linux_rename(directory, name, parent, $0, 2) }) == 0 else {
      throw LibraryFileError("renameat2", subject)
    }
  }
}
