internal import LibraryModel

/// The rows of key photos: for each album the asset that was chosen for it (S102). All of them are in memory, since every change of an
/// asset asks.
final class KeyPhotoTable: KeyPhotoIndex {
  /// Read again after a batch was taken back.
  private var known: Known?
  private let connection: LibraryConnection
  private let viewers: ViewerTables
  private let transaction: LibraryTransaction

  private struct Known {
    var assets: [AlbumID: AssetID] = [:]
    var albums: [AssetID: Set<AlbumID>] = [:]

    mutating func set(_ asset: AssetID?, of album: AlbumID) {
      if let former = assets.removeValue(forKey: album) {
        albums[former]?.remove(album)
        if albums[former]?.isEmpty ?? false { albums[former] = nil }
      }
      guard let asset else { return }
      assets[album] = asset
      albums[asset, default: []].insert(album)
    }
  }

  init(_ connection: LibraryConnection, _ viewers: ViewerTables, _ transaction: LibraryTransaction) {
    self.connection = connection
    self.viewers = viewers
    self.transaction = transaction
  }

  /// The batch is not kept.
  func rollback() { known = nil }

  /// The asset that was chosen for an album.
  func keyAsset(of album: AlbumID) throws -> AssetID? { try read().assets[album] }

  /// The albums that an asset was chosen for.
  func albums(withKey asset: AssetID) throws -> Set<AlbumID> { try read().albums[asset] ?? [] }

  /// What the app sees that has made an album, where that sees a part of the library.
  func limitedCreatorView(of album: AlbumID) throws -> LibraryView? {
    try viewers.limitedCreatorView(of: album)
  }

  /// Notes which asset stands for an album.
  func setKeyAsset(_ asset: AssetID?, of album: AlbumID) throws {
    _ = try read()
    if let asset {
      let statement = try connection.statement("INSERT OR REPLACE INTO albumKey (album, asset) VALUES (?, ?)")
      statement.bind(1, album.rawValue)
      statement.bind(2, asset.rawValue)
      try statement.run()
    } else {
      let statement = try connection.statement("DELETE FROM albumKey WHERE album = ?")
      statement.bind(1, album.rawValue)
      try statement.run()
    }
    known?.set(asset, of: album)
  }

  /// Forgets those of albums that cannot come back: at the start, before anything is read. One that has gone has its key
  /// photo again when it returns with its id (S39), a moment later, or when what was deleted with it is restored.
  func forgetGone() throws(StorageError) {
    connection.recorder.begin(isOn: false)
    defer { connection.recorder.end() }
    let gone =
      "FROM albumKey WHERE album NOT IN (SELECT id FROM directory UNION ALL SELECT id FROM deletedAlbum)"
    // Nearly always there are none, and nothing is written.
    guard try connection.statement("SELECT 1 \(gone) LIMIT 1").first({ _ in true }) ?? false else { return }
    try connection.run("DELETE \(gone)")
  }

  private func read() throws -> Known {
    if let known { return known }
    var known = Known()
    for (album, asset) in try connection.statement("SELECT album, asset FROM albumKey").all({
      (AlbumID(rawValue: $0.int(0)), AssetID(rawValue: $0.int(1)))
    }) {
      known.set(asset, of: album)
    }
    // Batches that are yet to be done again may hold others.
    if !transaction.mustDoAgain { self.known = known }
    return known
  }
}
