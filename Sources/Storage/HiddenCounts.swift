internal import LibraryModel

/// How many assets are hidden, and how many of each album (S91): what is shown without them is counted with them.
///
/// It is kept in memory, and read again of the index after a batch was taken back: mostly there are none, or few.
final class HiddenCounts {
  private let connection: LibraryConnection
  private var total = 0
  private var ofAlbums: [AlbumID: Int] = [:]
  private var isKnown = true

  init(_ connection: LibraryConnection) throws(StorageError) {
    self.connection = connection
    try read()
  }

  /// Whether there are none, as far as is known without looking.
  var isEmpty: Bool { isKnown && total == 0 }

  /// How many there are.
  func count() throws(StorageError) -> Int {
    if !isKnown { try read() }
    return total
  }

  /// How many of an album are.
  func count(in album: AlbumID) throws(StorageError) -> Int {
    if !isKnown { try read() }
    return ofAlbums[album] ?? 0
  }

  /// One came, or is hidden now.
  func add(_ asset: Asset) {
    total += 1
    for album in asset.albums { ofAlbums[album, default: 0] += 1 }
  }

  /// One went, or is not hidden any more.
  func remove(_ asset: Asset) {
    total -= 1
    for album in asset.albums {
      let rest = ofAlbums[album, default: 0] - 1
      ofAlbums[album] = rest > 0 ? rest : nil
    }
  }

  /// The batch is not kept.
  func forget() { isKnown = false }

  private func read() throws(StorageError) {
    (total, ofAlbums) = (0, [:])
    let hidden = "FROM asset INDEXED BY asset_hidden WHERE flags & 2 <> 0"
    try connection.statement("SELECT directory \(hidden)").each { row in
      total += 1
      count(DirectoryID(rawValue: row.int(0)))
    }
    // Of several names in one album, one counts.
    try connection.statement(
      """
      SELECT DISTINCT extraLink.asset, extraLink.directory FROM extraLink
      JOIN asset ON asset.id = extraLink.asset AND asset.directory <> extraLink.directory
      WHERE extraLink.asset IN (SELECT id \(hidden))
      """
    ).each { row in count(DirectoryID(rawValue: row.int(1))) }
    isKnown = true
  }

  private func count(_ directory: DirectoryID) {
    if !directory.isRoot { ofAlbums[directory, default: 0] += 1 }
  }
}
