internal import LibraryModel

/// The rows of what was deleted and is kept, or is being deleted, restored, overwritten or taken out.
final class DeletedTable: DeletedIndex {
  private let connection: LibraryConnection
  private let volumes: DirectoryVolumes

  init(_ connection: LibraryConnection, _ volumes: DirectoryVolumes) {
    self.connection = connection
    self.volumes = volumes
  }

  private static let deletedColumns = """
    id, key, state, deleted, app, root, place, mediaType, created, modified, byteCount, inode, birth, newInode, newBirth,
    volume, flags, arrived
    """

  /// Everything that was deleted and is still kept, oldest first.
  func all() throws -> [DeletedAsset] {
    try connection.statement("SELECT \(Self.deletedColumns) FROM deletedAsset ORDER BY deleted, id").all {
      $0.deletion(volumes)
    }
    .compactMap(withLinks)
  }

  /// So many of those that rest, oldest first, after that one.
  func resting(after last: DeletedAsset?, limit: Int) throws -> [DeletedAsset] {
    let statement = try connection.statement(
      """
      SELECT \(Self.deletedColumns) FROM deletedAsset WHERE (deleted, id) > (?, ?) AND state = 0
      ORDER BY deleted, id LIMIT ?
      """)
    statement.bind(1, last?.deleted ?? .min)
    statement.bind(2, last?.id.rawValue ?? .min)
    statement.bind(3, Int64(limit))
    return try statement.all { $0.deletion(volumes) }.compactMap(withLinks)
  }

  /// Those of them that are half done.
  func halfDone() throws -> [DeletedAsset] {
    try connection.statement(
      "SELECT \(Self.deletedColumns) FROM deletedAsset WHERE state != 0 ORDER BY deleted, id"
    )
    .all { $0.deletion(volumes) }.compactMap(withLinks)
  }

  /// One of them.
  func asset(_ id: AssetID) throws -> DeletedAsset? {
    let statement = try connection.statement("SELECT \(Self.deletedColumns) FROM deletedAsset WHERE id = ?")
    statement.bind(1, id.rawValue)
    return try statement.first { $0.deletion(volumes) }.flatMap(withLinks)
  }

  private func withLinks(_ row: DeletionRow) throws(StorageError) -> DeletedAsset? {
    let statement = try connection.statement(
      """
      SELECT directory, name, inode, birth FROM deletedLink WHERE asset = ? AND resource = ? ORDER BY number
      """)
    func files(_ resource: Link.Resource) throws(StorageError) -> [DeletedAsset.Companion] {
      statement.bind(1, row.id)
      statement.bind(2, Int64(resource.rawValue))
      return try statement.all {
        DeletedAsset.Companion(
          location: Location(DirectoryID(rawValue: $0.int(0)), $0.name(1)),
          identity: FileIdentity(volume: row.volume, inode: $0.unsigned(2), birthTime: $0.int(3)))
      }
    }
    // All parts stand under one number, whichever they are: that follows from their names.
    return row.make(try files(.main).map(\.location), try files(.pairedVideo), try files(.sidecar))
  }

  /// Where an album was that was deleted, and that assets are kept from.
  func album(_ id: AlbumID) throws -> Location? {
    let statement = try connection.statement("SELECT parent, name FROM deletedAlbum WHERE id = ?")
    statement.bind(1, id.rawValue)
    return try statement.first { Location(DirectoryID(rawValue: $0.int(0)), $0.name(1)) }
  }

  /// Notes where an album was that is deleted, as long as assets are kept from it, or from one in it.
  func putAlbum(_ id: AlbumID, at location: Location) throws {
    let statement = try connection.statement(
      "INSERT OR REPLACE INTO deletedAlbum (id, parent, name) VALUES (?, ?, ?)")
    statement.bind(1, id.rawValue)
    statement.bind(2, location.directory.rawValue)
    statement.bind(3, location.name)
    try statement.run()
    // Those in it came before it.
    try connection.statement(
      """
      DELETE FROM deletedAlbum WHERE id NOT IN (SELECT directory FROM deletedLink)
      AND id NOT IN (SELECT parent FROM deletedAlbum)
      """
    ).run()
  }

  /// Adds or changes one.
  func put(_ deleted: DeletedAsset) throws {
    try remove(deleted.id)
    let statement = try connection.statement(
      """
      INSERT INTO deletedAsset
        (id, key, state, deleted, app, root, place, mediaType, created, modified, byteCount, inode, birth,
        newInode, newBirth, volume, flags, arrived)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """)
    let asset = deleted.asset
    statement.bind(1, deleted.id.rawValue)
    statement.bind(2, deleted.key.rawValue)
    statement.bind(3, Int64(deleted.state.rawValue))
    statement.bind(4, deleted.deleted)
    if let app = deleted.app { statement.bind(5, app) } else { statement.bindNull(5) }
    statement.bind(6, Int64(deleted.root.rawValue))
    statement.bind(7, deleted.place.rawValue)
    statement.bind(8, Int64(asset.mediaType.rawValue))
    statement.bind(9, asset.created)
    statement.bind(10, asset.modified)
    statement.bind(11, asset.byteCount)
    statement.bind(12, asset.identity.inode)
    statement.bind(13, asset.identity.birthTime)
    if let successor = deleted.successor {
      statement.bind(14, successor.inode)
      statement.bind(15, successor.birthTime)
    } else {
      for index: CInt in 14...15 { statement.bindNull(index) }
    }
    statement.bind(16, Int64(asset.identity.volume.rawValue))
    statement.bind(17, Int64(asset.flags.rawValue))
    statement.bind(18, asset.arrived)
    try statement.run()
    for (number, file) in deleted.files.enumerated() {
      let row = try connection.statement(
        """
        INSERT INTO deletedLink (asset, number, resource, directory, name, inode, birth)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        """)
      let ownCount = asset.links.count
      let resource: Link.Resource =
        number < ownCount ? .main : number < ownCount + deleted.parts.count ? .pairedVideo : .sidecar
      row.bind(1, deleted.id.rawValue)
      row.bind(2, Int64(number))
      row.bind(3, Int64(resource.rawValue))
      row.bind(4, file.location.directory.rawValue)
      row.bind(5, file.location.name)
      row.bind(6, file.identity.inode)
      row.bind(7, file.identity.birthTime)
      try row.run()
    }
  }

  /// Forgets one.
  func remove(_ id: AssetID) throws {
    for sql in ["DELETE FROM deletedLink WHERE asset = ?", "DELETE FROM deletedAsset WHERE id = ?"] {
      let statement = try connection.statement(sql)
      statement.bind(1, id.rawValue)
      try statement.run()
    }
  }
}

/// A row of `deletedAsset`.
private struct DeletionRow {
  let id: Int64
  let volume: VolumeNumber
  let make: @Sendable ([Location], [DeletedAsset.Companion], [DeletedAsset.Companion]) -> DeletedAsset?
}

extension LibraryStatement {
  fileprivate func deletion(_ volumes: DirectoryVolumes) -> DeletionRow {
    let id = int(0)
    let key = HiddenKey(rawValue: unsigned(1))
    let state = DeletedAsset.State(rawValue: UInt8(truncatingIfNeeded: int(2))) ?? .deleted
    let (deleted, app) = (int(3), isNull(4) ? nil : String(decoding: bytes(4), as: UTF8.self))
    let root = RootID(rawValue: Int32(truncatingIfNeeded: int(5)))
    let place = DirectoryID(rawValue: int(6))
    let type = MediaType(rawValue: UInt8(truncatingIfNeeded: int(7))) ?? .image
    let (created, modified, byteCount) = (int(8), int(9), int(10))
    // What rests was put away on the volume that it was on.
    let volume = volume(15) == .unknown ? volumes[place] : volume(15)
    let identity = FileIdentity(volume: volume, inode: unsigned(11), birthTime: int(12))
    let flags = AssetFlags(rawValue: UInt8(truncatingIfNeeded: int(16)))
    let arrived = int(17)
    let successor =
      isNull(13) ? nil : FileIdentity(volume: volume, inode: unsigned(13), birthTime: int(14))
    return DeletionRow(id: id, volume: volume) { links, parts, sidecars in
      guard let first = links.first else { return nil }
      var asset = Asset(
        id: AssetID(rawValue: id), mediaType: type, identity: identity, byteCount: byteCount,
        created: created, modified: modified, primary: first, otherLinks: Array(links.dropFirst()),
        flags: flags)
      asset.arrived = arrived
      return DeletedAsset(
        key: key, state: state, asset: asset, parts: parts, sidecars: sidecars, successor: successor,
        root: root, place: place, deleted: deleted, app: app)
    }
  }
}
