package import EventLoop
internal import Glibc
package import LibraryModel

/// Removes albums that hold nothing any more (S76): rmdir(2), which takes no other directory than an empty one, and the
/// index follows in the same step.
@EventLoopActor
package final class AlbumRemovals {
  private let between: BetweenTurns

  init(_ between: BetweenTurns) { self.between = between }

  /// The names in an album's directory, in no order. There may be many: whoever looks them up lets others have their turn.
  ///
  /// - Parameter user: who asks, and takes turns with others.
  /// - Throws: ``LibraryFileError``: `gone`, `offline`, `system`.
  package func names(in id: AlbumID, for user: UInt32) async throws -> [FileName] {
    try await between.onDisk(for: user, [id], "album") { (disk, tree) throws(LibraryFileError) in
      let directory = try disk.parent(id, in: tree, subject: "album")
      guard let names = ExactNames.list(directory) else { throw LibraryFileError("getdents64", "album") }
      return Array(names.subtracting([FileName("."), FileName("..")]))
    }
  }

  /// Whether what has a name in an album is no asset of it, and no album in it.
  ///
  /// - Throws: the database's error.
  package func isOther(_ name: FileName, in id: AlbumID) throws -> Bool {
    let location = Location(id, name)
    return try between.tree.child(location) == nil && between.files.link(at: location) == nil
  }

  /// Removes an album in which nothing is.
  ///
  /// - Throws: ``MoveRefusal``, `mounted`; ``LibraryFileError``: `gone`, `replaced`, `offline`, `readOnly`, `system`
  ///   (ENOTEMPTY: something is in it); or the database's error.
  package func remove(_ id: AlbumID, mayBegin: MayBegin) async throws {
    try await between.editing([id], mayBegin: mayBegin) {
      guard let node = between.tree[id], let location = between.tree.location(of: id) else {
        throw LibraryFileError(.gone, subject: "album")
      }
      guard !node.isMount else { throw MoveRefusal.mounted }
      let subject = location.name.description
      try await between.onDisk([location.directory], subject, after: AfterStep { _ in [location] }) {
        (disk, tree) throws(LibraryFileError) in
        let parent = try disk.parent(location.directory, in: tree, subject: subject)
        guard case .found(let facts) = disk.look(at: location, in: tree) else {
          throw LibraryFileError(.gone, subject: subject)
        }
        guard facts.identity == node.identity else { throw LibraryFileError(.replaced, subject: subject) }
        guard withName(location.name, { unlinkat(parent, $0, AT_REMOVEDIR) }) == 0 else {
          throw LibraryFileError("unlinkat", subject)
        }
        disk.done[location] = .absent
      }
      try between.change { librarian, database in
        try librarian.removeEmpty(id, at: location)
        try database.deleted.putAlbum(id, at: location)
      }
    }
  }
}
