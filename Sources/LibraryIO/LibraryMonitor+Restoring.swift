internal import CLinux
internal import Glibc
package import LibraryModel
internal import Linux

// What becomes of deleted assets: they are restored, or removed for good; and what a crash left half done is
// brought to its end.
extension LibraryMonitor {
  /// Writes down that a deleted asset is going to be restored, and where to: its albums, as far as they are
  /// there, else the root, where it is in no album (S47). Names that are taken get a number.
  ///
  /// - Throws: ``LibraryFileError``: `gone` (no such deletion, or it is being restored or removed), `offline`;
  ///   or the database's error.
  package func recordRestoration(of id: AssetID) throws -> DeletedAsset {
    guard let deleted = try batches.index.deletedAsset(id), deleted.state == .deleted else {
      throw LibraryFileError(.gone, subject: "deleted asset")
    }
    let recorded = try atDisk { tree throws(LibraryFileError) in try planned(deleted, tree) }
    try batch { try $0.put(recorded) }
    underWay.insert(id)
    return recorded
  }

  /// Chooses names that are free: for a live photo the same for its still and its movie.
  private func planned(_ deleted: DeletedAsset, _ tree: DirectoryTree) throws(LibraryFileError)
    -> DeletedAsset
  {
    var planned = deleted
    planned.state = .restoring
    var links: [Location] = []
    var taken: Set<Location> = []
    for link in deleted.asset.links {
      let directory = tree[link.directory] == nil ? DirectoryID(of: deleted.root) : link.directory
      _ = try disk.parent(directory, in: tree, subject: link.name.description)
      let videos = deleted.videos.indices.filter {
        let location = deleted.videos[$0].location
        return location.directory == link.directory && location.name.stem == link.name.stem
      }
      func locations(_ name: FileName) -> [Location] {
        [Location(directory, name)]
          + videos.map { Location(directory, deleted.videos[$0].location.name.withStem(of: name)) }
      }
      let free = try NumberedNames(present: link.name).first { name in
        locations(name).allSatisfy { !taken.contains($0) && disk.look(at: $0, in: tree) == .absent }
      }
      guard let free else { throw LibraryFileError(.invalidName, subject: link.name.description) }
      let found = locations(free)
      taken.formUnion(found)
      links.append(found[0])
      for (video, location) in zip(videos, found.dropFirst()) { planned.videos[video].location = location }
    }
    planned.asset = deleted.asset.moved(to: links)
    return planned
  }

  /// Restores what was written down: the asset has its id again (S39). If that fails, it stays deleted.
  ///
  /// - Throws: ``LibraryFileError``: `gone` (its files), `offline`, `noSpace`, `readOnly`, `otherFileSystem`,
  ///   `system`; or the database's error.
  package func carryOut(restoration: DeletedAsset) throws -> Asset {
    defer { underWay.remove(restoration.id) }
    do throws(LibraryFileError) {
      try atDisk { tree throws(LibraryFileError) in try putBack(restoration, tree) }
    } catch {
      var deleted = restoration
      deleted.state = .deleted
      let kept = deleted
      try batch { try $0.put(kept) }
      throw error
    }
    return try takeBack(restoration)
  }

  private func takeBack(_ restoration: DeletedAsset) throws -> Asset {
    let asset = restoration.asset
    try batch { database in
      try librarian.expect(asset.id, at: asset.primary, asset.identity)
      for file in restoration.files { try librarian.take(file.location, .renamed) }
      try database.removeDeleted(restoration.id)
    }
    guard let link = try batches.index.link(at: asset.primary),
      let restored = try batches.index.asset(link.asset)
    else {
      throw LibraryFileError(.gone, subject: asset.filename.description)
    }
    return restored
  }

  private func putBack(_ restoration: DeletedAsset, _ tree: DirectoryTree) throws(LibraryFileError) {
    let hidden = try disk.openHidden(in: restoration.place, makes: false, tree)
    var back: [DeletedAsset.File] = []
    do throws(LibraryFileError) {
      for file in restoration.files where disk.facts(of: file.name, in: hidden.number) != nil {
        try disk.putBack(file.name, from: hidden, to: file.location, in: tree)
        back.append(file)
      }
    } catch {
      for file in back {
        try? disk.putAway(file.location, file.identity, to: hidden, as: file.name, in: tree)
      }
      throw error
    }
  }

  /// Leaves what was written down to ``settleDeleted()``: it could not be synced.
  package func leave(_ id: AssetID) { underWay.remove(id) }

  /// Forgets a deleted asset whose files were removed.
  package func forgetDeleted(_ id: AssetID) throws {
    underWay.remove(id)
    try batch { try $0.removeDeleted(id) }
  }

  // MARK: After a crash

  /// Brings to its end what is half done and not under way. What cannot be, because its root is offline, is left for the next
  /// call; a failure leaves everything as it is.
  ///
  /// - Returns: whether nothing half done is left.
  @discardableResult
  package func settleDeleted() throws -> Bool {
    var isSettled = true
    for deleted in try batches.index.unsettledDeletedAssets() where !underWay.contains(deleted.id) {
      do { try settle(deleted) } catch is LibraryFileError { isSettled = false }
    }
    return isSettled
  }

  private func settle(_ deleted: DeletedAsset) throws {
    switch deleted.state {
    case .deleted: return
    case .deleting:
      // The owner has agreed; what was begun is finished. What is no longer as it was, is let be.
      var isLeft = false
      do throws(LibraryFileError) {
        try atDisk { tree throws(LibraryFileError) in try putAway(deleted, tree, isLeft: &isLeft) }
      } catch {
        guard error.code != .offline else { throw error }
        guard try hasFiles(deleted) else { return try forgetDeleted(deleted.id) }
      }
      try finish(deleted)
    case .restoring:
      do throws(LibraryFileError) {
        try atDisk { tree throws(LibraryFileError) in try putBack(deleted, tree) }
      } catch {
        guard error.code != .offline else { throw error }
        guard try hasFiles(deleted) else { return try forgetDeleted(deleted.id) }
        var kept = deleted
        kept.state = .deleted
        let again = kept
        return try batch { try $0.put(again) }
      }
      _ = try takeBack(deleted)
    case .replacing: try settleReplacement(deleted)
    case .removing: try settleRemoval(deleted)
    }
  }

  /// Overwritten is what has changed places; else nothing has happened yet.
  private func settleReplacement(_ replacement: DeletedAsset) throws {
    let hasBegun = try atDisk { tree throws(LibraryFileError) in
      let hidden = try disk.openHidden(in: replacement.place, makes: true, tree)
      return disk.facts(of: replacement.key.name(0), in: hidden.number)?.identity
        == replacement.asset.identity
    }
    guard hasBegun else { return try forget(replacement) }
    let id = try batches.index.link(at: replacement.asset.primary)?.asset
    let facts = try atDisk { tree throws(LibraryFileError) in try exchange(replacement, tree) }
    var deleted = replacement
    deleted.state = .deleted
    let kept = deleted
    try batch { database in
      try database.put(kept)
      if let id { try librarian.refresh(id, facts) }
    }
  }
}

extension Asset {
  /// The same with other links.
  fileprivate func moved(to links: [Location]) -> Asset {
    Asset(
      id: id, mediaType: mediaType, identity: identity, byteCount: byteCount, created: created,
      modified: modified, primary: links.first ?? primary, otherLinks: Array(links.dropFirst()))
  }
}
