internal import LibraryModel

/// What is written a little later, several rows at once: sixteen in one statement cost SQLite half of what they cost in
/// sixteen, and of what is counted only the last number counts.
///
/// Nobody sees a difference: it is written before any statement runs that might see it, and before the transaction is
/// committed, which several batches share. The redo log has it at once, in its place among the statements of its batch.
/// Nothing waits beyond its batch that a constraint could refuse: an asset only with an id above all that there ever were.
final class WaitingRows {
  /// Whether nothing waits; perhaps nothing does where this says otherwise.
  private(set) var isEmpty = true
  private var assets: [Asset] = []
  /// Each of which is known to be free.
  private var names: [Link] = []
  private var entries: [JournalRow] = []
  private var counts: [DirectoryID: NameCounts] = [:]
  private var days: [DayKey: DayCount] = [:]
  /// No asset has an id above this.
  private var newest = AssetID(rawValue: .max)
  private var endsWithBatch = false
  /// Why it cannot be written: then nothing that waits can be, until it is given up.
  private var failure: StorageError?
  private var tables: WaitingTables?
  private var abandon: () -> Void = {}

  /// To be called before anything waits, when the tables are as this version has them.
  ///
  /// - Parameter abandon: takes back all that is not committed, and does again what was promised of it.
  func prepare(_ connection: LibraryConnection, _ abandon: @escaping () -> Void) throws(StorageError) {
    tables = try WaitingTables(connection)
    self.abandon = abandon
  }

  /// No asset in the index has an id above this.
  func expectAssets(after newest: AssetID) { self.newest = newest }

  /// Whether names wait.
  var hasNames: Bool { !names.isEmpty }

  // MARK: Waiting

  /// Inserts a name that is known to be free. It waits no longer than its batch, since a constraint could refuse it.
  func add(_ name: Link) throws(StorageError) {
    let tables = try open("link")
    tables.names.note { $0.bind(name, after: 0) }
    names.append(name)
    if names.count == RowInsertion.mostRows { try writeNames() }
  }

  /// Inserts an asset.
  func add(_ asset: Asset) throws(StorageError) {
    let tables = try open("asset")
    tables.note(asset)
    if asset.id > newest { newest = asset.id } else { endsWithBatch = true }
    assets.append(asset)
    guard assets.count == RowInsertion.mostRows else { return }
    try write { (tables) throws(StorageError) in try tables.write(assets) }
    assets.removeAll(keepingCapacity: true)
  }

  /// Inserts an entry of the journal.
  func add(_ entry: JournalRow) throws(StorageError) {
    let tables = try open("journal")
    tables.entries.note { $0.bind(entry, after: 0) }
    entries.append(entry)
    guard entries.count == RowInsertion.mostRows else { return }
    try write { (tables) throws(StorageError) in try tables.write(entries) }
    entries.removeAll(keepingCapacity: true)
  }

  /// Notes how many names a directory holds.
  func add(_ count: NameCounts, of directory: DirectoryID) throws(StorageError) {
    try open("directory").counts.note { $0.bind(count, of: directory) }
    counts[directory] = count
    if counts.count == Self.mostCounts { try write() }
  }

  /// Counts assets that were created on a day.
  ///
  /// - Parameter first: the first of them, if any came.
  func add(_ count: Int64, _ first: AssetPosition?, on day: DayKey) throws(StorageError) {
    try open("moment").days.note { $0.bind(count, first, on: day) }
    days[day, default: DayCount()].add(count, first)
    if days.count == Self.mostCounts { try write() }
  }

  /// How many directories or days are counted together: so many rows are written in less than half a millisecond.
  private static let mostCounts = 64

  private func open(_ table: String) throws(StorageError) -> WaitingTables {
    guard let tables, tables.recorder.isOpen else {
      throw StorageError(outsideOfBatch: table, path: tables?.path ?? "")
    }
    isEmpty = false
    return tables
  }

  // MARK: Writing

  /// The batch ends: what is wrong with it is its error.
  func endBatch() throws(StorageError) {
    if endsWithBatch || failure != nil { try write() }
    if hasNames { try writeNames() }
  }

  private func writeNames() throws(StorageError) {
    try write { (tables) throws(StorageError) in try tables.write(names) }
    names.removeAll(keepingCapacity: true)
  }

  /// A statement is to run that may see what waits. Between two batches nobody else would take back what failed.
  func writeBefore() throws(StorageError) { try before { () throws(StorageError) in try write() } }

  /// The same of names alone.
  func writeNamesBefore() throws(StorageError) { try before { () throws(StorageError) in try writeNames() } }

  private func before(_ write: () throws(StorageError) -> Void) throws(StorageError) {
    do { try write() } catch {
      if tables?.recorder.isOpen == false { abandon() }
      throw error
    }
  }

  /// Writes what waits. Where it throws it waits still, and it throws again, until the batch is given up.
  func write() throws(StorageError) {
    guard !isEmpty else { return }
    try write { (tables) throws(StorageError) in
      try tables.write(names)
      try tables.write(assets)
      try tables.write(entries)
      for (directory, count) in counts { try tables.counts.run { $0.bind(count, of: directory) } }
      for (day, counted) in days { try tables.days.run { $0.bind(counted.count, counted.first, on: day) } }
    }
    forget()
  }

  private func write(_ body: (WaitingTables) throws(StorageError) -> Void) throws(StorageError) {
    if let failure { throw failure }
    guard let tables else { return }
    do throws(StorageError) {
      try tables.connection.requireTransaction()
      try body(tables)
    } catch {
      failure = error
      throw error
    }
  }

  /// The transaction is taken back, or has it.
  func forget() {
    names.removeAll(keepingCapacity: true)
    assets.removeAll(keepingCapacity: true)
    entries.removeAll(keepingCapacity: true)
    counts.removeAll(keepingCapacity: true)
    days.removeAll(keepingCapacity: true)
    isEmpty = true
    endsWithBatch = false
    failure = nil
  }
}

/// What is counted on a day.
private struct DayCount {
  private(set) var count: Int64 = 0
  /// The first of those that came.
  private(set) var first: AssetPosition?

  mutating func add(_ more: Int64, _ position: AssetPosition?) {
    count += more
    guard let position else { return }
    if let first, first <= position { return }
    first = position
  }
}
