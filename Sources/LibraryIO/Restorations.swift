package import EventLoop
package import LibraryModel
internal import Glibc
internal import Linux

/// Restores what was deleted (S33, S39, S47).
@EventLoopActor
package final class Restorations {
  private let between: BetweenTurns
  private let records: DeletionRecords

  init(_ between: BetweenTurns, _ records: DeletionRecords) {
    self.between = between
    self.records = records
  }

  /// Writes down that a deleted asset is going to be restored, and where to: its albums, as far as they are
  /// there, else the root, where it is in no album (S47). Names that are taken get a number.
  ///
  /// - Throws: ``LibraryFileError``: `gone` (no such deletion, or it is being restored or removed), `offline`;
  ///   or the database's error.
  package func record(_ id: AssetID, mayBegin: MayBegin) async throws -> DeletedAsset {
    func present() throws -> DeletedAsset {
      guard let deleted = try records[id], deleted.state == .deleted else {
        throw LibraryFileError(.gone, subject: "deleted asset")
      }
      return deleted
    }
    return try await between.editing(try present().directories, mayBegin: mayBegin) {
      let deleted = try present()
      for link in deleted.asset.links { try await remake(link.directory) }
      let planned = try await between.onDisk(deleted.directories, deleted.asset.filename.description) {
        (disk, tree) throws(LibraryFileError) in try Self.plan(deleted, disk, tree)
      }
      guard try present() == deleted else { throw LibraryFileError(.gone, subject: "deleted asset") }
      return try records.begin { _ in planned }
    }
  }

  /// Makes an album again that was deleted, with those that it was in: it is the same one (S39, S76).
  private func remake(_ id: AlbumID) async throws {
    guard between.tree[id] == nil, let former = try between.deleted.album(id) else { return }
    try await remake(former.directory)
    try EditDeadline.check(former.name.description)
    let parent = former.directory
    guard between.tree[parent] != nil else { return }
    let subject = former.name.description
    typealias Made = (name: FileName, identity: FileIdentity)
    let after = AfterStep<Made?>(undo: { (made, disk, tree) throws(LibraryFileError) in
      if let made { try disk.removeDirectory(Location(parent, made.name), in: tree) }
    })
    let made = try await between.onDisk([parent], subject, after: after) {
      (disk, tree) throws(LibraryFileError) -> Made? in
      let place = try disk.parent(parent, in: tree, subject: subject)
      var names = try NumberedNames(present: former.name)
      if let titled = try? NumberedNames(title: former.name) { names = titled }
      for name in names.prefix(100) {
        if withName(name, { mkdirat(place, $0, 0o750) }) == 0 {
          guard case .found(let facts) = disk.look(at: Location(parent, name), in: tree) else { return nil }
          return (name, facts.identity)
        }
        if errno != EEXIST { throw LibraryFileError("mkdirat", subject) }
      }
      return nil
    }
    guard let (name, identity) = made else { return }
    try between.change { librarian, _ in
      let location = Location(parent, name)
      librarian.directories.expect(id, at: location, identity)
      try librarian.takeIn(location, .renamed)
    }
  }

  /// Chooses names that are free: the same for all files that lie beside each other.
  private nonisolated static func plan(
    _ deleted: DeletedAsset, _ disk: BeneathRoot, _ tree: DirectoryTree
  ) throws(LibraryFileError) -> DeletedAsset {
    var planned = deleted
    planned.state = .restoring
    var links: [Location] = []
    var taken: Set<Location> = []
    var placed: Set<Int> = []
    for link in deleted.asset.links {
      let directory = tree[link.directory] == nil ? DirectoryID(of: deleted.root) : link.directory
      _ = try disk.parent(directory, in: tree, subject: link.name.description)
      let parts = deleted.parts.indices.filter {
        let location = deleted.parts[$0].location
        return location.directory == link.directory && location.name.stem == link.name.stem
      }
      let sidecars = deleted.sidecars.indices.filter {
        let location = deleted.sidecars[$0].location
        return location.directory == link.directory && !placed.contains($0)
          && location.name.bytes.starts(with: link.name.stem + [UInt8(ascii: ".")])
      }
      placed.formUnion(sidecars)
      let companions = parts.map { deleted.parts[$0] } + sidecars.map { deleted.sidecars[$0] }
      func locations(_ name: FileName) -> [Location] {
        [Location(directory, name)]
          + companions.map { Location(directory, link.name.renaming($0.location.name, with: name)) }
      }
      let free = try NumberedNames(present: link.name).first { name in
        locations(name).allSatisfy { !taken.contains($0) && disk.look(at: $0, in: tree) == .absent }
      }
      guard let free else { throw LibraryFileError(.invalidName, subject: link.name.description) }
      let found = locations(free)
      taken.formUnion(found)
      links.append(found[0])
      for (part, location) in zip(parts, found.dropFirst()) { planned.parts[part].location = location }
      for (sidecar, location) in zip(sidecars, found.dropFirst(1 + parts.count)) {
        planned.sidecars[sidecar].location = location
      }
    }
    planned.asset = deleted.asset.moved(to: links)
    return planned
  }

  /// Restores what was written down: the asset has its id again (S39). If that fails, it stays deleted.
  ///
  /// - Throws: ``LibraryFileError``: `gone` (its files), `offline`, `noSpace`, `readOnly`, `otherFileSystem`,
  ///   `system`; or the database's error.
  package func carryOut(_ restoration: DeletedAsset, mayBegin: MayBegin) async throws -> Asset {
    try await records.carryOut(restoration, mayBegin: mayBegin) {
      do throws(LibraryFileError) {
        try await between.onDisk(
          restoration.directories, restoration.asset.filename.description,
          after: AfterStep { _ in restoration.files.map(\.location) }
        ) {
          (disk, tree) throws(LibraryFileError) in
          try Self.putBack(restoration, wasBegun: false, disk, tree)
        }
      } catch {
        // Else it is ended when the file system answers again.
        if !error.isUndecided {
          await records.takeBack(restoration.id) { [records] in try records.put(restoration, as: .deleted) }
        }
        throw error
      }
      return try takeIn(restoration)
    } takeBack: { [records] in
      try records.put(restoration, as: .deleted)
    }
  }

  /// Ends what a crash has left.
  nonisolated static func complete(
    _ restoration: DeletedAsset, _ disk: BeneathRoot, _ tree: DirectoryTree
  ) throws(LibraryFileError) -> Completed {
    do throws(LibraryFileError) {
      try putBack(restoration, wasBegun: true, disk, tree)
      return .back
    } catch {
      guard error.code != .offline else { throw error }
      return try DeletionRecords.hasFiles(restoration, disk, tree) ? .away : .gone
    }
  }

  /// Where its files are after that.
  enum Completed: Sendable { case back, away, gone }

  func completed(_ restoration: DeletedAsset, _ completed: Completed) throws {
    switch completed {
    case .back: _ = try takeIn(restoration)
    case .away: try records.put(restoration, as: .deleted)
    case .gone: try records.forget(restoration.id)
    }
  }

  /// Its files are back. Where its own cannot be looked at now, what was written down stays, for when it can be: else it would be
  /// nobody's after a crash.
  private func takeIn(_ restoration: DeletedAsset) throws -> Asset {
    let asset = restoration.asset
    let isSeen = try between.change { librarian, database in
      try librarian.files.expect(
        asset.id, at: asset.primary, asset.identity, flags: asset.flags, arrived: asset.arrived)
      // The sidecars before their photo, so that it is told with them.
      let locations = restoration.files.map(\.location)
      for location in locations where location.name.isSidecar { try librarian.takeIn(location, .renamed) }
      for location in locations where !location.name.isSidecar { try librarian.takeIn(location, .renamed) }
      let isThere = try database.index.files.link(at: asset.primary) != nil
      let isKnown = isThere || !librarian.context.duties.unresolved.contains(asset.primary.directory)
      if isKnown { try database.deleted.remove(restoration.id) }
      return isKnown
    }
    guard isSeen else { throw LibraryFileError.undecided(asset.filename.description) }
    guard let link = try between.files.link(at: asset.primary),
      let restored = try between.files.asset(link.asset)
    else {
      throw LibraryFileError(.gone, subject: asset.filename.description)
    }
    return restored
  }

  /// - Parameter wasBegun: whether a crash may have ended it between two steps.
  private nonisolated static func putBack(
    _ restoration: DeletedAsset, wasBegun: Bool, _ disk: BeneathRoot, _ tree: DirectoryTree
  ) throws(LibraryFileError) {
    let hidden = try HiddenDirectory(in: restoration.place, makes: false, disk, tree)
    var back: [DeletedAsset.File] = []
    do throws(LibraryFileError) {
      for file in restoration.files {
        guard let facts = hidden.facts(of: file.name, on: file.identity.volume) else { continue }
        if wasBegun {
          try hidden.finishPuttingBack(file.name, to: file.location)
        } else {
          try hidden.putBack(file.name, to: file.location)
        }
        disk.done[file.location] = .found(facts)
        back.append(file)
      }
    } catch {
      for file in back {
        try? hidden.putAway(file.location, file.identity, as: file.name)
      }
      throw error
    }
  }
}

extension Asset {
  /// The same with other links.
  fileprivate func moved(to links: [Location]) -> Asset {
    var moved = Asset(
      id: id, mediaType: mediaType, identity: identity, byteCount: byteCount, created: created,
      modified: modified, primary: links.first ?? primary, otherLinks: Array(links.dropFirst()), flags: flags)
    moved.arrived = arrived
    return moved
  }
}
