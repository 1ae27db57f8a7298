internal import LibraryModel

/// The rows of what files say of themselves: one for each file that was read.
final class DescriptionTable: DescriptionIndex {
  private let connection: LibraryConnection
  private let files: FileTable
  private let byFile, insertion, byStamp, overwriting: LibraryStatement

  init(_ connection: LibraryConnection, _ files: FileTable) throws(StorageError) {
    self.connection = connection
    self.files = files
    byFile = try connection.prepareApart(
      """
      SELECT volume, inode, birth, byteCount, modified, changed, state, takenLocal, takenOffset, pixelWidth,
        pixelHeight, duration, subtypes, latitude, longitude, altitude
      FROM description WHERE asset = ? AND resource = ? AND state <> \(Self.unread)
      """)
    byStamp = try connection.prepareApart(
      """
      SELECT placeRanges FROM description
      WHERE asset = ? AND resource = ? AND inode = ? AND byteCount = ? AND modified = ? AND changed = ?
        AND placeRanges IS NOT NULL
      """)
    let isSame =
      """
      description.inode = excluded.inode AND description.byteCount = excluded.byteCount
        AND description.modified = excluded.modified AND description.changed = excluded.changed
      """
    // Of an asset that has gone meanwhile nothing is kept.
    overwriting = try connection.prepare(
      """
      INSERT INTO description
        (asset, resource, inode, byteCount, modified, changed, placeRanges, volume, birth, state, version, subtypes)
      SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, 0, 0, \(Self.unread), 0, 0 WHERE EXISTS (SELECT 1 FROM asset WHERE id = ?1)
      ON CONFLICT (asset, resource) DO UPDATE SET inode = excluded.inode, byteCount = excluded.byteCount,
        modified = excluded.modified, changed = excluded.changed, placeRanges = excluded.placeRanges
      WHERE (\(isSame)) OR state = \(Self.unread)
      """)
    let said = [
      "volume", "inode", "birth", "byteCount", "modified", "changed", "state", "version", "takenLocal",
      "takenOffset", "pixelWidth", "pixelHeight", "duration", "subtypes", "latitude", "longitude", "altitude",
    ]
    insertion = try connection.prepareApart(
      """
      INSERT INTO description (asset, resource, \(said.joined(separator: ", ")))
      VALUES (?, ?, \(said.map { _ in "?" }.joined(separator: ", ")))
      ON CONFLICT (asset, resource) DO UPDATE SET \(said.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")),
        placeRanges = CASE WHEN \(isSame) THEN placeRanges END
      """)
  }

  /// The `state` of a file in which places were looked for, and that was not read: what it says of itself is not known.
  private static let unread = 2

  /// What of a file is to be overwritten.
  func overwritings(of asset: AssetID, _ resource: Link.Resource, _ stamp: FileStamp) throws -> [UInt8]? {
    byStamp.bind(asset, resource, stamp, from: 1)
    return try byStamp.first { Array($0.bytes(0)) }
  }

  /// Notes what of a file is to be overwritten, also of one that is yet to be described. Where other bytes were described
  /// it is not kept: they are to be described anew.
  func put(
    overwritings: [UInt8], of asset: AssetID, _ resource: Link.Resource, _ stamp: FileStamp
  ) throws {
    overwriting.bind(asset, resource, stamp, from: 1)
    overwriting.bind(7, overwritings)
    try overwriting.run()
  }

  /// How many assets are yet to be described.
  var undescribedCount: Int { files.undescribedCount }

  /// How many files cannot be read.
  func unreadableCount() throws -> Int {
    Int(try connection.scalar("SELECT count(*) FROM description WHERE state = 1"))
  }

  /// Assets that are yet to be described, the most recent first.
  func undescribed(after last: AssetCursor?, limit: Int) throws -> [(id: AssetID, cursor: AssetCursor)] {
    let from = "SELECT id, created FROM asset INDEXED BY asset_undescribed WHERE described = 0"
    let order = "ORDER BY created DESC, id DESC LIMIT"
    let statement: LibraryStatement
    if let last, case .number(let created) = last.key {
      statement = try connection.statement("\(from) AND (created, id) < (?, ?) \(order) ?")
      statement.bind(1, created)
      statement.bind(2, last.id.rawValue)
      statement.bind(3, Int64(limit))
    } else {
      statement = try connection.statement("\(from) \(order) ?")
      statement.bind(1, Int64(limit))
    }
    return try statement.all { row in
      let id = AssetID(rawValue: row.int(0))
      return (id, AssetCursor(key: .number(row.int(1)), id: id))
    }
  }

  /// What was read of a file.
  func file(of asset: AssetID, _ resource: Link.Resource) throws -> ReadFile? {
    byFile.bind(1, asset.rawValue)
    byFile.bind(2, Int64(resource.rawValue))
    return try byFile.first { row in
      let version = ReadFile.Version(
        identity: FileIdentity(volume: row.volume(0), inode: row.unsigned(1), birthTime: row.int(2)),
        byteCount: row.int(3), modified: row.int(4), changed: row.int(5))
      guard row.int(6) == 0 else { return ReadFile(version, nil) }
      let place =
        row.isNull(13)
        ? nil
        : FileDescription.Place(
          latitude: row.double(13), longitude: row.double(14),
          altitude: row.isNull(15) ? nil : row.double(15))
      return ReadFile(
        version,
        FileDescription(
          takenLocal: row.optional(7), takenOffset: row.optional(8).map { Int($0) },
          pixelWidth: row.optional(9).map { Int($0) }, pixelHeight: row.optional(10).map { Int($0) },
          duration: row.optional(11),
          subtypes: PictureSubtypes(rawValue: UInt8(truncatingIfNeeded: row.int(12))), place: place))
    }
  }

  /// Notes what was read of a file. Where other bytes say where they were taken is forgotten.
  func put(_ file: ReadFile, of asset: AssetID, _ resource: Link.Resource, reader: Int) throws {
    let (version, said) = (file.version, file.description ?? .nothing)
    insertion.bind(1, asset.rawValue)
    insertion.bind(2, Int64(resource.rawValue))
    insertion.bind(3, Int64(version.identity.volume.rawValue))
    insertion.bind(4, version.identity.inode)
    insertion.bind(5, version.identity.birthTime)
    insertion.bind(6, version.byteCount)
    insertion.bind(7, version.modified)
    insertion.bind(8, version.changed)
    insertion.bind(9, Int64(file.description == nil ? 1 : 0))
    insertion.bind(10, Int64(reader))
    insertion.bind(11, said.takenLocal)
    insertion.bind(12, said.takenOffset.map { Int64($0) })
    insertion.bind(13, said.pixelWidth.map { Int64($0) })
    insertion.bind(14, said.pixelHeight.map { Int64($0) })
    insertion.bind(15, said.duration)
    insertion.bind(16, Int64(said.subtypes.rawValue))
    insertion.bind(17, said.place?.latitude)
    insertion.bind(18, said.place?.longitude)
    insertion.bind(19, said.place?.altitude)
    try insertion.run()
  }

  /// What another version could not read is yet to be described.
  func tryAgain(unreadableByOthersThan reader: Int) throws {
    let others = try connection.statement(
      "SELECT DISTINCT asset FROM description WHERE state = 1 AND version <> ?")
    others.bind(1, Int64(reader))
    for id in try others.all({ AssetID(rawValue: $0.int(0)) }) {
      guard var asset = try files.asset(id) else { continue }
      asset.isDescribed = false
      try files.update(asset)
    }
    let removal = try connection.statement("DELETE FROM description WHERE state = 1 AND version <> ?")
    removal.bind(1, Int64(reader))
    try removal.run()
  }
}

extension LibraryStatement {
  fileprivate func bind(
    _ asset: AssetID, _ resource: Link.Resource, _ stamp: FileStamp, from first: CInt
  ) {
    bind(first, asset.rawValue)
    bind(first + 1, Int64(resource.rawValue))
    bind(first + 2, stamp.inode)
    bind(first + 3, stamp.byteCount)
    bind(first + 4, stamp.modified)
    bind(first + 5, stamp.changed)
  }

  fileprivate func optional(_ column: CInt) -> Int64? { isNull(column) ? nil : int(column) }
}
