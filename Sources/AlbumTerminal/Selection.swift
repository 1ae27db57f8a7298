/// A list to select from, page by page: albums, which bring what is added to them later (S17), and assets.
public struct Selection: Hashable, Sendable {
  /// An album or an asset.
  public struct Item: Hashable, Sendable {
    /// Its id.
    public let id: String
    /// Whether it is an album.
    public let isAlbum: Bool
    /// Its name.
    public let title: String
    /// What tells it from others of that name.
    public let detail: String

    /// An item of the list.
    public init(id: String, isAlbum: Bool, title: String, detail: String) {
      self.id = id
      self.isAlbum = isAlbum
      self.title = title
      self.detail = detail
    }
  }

  private(set) var items: [Item] = []
  /// Where the next page begins.
  private(set) var cursor: String?
  private(set) var isLoaded = false
  private(set) var position = 0
  private var selected: Set<String>

  init(selected: Set<String>) {
    self.selected = selected
  }

  func isSelected(_ item: Item) -> Bool { selected.contains(item.id) }

  var selectedAlbums: [String] { items.filter { $0.isAlbum && isSelected($0) }.map(\.id) }

  /// What was selected before stays so, also where the list has not come to it.
  var selectedAssets: [String] {
    let listed = items.filter { !$0.isAlbum && isSelected($0) }.map(\.id)
    return listed + selected.subtracting(items.map(\.id)).sorted()
  }

  mutating func add(_ page: [Item], cursor: String?) {
    items += page
    self.cursor = cursor
    isLoaded = true
  }

  mutating func move(by step: Int) {
    position = max(0, min(items.count - 1, position + step))
  }

  mutating func toggle() {
    guard items.indices.contains(position) else { return }
    let id = items[position].id
    if selected.remove(id) == nil { selected.insert(id) }
  }

  /// The items around the position that fit so many rows.
  func visible(rows: Int) -> Range<Int> {
    let first = max(0, min(position - rows / 2, items.count - rows))
    return first..<min(items.count, first + max(0, rows))
  }
}
