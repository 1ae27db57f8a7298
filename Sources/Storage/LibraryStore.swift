internal import GRDB
internal import GRDBSQLite
internal import Glibc
package import LibraryModel

/// The index and the journal: `library.sqlite`.
///
/// One connection, used on one thread, with every call done when it returns: that costs less than handing the
/// work to another thread and back (docs/decisions/0004-index-on-the-loop.md). Index rows and journal rows of
/// a batch are kept or lost together, so that the journal never tells what the index does not have, whatever
/// is killed when. Several batches share a transaction; what was not committed when the process ended is in
/// the redo log (docs/decisions/0009-redo-log.md). `synchronous` is
/// NORMAL: power loss may take back the last moments as a whole, and the next scan finds them again, under
/// numbers that were never given out before (`LibraryStore+PowerLoss.swift`).
package final class LibraryStore {
  /// The database file.
  package let path: String
  /// Turns asset and album ids into those that peers see.
  package let ids: OpaqueIDs
  /// Turns places into change tokens, and back.
  package let tokens: ChangeTokens
  /// How many assets there are.
  package internal(set) var assetCount = 0
  /// The place of the latest change.
  package internal(set) var place = Place.start
  /// No file in the index was born later than this.
  package internal(set) var newestBirth: Int64 = 0
  /// Whether a scan has ever been finished: until then the journal has no beginning.
  package internal(set) var hasScanned = false

  private let owner: LibraryConnection
  let connection: OpaquePointer
  let checkpoints: LibraryCheckpoints
  var statements: [String: LibraryStatement] = [:]
  private var queries: [String: LibraryStatement] = [:]
  var hot: HotStatements
  var time: Int64 = 0
  /// Places that were never given out, oldest first: between, but not at, the ends.
  var gaps: [(begin: Place, end: Place)] = []
  /// What the last batch left behind.
  var kept = (assetCount: 0, place: Place.start, hasScanned: false)
  /// The place of the last batch that is committed.
  var settledPlace = Place.start
  let recorder = RedoRecorder()
  var redo: RedoLog
  /// Whether a transaction is open: that of a batch, or of batches that are yet to be committed.
  var isTransactionOpen = false
  /// Whether batches are in the redo log that are not committed.
  var isUnsettled = false
  /// Whether such batches are not in the open transaction either, and must be done again.
  var mustDoAgain = false
  /// What limited apps see; read again after a batch was taken back.
  var knownViewers: ViewerTable?
  var reservedAssets = Reservation()
  var reservedAlbums = Reservation()
  var savedBirth: Int64 = 0
  /// Whether a batch is open.
  package internal(set) var isWriting = false
  /// Why, and how, another index was made in the place of a damaged one, if one was.
  package internal(set) var damage: LibraryDamage?
  /// Called when a batch was ended that ``settle()`` has yet to commit, if there was none before.
  package var onUnsettled: () -> Void = {}

  /// Opens the index, or makes an empty one, and brings an older one up to date.
  ///
  /// - Parameter boot: which life of the machine this is; another than the last time means that power may
  ///   have been lost meanwhile.
  package init(path: String, boot: String = LibraryStore.presentBoot) throws(StorageError) {
    self.path = path
    do {
      try LibraryStore.migrate(path, boot)
    } catch {
      throw StorageError(error, path: path)
    }
    let opened = try LibraryConnection(path: path)
    owner = opened
    let connection = opened.pointer
    self.connection = connection
    func meta(_ name: String) throws(StorageError) -> Int64 {
      let statement = try LibraryStatement(
        "SELECT value FROM meta WHERE name = ?", on: connection, path: path)
      statement.bind(1, name)
      return try statement.first { $0.int(0) } ?? 0
    }
    let key = (
      UInt64(bitPattern: try meta("keyHigh")), UInt64(bitPattern: try meta("keyLow"))
    )
    ids = OpaqueIDs(key: key)
    tokens = ChangeTokens(key: key, journal: UInt64(bitPattern: try meta("journal")))
    checkpoints = LibraryCheckpoints(path: path)
    redo = try RedoLog(path: path + "-redo", seed: UInt64(bitPattern: try meta("journal")))
    hot = try HotStatements(connection, recorder: recorder, path: path)
    try recover(boot)
    hasScanned = try meta("scanned") != 0
    newestBirth = try meta("newestBirth")
    savedBirth = newestBirth
    reservedAssets = Reservation(at: try meta("nextAsset"))
    reservedAlbums = Reservation(at: try meta("nextAlbum"))
    // Every asset has one link beyond which all are extra: this reads directories, not assets.
    let isMoving = try scalar("SELECT count(*) FROM directory WHERE orphan") > 0
    assetCount = Int(
      try scalar(
        isMoving
          ? "SELECT count(*) FROM asset"
          : "SELECT (SELECT ifnull(sum(assetCount), 0) FROM directory) - (SELECT count(*) FROM extraLink)"))
    place = try readPlace()
    (kept, settledPlace) = ((assetCount, place, hasScanned), place)
    try survive(boot)
    checkpoints.watch(connection)
  }

  private static func migrate(_ path: String, _ boot: String) throws {
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
    try queue.retire()
  }

  // MARK: The write-ahead log

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
    try run("UPDATE meta SET value = 1 WHERE name = 'scanned'")
    hasScanned = true
    return try appendReset()
  }

  // MARK: Ids

  struct Reservation {
    var next: Int64 = 1
    var end: Int64 = 1
    var count: Int64 { end - next }
    init() {}
    init(at next: Int64) {
      self.next = next
      end = next
    }
  }

  /// An asset that a peer names, and whether it is one that it can mean: for an id that was never issued,
  /// another asset is read, or none, in the same time (S16).
  package func asset(named text: String) throws -> (asset: Asset?, isMeant: Bool) {
    let (id, isIssued) = ids.assetToLookAt(text, below: AssetID(rawValue: reservedAssets.next))
    return (try asset(id), isIssued)
  }

  /// A new id; numbers are reserved in blocks, so that none is given twice, even after a crash.
  package func reserveAssetID() throws(StorageError) -> AssetID {
    AssetID(rawValue: try reserve(&reservedAssets, "nextAsset", block: 4096))
  }

  /// A new id, likewise.
  package func reserveAlbumID() throws(StorageError) -> AlbumID {
    AlbumID(rawValue: try reserve(&reservedAlbums, "nextAlbum", block: 256))
  }

  private func reserve(
    _ reservation: inout Reservation, _ name: String, block: Int64
  ) throws(StorageError) -> Int64 {
    // Also where none need be reserved anew: whoever forgets the batch shall not find out after thousands.
    guard isWriting else { throw StorageError(outsideOfBatch: name, path: path) }
    if reservation.next == reservation.end { try extend(&reservation, name, by: block) }
    defer { reservation.next += 1 }
    return reservation.next
  }

  /// While an empty library fills, a transaction stays open between turns and what is in it is served, but no
  /// redo log has it. So what it can use up is reserved, and committed, before it begins: an id that was
  /// served is not given again even if the transaction is lost (S16, S39).
  func reserveAhead() throws(StorageError) {
    recorder.begin(isOn: false)
    defer { recorder.end() }
    if reservedAssets.count < LibraryStore.transactionIDs {
      try extend(&reservedAssets, "nextAsset", by: 4 * LibraryStore.transactionIDs)
    }
    if reservedAlbums.count < LibraryStore.transactionIDs {
      try extend(&reservedAlbums, "nextAlbum", by: 4 * LibraryStore.transactionIDs)
    }
  }

  /// Far more than can be found while such a transaction is open, which is a fraction of a second.
  private static let transactionIDs: Int64 = 1 << 18

  private func extend(
    _ reservation: inout Reservation, _ name: String, by block: Int64
  ) throws(StorageError) {
    let statement = try statement("UPDATE meta SET value = ? WHERE name = ?")
    statement.bind(1, reservation.next + block)
    statement.bind(2, name)
    try statement.run()
    reservation.end = reservation.next + block
  }

  // MARK: Statements

  func statement(_ sql: String) throws(StorageError) -> LibraryStatement {
    if let known = statements[sql] { return known }
    let statement = try LibraryStatement(sql, on: connection, recorder: recorder, path: path)
    statements[sql] = statement
    return statement
  }

  /// A statement of a peer's choosing, of which there are hundreds: only some are kept.
  func query(_ sql: String) throws(StorageError) -> LibraryStatement {
    if let known = queries[sql] { return known }
    let statement = try LibraryStatement(sql, on: connection, path: path)
    if queries.count == 32 { queries = [:] }
    queries[sql] = statement
    return statement
  }

  func run(_ sql: String) throws(StorageError) {
    try statement(sql).run()
  }

  func scalar(_ sql: String) throws(StorageError) -> Int64 {
    try statement(sql).first { $0.int(0) } ?? 0
  }
}
