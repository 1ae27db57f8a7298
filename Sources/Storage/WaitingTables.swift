internal import LibraryModel

/// The statements by which what waits is written (``WaitingRows``).
final class WaitingTables {
  let path: String
  let recorder: RedoRecorder
  unowned let connection: LibraryConnection
  let names, entries: RowInsertion
  private let assets, plainAssets: RowInsertion
  let counts, days: LaterStatement

  init(_ connection: LibraryConnection) throws(StorageError) {
    path = connection.path
    recorder = connection.recorder
    self.connection = connection
    names = try RowInsertion(into: "link", FileTable.linkColumns, connection)
    assets = try RowInsertion(into: "asset", FileTable.addedColumns, connection)
    plainAssets = try RowInsertion(into: "asset", FileTable.plainColumns, connection)
    entries = try RowInsertion(into: "journal", JournalTable.columns, connection)
    counts = try LaterStatement(
      "UPDATE directory SET assetCount = ?2, movieCount = ?3, repeatCount = ?4 WHERE id = ?1", connection)
    days = try LaterStatement(
      """
      INSERT INTO moment VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET count = count + excluded.count,
        first = iif((excluded.firstCreated, excluded.first) < (firstCreated, first), excluded.first, first),
        firstCreated = iif(excluded.firstCreated < firstCreated, excluded.firstCreated, firstCreated)
      """, connection)
  }

  func write(_ rows: [Link]) throws(StorageError) {
    try names.insert(rows.count) { $0.bind(rows[$1], after: $2) }
  }

  /// Writes an asset down that is inserted later.
  func note(_ asset: Asset) {
    if asset.isPlain {
      plainAssets.note { $0.bind(plain: asset, after: 0) }
    } else {
      assets.note { $0.bind(asset, after: 0) }
    }
  }

  func write(_ rows: [Asset]) throws(StorageError) {
    if rows.allSatisfy(\.isPlain) {
      try plainAssets.insert(rows.count) { $0.bind(plain: rows[$1], after: $2) }
    } else {
      try assets.insert(rows.count) { $0.bind(rows[$1], after: $2) }
    }
  }

  func write(_ rows: [JournalRow]) throws(StorageError) {
    try entries.insert(rows.count) { $0.bind(rows[$1], after: $2) }
  }
}

extension BoundValues {
  func bind(_ count: NameCounts, of directory: DirectoryID) {
    bind(1, directory.rawValue)
    bind(2, Int64(count.names))
    bind(3, Int64(count.companions))
    bind(4, Int64(count.repeats))
  }

  func bind(_ count: Int64, _ first: AssetPosition?, on day: DayKey) {
    bind(1, day.day)
    bind(2, Int64(day.mediaType.rawValue))
    bind(3, count)
    bind(4, first?.created)
    bind(5, first?.id.rawValue)
  }
}
