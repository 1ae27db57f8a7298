/// What becomes of a selection (rules S18, S22). A difference rather than the result, so that two changes that
/// are on their way at the same time are both kept.
package enum SelectionChange: Hashable, Sendable {
  /// These join it.
  case add(Selection)
  /// These leave it.
  case remove(Selection)
  /// This takes its place.
  case replace(Selection)
}

extension Selection {
  /// Whether nothing is selected.
  package var isEmpty: Bool { assets.isEmpty && albums.isEmpty }

  /// Makes a change.
  package mutating func apply(_ change: SelectionChange) {
    switch change {
    case .add(let other):
      assets.formUnion(other.assets)
      albums.formUnion(other.albums)
    case .remove(let other): subtract(other)
    case .replace(let other): self = other
    }
  }

  /// Takes out what is in the other one: costs what that has.
  mutating func subtract(_ other: Selection) {
    assets.subtract(other.assets)
    albums.subtract(other.albums)
  }

  /// What of another one is in this: costs what that has.
  func part(of other: Selection) -> Selection {
    Selection(assets: other.assets.filter(assets.contains), albums: other.albums.filter(albums.contains))
  }

  /// What is in both.
  package func intersection(_ other: Selection) -> Selection {
    Selection(assets: assets.intersection(other.assets), albums: albums.intersection(other.albums))
  }

  /// What is in this one only.
  package func subtracting(_ other: Selection) -> Selection {
    Selection(assets: assets.subtracting(other.assets), albums: albums.subtracting(other.albums))
  }
}
