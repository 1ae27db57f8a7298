package import LibraryModel

/// Finds and counts assets, for whoever only reads: on the loop, so only what is short (``LibraryModel/AssetQuery/isShort``). What is
/// not, a ``LibraryReader`` does elsewhere.
package final class AssetQueries {
  private let connection: LibraryConnection
  private let files: FileTable
  private let journal: JournalTable
  private let transaction: LibraryTransaction
  private let search: AssetSearch

  init(
    _ connection: LibraryConnection, _ files: FileTable, _ journal: JournalTable,
    _ transaction: LibraryTransaction
  ) {
    self.connection = connection
    self.files = files
    self.journal = journal
    self.transaction = transaction
    search = AssetSearch { [volumes = files.volumes] in
      volumes.numbers
    } query: {
      (sql) throws(StorageError) in
      try connection.query(sql)
    }
  }

  /// One page of the assets that match, beginning after `cursor`.
  ///
  /// Keyset pages: a page begins after the last asset of the page before it, so it costs the same however
  /// far along it is. The orders `age`, `created`, `modified` and `added` have indexes; `filename` and `byteCount`
  /// read all that match for every page, so ask for large ones.
  ///
  /// - Parameter matching: how many match in all, where that is known. Few that are sought by name are sorted when they
  ///   are found: in the order of an index, one asset after the other would be looked up to find them.
  package func fetch(
    _ query: AssetQuery, after cursor: AssetCursor? = nil, limit: Int, matching: Int? = nil
  ) throws -> AssetPage {
    try transaction.catchUp()
    let (assets, next) = try search.page(query, after: cursor, limit: limit, matching: matching)
    return AssetPage(assets: assets, next: next, place: journal.place)
  }

  /// How many assets match.
  package func count(_ query: AssetQuery) throws -> Int {
    guard query.isUnfiltered else { return try search.count(query) }
    try transaction.catchUp()
    return files.assetCount - (query.includesHidden ? 0 : try files.hidden.count())
  }

  /// Whether a query is looked up here, and not on another thread: also what is passed over takes its time.
  package func isShort(_ query: AssetQuery) -> Bool {
    guard query.isShort else { return false }
    if query.includesHidden || !query.isUnfiltered || files.hidden.isEmpty { return true }
    guard (try? transaction.catchUp()) != nil else { return false }
    return (try? files.hidden.count()).map { $0 <= Self.fewHidden } ?? false
  }

  private static let fewHidden = 1000

  /// How many assets in an album are hidden (S91).
  package func hiddenCount(in album: AlbumID) throws -> Int {
    try transaction.catchUp()
    return try files.hidden.count(in: album)
  }

  /// How many assets of an album a view shows. It costs what is in the album, however much is selected.
  ///
  /// - Parameter sights: of assets that are in several albums, for counts that are made one after the other.
  package func count(in album: AlbumID, seenBy view: LibraryView, _ sights: Sights = Sights()) throws -> Int {
    if view.hidesAny(of: [album]) { return 0 }
    let statement = try connection.statement(
      """
      SELECT DISTINCT asset.id, asset.directory, linkCount FROM link JOIN asset ON asset.id = link.asset
      WHERE link.directory = ? AND flags & 2 = 0
      """
    )
    statement.bind(1, album.rawValue)
    let found = try statement.all {
      (id: AssetID(rawValue: $0.int(0)), first: AlbumID(rawValue: $0.int(1)), linkCount: $0.int(2))
    }
    return try found.count { asset in
      // Most are in no other album.
      guard asset.linkCount > 1 else { return view.sees(asset.id, in: [album]) }
      if let isSeen = sights.known[asset.id] { return isSeen }
      let isSeen = view.sees(asset.id, in: try albums(of: asset.id, beside: asset.first))
      sights.known[asset.id] = isSeen
      return isSeen
    }
  }

  /// Whether a view shows assets, as far as that was found out.
  package final class Sights {
    fileprivate var known: [AssetID: Bool] = [:]

    /// Of none so far.
    package init() {}
  }

  private func albums(of asset: AssetID, beside first: AlbumID) throws -> [AlbumID] {
    let statement = try connection.statement("SELECT DISTINCT directory FROM extraLink WHERE asset = ?")
    statement.bind(1, asset.rawValue)
    return ([first] + (try statement.all { AlbumID(rawValue: $0.int(0)) })).filter { !$0.isRoot }
  }
}
