internal import LibraryModel

/// The rows of roots and directories.
final class DirectoryTable: DirectoryIndex {
  private let connection: LibraryConnection
  private let ids: IDReserve
  private let viewers: ViewerTables
  private let customOrder: CustomOrderTable
  private let places: DirectoryVolumes
  private let countNames: LibraryStatement

  init(
    _ connection: LibraryConnection, _ ids: IDReserve, _ viewers: ViewerTables,
    _ customOrder: CustomOrderTable, _ volumes: DirectoryVolumes
  ) throws(StorageError) {
    self.customOrder = customOrder
    places = volumes
    self.connection = connection
    self.ids = ids
    self.viewers = viewers
    countNames = try connection.prepare(
      """
      SELECT ifnull(sum(resource = 0), 0),
        \(Self.companionCount),
        count(DISTINCT CASE WHEN resource = 0 THEN asset END)
      FROM link WHERE directory = ?
      """)
  }

  /// The extensions of movies and RAW, with their dots, in SQL.
  private static let endingsOfParts = (["mov", "mp4"] + FileName.rawEndings).map { "'.\($0)'" }.joined(
    separator: ", ")

  /// How many of some links are of files that lie beside others, or can.
  private static let companionCount =
    "ifnull(sum(resource = 2 OR lower(substr(CAST(name AS TEXT), -4)) IN (\(endingsOfParts))), 0)"

  /// Counts in all directories what lies beside other files, as this version does.
  static let countCompanionsAgain = """
    UPDATE main.directory SET movieCount = (
      SELECT \(companionCount) FROM main.link WHERE link.directory = directory.id)
    """

  /// A new id.
  func reserveAlbumID() throws -> AlbumID { AlbumID(rawValue: try ids.take()) }

  /// How many names a directory holds, counted.
  func countNames(in directory: DirectoryID) throws -> NameCounts {
    countNames.bind(1, directory.rawValue)
    return try countNames.first { row in
      NameCounts(
        names: Int(row.int(0)), repeats: Int(row.int(0) - row.int(2)), companions: Int(row.int(1)))
    } ?? .none
  }

  /// The roots that the index has ever had.
  func roots() throws -> [StoredRoot] {
    try connection.statement("SELECT id, path, inode, birth, fileSystem, place, volume FROM root").all {
      row in
      StoredRoot(
        id: RootID(rawValue: Int32(truncatingIfNeeded: row.int(0))), path: row.name(1),
        identity: FileIdentity(volume: row.volume(6), inode: row.unsigned(2), birthTime: row.int(3)),
        formerFileSystem: row.unsigned(4), place: row.isNull(5) ? nil : row.name(5))
    }
  }

  /// The volumes that the index has ever had.
  func volumes() throws -> [NumberedVolume] {
    let rows = try connection.statement(
      "SELECT number, fileSystem, subvolume, copy FROM volume ORDER BY number")
    return try rows.all { row in
      NumberedVolume(
        number: row.volume(0),
        volume: Volume(
          fileSystem: Array(row.bytes(1)), subvolume: row.unsigned(2),
          copy: UInt32(truncatingIfNeeded: row.int(3))))
    }
  }

  /// Adds a volume.
  func put(_ volume: NumberedVolume) throws {
    let statement = try connection.statement(
      "INSERT OR REPLACE INTO volume (number, fileSystem, subvolume, copy) VALUES (?, ?, ?, ?)")
    statement.bind(1, Int64(volume.number.rawValue))
    statement.bind(2, volume.volume.fileSystem)
    statement.bind(3, volume.volume.subvolume)
    statement.bind(4, Int64(volume.volume.copy))
    try statement.run()
  }

  /// Adds or changes a root.
  func put(_ root: StoredRoot) throws {
    let statement = try connection.statement(
      """
      INSERT OR REPLACE INTO root (id, path, inode, birth, fileSystem, place, volume)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """)
    statement.bind(1, Int64(root.id.rawValue))
    statement.bind(2, root.path)
    statement.bind(3, root.identity.inode)
    statement.bind(4, root.identity.birthTime)
    statement.bind(5, root.formerFileSystem)
    if let place = root.place { statement.bind(6, place) } else { statement.bindNull(6) }
    statement.bind(7, Int64(root.identity.volume.rawValue))
    try statement.run()
  }

  /// All directories, those of roots too; apart, those that have left while their links are being removed.
  func directories() throws -> (present: [DirectoryTree.Node], orphans: [DirectoryTree.Node]) {
    var orphans: [DirectoryTree.Node] = []
    let rows = try connection.statement(
      """
      SELECT id, root, parent, name, inode, birth, assetCount, orphan, mount, movieCount, volume, repeatCount
      FROM directory ORDER BY id
      """
    ).all { row in
      let node = DirectoryTree.Node(
        id: DirectoryID(rawValue: row.int(0)), root: RootID(rawValue: Int32(truncatingIfNeeded: row.int(1))),
        parent: row.isNull(2) ? nil : DirectoryID(rawValue: row.int(2)), name: row.name(3),
        identity: FileIdentity(volume: row.volume(10), inode: row.unsigned(4), birthTime: row.int(5)),
        counts: NameCounts(
          names: Int(row.int(6)), repeats: Int(row.int(11)), companions: Int(row.int(9))),
        isMount: row.int(8) != 0)
      return (node, row.int(7) != 0)
    }
    places.reset(rows.map(\.0))
    for (node, isOrphan) in rows where isOrphan { orphans.append(node) }
    return (rows.compactMap { $0.1 ? nil : $0.0 }, orphans)
  }

  /// Adds or changes a directory.
  func put(_ directory: DirectoryTree.Node) throws {
    let statement = try connection.statement(
      """
      INSERT OR REPLACE INTO directory
        (id, root, parent, name, inode, birth, assetCount, orphan, mount, movieCount, volume, repeatCount)
      VALUES (?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?, ?)
      """)
    statement.bind(1, directory.id.rawValue)
    statement.bind(2, Int64(directory.root.rawValue))
    statement.bind(3, directory.parent?.rawValue)
    statement.bind(4, directory.name)
    statement.bind(5, directory.identity.inode)
    statement.bind(6, directory.identity.birthTime)
    statement.bind(7, Int64(directory.counts.names))
    statement.bind(8, Int64(directory.isMount ? 1 : 0))
    statement.bind(9, Int64(directory.counts.companions))
    statement.bind(10, Int64(directory.identity.volume.rawValue))
    statement.bind(11, Int64(directory.counts.repeats))
    try statement.run()
    places[directory.id] = directory.identity.volume
  }

  /// Notes how many names a directory holds.
  func setCounts(_ counts: NameCounts, of directory: DirectoryID) throws {
    try connection.waiting.add(counts, of: directory)
  }

  /// Notes that a directory has left the library.
  func orphan(_ directory: DirectoryID) throws {
    let statement = try connection.statement("UPDATE directory SET orphan = 1 WHERE id = ?")
    statement.bind(1, directory.rawValue)
    try statement.run()
  }

  /// Removes a directory.
  func remove(_ directory: DirectoryID) throws {
    let statement = try connection.statement("DELETE FROM directory WHERE id = ?")
    statement.bind(1, directory.rawValue)
    try statement.run()
    places.remove(directory)
    try viewers.noteGone(directory)
    try customOrder.forget(directory)
  }
}

extension LibraryStatement {
  /// The number of a volume.
  func volume(_ column: CInt) -> VolumeNumber {
    VolumeNumber(rawValue: UInt32(truncatingIfNeeded: int(column)))
  }
}
