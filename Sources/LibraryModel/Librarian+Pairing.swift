// A live photo is a still and the movie of the same name beside it (docs/decisions/0011-live-photos.md): the still
// is the asset, the movie one of its files. Whenever either comes, goes, or gets another name, what is beside it is
// looked at: never in directories without such movies.
extension Librarian {
  /// The rows with the same stem beside a name, in the order of their names.
  private func siblings(of location: Location) throws -> [Link] {
    let stem = location.name.stem
    return try index.links(in: location.directory, stem: Array(stem)).filter {
      $0.location.name.stem == stem && $0.location != location
    }
  }

  /// One that has left the tree has its rows until they are removed, and may return before that.
  private func hasMovies(_ directory: DirectoryID) -> Bool {
    tree[directory].map { $0.movieCount > 0 } ?? true
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

  /// A file that gets this name is a new one, not one that was there until a moment ago (S39).
  package func forgetRemoved(at location: Location) { assetTombstones.forget(location) }

  // MARK: A movie

  /// A movie that the index does not know, beside its still.
  ///
  /// - Returns: whether its name was free.
  func insert(_ location: Location, _ facts: FileFacts, asMovieOf still: AssetID) throws -> Bool {
    guard try index.insert(Link(location, still, facts, resource: .pairedVideo)) else { return false }
    count(1, location, resource: .pairedVideo)
    try updateMediaType(of: still)
    return true
  }

  /// Gives a name of a movie's own asset to the still beside it, if there is one.
  func pairMovie(at location: Location) throws {
    guard let row = try index.link(at: location), row.resource == .main,
      let still = try still(for: location, own: row.asset)
    else { return }
    try pair(row, with: still)
    try updateMediaType(of: still)
  }

  private func pair(_ row: Link, with still: AssetID) throws {
    try drop(row)
    var movie = row
    movie.asset = still
    movie.resource = .pairedVideo
    guard try index.insert(movie) else { return }
    count(1, movie.location, resource: .pairedVideo)
  }

  /// Compares a movie that belongs to a still with what is there now. Its content is the asset's.
  func settlePaired(_ row: Link, _ facts: FileFacts) throws {
    guard !row.agrees(with: facts) else { return }
    if row.identity != facts.identity, mayKnow(facts) {
      // Renamed over it: the other name has gone.
      for link in try knownLinks(facts) where !isLive(link.location, facts.identity, facts) {
        try drop(link, buries: false)
      }
      // Its own still may have been renamed over it.
      guard try index.link(at: row.location) == row else { return try settle(row.location, facts, .renamed) }
    }
    try index.update(Link(row.location, row.asset, facts, resource: .pairedVideo))
    if row.identity != facts.identity { try lookAgain(atOthersOf: row) }
    try lookAgain(atOthersOf: facts)
    guard let asset = try index.asset(row.asset) else { return }
    try publish(asset, asset, content: true)
  }

  /// A movie that belongs to a still has gone.
  func dropPaired(_ row: Link) throws {
    try forget(row)
    try lookAgain(atOthersOf: row)
    try updateMediaType(of: row.asset)
  }

  /// Removes the row of a movie, and no more.
  func forget(_ movie: Link) throws {
    try index.removeLink(at: movie.location)
    count(-1, movie.location, resource: .pairedVideo)
  }

  private func updateMediaType(of id: AssetID) throws {
    guard let before = try index.asset(id) else { return }
    var after = before
    after.mediaType = try mediaType(of: before)
    guard after != before else { return }
    try index.update(after)
    try publish(before, after, content: false)
  }

  // MARK: A still

  /// A still has come: the movie beside it, if it belongs to none, is its own from now on.
  ///
  /// - Returns: whether there is one.
  func takeMovie(for still: Location, _ asset: AssetID) throws -> Bool {
    guard hasMovies(still.directory) else { return false }
    let movie = try siblings(of: still).first {
      $0.resource == .main && $0.location.name.isPairableMovie && $0.asset != asset
    }
    guard let movie else { return false }
    try pair(movie, with: asset)
    return true
  }

  /// An asset gets other links: takes the movies beside its new ones.
  ///
  /// - Returns: the movies beside those it has lost, to be released when it is written.
  func repair(_ before: Asset, _ after: Asset) throws -> [Link] {
    guard before.links != after.links else { return [] }
    var lost: [Link] = []
    for link in before.links where !after.links.contains(link) { lost += try movies(of: before.id, at: link) }
    for link in after.links where !before.links.contains(link) {
      if MediaType(name: link.name) == .image { _ = try takeMovie(for: link, after.id) }
    }
    for movie in lost { try forget(movie) }
    return lost
  }

  /// The still of these movies has gone, or has another name: they are assets of their own, or belong to
  /// another still, or have gone too.
  func release(_ movies: [Link]) throws {
    for movie in movies {
      if try index.link(at: movie.location)?.resource == .pairedVideo { try forget(movie) }
      try examine(movie.location, removal: true, .none)
    }
  }
}
