/// How many names of media a directory holds directly, as the index has them.
package struct NameCounts: Hashable, Sendable {
  /// How many are of assets' own files.
  package var names = 0
  /// How many of those name an asset that has another name there as well.
  package var repeats = 0
  /// How many are of files that can belong to another: movies, RAW and sidecars. Where there are none, none is sought.
  package var companions = 0

  /// None.
  package static let none = NameCounts()

  /// Counts that were counted.
  package init(names: Int = 0, repeats: Int = 0, companions: Int = 0) {
    self.names = names
    self.repeats = repeats
    self.companions = companions
  }

  /// How many assets there are: several names of one file are one asset (S34).
  package var assets: Int { names - repeats }

  /// Whether there is no name at all.
  package var isEmpty: Bool { names == 0 && companions == 0 }

  static func += (counts: inout NameCounts, more: NameCounts) {
    counts.names += more.names
    counts.repeats += more.repeats
    counts.companions += more.companions
  }
}
