internal import GRDB
internal import Glibc
package import LibraryModel
package import Linux

/// The index and the journal: `library.sqlite`.
///
/// One connection, used on one thread, with every call done when it returns: that costs less than handing the
/// work to another thread and back (docs/decisions/0004-index-on-the-loop.md). Index rows and journal rows of
/// a batch are kept or lost together, so that the journal never tells what the index does not have, whatever
/// is killed when. Several batches share a transaction; what was not committed when the process ended is in
/// the redo log (docs/decisions/0009-redo-log.md). `synchronous` is
/// NORMAL: power loss may take back the last moments as a whole, and the next scan finds them again, under
/// numbers that were never given out before (`PowerLoss.swift`).
///
/// This opens it, and begins, keeps and takes back batches; the rows of each kind are a type's of their own.
package final class LibraryStore {
  /// The database file.
  package var path: String { connection.path }
  /// Turns asset and album ids into those that peers see.
  package let ids: OpaqueIDs
  /// Turns places into change tokens, and back.
  package let tokens: ChangeTokens
  /// Whether a scan has ever been finished: until then the journal has no beginning.
  package private(set) var hasScanned = false
  /// What changed before that time says beside its content what the index has. Nanoseconds since 1970.
  package private(set) var flagsKnown: Int64 = 0
  /// Whether a batch is open.
  package private(set) var isWriting = false
  /// Why, and how, another index was made in the place of a damaged one, if one was.
  package internal(set) var damage: LibraryDamage?
  /// Finds and counts assets.
  package let assets: AssetQueries
  /// What a librarian writes.
  package let index: LibraryIndex

  let connection: LibraryConnection
  let transaction: LibraryTransaction
  private let checkpoints: LibraryCheckpoints
  private let keptReader: KeptReader
  private let assetIDs, albumIDs: IDReserve
  private let fileTable: FileTable
  private let journalTable: JournalTable
  private let viewerTables: ViewerTables
  private let deletedTable: DeletedTable
  private let descriptionTable: DescriptionTable
  private let hashTable: HashTable
  private let editTable: EditTable
  private let keyPhotoTable: KeyPhotoTable
  private let customOrderTable: CustomOrderTable
  /// What the last batch left behind.
  private var hadScanned = false

  /// Opens the index, or makes an empty one, and brings an older one up to date.
  ///
  /// - Parameter boot: which life of the machine this is; another than the last time means that power may
  ///   have been lost meanwhile.
  package convenience init(
    path: String, boot: String = LibraryStore.presentBoot, zone: LocalZone = LocalZone()
  ) throws(StorageError) {
    try self.init(path: path, boot: boot, unused: UnusedPages.allowed, zone: zone)
  }

  /// - Parameters:
  ///   - unused: how many bytes of its file may be unused.
  ///   - bound: pages of its write-ahead log beyond which writing pauses.
  init(
    path: String, boot: String, unused: Int64 = UnusedPages.allowed, zone: LocalZone = LocalZone(),
    bound: Int = LibraryCheckpoints.bound
  ) throws(StorageError) {
    do {
      try LibraryStore.migrate(path, boot, unused)
    } catch {
      throw StorageError(error, path: path)
    }
    connection = try LibraryConnection(path: path)
    keptReader = try KeptReader(path)
    let key = (
      UInt64(bitPattern: try connection.meta("keyHigh")), UInt64(bitPattern: try connection.meta("keyLow"))
    )
    let seed = UInt64(bitPattern: try connection.meta("journal"))
    ids = OpaqueIDs(key: key)
    tokens = ChangeTokens(key: key, journal: seed)
    checkpoints = LibraryCheckpoints(path: path, bound: bound)
    transaction = try LibraryTransaction(connection, seed: seed)
    let transaction = transaction
    try connection.waiting.prepare(connection) { [unowned transaction] in transaction.abandon() }
    journalTable = try JournalTable(connection, transaction)
    // Before anything else is read.
    try transaction.recover(after: journalTable.place, isKnownBoot: PowerLoss.isKnown(boot, connection))
    try journalTable.restore()
    transaction.settled(at: journalTable.place)
    assetIDs = try IDReserve("nextAsset", block: 4096, connection)
    albumIDs = try IDReserve("nextAlbum", block: 256, connection)
    let volumes = DirectoryVolumes()
    fileTable = try FileTable(connection, assetIDs, volumes, zone)
    descriptionTable = try DescriptionTable(connection, fileTable)
    hashTable = try HashTable(connection, fileTable)
    viewerTables = ViewerTables(connection, fileTable, journalTable, transaction)
    keyPhotoTable = KeyPhotoTable(connection, viewerTables, transaction)
    customOrderTable = CustomOrderTable(connection, viewerTables, transaction)
    let directoryTable = try DirectoryTable(connection, albumIDs, viewerTables, customOrderTable, volumes)
    deletedTable = DeletedTable(connection, volumes)
    editTable = EditTable(connection, volumes)
    assets = AssetQueries(connection, fileTable, journalTable, transaction)
    index = LibraryIndex(
      files: fileTable, directories: directoryTable, journal: journalTable, sharing: viewerTables,
      keyPhotos: keyPhotoTable, customOrder: customOrderTable)
    hasScanned = try connection.meta("scanned") != 0
    hadScanned = hasScanned
    flagsKnown = try connection.meta("flagsKnown")
    try survive(boot)
    try countAgain()
    try keyPhotoTable.forgetGone()
    checkpoints.watch(connection.pointer)
  }

  private static func migrate(_ path: String, _ boot: String, _ unused: Int64) throws {
    MemoryStatistics.turnOff()
    var configuration = Configuration()
    configuration.label = "library"
    configuration.busyMode = .timeout(5)
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    let migrator = LibrarySchema.migrator
    if try queue.read({ try migrator.hasBeenSuperseded($0) }) {
      throw StorageError(
        code: .newerSchema, message: "a newer version of albumd wrote this index", path: path,
        advice: "install that version again, or remove the file: the index is made again")
    }
    // What was promised is written down as statements for the tables as they are now.
    if try !queue.read({ try migrator.hasCompletedMigrations($0) }) { try RedoReplay.settle(path, boot) }
    try migrator.migrate(queue)
    try UnusedPages.giveBack(queue, beyond: unused)
    try queue.retire()
  }

  /// After another boot: what was given out may be lost, and is not given out again (`PowerLoss.swift`).
  private func survive(_ boot: String) throws(StorageError) {
    if try PowerLoss.isKnown(boot, connection) { return }
    // Synced: tokens of this boot must not outlive the gap that they lie behind.
    try connection.run("PRAGMA synchronous = FULL")
    try begin()
    do {
      try PowerLoss.note(boot, connection)
      if assetIDs.next > 1 || albumIDs.next > 1 || journalTable.place > .start {
        for ids in [assetIDs, albumIDs] { try ids.leaveGap(of: PowerLoss.idGap) }
        try journalTable.leaveGap(of: PowerLoss.placeGap)
      }
    } catch {
      rollback()
      throw error
    }
    try commit()
    try settle()
    try connection.run("PRAGMA synchronous = NORMAL")
  }

  /// In another zone days begin at other times, and what was indexed by an older version was not counted by days.
  private func countAgain() throws(StorageError) {
    guard try !fileTable.moments.isOfZone else { return }
    connection.recorder.begin(isOn: false)
    defer { connection.recorder.end() }
    try connection.run("BEGIN IMMEDIATE")
    // Without the COMMIT, the connection's end takes all of it back.
    try fileTable.moments.countAgain()
    try fileTable.moments.write()
    try connection.run("COMMIT")
    fileTable.moments.keep()
  }

  /// An asset that a peer names, and whether it is one that it can mean: for an id that was never issued,
  /// another asset is read, or none, in the same time (S16).
  package func asset(named text: String) throws -> (asset: Asset?, isMeant: Bool) {
    let (id, isIssued) = ids.assetToLookAt(text, below: AssetID(rawValue: assetIDs.next))
    return (try fileTable.asset(id), isIssued)
  }

  /// Whether an asset is hidden (S91). Where that cannot be read it is.
  package func hides(_ id: AssetID) -> Bool {
    if fileTable.hidden.isEmpty { return false }
    do { return try fileTable.asset(id)?.flags.contains(.hidden) ?? false } catch { return true }
  }

  /// Leaves everything in the database's own file, which can be copied then: the daemon ends.
  package func close() throws(StorageError) {
    do throws(StorageError) {
      try settle()
      try connection.checkpoint()
    } catch {
      // Nothing is done after this that could find it.
      if error.code == .corrupt { noteDamage() }
      throw error
    }
  }

  /// Brings to disk what was committed, which `synchronous = NORMAL` leaves for later: fdatasync(2) of the
  /// write-ahead log. What was there before it began anew, the checkpoint has synced. Waits for the disk: call
  /// it on a thread that may.
  ///
  /// - Parameter path: that of the database.
  package static func sync(_ path: String) throws(StorageError) {
    let log = path + "-wal"
    // SQLite holds no lock on this file, which closing it would give up (fcntl(2)).
    let file = open(log, O_RDWR | O_CLOEXEC)
    defer { if file >= 0 { _ = Glibc.close(file) } }
    guard file >= 0, fdatasync(file) == 0 else {
      throw StorageError(
        code: .inputOutput, message: String(cString: strerror(errno)), path: log,
        advice: "check the disk; the kernel's log says more")
    }
  }
}

// A batch that tells somebody something is kept by one small write into the redo log; its transaction stays open, takes in
// the batches that follow, and is committed when `settle()` is called, or when the log is full. A batch that tells nobody
// anything, or is long, is committed at once.
extension LibraryStore: LibraryDatabase {
  /// What limited apps see.
  package var views: any ViewIndex { viewerTables }
  /// What was deleted.
  package var deleted: any DeletedIndex { deletedTable }
  /// What files say of themselves.
  package var descriptions: any DescriptionIndex { descriptionTable }
  /// What was edited.
  package var edits: any EditIndex { editTable }

  /// Begins a batch.
  package func begin() throws(StorageError) {
    precondition(!isWriting, "a batch is open")
    try transaction.catchUp()
    journalTable.begin()
    if !transaction.isOpen, !hasScanned { try reserveAhead() }
    try transaction.open()
    // While an empty library is scanned, nobody is told anything.
    connection.recorder.begin(isOn: hasScanned, isInTransaction: true)
    isWriting = true
  }

  private func reserveAhead() throws(StorageError) {
    connection.recorder.begin(isOn: false)
    defer { connection.recorder.end() }
    try assetIDs.reserveAhead()
    try albumIDs.reserveAhead()
  }

  /// Ends a batch: all of it is in the index and the journal, also when the process dies now; or, if this
  /// throws, nothing is.
  ///
  /// - Returns: whether ``settle()`` has yet to commit it, and had nothing to commit before.
  @discardableResult
  package func commit() throws(StorageError) -> Bool {
    precondition(isWriting, "no batch is open")
    do {
      try fileTable.writeNewestBirth()
      try fileTable.moments.write()
      try connection.waiting.endBatch()
      try transaction.keep(from: journalTable.kept, to: journalTable.place)
    } catch {
      rollback()
      throw error
    }
    connection.recorder.end()
    isWriting = false
    fileTable.keep()
    journalTable.keep()
    hadScanned = hasScanned
    return transaction.noteUnsettled()
  }

  /// Takes a batch back.
  package func rollback() {
    guard isWriting else { return }
    connection.recorder.end()
    // The codes that this batch has defined are not in the log.
    connection.recorder.forgetCodes()
    isWriting = false
    transaction.abandon()
    fileTable.rollback()
    journalTable.rollback()
    viewerTables.rollback()
    keyPhotoTable.rollback()
    customOrderTable.rollback()
    assetIDs.rollback()
    albumIDs.rollback()
    hasScanned = hadScanned
  }

  /// Commits the batches that are not committed yet. If this throws, they stay in the redo log, and are tried
  /// again with the next call.
  package func settle() throws(StorageError) {
    if !isWriting { try transaction.settle(at: journalTable.place) }
  }

  /// Whether the write-ahead log has outgrown its bound, because the disk is slower than the writer. Wait
  /// for ``onRoomForWriting`` before the next batch; reading goes on.
  package var mustPause: Bool { checkpoints.mustPause }

  /// Called, on any thread, when ``mustPause`` has become false again, or with what keeps it from that: it is tried
  /// again when this is called again.
  package func onRoomForWriting(_ body: @escaping @Sendable ((any Error)?) -> Void) {
    checkpoints.onRoom(body)
  }

  /// Notes that a scan is finished: what is found from now on is a change. What was found until now is not in
  /// the journal, so that a place from before is good for nothing but to be told that.
  @discardableResult
  package func finishScan() throws -> PlacedChange {
    try connection.run("UPDATE meta SET value = 1 WHERE name = 'scanned'")
    hasScanned = true
    return try journalTable.appendReset()
  }

  /// Notes that what changed before that time was read. Where the batch is not kept, it is read again after a restart.
  package func noteFlagsKnown(until time: Int64) throws {
    let statement = try connection.statement("UPDATE meta SET value = ? WHERE name = 'flagsKnown'")
    statement.bind(1, time)
    try statement.run()
    flagsKnown = time
  }

  /// Removes up to `limit` of the oldest changes that need not be kept; call again until it returns false.
  package func trimJournal(keepChanges changes: Int64, keepDays days: Int64, limit: Int64 = 1000) throws
    -> Bool
  {
    guard let removed = try journalTable.trim(keepChanges: changes, keepDays: days, limit: limit) else {
      return false
    }
    try viewerTables.forgetGoneAlbums(before: removed.end)
    return removed.hasMore
  }
}

extension LibraryStore: LibraryReading {
  /// The place of the latest change.
  package var place: Place { journalTable.place }
  /// Links and assets.
  package var files: any FileRows { fileTable }
  /// What files say of themselves.
  package var described: any DescriptionRows { descriptionTable }
  /// Which assets are hashed.
  package var hashed: any HashRows { hashTable }
  /// How to read on another thread what is committed.
  package var apart: LibraryApart {
    LibraryApart(
      path: path, volumes: fileTable.volumes.numbers, ahead: fileTable.moments.zone.ahead, kept: keptReader)
  }
  /// The place of the latest change that is committed.
  package var committedPlace: Place { transaction.settledPlace }
  /// Whether the write-ahead log is over its bound.
  package var isLogFull: Bool { checkpoints.isFull }
  /// Copies and cuts the write-ahead log on another thread, while nothing is written.
  package func cutLog(_ body: @escaping @Sendable () -> Void) { checkpoints.cut(body) }
  /// What has happened.
  package var journal: any JournalReading { journalTable }
  /// What limited apps see.
  package var viewers: any ViewerReading { viewerTables }
  /// Which assets stand for albums.
  package var keyPhotos: any KeyPhotoRows { keyPhotoTable }
  /// In which order people have put what is in albums.
  package var customOrder: any CustomOrderRows { customOrderTable }
}
