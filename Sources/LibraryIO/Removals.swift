internal import CLinux
package import EventLoop
internal import Glibc
package import LibraryModel
internal import Linux

/// Takes assets out of albums (S25).
///
/// An asset that is taken out has another name elsewhere, and keeps it; but what has the name in the album is put away
/// before it is known which file that is (S43), and other programs may take the other name away meanwhile. So, as in
/// deleting: first it is written down what is going to happen, then the names are put away, looked at, and removed, then
/// the index is changed and the record goes. Whatever ends the daemon when, nothing stays hidden of which no record
/// tells, and no file loses its last name.
@EventLoopActor
package final class Removals {
  private let between: BetweenTurns
  private let records: DeletionRecords
  private let contents: LibraryContents

  init(_ between: BetweenTurns, _ records: DeletionRecords, _ contents: LibraryContents) {
    self.between = between
    self.records = records
    self.contents = contents
  }

  /// Takes an asset out of an album: removes its names there, as long as it has another one elsewhere.
  ///
  /// - Throws: ``LibraryFileError``: `onlyName` (it would be gone), `gone`, `replaced`, `offline`, `readOnly`,
  ///   `system`; or the database's error.
  package func unlink(_ asset: Asset, from album: AlbumID, mayBegin: MayBegin) async throws {
    let directories = try all(asset).map(\.location.directory) + [album]
    try await between.editing(directories, mayBegin: mayBegin) {
      guard let removal = try await record(asset, from: album) else { return }
      defer { records.leave(removal.id) }
      do throws(LibraryFileError) {
        try await between.onDisk(
          removal.directories, asset.filename.description,
          after: AfterStep { _ in removal.files.map(\.location) }
        ) {
          (disk, tree) throws(LibraryFileError) in try Self.takeOut(removal, disk, tree)
        }
      } catch {
        // Else what was begun is ended when the file system answers again.
        if !error.isUndecided, try await !records.mayHaveFiles(removal) { try records.forget(removal.id) }
        throw error
      }
      try between.change { librarian, database in
        for file in removal.files { try librarian.takeIn(file.location, .none) }
        try database.deleted.remove(removal.id)
      }
    }
  }

  /// A name of an asset, or of a part of it.
  private struct Name: Sendable {
    let location: Location
    let identity: FileIdentity
  }

  private func all(_ asset: Asset) throws -> [Name] {
    asset.links.map { Name(location: $0, identity: asset.identity) }
      + (try contents.parts(of: asset).map { Name(location: $0.location, identity: $0.identity) })
  }

  /// Writes down that an asset is going to be taken out of an album. The record is about its names there, and has an
  /// id of its own: the asset stays what it is.
  ///
  /// - Returns: nothing when it is not in the album.
  /// - Throws: as ``unlink(_:from:)``.
  package func record(_ asset: Asset, from album: AlbumID) async throws -> DeletedAsset? {
    let names = asset.links.filter { $0.directory == album }
    guard let first = names.first, let root = between.tree[album]?.root else { return nil }
    let ofParts = try contents.parts(of: asset)
    let all = try all(asset)
    let directories = all.map(\.location.directory) + [album]
    let sidecars = try contents.sidecarNames(of: asset).map {
      Name(location: $0.location, identity: $0.identity)
    }
    // A sidecar without another name stays where it is: it would be gone.
    let taken = try await between.onDisk(directories, first.name.description) {
      (disk, tree) throws(LibraryFileError) in
      // Where nobody can look, nothing is known to be the only name.
      _ = try disk.parent(album, in: tree, subject: first.name.description)
      func isElsewhere(_ name: Name, _ all: [Name]) -> Bool {
        all.contains { other in
          guard other.location.directory != album, other.identity == name.identity,
            case .found(let facts) = disk.look(at: other.location, in: tree)
          else { return false }
          return facts.identity == name.identity
        }
      }
      for name in all where name.location.directory == album && !isElsewhere(name, all) {
        throw LibraryFileError(.onlyName, subject: name.location.name.description)
      }
      return sidecars.filter { $0.location.directory == album && isElsewhere($0, sidecars) }
    }
    let place = HiddenDirectory.place(for: album, in: between.tree)
    let parts = ofParts.filter { $0.location.directory == album }
    return try records.begin { database in
      DeletedAsset(
        key: .random(), state: .removing,
        asset: Asset(
          id: try database.index.files.reserveAssetID(), mediaType: asset.mediaType, identity: asset.identity,
          byteCount: asset.byteCount, created: asset.created, modified: asset.modified, primary: first,
          otherLinks: Array(names.dropFirst())),
        parts: parts.map { .init(location: $0.location, identity: $0.identity) },
        sidecars: taken.map { .init(location: $0.location, identity: $0.identity) },
        root: root, place: place, deleted: RealTime.seconds, app: nil)
    }
  }

  /// Removes the names, or none of them.
  private nonisolated static func takeOut(
    _ removal: DeletedAsset, _ disk: BeneathRoot, _ tree: DirectoryTree
  ) throws(LibraryFileError) {
    let hidden = try HiddenDirectory(in: removal.place, disk, tree)
    var taken: [DeletedAsset.File] = []
    do throws(LibraryFileError) {
      for file in removal.files {
        try hidden.putAway(file.location, file.identity, as: file.name)
        taken.append(file)
      }
      // Its other name may have gone in between.
      if let file = taken.first(where: { !hasOtherName($0, taken, hidden) }) {
        throw LibraryFileError(.onlyName, subject: file.location.name.description)
      }
    } catch {
      for file in taken { try? hidden.putBack(file.name, to: file.location) }
      throw error
    }
    for file in taken where unlinkat(hidden.number, file.name, 0) != 0 {
      throw LibraryFileError("unlinkat", file.location.name.description)
    }
    for file in taken { disk.done[file.location] = .absent }
  }

  /// Whether a file that is put away has a name besides those of it that are.
  private nonisolated static func hasOtherName(
    _ file: DeletedAsset.File, _ taken: [DeletedAsset.File], _ hidden: borrowing HiddenDirectory
  ) -> Bool {
    let own = taken.count { $0.identity == file.identity }
    guard let facts = hidden.facts(of: file.name, on: file.identity.volume) else { return false }
    return facts.identity == file.identity && Int(facts.linkCount) > own
  }

  /// Ends what a crash has left: names that were put away are removed, and where such a one is by now a file's last,
  /// it is given back. Where that cannot be, since something else has the name, it can be restored.
  ///
  /// - Returns: whether nothing of it is left.
  nonisolated static func complete(
    _ removal: DeletedAsset, _ disk: BeneathRoot, _ tree: DirectoryTree
  ) throws(LibraryFileError) -> Bool {
    let hidden = try HiddenDirectory(in: removal.place, disk, tree)
    let number = hidden.number
    let taken = removal.files.filter { hidden.holds($0.name) }
    let spare = taken.filter { hasOtherName($0, taken, hidden) }
    for file in taken {
      if spare.contains(file) {
        _ = unlinkat(number, file.name, 0)
      } else {
        try? hidden.putBack(file.name, to: file.location)
      }
    }
    return !taken.contains { hidden.holds($0.name) }
  }

  func completed(_ removal: DeletedAsset, isOver: Bool) throws {
    if isOver { try records.forget(removal.id) } else { try records.put(removal, as: .deleted) }
  }
}
