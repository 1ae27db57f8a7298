package import AlbumAPI

/// Albums as they lie in each other (S63).
package struct AlbumTree: Sendable {
  private let inside: [String?: [LibraryInterface.Album]]

  /// Albums in their order. One whose parent is not among them is in none.
  package init(_ albums: [LibraryInterface.Album]) {
    let known = Set(albums.map(\.id))
    inside = Dictionary(grouping: albums) { album in album.parent.flatMap { known.contains($0) ? $0 : nil } }
  }

  /// Every album beneath that in which it lies, with how many it lies in.
  package var lines: [(album: LibraryInterface.Album, depth: Int)] {
    var lines: [(album: LibraryInterface.Album, depth: Int)] = []
    var open = (inside[nil] ?? []).reversed().map { (album: $0, depth: 0) }
    while let line = open.popLast() {
      lines.append(line)
      open += (inside[line.album.id] ?? []).reversed().map { (album: $0, depth: line.depth + 1) }
    }
    return lines
  }

  /// What lies in an album, deeper ones included.
  package func beneath(_ id: String) -> [LibraryInterface.Album] {
    var all: [LibraryInterface.Album] = []
    var open = inside[id] ?? []
    while let album = open.popLast() {
      all.append(album)
      open += inside[album.id] ?? []
    }
    return all
  }
}
