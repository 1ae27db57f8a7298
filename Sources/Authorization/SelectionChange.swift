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
    case .remove(let other): self = subtracting(other)
    case .replace(let other): self = other
    }
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
