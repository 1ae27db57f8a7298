/// What one delivery tells (S25): each subject once.
public struct ChangeDetails: Hashable, Sendable {
  /// The place after these changes.
  public private(set) var place: Place
  /// Seen now, not before.
  public private(set) var inserted: [Change] = []
  /// Seen before, not now.
  public private(set) var removed: [Change.Subject] = []
  /// Changed.
  public private(set) var changed: [Change] = []
  /// In other albums.
  public private(set) var moved: [Change] = []

  /// Whether there is nothing to tell.
  public var isEmpty: Bool { inserted.isEmpty && removed.isEmpty && changed.isEmpty && moved.isEmpty }

  /// Takes the changes of one delivery off the front: as many as there are up to `limit`, but only up to
  /// where a subject would be told of twice, because the fields of a delivery have no order among them.
  public init(taking changes: inout ArraySlice<PlacedChange>, through filter: ChangeFilter, limit: Int) {
    place = changes.first.map { Place(rawValue: $0.place.rawValue - 1) } ?? .start
    var told: Set<Change.Subject> = []
    while told.count < limit, let next = changes.first {
      let effect = filter.effect(of: next.change)
      if effect != .none, !told.insert(next.change.subject).inserted { return }
      switch effect {
      case .none: break
      case .inserted: inserted.append(next.change)
      case .removed: removed.append(next.change.subject)
      case .changed: changed.append(next.change)
      case .moved: moved.append(next.change)
      }
      place = next.place
      changes.removeFirst()
    }
  }
}
