/// A name whose file, or directory, is no longer the one that the index has there. What that means depends on where
/// that one is now, and so on all that is still to be read: it is decided later (docs/decisions/0015-identity.md).
package struct Doubt: Hashable, Sendable {
  /// The name.
  package var location: Location
  /// What the index has there.
  package var former: FileIdentity
  /// The file that was found there instead and counts (S40), if that is known.
  package var present: FileIdentity?
  /// Whether it was told that the former one was renamed, and not where to: it may be in what is still to be listed.
  package var hasLeft = false
}

/// Names in doubt, in the order in which they are to be decided.
package struct Doubts: Hashable, Sendable {
  /// Directories in whose place another was found: first, because what is in that is still to be listed.
  package internal(set) var remade: ArraySlice<Doubt> = []
  /// Directories that were not found.
  package internal(set) var missing: ArraySlice<Doubt> = []
  /// Files.
  package internal(set) var files: ArraySlice<Doubt> = []

  /// None.
  package init() {}

  /// How many there are.
  package var count: Int { remade.count + missing.count + files.count }

  /// Whether a condition is true of any.
  package func contains(where condition: (Doubt) -> Bool) -> Bool {
    remade.contains(where: condition) || missing.contains(where: condition)
      || files.contains(where: condition)
  }

  /// Adds others.
  package mutating func append(_ other: Doubts) {
    remade += other.remade
    missing += other.missing
    files += other.files
  }

  /// Takes those that come first; none if there are none at all.
  package mutating func takeFirst() -> Doubts {
    var first = Doubts()
    if !remade.isEmpty {
      swap(&first.remade, &remade)
    } else if !missing.isEmpty {
      swap(&first.missing, &missing)
    } else {
      swap(&first.files, &files)
    }
    return first
  }

  /// Takes so many at most, in the order in which they are to be decided. What that costs depends on how many are taken
  /// only, not on how many there are.
  package mutating func takeFirst(_ limit: Int) -> Doubts {
    var first = Doubts()
    for list in [\Doubts.remade, \.missing, \.files] where first.count < limit {
      let count = min(limit - first.count, self[keyPath: list].count)
      // A copy: what shares memory with it would be copied as a whole when others are added.
      first[keyPath: list] += self[keyPath: list].prefix(count)
      if count == self[keyPath: list].count {
        self[keyPath: list] = []
      } else {
        self[keyPath: list].removeFirst(count)
      }
    }
    return first
  }

  /// Takes those that a condition is true of.
  package mutating func take(where isTaken: (Doubt) -> Bool) -> Doubts {
    var taken = Doubts()
    for list in [\Doubts.remade, \.missing, \.files] where self[keyPath: list].contains(where: isTaken) {
      taken[keyPath: list] = self[keyPath: list].filter(isTaken)
      self[keyPath: list].removeAll(where: isTaken)
    }
    return taken
  }
}
