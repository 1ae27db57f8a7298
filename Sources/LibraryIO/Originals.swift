internal import CLinux
package import EventLoop
internal import Glibc
package import LibraryModel
internal import Linux

/// What assets were before they were edited (S94): files that rest hidden, one for each asset, as what was deleted does.
@EventLoopActor
package final class Originals {
  private let between: BetweenTurns

  init(_ between: BetweenTurns) {
    self.between = between
  }

  /// What an asset was, if that is kept.
  package func edit(of asset: AssetID) throws -> AssetEdit? { try between.edits.edit(of: asset) }

  /// Opens what an asset was for reading: the very file that was put away (S43).
  ///
  /// - Parameter user: who asks for it, and takes turns with others.
  /// - Returns: nil where none is kept.
  /// - Throws: ``LibraryFileError``: `gone`, `replaced`, `offline`, `system`; or the database's error.
  package func open(_ asset: AssetID, for user: UInt32) async throws -> HeldFile? {
    guard let edit = try edit(of: asset) else { return nil }
    do throws(LibraryFileError) { return try await open(edit, for: user) } catch {
      guard error.code == .gone || error.code == .replaced, !between.uncertain(edit.directories).isEmpty
      else { throw error }
      // Its directory may have another number since a mount, and is looked for as for an edit (0137).
      try await between.editing(edit.directories, mayBegin: .always(by: user)) {}
      return try await open(edit, for: user)
    }
  }

  private func open(_ edit: AssetEdit, for user: UInt32) async throws(LibraryFileError) -> HeldFile {
    let subject = edit.original.location.name.description
    return try await between.onDisk(for: user, edit.directories, subject) {
      (disk, tree) throws(LibraryFileError) in
      let hidden = try HiddenDirectory(in: edit.place, makes: false, disk, tree)
      // Nothing else may have the name: not a pipe, which would keep who opens it waiting.
      let flags = UInt64(O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
      let result = linux_openat2(hidden.number, edit.key.name(0), flags, 0, BeneathRoot.resolve)
      guard result >= 0 else { throw LibraryFileError("openat2", subject) }
      let file = OwnedDescriptor(owning: result)
      var found = linux_facts()
      let stamp = edit.original.stamp
      guard linux_look(result, "", &found) == 0,
        stamp.isOfOriginal(FileFacts(found, on: stamp.identity.volume))
      else { throw LibraryFileError(.replaced, subject: subject) }
      return HeldFile(file, closedBy: disk.closer)
    }
  }

  /// The directory that the original of an asset rests in (O_PATH), to remove it there.
  package func openHidden(of edit: AssetEdit) async throws(LibraryFileError) -> HeldFile {
    try await between.onDisk(edit.directories, edit.original.location.name.description) {
      (disk, tree) throws(LibraryFileError) in
      HeldFile(try HiddenDirectory(in: edit.place, disk, tree).release(), closedBy: disk.closer)
    }
  }

  /// What was looked at in one go.
  package struct GivenUp: Hashable, Sendable {
    /// Whether any were given up.
    package var isAny = false
    /// Whether an asset has gone only now, and may come back as what it was: it has its original until it cannot.
    package var isAnyAwaited = false
  }

  private func giveUp(_ edit: AssetEdit, at time: Int64, now: UInt64, _ outcome: inout GivenUp) throws {
    guard try between.edits.edit(of: edit.asset) == edit, try between.files.asset(edit.asset) == nil,
      try between.deleted.asset(edit.asset) == nil,
      // What is being put back ends as what was deleted, under the same name.
      try !between.deleted.halfDone().contains(where: { $0.key == edit.key })
    else { return }
    if between.librarian.files.mayReturn(edit.asset, now: now) {
      outcome.isAnyAwaited = true
      return
    }
    try between.change { _, database in
      let id = try database.index.files.reserveAssetID()
      try database.deleted.put(edit.deleted(as: id, by: nil, at: time))
      try database.edits.remove(edit.asset)
    }
    outcome.isAny = true
  }

  /// Edits that are looked at in one go, which keeps the loop for as long.
  private static let slice = 256

  /// Gives up originals of assets that have gone for good, and were not deleted here: each can be restored from now on, for as
  /// long as what was deleted.
  ///
  /// - Parameter time: seconds since 1970.
  package func giveUpLost(at time: Int64) async throws -> GivenUp {
    try await giveUpLost(at: time, now: Clock.monotonic)
  }

  /// - Parameter now: microseconds of the steady clock, by which it is known what may still come back.
  func giveUpLost(at time: Int64, now: UInt64) async throws -> GivenUp {
    var last: AssetID?
    var outcome = GivenUp()
    while true {
      let edits = try between.edits.edits(after: last, limit: Self.slice)
      for edit in edits where edit.isLost {
        try giveUp(edit.edit, at: time, now: now, &outcome)
        await EventLoopActor.giveWay()
      }
      guard edits.count == Self.slice, let next = edits.last?.edit.asset else { return outcome }
      last = next
      await EventLoopActor.giveWay()
    }
  }

  /// Whether there is none.
  package var isEmpty: Bool { (try? between.edits.edits(after: nil, limit: 1).isEmpty) ?? true }
}

extension AssetEdit {
  /// All directories that are touched where the original is opened.
  var directories: [DirectoryID] { [place, DirectoryID(of: root)].sorted() }
}

extension LibraryDatabase {
  /// An asset was overwritten: what becomes of what it was before (S94).
  ///
  /// - Parameters:
  ///   - former: its former content, at rest.
  ///   - isFirst: whether that is its original.
  ///   - facts: what it is now.
  /// - Returns: whether the former content is kept as the original, and need not be restored.
  func follow(
    _ former: DeletedAsset, isFirst: Bool, of id: AssetID, _ facts: FileFacts
  ) throws -> Bool {
    let isAdjusted = try edits.hasAdjustment(of: former.id)
    let present = try edits.edit(of: id)
    // What somebody else has put there meanwhile is not what the adjustment has led to.
    let isResult = former.successor == facts.identity
    let content =
      isResult
      ? ContentStamp(facts)
      : ContentStamp(identity: former.successor ?? former.asset.identity, byteCount: -1, modified: 0)
    guard isAdjusted else {
      guard let present else { return false }
      // It is something else from now on: what it was can be restored, as what it was last.
      let other = try index.files.reserveAssetID()
      try deleted.put(
        present.deleted(as: other, from: former.asset.primary, by: former.app, at: former.deleted))
      try edits.remove(id)
      return false
    }
    if var present {
      try edits.moveAdjustment(of: former.id, to: id)
      present.content = content
      try edits.put(present)
      return false
    }
    guard isFirst else { return false }
    try edits.moveAdjustment(of: former.id, to: id)
    try edits.put(
      AssetEdit(
        asset: id, key: former.key, root: former.root, place: former.place, original: .init(former.asset),
        content: content))
    return true
  }
}

extension ContentStamp {
  /// Whether a file that rests under the name of an original, which nobody else knows, is that: the very one, or one with its
  /// birth, length and times where numbers do not last.
  func isOfOriginal(_ found: FileFacts) -> Bool {
    found.kind == .regular && (found.identity == identity || isSame(as: ContentStamp(found)))
  }
}
