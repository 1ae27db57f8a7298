package import LibraryModel

/// The rows of custom orders: the place of each asset that was given one in an album (S103).
final class CustomOrderTable: CustomOrderIndex {
  /// Albums of which there are rows, or were; read again after a batch was taken back.
  private var known: Set<AlbumID>?
  private let connection: LibraryConnection
  private let viewers: ViewerTables
  private let transaction: LibraryTransaction

  init(_ connection: LibraryConnection, _ viewers: ViewerTables, _ transaction: LibraryTransaction) {
    self.connection = connection
    self.viewers = viewers
    self.transaction = transaction
  }

  /// The batch is not kept.
  func rollback() { known = nil }

  /// Where an asset is in an album's order.
  func position(of asset: AssetID, in album: AlbumID) throws -> Int64? {
    let statement = try connection.statement("SELECT position FROM albumOrder WHERE album = ? AND asset = ?")
    statement.bind(1, album.rawValue)
    statement.bind(2, asset.rawValue)
    return try statement.first { $0.int(0) }
  }

  /// Those before a position, the last of them first.
  func placed(in album: AlbumID, before position: Int64, limit: Int) throws -> [OrderedAsset] {
    try placed(
      """
      SELECT asset, position FROM albumOrder WHERE album = ? AND position < ?
      ORDER BY position DESC, asset DESC LIMIT ?
      """, album, position, limit)
  }

  /// Those from a position on, in order.
  func placed(in album: AlbumID, from position: Int64, limit: Int) throws -> [OrderedAsset] {
    try placed(
      """
      SELECT asset, position FROM albumOrder WHERE album = ? AND position >= ?
      ORDER BY position, asset LIMIT ?
      """, album, position, limit)
  }

  private func placed(
    _ sql: String, _ album: AlbumID, _ position: Int64, _ limit: Int
  ) throws -> [OrderedAsset] {
    let statement = try connection.statement(sql)
    statement.bind(1, album.rawValue)
    statement.bind(2, position)
    statement.bind(3, Int64(limit))
    return try statement.all { OrderedAsset(id: AssetID(rawValue: $0.int(0)), position: $0.int(1)) }
  }

  /// Whether there may be rows of an album.
  func mayOrder(_ album: AlbumID) throws -> Bool { try albums().contains(album) }

  /// What the app sees that has made an album, where that sees a part of the library.
  func limitedCreatorView(of album: AlbumID) throws -> LibraryView? {
    try viewers.limitedCreatorView(of: album)
  }

  /// Gives an asset a place, or none.
  func setPosition(_ position: Int64?, of asset: AssetID, in album: AlbumID) throws {
    let albums = try albums()
    guard let position else {
      let statement = try connection.statement("DELETE FROM albumOrder WHERE album = ? AND asset = ?")
      statement.bind(1, album.rawValue)
      statement.bind(2, asset.rawValue)
      return try statement.run()
    }
    let statement = try connection.statement(
      "INSERT OR REPLACE INTO albumOrder (album, asset, position) VALUES (?, ?, ?)")
    statement.bind(1, album.rawValue)
    statement.bind(2, asset.rawValue)
    statement.bind(3, position)
    try statement.run()
    if !albums.contains(album) { known?.insert(album) }
  }

  /// An album has gone.
  func forget(_ album: AlbumID) throws {
    guard try mayOrder(album) else { return }
    let statement = try connection.statement("DELETE FROM albumOrder WHERE album = ?")
    statement.bind(1, album.rawValue)
    try statement.run()
    known?.remove(album)
  }

  /// Each is found by the one before it: not every row is looked at.
  private func albums() throws -> Set<AlbumID> {
    if let known { return known }
    let found = try connection.statement(
      """
      WITH RECURSIVE ordered (album) AS (
        SELECT min(album) FROM albumOrder
        UNION ALL
        SELECT (SELECT min(next.album) FROM albumOrder AS next WHERE next.album > ordered.album)
        FROM ordered WHERE ordered.album IS NOT NULL)
      SELECT album FROM ordered WHERE album IS NOT NULL
      """
    ).all { AlbumID(rawValue: $0.int(0)) }
    // Batches that are yet to be done again may order others.
    if !transaction.mustDoAgain { known = Set(found) }
    return Set(found)
  }
}

extension LibraryReader {
  /// The assets of an album that were given no place in its order, in the order in which they are shown: by when they were created.
  ///
  /// - Parameter last: none after this one; all of them when nil.
  package func unplaced(in album: AlbumID, through last: AssetID?) throws -> [AssetID] {
    let ends = last == nil ? "" : "AND (created, id) <= (SELECT created, id FROM asset WHERE id = ?)"
    let statement = try search.prepare(
      """
      SELECT id FROM asset WHERE id IN (SELECT asset FROM link WHERE directory = ?)
      AND NOT EXISTS (SELECT 1 FROM albumOrder AS own WHERE own.album = ? AND own.asset = asset.id) \(ends)
      ORDER BY created, id
      """)
    statement.bind(1, album.rawValue)
    statement.bind(2, album.rawValue)
    if let last { statement.bind(3, last.rawValue) }
    return try statement.all { AssetID(rawValue: $0.int(0)) }
  }
}
