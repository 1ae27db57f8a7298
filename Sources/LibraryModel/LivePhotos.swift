/// Which still and which movie belong together: those with one stem, beside each other
/// (docs/decisions/0011-live-photos.md). Only read here; never in directories without such movies.
package final class LivePhotos {
  private let index: any FileRows
  private let directories: Directories

  init(_ index: any FileRows, _ directories: Directories) {
    self.index = index
    self.directories = directories
  }

  /// The rows with the same stem beside a name, in the order of their names.
  private func siblings(of location: Location) throws -> [Link] {
    let stem = location.name.stem
    return try index.links(in: location.directory, stem: Array(stem)).filter {
      $0.location.name.stem == stem && $0.location != location
    }
  }

  /// One that has left the tree has its rows until they are removed, and may return before that.
  private func hasMovies(_ directory: DirectoryID) -> Bool {
    directories.tree[directory].map { $0.counts.companions > 0 } ?? true
  }

  /// The still that a movie with this name belongs to, if there is one without a movie.
  ///
  /// - Parameter own: the asset that the movie is until now: two names of one file are no pair.
  func still(for movie: Location, own: AssetID? = nil) throws -> AssetID? {
    guard movie.name.isPairableMovie else { return nil }
    let siblings = try siblings(of: movie)
    let taken = siblings.filter { $0.resource == .pairedVideo }.map(\.asset)
    return siblings.first {
      $0.resource == .main && MediaType(name: $0.location.name) == .image && !taken.contains($0.asset)
        && $0.asset != own
    }?.asset
  }

  /// The movie beside a still that belongs to none yet.
  ///
  /// - Parameter asset: the still's: two names of one file are no pair.
  func freeMovie(for still: Location, _ asset: AssetID) throws -> Link? {
    guard hasMovies(still.directory) else { return nil }
    return try siblings(of: still).first {
      $0.resource == .main && $0.location.name.isPairableMovie && $0.asset != asset
    }
  }

  /// The movies that belong to an asset's still with this name: one, or none.
  package func movies(of asset: AssetID, at still: Location) throws -> [Link] {
    guard hasMovies(still.directory), MediaType(name: still.name) == .image else { return [] }
    return try siblings(of: still).filter { $0.resource == .pairedVideo && $0.asset == asset }
  }

  /// What an asset is by its name, and by what is beside it.
  func mediaType(of asset: Asset) throws -> MediaType {
    let type = MediaType(name: asset.filename) ?? asset.mediaType
    guard type == .image else { return type }
    return try asset.links.contains { try !movies(of: asset.id, at: $0).isEmpty } ? .livePhoto : .image
  }

  /// Whether a file that gets this name is nobody's but its bringer's: the index has no such name, and none beside it
  /// that would make the two a pair, so that neither becomes part of an asset that was there before.
  package func isFree(_ location: Location) throws -> Bool {
    guard try index.link(at: location) == nil else { return false }
    if location.name.isPairableMovie {
      return try !siblings(of: location).contains { MediaType(name: $0.location.name) == .image }
    }
    guard MediaType(name: location.name) == .image, hasMovies(location.directory) else { return true }
    return try !siblings(of: location).contains { $0.location.name.isPairableMovie }
  }
}
