internal import AlbumAPI

/// The photos that match one question, of which only some pages are held: those around what is on the screen.
///
/// Pages follow one another by their cursors, so a page far away is reached through those before it.
struct PhotoPages: Hashable, Sendable {
  /// In one page.
  static let pageSize = 200
  /// Pages that are held.
  private static let keptPages = 10

  /// What matches, as it is asked.
  let filter: LibraryInterface.FetchAssets.Parameters
  /// How many match; nil before the first page.
  private(set) var total: Int?
  /// Where each page begins, as far as it is known.
  private var cursors: [String?] = [nil]
  private(set) var pages: [Int: [LibraryInterface.Asset]] = [:]

  /// - Parameter filter: without order and page: the newest come first.
  init(_ filter: LibraryInterface.FetchAssets.Parameters) {
    var filter = filter
    filter.sort = .created
    filter.descending = true
    filter.limit = Self.pageSize
    self.filter = filter
  }

  /// The photo at a place; nil where none was read.
  subscript(index: Int) -> LibraryInterface.Asset? {
    guard let page = pages[index / Self.pageSize], page.indices.contains(index % Self.pageSize) else {
      return nil
    }
    return page[index % Self.pageSize]
  }

  /// What to read so that these places can be shown; nil when they can be. Ask again when it was read.
  func missing(in range: Range<Int>) -> LibraryInterface.FetchAssets.Parameters? {
    let last = max(range.lowerBound, range.upperBound - 1) / Self.pageSize
    guard total == nil || !range.isEmpty,
      let page = (range.lowerBound / Self.pageSize...last).first(where: { pages[$0] == nil })
    else { return nil }
    var wanted = filter
    wanted.cursor = cursors[min(page, cursors.count - 1)]
    return wanted
  }

  /// Takes the page that begins at the cursor of the request.
  mutating func add(_ page: LibraryInterface.FetchAssets.Reply, from cursor: String?) {
    guard let number = cursors.firstIndex(of: cursor) else { return }
    pages[number] = page.assets
    let count = number * Self.pageSize + page.assets.count
    if let next = page.cursor {
      if number == cursors.count - 1 { cursors.append(next) }
      // Photos can be added meanwhile.
      total = max(total ?? 0, page.total, count + 1)
    } else {
      total = count
    }
    while pages.count > Self.keptPages {
      guard let farthest = pages.keys.max(by: { abs($0 - number) < abs($1 - number) }) else { break }
      pages[farthest] = nil
    }
  }
}
