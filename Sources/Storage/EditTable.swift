internal import LibraryModel

/// The rows of what was edited: originals, and adjustments, which are long and asked for alone.
final class EditTable: EditIndex {
  static let columns = """
    asset, key, root, place, volume, inode, birth, byteCount, created, modified, mediaType, directory, name, newInode,
    newBirth, newByteCount, newModified
    """

  private let connection: LibraryConnection
  private let volumes: DirectoryVolumes

  init(_ connection: LibraryConnection, _ volumes: DirectoryVolumes) {
    self.connection = connection
    self.volumes = volumes
  }

  // MARK: Originals

  /// What an asset was, if that is kept.
  func edit(of asset: AssetID) throws -> AssetEdit? {
    let statement = try connection.statement("SELECT \(Self.columns) FROM edit WHERE asset = ?")
    statement.bind(1, asset.rawValue)
    return try statement.first { $0.edit(on: volumes) }
  }

  /// Which asset's original has that name: looked for among all.
  func asset(ofOriginal key: HiddenKey) throws -> AssetID? {
    let statement = try connection.statement("SELECT asset FROM edit WHERE key = ?")
    statement.bind(1, key.rawValue)
    return try statement.first { AssetID(rawValue: $0.int(0)) }
  }

  /// Some edits, in order.
  func edits(after asset: AssetID?, limit: Int) throws -> [(edit: AssetEdit, isLost: Bool)] {
    let statement = try connection.statement(
      """
      SELECT \(Self.columns), asset NOT IN (SELECT id FROM asset) AND asset NOT IN (SELECT id FROM deletedAsset)
      FROM edit WHERE asset > ? ORDER BY asset LIMIT ?
      """)
    statement.bind(1, asset?.rawValue ?? 0)
    statement.bind(2, Int64(limit))
    return try statement.all { ($0.edit(on: volumes), $0.int(17) != 0) }
  }

  /// Adds or changes one.
  func put(_ edit: AssetEdit) throws {
    let statement = try connection.statement(
      """
      INSERT OR REPLACE INTO edit (\(Self.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """)
    let (original, content) = (edit.original, edit.content)
    statement.bind(1, edit.asset.rawValue)
    statement.bind(2, edit.key.rawValue)
    statement.bind(3, Int64(edit.root.rawValue))
    statement.bind(4, edit.place.rawValue)
    statement.bind(5, Int64(original.stamp.identity.volume.rawValue))
    statement.bind(6, original.stamp.identity.inode)
    statement.bind(7, original.stamp.identity.birthTime)
    statement.bind(8, original.stamp.byteCount)
    statement.bind(9, original.created)
    statement.bind(10, original.stamp.modified)
    statement.bind(11, Int64(original.mediaType.rawValue))
    statement.bind(12, original.location.directory.rawValue)
    statement.bind(13, original.location.name)
    statement.bind(14, content.identity.inode)
    statement.bind(15, content.identity.birthTime)
    statement.bind(16, content.byteCount)
    statement.bind(17, content.modified)
    try statement.run()
  }

  /// Forgets what an asset was, and what was done to it.
  func remove(_ asset: AssetID) throws {
    for sql in ["DELETE FROM adjustment WHERE asset = ?", "DELETE FROM edit WHERE asset = ?"] {
      let statement = try connection.statement(sql)
      statement.bind(1, asset.rawValue)
      try statement.run()
    }
  }

  // MARK: Adjustments

  /// What was done to an asset.
  func adjustment(of asset: AssetID) throws -> Adjustment? {
    try Self.adjustment(of: asset, try connection.statement(Self.adjustmentSQL))
  }

  /// How one is asked for, on whatever connection.
  static let adjustmentSQL = "SELECT format, version, mayTellPlace, data FROM adjustment WHERE asset = ?"

  static func adjustment(of asset: AssetID, _ statement: LibraryStatement) throws(StorageError) -> Adjustment?
  {
    statement.bind(1, asset.rawValue)
    return try statement.first { row in
      Adjustment(
        formatIdentifier: String(decoding: row.bytes(0), as: UTF8.self),
        formatVersion: String(decoding: row.bytes(1), as: UTF8.self), data: Array(row.bytes(3)),
        mayTellPlace: row.int(2) != 0)
    }
  }

  /// Whether it is known.
  func hasAdjustment(of asset: AssetID) throws -> Bool {
    let statement = try connection.statement("SELECT 1 FROM adjustment WHERE asset = ?")
    statement.bind(1, asset.rawValue)
    return try statement.first { _ in true } ?? false
  }

  /// Notes what is done to an asset, or is going to be.
  func put(_ adjustment: Adjustment, of asset: AssetID) throws {
    let statement = try connection.statement(
      """
      INSERT OR REPLACE INTO adjustment (asset, format, version, mayTellPlace, data) VALUES (?, ?, ?, ?, ?)
      """)
    statement.bind(1, asset.rawValue)
    statement.bind(2, adjustment.formatIdentifier)
    statement.bind(3, adjustment.formatVersion)
    statement.bind(4, Int64(adjustment.mayTellPlace ? 1 : 0))
    statement.bind(5, adjustment.data)
    try statement.run()
  }

  /// What was going to be done is done. It may have been made from what was done before.
  func moveAdjustment(of record: AssetID, to asset: AssetID) throws {
    for sql in [
      """
      UPDATE adjustment SET mayTellPlace = 1
      WHERE asset = ?1 AND EXISTS (SELECT 1 FROM adjustment WHERE asset = ?2 AND mayTellPlace <> 0)
      """,
      "UPDATE OR REPLACE adjustment SET asset = ?2 WHERE asset = ?1",
    ] {
      let statement = try connection.statement(sql)
      statement.bind(1, record.rawValue)
      statement.bind(2, asset.rawValue)
      try statement.run()
    }
  }
}

extension LibraryStatement {
  /// An edit: of columns as ``EditTable/columns`` has them.
  func edit(on volumes: DirectoryVolumes) -> AssetEdit {
    let place = DirectoryID(rawValue: int(3))
    // What rests was put away on the volume that it was on.
    let volume = volume(4) == .unknown ? volumes[place] : volume(4)
    let original = ContentStamp(
      identity: FileIdentity(volume: volume, inode: unsigned(5), birthTime: int(6)), byteCount: int(7),
      modified: int(9))
    let content = ContentStamp(
      identity: FileIdentity(volume: volume, inode: unsigned(13), birthTime: int(14)), byteCount: int(15),
      modified: int(16))
    return AssetEdit(
      asset: AssetID(rawValue: int(0)), key: HiddenKey(rawValue: unsigned(1)),
      root: RootID(rawValue: Int32(truncatingIfNeeded: int(2))), place: place,
      original: .init(
        stamp: original, created: int(8),
        mediaType: MediaType(rawValue: UInt8(truncatingIfNeeded: int(10))) ?? .image,
        location: Location(DirectoryID(rawValue: int(11)), name(12))),
      content: content)
  }
}
