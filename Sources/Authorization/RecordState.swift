/// What is decided about one record, and selected for it.
struct RecordState: Hashable, Sendable {
  var decision: Decision?
  var selection = Selection()

  /// How much an app sees by it.
  private enum Reach: Int, Comparable {
    case nothing, selection, everything

    static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
  }

  private var reach: Reach { Self.reach(of: decision) }

  private static func reach(of decision: Decision?) -> Reach {
    switch decision?.status {
    case nil, .denied: .nothing
    case .limited: .selection
    case .authorized: .everything
    }
  }

  /// Makes a change: it is on disk.
  mutating func apply(_ change: AuthorizationChange) {
    switch change {
    case .put(let record, let selection):
      decision = record.decision
      if let selection { self.selection = selection }
    case .select(_, let change): selection.apply(change)
    case .remove: self = RecordState()
    case .refusals: break
    }
  }

  /// Takes away what a change takes away: that counts before it is on disk. What it gives does not.
  mutating func narrow(by change: AuthorizationChange) {
    switch change {
    case .put(let record, let selection): narrow(to: record.decision, selection)
    case .select(_, .add): break
    case .select(_, .remove(let fewer)): self.selection.subtract(fewer)
    case .select(_, .replace(let other)): self.selection = self.selection.intersection(other)
    case .remove: self = RecordState()
    case .refusals: break
    }
  }

  private mutating func narrow(to other: Decision, _ selected: Selection?) {
    let (before, after) = (reach, Self.reach(of: other))
    if let selected {
      // Of everything, what is selected is less, whatever that is.
      selection =
        before == .everything && after == .selection ? selected : selection.intersection(selected)
    }
    let hadLocation = decision?.includesLocation ?? false
    if after < before || (after == before && after == .nothing) { decision = other }
    if !hadLocation || !other.includesLocation { decision = decision?.withoutLocation }
  }
}
