// A live photo is a still and the movie of the same name beside it (docs/decisions/0011-live-photos.md): the still
// is the asset, the movie one of its files. Whenever either comes, goes, or gets another name, what is beside it is
// looked at.
extension FileComparison {
  // MARK: A movie

  /// A movie that the index does not know, beside its still.
  ///
  /// - Returns: whether its name was free.
  func insert(_ location: Location, _ facts: FileFacts, asMovieOf still: AssetID) throws -> Bool {
    guard try index.insert(Link(location, still, facts, resource: .pairedVideo)) else { return false }
    directories.count(1, location, resource: .pairedVideo)
    try settleSidecars(beside: location, of: still)
    try noteParts(of: still)
    return true
  }

  /// Gives a name of a movie's own asset to the still beside it, if there is one.
  func pairMovie(at location: Location) throws {
    guard let row = try index.link(at: location), row.resource == .main,
      let still = try livePhotos.still(for: location, own: row.asset)
    else { return }
    try pair(row, with: still)
    try noteParts(of: still)
  }

  private func pair(_ row: Link, with still: AssetID) throws {
    try drop(row)
    var movie = row
    movie.asset = still
    movie.resource = .pairedVideo
    guard try index.insert(movie) else { return }
    directories.count(1, movie.location, resource: .pairedVideo)
    try settleSidecars(beside: movie.location, of: still)
  }

  /// Compares a movie that belongs to a still with what is there now. Its content is the asset's.
  func compareMovie(_ row: Link, _ facts: FileFacts) throws {
    guard !row.agrees(with: facts) else { return }
    if row.identity != facts.identity, lookup.mayKnow(facts) {
      // Renamed over it: the other name has gone.
      for link in try lookup.knownLinks(facts) where !lookup.isLive(link.location, facts.identity, facts) {
        try drop(link, buries: false)
      }
      // Its own still may have been renamed over it.
      guard try index.link(at: row.location) == row else { return try compare(row.location, facts, .renamed) }
    }
    try index.update(Link(row.location, row.asset, facts, resource: .pairedVideo))
    if row.identity != facts.identity { try lookAgain(atOthersOf: row) }
    try lookAgain(atOthersOf: facts)
    guard let before = try index.asset(row.asset) else { return }
    var after = before
    after.isDescribed = false
    try index.update(after)
    try context.publish(before, after, content: true)
  }

  /// A movie that belongs to a still has gone.
  func dropMovie(_ row: Link) throws {
    try removeMovie(row)
    try lookAgain(atOthersOf: row)
    try settleSidecars(beside: row.location, of: row.asset)
    try noteParts(of: row.asset)
  }

  /// Removes the row of a movie, and no more.
  func removeMovie(_ movie: Link) throws {
    try index.removeLink(at: movie.location)
    directories.count(-1, movie.location, resource: .pairedVideo)
  }

  /// An asset has got or lost its movie, with what lies beside that.
  private func noteParts(of id: AssetID) throws {
    guard let before = try index.asset(id) else { return }
    var after = before
    after.mediaType = try livePhotos.mediaType(of: before)
    after.sidecars = try sidecars.files(of: id, at: before.links).count
    guard after != before else { return }
    if foretold[before.identity] == nil { after.noteUnread(since: before, content: false) }
    try index.update(after)
    try context.publish(before, after, content: after.sidecars != before.sidecars)
  }

  // MARK: A still

  /// A still has come: the movie beside it, if it belongs to none, is its own from now on.
  ///
  /// - Returns: whether there is one.
  func claimMovie(for still: Location, _ asset: AssetID) throws -> Bool {
    guard let movie = try livePhotos.freeMovie(for: still, asset) else { return false }
    try pair(movie, with: asset)
    return true
  }

  /// An asset gets other links: claims the movies beside its new ones.
  ///
  /// - Returns: the movies beside those it has lost, to be released when it is written.
  func exchangeMovies(_ before: Asset, _ after: Asset) throws -> [Link] {
    guard before.links != after.links else { return [] }
    var lost: [Link] = []
    for link in before.links where !after.links.contains(link) {
      lost += try livePhotos.movies(of: before.id, at: link)
    }
    for link in after.links where !before.links.contains(link) {
      if MediaType(name: link.name) == .image { _ = try claimMovie(for: link, after.id) }
    }
    for movie in lost { try removeMovie(movie) }
    return lost
  }

  /// The still of these movies has gone, or has another name: they are assets of their own, or belong to
  /// another still, or have gone too.
  func release(_ movies: [Link]) throws {
    for movie in movies {
      if try index.link(at: movie.location)?.resource == .pairedVideo { try removeMovie(movie) }
      try examine(movie.location, removal: true, .none)
    }
  }
}
