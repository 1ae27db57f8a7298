package import LibraryModel

/// A page of ids, and what they are sorted by: for who reads the assets later, when they are looked at.
package struct AssetIDPage: Sendable {
  /// The ids.
  package var ids: [AssetID] = []
  /// What each is sorted by: nanoseconds since 1970, or bytes; nil in the order of names, and in that of an album.
  package var keys: [Int64]?
  /// Where the next page begins; `nil` when this is the last.
  package var next: AssetCursor?

  /// A page without any.
  package init() {}
}

extension AssetSearch {
  /// The ids of a page: as ``page(_:after:limit:matching:offset:)``, of which each row costs a tenth.
  func ids(
    _ query: AssetQuery, after cursor: AssetCursor?, limit: Int, matching: Int?, offset: Int = 0
  ) throws(StorageError) -> AssetIDPage {
    let statement = try statement(
      "id, \(query.order.column)", query, after: cursor, limit: limit, matching: matching, offset: offset)
    var page = AssetIDPage()
    var keys: [Int64] = []
    var name: FileName?
    var hasMore = false
    try statement.each { row in
      guard page.ids.count < limit else { return hasMore = true }
      page.ids.append(AssetID(rawValue: row.int(0)))
      if query.order.hasKeys {
        keys.append(row.int(1))
      } else if query.order == .filename, page.ids.count == limit {
        // The next page begins after it.
        name = row.name(1)
      }
    }
    if query.order.hasKeys { page.keys = keys }
    guard hasMore, let last = page.ids.last else { return page }
    if query.order == .custom {
      page.next = try customCursor(after: last, query)
      return page
    }
    page.next = AssetCursor(
      key: name.map { .name($0) } ?? .number(query.order == .age ? 0 : keys.last ?? 0), id: last)
    return page
  }
}

extension AssetQuery.Order {
  /// Whether what assets are sorted by is a number that peers are told.
  fileprivate var hasKeys: Bool { self != .filename && self != .custom }
}

extension LibraryReader {
  /// The ids of a page of the assets that match.
  ///
  /// - Parameters:
  ///   - matching: how many match in all, where that is known.
  ///   - offset: how many of those after the cursor are left out. Each of them is looked at.
  package func ids(
    _ query: AssetQuery, after cursor: AssetCursor? = nil, limit: Int, matching: Int? = nil, offset: Int = 0
  ) throws -> AssetIDPage {
    try search.ids(query, after: cursor, limit: limit, matching: matching, offset: offset)
  }
}
