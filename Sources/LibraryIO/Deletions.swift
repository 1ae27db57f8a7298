package import EventLoop
package import LibraryModel
internal import Linux

/// Deletes assets (S33): their files are put away, and can be restored.
@EventLoopActor
package final class Deletions {
  private let between: BetweenTurns
  private let records: DeletionRecords
  private let contents: LibraryContents

  init(_ between: BetweenTurns, _ records: DeletionRecords, _ contents: LibraryContents) {
    self.between = between
    self.records = records
    self.contents = contents
  }

  /// Writes down that an asset is going to be deleted.
  ///
  /// - Parameters:
  ///   - app: which app does it; `nil` for an owner.
  ///   - time: seconds since 1970.
  /// - Throws: ``LibraryFileError``, `gone`: it is being deleted already; or the database's error.
  package func record(_ asset: Asset, by app: String?, at time: Int64) throws -> DeletedAsset {
    guard try records[asset.id] == nil else {
      throw LibraryFileError(.gone, subject: asset.filename.description)
    }
    var deletion = try DeletedAsset(.deleting, asset, by: app, at: time, in: between.tree)
    deletion.parts = try contents.parts(of: asset).map {
      .init(location: $0.location, identity: $0.identity)
    }
    deletion.sidecars = try contents.sidecarNames(of: asset).map {
      .init(location: $0.location, identity: $0.identity)
    }
    let recorded = deletion
    return try records.begin { _ in recorded }
  }

  /// Deletes what was written down: puts away each of its files. If that fails, none is, and the record goes.
  ///
  /// - Throws: ``LibraryFileError``: `replaced` (it is another file, or has other names, by now: look again),
  ///   `gone`, `offline`, `noSpace`, `readOnly`, `system`; or the database's error.
  package func carryOut(_ deletion: DeletedAsset, mayBegin: MayBegin) async throws {
    try await records.carryOut(deletion, mayBegin: mayBegin) {
      let outcome: PutAway
      do throws(LibraryFileError) {
        guard records.agrees(deletion, with: deletion.id) else {
          throw LibraryFileError(.replaced, subject: deletion.asset.filename.description)
        }
        outcome = try await between.onDisk(deletion.directories, deletion.asset.filename.description) {
          Self.putAway(deletion, $0, $1)
        }
      } catch {
        await takeBack(deletion, isLeft: error.isUndecided)
        throw error
      }
      note(outcome)
      if let failure = outcome.failure {
        await takeBack(deletion, isLeft: outcome.isLeft)
        throw failure
      }
      try conclude(deletion)
    } takeBack: { [self] in
      try abandon(deletion, isLeft: false)
    }
  }

  /// Nobody carries it out: what was written down could not be brought to disk.
  package func forget(_ deletion: DeletedAsset) async { await takeBack(deletion, isLeft: false) }

  private func takeBack(_ deletion: DeletedAsset, isLeft: Bool) async {
    await records.takeBack(deletion.id) { [self] in try abandon(deletion, isLeft: isLeft) }
  }

  /// What was said not to be deleted must not be deleted later, when its root is back: the record goes, or is from now
  /// on about putting back what is left of it in the place where it was to rest.
  func abandon(_ deletion: DeletedAsset, isLeft: Bool) throws {
    if isLeft { try records.put(deletion, as: .restoring) } else { try records.forget(deletion.id) }
  }

  /// Ends what a crash has left. The owner has agreed: what was begun is finished. What is no longer as it was, is let
  /// be.
  nonisolated static func complete(
    _ deletion: DeletedAsset, _ disk: BeneathRoot, _ tree: DirectoryTree
  ) throws(LibraryFileError) -> Completed {
    let outcome = putAway(deletion, disk, tree)
    guard let failure = outcome.failure else {
      return Completed(outcome: outcome, hasFiles: true, hasOwn: true)
    }
    guard failure.code != .offline else { throw failure }
    return Completed(
      outcome: outcome, hasFiles: try DeletionRecords.hasFiles(deletion, disk, tree),
      hasOwn: try DeletionRecords.hasOwnFile(deletion, disk, tree))
  }

  /// What came of that on disk.
  struct Completed: Sendable {
    fileprivate let outcome: PutAway
    /// Whether anything of it is put away, and whether that is the photo or film itself.
    fileprivate let hasFiles, hasOwn: Bool
  }

  func completed(_ deletion: DeletedAsset, _ completed: Completed) throws {
    note(completed.outcome)
    if completed.hasOwn { try conclude(deletion) } else { try abandon(deletion, isLeft: completed.hasFiles) }
  }

  /// Its files are put away.
  private func conclude(_ deletion: DeletedAsset) throws {
    var deleted = deletion
    deleted.state = .deleted
    try between.change { librarian, database in
      try database.deleted.put(deleted)
      // What lay beside it stays where it is where the record has it not: it may have come since.
      for companion in try librarian.remove(deleted.id) { try librarian.takeIn(companion, .none) }
    }
  }

  /// What came of putting files away.
  fileprivate struct PutAway: Sendable {
    var failure: LibraryFileError?
    /// Whether, though it failed, something is put away that could not be put back.
    var isLeft = false
    /// A directory that is not where the tree has it.
    var lost: DirectoryID?
  }

  private func note(_ outcome: PutAway) {
    if let lost = outcome.lost { between.lose(lost) }
  }

  /// Puts away what is not yet; what has gone by itself is not missed, as long as the photo or film itself is put away by
  /// one of its names: else it has only another name by now, and what lies beside it goes with it.
  private nonisolated static func putAway(
    _ deletion: DeletedAsset, _ disk: BeneathRoot, _ tree: DirectoryTree
  ) -> PutAway {
    var outcome = PutAway()
    var taken: [(String, Location)] = []
    var isOwnTaken = false
    let ownCount = deletion.asset.links.count
    do throws(LibraryFileError) {
      let hidden = try HiddenDirectory(in: deletion.place, disk, tree)
      do throws(LibraryFileError) {
        for (number, file) in deletion.files.enumerated() {
          // Nothing that lies beside it goes without it: what has gone so, in a crash, comes back.
          if number >= ownCount, !isOwnTaken, !hidden.holds(file.name) { continue }
          if !hidden.holds(file.name) {
            do throws(LibraryFileError) {
              try hidden.putAway(file.location, file.identity, as: file.name)
            } catch {
              if error.code == .gone { continue }
              // A sidecar that was written anew meanwhile stays where it is: its photo is deleted all the same.
              if error.code == .replaced, file.location.name.isSidecar { continue }
              // Perhaps its album was renamed, and nobody need tell (race 7).
              if error.code == .replaced { outcome.lost = file.location.directory }
              throw error
            }
          }
          taken.append((file.name, file.location))
          if number < ownCount { isOwnTaken = true }
        }
        guard isOwnTaken else { throw LibraryFileError(.gone, subject: deletion.asset.filename.description) }
      } catch {
        for (name, link) in taken {
          do { try hidden.putBack(name, to: link) } catch { outcome.isLeft = true }
        }
        throw error
      }
    } catch { outcome.failure = error }
    return outcome
  }
}
