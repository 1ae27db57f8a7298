internal import LibraryModel

/// Which assets are hashed: columns of theirs, read by themselves.
final class HashTable: HashRows {
  private let files: FileTable
  private let page, hashOfContent: LibraryStatement

  init(_ connection: LibraryConnection, _ files: FileTable) throws(StorageError) {
    self.files = files
    page = try connection.prepare(
      "SELECT id FROM asset INDEXED BY asset_unhashed WHERE hashed = 0 AND id < ? ORDER BY id DESC LIMIT ?")
    hashOfContent = try connection.prepare(
      "SELECT hash FROM asset WHERE id = ? AND byteCount = ? AND modified = ? AND flags & 2 = ? AND hash IS NOT NULL"
    )
  }

  /// How many assets are yet to be hashed.
  var unhashedCount: Int { files.unhashedCount }

  /// Assets that are yet to be hashed, those first that came last.
  func unhashed(after last: AssetID?, limit: Int) throws -> [AssetID] {
    page.bind(1, last?.rawValue ?? .max)
    page.bind(2, Int64(limit))
    return try page.all { AssetID(rawValue: $0.int(0)) }
  }

  /// The hash of an asset, if that is still the content of this length and time, and it is hidden or shown as it was then: who
  /// is told of earlier times is told nothing of what is hidden by now.
  func contentHash(
    of asset: AssetID, byteCount: Int64, modified: Int64, isHidden: Bool
  ) throws -> ContentHash? {
    hashOfContent.bind(1, asset.rawValue)
    hashOfContent.bind(2, byteCount)
    hashOfContent.bind(3, modified)
    hashOfContent.bind(4, Int64(isHidden ? 2 : 0))
    return try hashOfContent.first { $0.contentHash(0) } ?? nil
  }
}
