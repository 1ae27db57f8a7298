internal import AlbumAPI

/// All albums of a library, with titles that say where each lies.
struct KnownAlbums: Hashable, Sendable {
  /// By title.
  let all: [LibraryInterface.Album]
  private let byID: [String: LibraryInterface.Album]
  private let titles: [String: String]
  /// What lies directly in each.
  private let inside: [String: [String]]

  init(_ albums: [LibraryInterface.Album]) {
    let byID = Dictionary(albums.map { ($0.id, $0) }) { first, _ in first }
    var titles: [String: String] = [:]
    for album in albums { titles[album.id] = Self.title(of: album, byID) }
    all = albums.sorted { (titles[$0.id] ?? "", $0.id) < (titles[$1.id] ?? "", $1.id) }
    self.byID = byID
    self.titles = titles
    var inside: [String: [String]] = [:]
    for album in albums { if let parent = album.parent { inside[parent, default: []].append(album.id) } }
    self.inside = inside
  }

  subscript(id: String) -> LibraryInterface.Album? { byID[id] }

  /// An album's title below those that it lies in: `Trip/Lake`.
  func title(of album: LibraryInterface.Album) -> String { titles[album.id] ?? album.title }

  /// The ids of an album and of all that lie in it, however deep.
  func beneath(_ album: String) -> Set<String> {
    var found: Set<String> = [album]
    var rest = [album]
    while let next = rest.popLast() {
      // That there is no circle is another program's word.
      for inner in inside[next] ?? [] where found.insert(inner).inserted { rest.append(inner) }
    }
    return found
  }

  /// Those whose title contains one of these, in either case; all when there are none.
  func named(_ names: [String]) -> [LibraryInterface.Album] {
    guard !names.isEmpty else { return all }
    let names = names.map { $0.lowercased() }
    return all.filter { album in
      let title = title(of: album).lowercased()
      return names.contains { title.contains($0) }
    }
  }

  private static func title(
    of album: LibraryInterface.Album, _ byID: [String: LibraryInterface.Album]
  ) -> String {
    var title = album.title
    var parent = album.parent
    // As deep as directories go; that there is no circle is another program's word.
    for _ in 0..<64 {
      guard let above = parent.flatMap({ byID[$0] }) else { break }
      title = "\(above.title)/\(title)"
      parent = above.parent
    }
    return title
  }
}
