package import EventLoop
internal import CLinux
internal import Glibc
package import LibraryModel
package import Linux

/// What was deleted and is kept, or is being deleted, restored, overwritten or taken out of an album (S33).
///
/// First it is written down what is going to happen, then files are moved, then the index is changed: whatever ends the
/// daemon when, ``HalfDone`` knows what to do. Between the first step and the second, the caller brings the record to
/// disk.
@EventLoopActor
package final class DeletionRecords {
  private let between: BetweenTurns
  /// What was written down and is being carried out: not what a crash has left.
  private var underWay: Set<AssetID> = []
  /// What is not to be done, of which that could not be written down yet.
  private let refused = RefusedRecords()

  init(_ between: BetweenTurns) {
    self.between = between
  }

  // MARK: Reading

  /// Everything that was deleted and is kept, oldest first.
  package func all() throws -> [DeletedAsset] { try between.deleted.all() }

  /// So many of those that rest, oldest first, after that one.
  package func resting(after last: DeletedAsset?, limit: Int) throws -> [DeletedAsset] {
    try between.deleted.resting(after: last, limit: limit)
  }

  /// One of them.
  package subscript(_ id: AssetID) -> DeletedAsset? {
    get throws { try between.deleted.asset(id) }
  }

  /// What a deleted asset was before it was edited, and goes with it. Where a file was saved under its name while its deletion
  /// failed, that has its id (S39), and keeps what it was.
  package func original(of id: AssetID) throws -> AssetEdit? {
    try between.files.asset(id) == nil ? between.edits.edit(of: id) : nil
  }

  /// What is half done, and nobody is at it.
  func abandoned() throws -> [DeletedAsset] {
    try between.deleted.halfDone().filter { !underWay.contains($0.id) }
  }

  /// Whether an asset is still the one that a record is about.
  func agrees(_ record: DeletedAsset, with id: AssetID) -> Bool {
    guard let asset = try? between.files.asset(id) else { return false }
    return asset.links == record.asset.links && asset.identity == record.asset.identity
  }

  /// A record with what is said of its asset now, which what takes its place is to say.
  func marked(_ record: DeletedAsset, as id: AssetID) throws -> DeletedAsset {
    var marked = record
    if let present = try between.files.asset(id) { marked.asset.flags = present.flags }
    return marked
  }

  /// Whether any of its files is put away.
  func mayHaveFiles(_ record: DeletedAsset) async throws(LibraryFileError) -> Bool {
    try await between.onDisk(record.directories, record.asset.filename.description) {
      (disk, tree) throws(LibraryFileError) in try Self.hasFiles(record, disk, tree)
    }
  }

  nonisolated static func hasFiles(
    _ record: DeletedAsset, _ disk: BeneathRoot, _ tree: DirectoryTree
  ) throws(LibraryFileError) -> Bool { try holdsAny(record.fileNames[...], of: record, disk, tree) }

  /// Whether the photo or film itself is put away, by one of its names at least.
  nonisolated static func hasOwnFile(
    _ record: DeletedAsset, _ disk: BeneathRoot, _ tree: DirectoryTree
  ) throws(LibraryFileError) -> Bool {
    try holdsAny(record.fileNames.prefix(record.asset.links.count), of: record, disk, tree)
  }

  private nonisolated static func holdsAny(
    _ names: ArraySlice<String>, of record: DeletedAsset, _ disk: BeneathRoot, _ tree: DirectoryTree
  ) throws(LibraryFileError) -> Bool {
    do throws(LibraryFileError) {
      let hidden = try HiddenDirectory(in: record.place, makes: false, disk, tree)
      return names.contains { hidden.holds($0) }
    } catch {
      if error.code == .gone { return false }
      throw error
    }
  }

  /// The directory that an asset's files rest in (O_PATH), made when it is not there.
  ///
  /// - Parameter user: who asks for it, and takes turns with others.
  package func openHidden(
    of record: DeletedAsset, for user: UInt32
  ) async throws(LibraryFileError) -> HeldFile {
    let subject = record.asset.filename.description
    return try await between.onDisk(for: user, record.directories, subject) {
      (disk, tree) throws(LibraryFileError) in
      HeldFile(try HiddenDirectory(in: record.place, disk, tree).release(), closedBy: disk.closer)
    }
  }

  /// The file of an asset, open for reading; of a live photo the still.
  package func openFile(of record: DeletedAsset) async throws(LibraryFileError) -> OwnedDescriptor {
    let subject = record.asset.filename.description
    let name = record.key.name(0)
    let held = try await between.onDisk(record.directories, subject) {
      (disk, tree) throws(LibraryFileError) in
      let hidden = try HiddenDirectory(in: record.place, makes: false, disk, tree)
      // Nothing else may have the name: not a pipe, which would keep who opens it waiting.
      let flags = UInt64(O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
      let result = linux_openat2(hidden.number, name, flags, 0, BeneathRoot.resolve)
      guard result >= 0 else { throw LibraryFileError("openat2", subject) }
      return HeldFile(OwnedDescriptor(owning: result), closedBy: disk.closer)
    }
    guard let file = held.take() else { throw LibraryFileError(.gone, subject: subject) }
    return file
  }

  /// Removes an asset's files for good, where that may take a while, then the record.
  ///
  /// - Returns: whether it was there to be removed.
  /// - Throws: ``LibraryFileError``: `offline`, `readOnly`, `system`; or the database's error.
  package func purge(_ record: DeletedAsset, mayBegin: MayBegin) async throws -> Bool {
    let names = record.fileNames
    let subject = record.asset.filename.description
    let original = try self.original(of: record.id)
    return try await between.editing(record.directories, mayBegin: mayBegin) {
      guard let present = try self[record.id], present.state == .deleted, present.key == record.key else {
        return false
      }
      try await between.onDisk(record.directories, subject) { (disk, tree) throws(LibraryFileError) in
        let hidden = try HiddenDirectory(in: record.place, disk, tree)
        var failure: LibraryFileError?
        for name in names where unlinkat(hidden.number, name, 0) != 0 && errno != ENOENT {
          failure = LibraryFileError("unlinkat", subject)
        }
        if let failure { throw failure }
      }
      if let original {
        try await between.onDisk(original.directories, subject) {
          (disk, tree) throws(LibraryFileError) in
          let hidden = try HiddenDirectory(in: original.place, disk, tree)
          guard unlinkat(hidden.number, original.key.name(0), 0) == 0 || errno == ENOENT else {
            throw LibraryFileError("unlinkat", subject)
          }
        }
      }
      try forgetPurged(record.id)
      return true
    }
  }

  // MARK: Writing

  /// Writes down what is going to happen, and who asked is at it.
  ///
  /// - Parameter make: the record.
  func begin(_ make: (any LibraryDatabase) throws -> DeletedAsset) throws -> DeletedAsset {
    let record = try between.change { _, database in
      let record = try make(database)
      try database.deleted.put(record)
      return record
    }
    underWay.insert(record.id)
    return record
  }

  /// Writes down what is to be done now.
  ///
  /// - Returns: the record.
  @discardableResult
  func put(_ record: DeletedAsset, as state: DeletedAsset.State) throws -> DeletedAsset {
    var next = record
    next.state = state
    let written = next
    try between.change { _, database in try database.deleted.put(written) }
    return written
  }

  /// Carries out what was written down. Where that is refused before it begins, or there is no room to wait for its turn,
  /// nothing of it is done, now or later.
  ///
  /// - Parameter takeBack: takes back what was written down; what it throws is not told, the refusal is.
  func carryOut<Value>(
    _ record: DeletedAsset, mayBegin: MayBegin, _ body: @EventLoopActor () async throws -> Value,
    takeBack: @escaping @EventLoopActor () async throws -> Void
  ) async throws -> Value {
    var hasBegun = false
    do {
      return try await between.editing(record.directories, mayBegin: mayBegin) {
        hasBegun = true
        defer { leave(record.id) }
        return try await body()
      }
    } catch {
      // Until that is done nobody else is at it: what was refused is not ended as something that was begun.
      if !hasBegun { await self.takeBack(record.id, takeBack) }
      throw error
    }
  }

  /// Takes back what was written down of something that was said not to be done. Where that cannot be written now, as on a
  /// disk that is full, it is tried again later, and until then nobody ends it as something that was begun.
  func takeBack(_ id: AssetID, _ body: @escaping @EventLoopActor () async throws -> Void) async {
    underWay.insert(id)
    await refused.takeBack(id, body) { [unowned self] in leave(id) }
  }

  /// The same for all that could not be taken back so far, when it seems that something can be written again.
  func takeBackRefused() async { await refused.takeBackSoon() }

  /// Takes nothing back any more.
  func stop() { refused.stop() }

  /// Nobody is at it any more: what is still to be done, ``HalfDone`` does.
  package func leave(_ id: AssetID) {
    if !refused.holds(id) { underWay.remove(id) }
  }

  /// Forgets a deleted asset whose files were removed for good, with its original if it was edited.
  package func forgetPurged(_ id: AssetID) throws {
    // What another file has by now that has its id, stays.
    if try between.files.asset(id) == nil {
      try between.change { _, database in try database.edits.remove(id) }
    }
    try forget(id)
  }

  /// Forgets what was written down, and no more.
  package func forget(_ id: AssetID) throws {
    leave(id)
    try between.change { _, database in try database.deleted.remove(id) }
  }
}

extension DeletedAsset {
  /// A deletion of an asset of the tree.
  init(_ state: State, _ asset: Asset, by app: String?, at time: Int64, in tree: DirectoryTree)
    throws(LibraryFileError)
  {
    guard let root = tree[asset.primary.directory]?.root else {
      throw LibraryFileError(.gone, subject: asset.filename.description)
    }
    self.init(
      key: .random(), state: state, asset: asset, root: root,
      place: HiddenDirectory.place(for: asset.primary.directory, in: tree), deleted: time, app: app)
  }

  /// All directories that are touched where it is deleted or restored.
  var directories: [DirectoryID] {
    Array(Set(files.map(\.location.directory)).union([place, DirectoryID(of: root)])).sorted()
  }

  /// The names that its files rest under.
  package var fileNames: [String] { files.map(\.name) }
}
