/// What one delivery tells (S25): each subject once.
package struct ChangeDetails: Hashable, Sendable {
  /// The place after these changes.
  package private(set) var place: Place
  /// Seen now, not before.
  package private(set) var inserted: [Change] = []
  /// Seen before, not now.
  package private(set) var removed: [Change.Subject] = []
  /// Changed.
  package private(set) var changed: [Change] = []
  /// In other albums.
  package private(set) var moved: [Change] = []

  /// Whether there is nothing to tell.
  package var isEmpty: Bool { inserted.isEmpty && removed.isEmpty && changed.isEmpty && moved.isEmpty }

  /// Whether it ends where something cannot be told any more: the subscriber must fetch anew.
  package private(set) var isLost = false

  /// Takes the entries of one delivery off the front: as many as there are up to `limit`, but only up to
  /// where a subject would be told of twice, because the fields of a delivery have no order among them.
  ///
  /// - Parameters:
  ///   - filter: goes on past what is taken.
  ///   - now: see ``ChangeFilter/effect(of:now:)``.
  package init(
    taking entries: inout ArraySlice<PlacedChange>, through filter: inout ChangeFilter, now: ViewByNow?,
    limit: Int
  ) {
    place = entries.isEmpty ? .start : Place(rawValue: entries[entries.startIndex].place.rawValue - 1)
    // Nearly always there is one entry, and a set would be made for nothing.
    var first: Change.Subject?
    var told: Set<Change.Subject> = []
    var count = 0
    while count < limit, !entries.isEmpty {
      let next = entries.startIndex
      let effect = filter.effect(of: entries[next].entry, now: now)
      if let subject = effect.subject {
        if let former = first {
          if told.isEmpty { told.insert(former) }
          guard told.insert(subject).inserted else { return }
        } else {
          first = subject
        }
        count += 1
      }
      switch effect {
      case .none: break
      case .inserted(let change): inserted.append(change)
      case .removed(let subject): removed.append(subject)
      case .changed(let change): changed.append(change)
      case .moved(let change): moved.append(change)
      case .lost:
        isLost = true
        return
      }
      // What is about nobody's view changes none, unless it is told later than it happened.
      if now != nil || entries[next].isOfView { filter.pass(entries[next].entry, now: now) }
      place = entries[next].place
      entries = entries[(next + 1)...]
    }
  }
}
