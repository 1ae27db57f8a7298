internal import GRDBSQLite
internal import LibraryModel
internal import Linux

/// The rows of files: links, which are names, and assets.
final class FileTable: FileIndex {
  static let extraLinksOfAsset = "SELECT directory, name FROM extraLink WHERE asset = ?"
  /// What is written, and read, of a link.
  static let linkColumns = "directory, name, asset, inode, birth, byteCount, modified, resource"
  /// What an asset is added with.
  static let addedColumns =
    "id, mediaType, created, modified, byteCount, inode, birth, directory, name, linkCount, fileCreated, described, description, sidecars, flags, edit, raw, arrived"
  /// What one is added with of which nothing is known but its file: the other columns are as the schema has them.
  static let plainColumns =
    "id, mediaType, created, modified, byteCount, inode, birth, directory, name, linkCount, arrived"
  /// What is read of one.
  static let assetColumns = addedColumns + ", hashed, hash"

  /// How many assets there are.
  private(set) var assetCount = 0
  /// How many of them are yet to be described.
  private(set) var undescribedCount = 0
  private var keptUndescribed = 0
  /// How many of them are yet to be hashed.
  private(set) var unhashedCount = 0
  private var keptUnhashed = 0
  /// How many of them are hidden, and where.
  let hidden: HiddenCounts
  /// How many were created on each day.
  let moments: MomentTable
  /// No file in the index was born later than this.
  private(set) var newestBirth: Int64 = 0
  private var savedBirth: Int64 = 0
  private var keptCount = 0
  private let connection: LibraryConnection
  private let ids: IDReserve
  let volumes: DirectoryVolumes
  private let hot: FileStatements

  init(
    _ connection: LibraryConnection, _ ids: IDReserve, _ volumes: DirectoryVolumes, _ zone: LocalZone
  ) throws(StorageError) {
    self.volumes = volumes
    self.connection = connection
    self.ids = ids
    hot = try FileStatements(connection)
    moments = try MomentTable(connection, zone)
    hidden = try HiddenCounts(connection)
    connection.waiting.expectAssets(
      after: AssetID(rawValue: try connection.scalar("SELECT ifnull(max(id), 0) FROM asset")))
    newestBirth = try connection.meta("newestBirth")
    savedBirth = newestBirth
    // Every asset has one link beyond which all are extra: this reads directories, not assets.
    let isMoving = try connection.scalar("SELECT count(*) FROM directory WHERE orphan") > 0
    assetCount = Int(
      try connection.scalar(
        isMoving
          ? "SELECT count(*) FROM asset"
          : "SELECT (SELECT ifnull(sum(assetCount), 0) FROM directory) - (SELECT count(*) FROM extraLink)"))
    keptCount = assetCount
    undescribedCount = Int(try connection.scalar("SELECT count(*) FROM asset WHERE described = 0"))
    keptUndescribed = undescribedCount
    unhashedCount = Int(try connection.scalar("SELECT count(*) FROM asset WHERE hashed = 0"))
    keptUnhashed = unhashedCount
  }

  /// A new id.
  func reserveAssetID() throws -> AssetID { AssetID(rawValue: try ids.take()) }

  // MARK: Batches

  /// The batch ends. The bound is written ahead by a minute, so that it costs one row a minute and not one a batch.
  func writeNewestBirth() throws(StorageError) {
    guard newestBirth > savedBirth else { return }
    // A file may be born at any time that 64 bits hold.
    let (ahead, overflows) = newestBirth.addingReportingOverflow(60_000_000_000)
    savedBirth = overflows ? .max : ahead
    let statement = try connection.statement("UPDATE meta SET value = ? WHERE name = 'newestBirth'")
    statement.bind(1, savedBirth)
    try statement.run()
  }

  /// The batch is kept.
  func keep() {
    keptCount = assetCount
    keptUndescribed = undescribedCount
    keptUnhashed = unhashedCount
    moments.keep()
  }

  /// The batch is not kept.
  func rollback() {
    assetCount = keptCount
    undescribedCount = keptUndescribed
    unhashedCount = keptUnhashed
    moments.forget()
    hidden.forget()
    savedBirth = 0
  }

  // MARK: Rows

  /// The link with a name.
  func link(at location: Location) throws -> Link? {
    let statement = hot.linkAt
    statement.bind(1, location.directory.rawValue)
    statement.bind(2, location.name)
    return try statement.first(readLink)
  }

  /// Links of files with this inode number.
  func links(inode: UInt64) throws -> [Link] {
    hot.linksOfInode.bind(1, inode)
    return try hot.linksOfInode.all(readLink)
  }

  /// Links in a directory, in order, after a name.
  func links(in directory: DirectoryID, after name: FileName?, limit: Int) throws -> [Link] {
    let statement = hot.linksIn
    statement.bind(1, directory.rawValue)
    statement.bind(2, name?.bytes ?? [])
    statement.bind(3, Int64(limit))
    return try statement.all(readLink)
  }

  /// Links in a directory whose names begin with these bytes and a dot, in order.
  func links(in directory: DirectoryID, stem: [UInt8]) throws -> [Link] {
    let statement = hot.linksOfStem
    statement.bind(1, directory.rawValue)
    statement.bind(2, stem + [UInt8(ascii: ".")])
    statement.bind(3, stem + [UInt8(ascii: "/")])
    return try statement.all(readLink)
  }

  /// An asset with all its links.
  func asset(_ id: AssetID) throws -> Asset? {
    hot.assetByID.bind(1, id.rawValue)
    guard let (asset, linkCount) = try hot.assetByID.first(readAsset) else { return nil }
    return linkCount > 1 ? try withAllLinks(asset) : asset
  }

  /// Whether what an asset was before it was edited is kept, and what that says of it.
  func editState(of asset: AssetID, _ content: ContentStamp) throws -> EditState {
    hot.editOf.bind(1, asset.rawValue)
    return try hot.editOf.first { $0.edit(on: volumes) }?.state(of: content) ?? .none
  }

  /// What was done to an asset has not led to what it is now: no file is of that length.
  func forgetResult(of asset: AssetID) throws {
    let statement = try connection.statement("UPDATE edit SET newByteCount = -1 WHERE asset = ?")
    statement.bind(1, asset.rawValue)
    try statement.run()
  }

  /// Adds a link, unless its name is taken.
  func insert(_ link: Link) throws -> Bool {
    hot.insertLink.bind(link, after: 0)
    guard try hot.insertLink.runUnlessTaken() else { return false }
    newestBirth = max(newestBirth, link.identity.birthTime)
    return true
  }

  /// Adds a link whose name is free.
  func add(_ link: Link) throws {
    try connection.waiting.add(link)
    newestBirth = max(newestBirth, link.identity.birthTime)
  }

  /// Changes the asset and the facts of a link.
  func update(_ link: Link) throws {
    hot.updateLink.bind(link, after: 0)
    try hot.updateLink.run()
    newestBirth = max(newestBirth, link.identity.birthTime)
  }

  /// Removes a link.
  func removeLink(at location: Location) throws {
    hot.removeLink.bind(1, location.directory.rawValue)
    hot.removeLink.bind(2, location.name)
    try hot.removeLink.run()
  }

  /// Adds an asset, without a hash.
  func insert(_ asset: Asset) throws {
    try connection.waiting.add(asset)
    assetCount += 1
    if !asset.isDescribed { undescribedCount += 1 }
    unhashedCount += 1
    if asset.isHidden {
      hidden.add(asset)
    } else {
      moments.added(asset.id, asset.created, asset.mediaType)
    }
    if !asset.otherLinks.isEmpty { try writeExtraLinks(asset) }
  }

  /// Changes an asset.
  func update(_ asset: Asset) throws {
    hot.factsByID.bind(1, asset.id.rawValue)
    let facts = try hot.factsByID.first(AssetFacts.init)
    if let before = facts {
      if before.created != asset.created || before.mediaType != asset.mediaType
        || before.isHidden != asset.isHidden
      {
        if !before.isHidden { moments.removed(asset.id, before.created, before.mediaType) }
        if !asset.isHidden { moments.added(asset.id, asset.created, asset.mediaType) }
      }
      if before.isHidden, let former = try self.asset(asset.id) { hidden.remove(former) }
      if asset.isHidden { hidden.add(asset) }
      undescribedCount += (asset.isDescribed ? 0 : 1) - (before.isDescribed ? 0 : 1)
      unhashedCount += (asset.isHashed ? 0 : 1) - (before.isHashed ? 0 : 1)
    }
    hot.updateAsset.bind(asset, after: 0)
    hot.updateAsset.bind(19, Int64(asset.isHashed ? 1 : 0))
    if let hash = asset.contentHash {
      hot.updateAsset.bind(20, hash.bytes)
    } else {
      hot.updateAsset.bindNull(20)
    }
    try hot.updateAsset.run()
    // Nearly always it had one link, and has.
    if facts?.linkCount != 1 || !asset.otherLinks.isEmpty { try writeExtraLinks(asset) }
  }

  /// Removes an asset.
  func remove(_ asset: AssetID) throws {
    let former = hidden.isEmpty ? nil : try self.asset(asset)
    hot.removeAsset.bind(1, asset.rawValue)
    guard let gone = try hot.removeAsset.first(AssetFacts.init) else { return }
    if !gone.isHidden { moments.removed(asset, gone.created, gone.mediaType) }
    if gone.isHidden, let former { hidden.remove(former) }
    if !gone.isDescribed { undescribedCount -= 1 }
    if !gone.isHashed { unhashedCount -= 1 }
    hot.removeDescriptions.bind(1, asset.rawValue)
    try hot.removeDescriptions.run()
    hot.removeExtra.bind(1, asset.rawValue)
    try hot.removeExtra.run()
    assetCount -= 1
  }

  /// Writes those that are not as they were: of a file with thousands of names, one comes after the other.
  private func writeExtraLinks(_ asset: Asset) throws {
    hot.extraLinks.bind(1, asset.id.rawValue)
    let former = try hot.extraLinks.all { Location(DirectoryID(rawValue: $0.int(0)), $0.name(1)) }
    let (before, after) = (Set(former), Set(asset.otherLinks))
    for link in former where !after.contains(link) { try run(hot.removeOneExtra, asset, link) }
    for link in asset.otherLinks where !before.contains(link) { try run(hot.insertExtra, asset, link) }
  }

  private func run(_ statement: LibraryStatement, _ asset: Asset, _ link: Location) throws {
    statement.bind(1, asset.id.rawValue)
    statement.bind(2, link.directory.rawValue)
    statement.bind(3, link.name)
    try statement.run()
  }

  private func readLink(_ row: LibraryStatement) -> Link {
    let directory = DirectoryID(rawValue: row.int(0))
    return Link(
      location: Location(directory, row.name(1)), asset: AssetID(rawValue: row.int(2)),
      identity: FileIdentity(
        volume: volumes[directory], inode: row.unsigned(3), birthTime: row.int(4)),
      byteCount: row.int(5), modified: row.int(6),
      resource: Link.Resource(rawValue: UInt8(truncatingIfNeeded: row.int(7))) ?? .main)
  }

  private func readAsset(_ row: LibraryStatement) -> (Asset, linkCount: Int) {
    row.asset(on: volumes.numbers)
  }

  private func withAllLinks(_ asset: Asset) throws(StorageError) -> Asset {
    try hot.extraLinks.addExtraLinks(to: asset)
  }
}

extension BoundValues {
  /// Binds the columns of a link to the parameters after a number.
  func bind(_ link: Link, after start: CInt) {
    bind(start + 1, link.location.directory.rawValue)
    bind(start + 2, link.location.name)
    bind(start + 3, link.asset.rawValue)
    bind(start + 4, link.identity.inode)
    bind(start + 5, link.identity.birthTime)
    bind(start + 6, link.byteCount)
    bind(start + 7, link.modified)
    bind(start + 8, Int64(link.resource.rawValue))
  }

  /// Binds the columns that an asset of which nothing is known but its file is added with, to the parameters after a number.
  func bind(plain asset: Asset, after start: CInt) {
    bindFile(of: asset, after: start)
    bind(start + 11, asset.arrived)
  }

  private func bindFile(of asset: Asset, after start: CInt) {
    bind(start + 1, asset.id.rawValue)
    bind(start + 2, Int64(asset.mediaType.rawValue))
    bind(start + 3, asset.created)
    bind(start + 4, asset.modified)
    bind(start + 5, asset.byteCount)
    bind(start + 6, asset.identity.inode)
    bind(start + 7, asset.identity.birthTime)
    bind(start + 8, asset.primary.directory.rawValue)
    bind(start + 9, asset.primary.name)
    bind(start + 10, Int64(1 + asset.otherLinks.count))
  }

  /// Binds the columns that an asset is added with to the parameters after a number.
  func bind(_ asset: Asset, after start: CInt) {
    bindFile(of: asset, after: start)
    bind(start + 11, asset.created == asset.fileCreated ? nil : asset.fileCreated)
    bind(start + 12, Int64(asset.isDescribed ? 1 : 0))
    bind(start + 13, asset.description)
    bind(start + 14, Int64(asset.sidecars))
    bind(start + 15, Int64(asset.flags.rawValue))
    bind(start + 16, Int64(asset.edit.rawValue))
    bind(start + 17, Int64(asset.hasRaw ? 1 : 0))
    bind(start + 18, asset.arrived)
  }
}

extension LibraryStatement {
  /// An asset with its primary link, and how many links it has: of columns as ``FileTable/assetColumns`` has them.
  func asset(on volumes: VolumeNumbers) -> (Asset, linkCount: Int) {
    let directory = DirectoryID(rawValue: int(7))
    var asset = Asset(
      id: AssetID(rawValue: int(0)),
      mediaType: MediaType(rawValue: UInt8(truncatingIfNeeded: int(1))) ?? .image,
      identity: FileIdentity(volume: volumes[directory], inode: unsigned(5), birthTime: int(6)),
      byteCount: int(4), created: isNull(10) ? int(2) : int(10), modified: int(3),
      primary: Location(directory, name(8)), description: description(12),
      isDescribed: int(11) != 0, sidecars: Int(int(13)),
      flags: AssetFlags(rawValue: UInt8(truncatingIfNeeded: int(14))),
      edit: EditState(rawValue: UInt8(truncatingIfNeeded: int(15))) ?? .none, hasRaw: int(16) != 0)
    asset.arrived = int(17)
    (asset.isHashed, asset.contentHash) = (int(18) != 0, contentHash(19))
    return (asset, Int(int(9)))
  }

  /// The hash of a photo or video; nil where there is none.
  func contentHash(_ column: CInt) -> ContentHash? {
    isNull(column) ? nil : ContentHash(bytes: bytes(column))
  }

  /// An asset with all its links: for ``FileTable/extraLinksOfAsset``.
  func addExtraLinks(to asset: Asset) throws(StorageError) -> Asset {
    bind(1, asset.id.rawValue)
    var asset = asset
    asset.addLinks(try all { Location(DirectoryID(rawValue: $0.int(0)), $0.name(1)) })
    return asset
  }

  /// What is told of files beside what their file system says.
  func description(_ column: CInt) -> AssetDescription? {
    isNull(column) ? nil : AssetDescription(bytes: bytes(column))
  }
}

extension Asset {
  /// Whether nothing is known but its file, as of nearly each that comes: ``FileTable/plainColumns`` say all of it.
  var isPlain: Bool {
    created == fileCreated && description == nil && !isDescribed && sidecars == 0 && flags.rawValue == 0
      && edit == .none && !hasRaw
  }
}

/// What is counted of an asset.
private struct AssetFacts {
  let created: Int64
  let mediaType: MediaType
  let isDescribed: Bool
  let isHidden: Bool
  let isHashed: Bool
  let linkCount: Int64

  init(_ row: LibraryStatement) {
    created = row.int(0)
    mediaType = MediaType(rawValue: UInt8(truncatingIfNeeded: row.int(1))) ?? .image
    isDescribed = row.int(2) != 0
    isHidden = AssetFlags(rawValue: UInt8(truncatingIfNeeded: row.int(3))).contains(.hidden)
    isHashed = row.int(4) != 0
    linkCount = row.int(5)
  }
}

/// The statements of a scan and of live events, prepared once.
private struct FileStatements {
  let linkAt, linksOfInode, linksIn, linksOfStem, assetByID, extraLinks, factsByID, editOf: LibraryStatement
  let insertLink, updateLink, removeLink: LibraryStatement
  let updateAsset, removeAsset, insertExtra, removeExtra, removeOneExtra, removeDescriptions: LibraryStatement

  init(_ connection: LibraryConnection) throws(StorageError) {
    let make = connection.prepare
    let makeOfLinks = connection.prepareOfNames
    let link = "SELECT \(FileTable.linkColumns) FROM link"
    linkAt = try makeOfLinks("\(link) WHERE directory = ? AND name = ?")
    linksIn = try makeOfLinks("\(link) WHERE directory = ? AND name > ? ORDER BY name LIMIT ?")
    // A slash comes after the dot, and is in no name.
    linksOfStem = try makeOfLinks("\(link) WHERE directory = ? AND name > ? AND name < ? ORDER BY name")
    linksOfInode = try make(
      """
      SELECT directory, name, id, inode, birth, byteCount, modified, 0 FROM asset WHERE inode = ?1
      UNION ALL
      SELECT extraLink.directory, extraLink.name, id, inode, birth, byteCount, modified, 0
      FROM asset JOIN extraLink ON extraLink.asset = asset.id WHERE inode = ?1 AND linkCount > 1
      """)
    assetByID = try make("SELECT \(FileTable.assetColumns) FROM asset WHERE id = ?")
    extraLinks = try make(FileTable.extraLinksOfAsset)
    editOf = try connection.prepareApart("SELECT \(EditTable.columns) FROM edit WHERE asset = ?")
    insertLink = try makeOfLinks(
      """
      INSERT INTO link (\(FileTable.linkColumns))
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """)
    updateLink = try makeOfLinks(
      """
      UPDATE link SET asset = ?3, inode = ?4, birth = ?5, byteCount = ?6, modified = ?7, resource = ?8
      WHERE directory = ?1 AND name = ?2
      """)
    removeLink = try makeOfLinks("DELETE FROM link WHERE directory = ? AND name = ?")
    updateAsset = try make(
      """
      UPDATE asset SET mediaType = ?2, created = ?3, modified = ?4, byteCount = ?5, inode = ?6, birth = ?7,
        directory = ?8, name = ?9, linkCount = ?10, fileCreated = ?11, described = ?12, description = ?13,
        sidecars = ?14, flags = ?15, edit = ?16, raw = ?17, arrived = ?18, hashed = ?19, hash = ?20
      WHERE id = ?1
      """)
    factsByID = try make(
      "SELECT created, mediaType, described, flags, hashed, linkCount FROM asset WHERE id = ?")
    removeAsset = try make(
      "DELETE FROM asset WHERE id = ? RETURNING created, mediaType, described, flags, hashed, linkCount")
    removeDescriptions = try connection.prepareApart("DELETE FROM description WHERE asset = ?")
    insertExtra = try make("INSERT INTO extraLink (asset, directory, name) VALUES (?, ?, ?)")
    removeExtra = try make("DELETE FROM extraLink WHERE asset = ?")
    removeOneExtra = try make("DELETE FROM extraLink WHERE asset = ? AND directory = ? AND name = ?")
  }
}
