internal import LibraryModel

// The order in which people have put what is in an album (S103): by the place in that, then, of what has none, by when it was created.
extension AssetSearch {
  /// Where an asset is in the order of an album, which is its one parameter.
  private static let place = """
    ifnull((SELECT position FROM albumOrder AS own WHERE own.album = ? AND own.asset = asset.id), \(Int64.max))
    """

  /// What a page in that order begins after.
  func customCondition(
    _ cursor: AssetCursor, _ query: AssetQuery, _ arguments: inout [Argument]
  ) -> String {
    // One of another order is anywhere in this one.
    let (position, created): (Int64, Int64) =
      switch cursor.key {
      case .place(let position, let created): (position, created)
      case .number(let number): (.max, number)
      case .name: (.max, .min)
      }
    arguments.append(.number(query.orderedAlbum?.rawValue ?? 0))
    arguments += [position, created, cursor.id.rawValue].map { .number($0) }
    return "(\(Self.place), created, id) \(query.descending ? "<" : ">") (?, ?, ?)"
  }

  /// What a page in that order is sorted by.
  func customOrder(_ query: AssetQuery, _ arguments: inout [Argument]) -> String {
    arguments.append(.number(query.orderedAlbum?.rawValue ?? 0))
    return ["\(Self.place)", "created", "id"].map { $0 + (query.descending ? " DESC" : " ASC") }.joined(
      separator: ", ")
  }

  /// Where the page after one that ends with an asset begins.
  func customCursor(after id: AssetID, _ query: AssetQuery) throws(StorageError) -> AssetCursor? {
    let statement = try prepare("SELECT \(Self.place), created FROM asset WHERE id = ?")
    statement.bind(1, query.orderedAlbum?.rawValue ?? 0)
    statement.bind(2, id.rawValue)
    return try statement.first {
      AssetCursor(key: .place($0.int(0), created: $0.int(1)), id: id)
    }
  }
}
