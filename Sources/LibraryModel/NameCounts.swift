/// How many names of media a directory holds directly, as the index has them.
package struct NameCounts: Hashable, Sendable {
  /// How many are of assets' own files.
  package var names = 0
  /// How many of those name an asset that has another name there as well.
  package var repeats = 0
  /// How many are of movies that can belong to a photo: where there are none, none is sought.
  package var movies = 0

  /// None.
  package static let none = NameCounts()

  /// Counts that were counted.
  package init(names: Int = 0, repeats: Int = 0, movies: Int = 0) {
    self.names = names
    self.repeats = repeats
    self.movies = movies
  }

  /// How many assets there are: several names of one file are one asset (S34).
  package var assets: Int { names - repeats }

  /// Whether there is no name at all.
  package var isEmpty: Bool { names == 0 && movies == 0 }

  static func += (counts: inout NameCounts, more: NameCounts) {
    counts.names += more.names
    counts.repeats += more.repeats
    counts.movies += more.movies
  }
}
