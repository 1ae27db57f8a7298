package import EventLoop
package import LibraryModel

/// Why something cannot be moved or renamed, whatever the disk is like (S75).
package enum MoveRefusal: Error, Hashable, Sendable {
  /// Something has that name already.
  case nameTaken
  /// It is in another root.
  case otherRoot
  /// An album would lie in itself.
  case insideItself
  /// A file system is mounted there.
  case mounted
  /// Other albums would be shared than are now (S19), which only an owner may bring about.
  case shared
}

/// Gives albums other names and other places (S75): one rename(2), and the index follows in the same step.
///
/// Whatever ends the daemon in between has left a directory that was renamed, and the next start finds it as one that
/// somebody else has renamed: with its id (S39). So nothing is written down before.
@EventLoopActor
package final class AlbumMoves {
  private let between: BetweenTurns

  init(_ between: BetweenTurns) { self.between = between }

  /// Moves an album to the first of some names that is free.
  ///
  /// - Parameters:
  ///   - parent: the directory it shall lie in.
  ///   - keepsShared: whether what would make other albums shared is refused.
  ///   - note: writes what is to be known of it when it is told.
  /// - Returns: the album as it is now.
  /// - Throws: ``MoveRefusal``; ``LibraryFileError``: `gone`, `replaced`, `offline`, `noSpace`, `otherFileSystem`,
  ///   `readOnly`, `system`; or the database's error. Then it is where it was.
  package func move(
    _ id: AlbumID, to names: [FileName], in parent: DirectoryID, keepsShared: Bool, mayBegin: MayBegin,
    noting note: @EventLoopActor (Album, any ViewIndex) throws -> Void = { _, _ in }
  ) async throws -> Album {
    try await between.editing([id, parent], mayBegin: mayBegin) {
      let (node, origin) = try place(of: id)
      try check(node, into: parent)
      var refusal = MoveRefusal.nameTaken
      for name in names {
        let target = Location(parent, name)
        if target == origin { return try album(id) }
        refusal = .nameTaken
        guard between.tree.child(target) == nil else { continue }
        if keepsShared, between.librarian.directories.sharesOtherwise(id, at: target) {
          refusal = .shared
          continue
        }
        try EditDeadline.check(name.description)
        if try await rename(node.identity, origin, to: target) {
          return try await follow(node, origin, to: target, note)
        }
      }
      throw refusal
    }
  }

  private func place(of id: AlbumID) throws(LibraryFileError) -> (DirectoryTree.Node, Location) {
    guard let node = between.tree[id], let origin = between.tree.location(of: id) else {
      throw LibraryFileError(.gone, subject: "album")
    }
    return (node, origin)
  }

  private func album(_ id: AlbumID) throws(LibraryFileError) -> Album {
    guard let album = between.librarian.directories.album(id) else {
      throw LibraryFileError(.gone, subject: "album")
    }
    return album
  }

  private func check(_ node: DirectoryTree.Node, into parent: DirectoryID) throws {
    let tree = between.tree
    guard let target = tree[parent] else { throw LibraryFileError(.gone, subject: node.name.description) }
    guard target.root == node.root else { throw MoveRefusal.otherRoot }
    guard !tree.contains(parent, beneath: node.id) else { throw MoveRefusal.insideItself }
    guard !node.isMount else { throw MoveRefusal.mounted }
  }

  /// - Returns: whether the name was free.
  private func rename(
    _ identity: FileIdentity, _ origin: Location, to target: Location
  ) async throws(LibraryFileError) -> Bool {
    let move = DirectoryMove(identity: identity, origin: origin, target: target)
    return try await between.onDisk(
      [origin.directory, target.directory], origin.name.description, after: move.after
    ) {
      (disk, tree) throws(LibraryFileError) in try move.carryOut(disk, tree)
    }
  }

  /// It has been renamed: the index says so, and everybody is told; or it is renamed back.
  private func follow(
    _ node: DirectoryTree.Node, _ origin: Location, to target: Location,
    _ note: @EventLoopActor (Album, any ViewIndex) throws -> Void
  ) async throws -> Album {
    do {
      return try between.change { librarian, database in
        try librarian.renamed(from: origin, to: target)
        guard librarian.directories.tree.location(of: node.id) == target,
          let album = librarian.directories.album(node.id)
        else { throw LibraryFileError(.gone, subject: target.name.description) }
        try note(album, database.views)
        return album
      }
    } catch {
      _ = try? await rename(node.identity, target, to: origin)
      throw error
    }
  }
}
