/// What of a selection may be another than when somebody looked last: they look at that, and not at all of it.
package enum SelectionNews: Hashable, Sendable {
  /// Whether these are selected, and nothing else.
  case named(Selection)
  /// Anything.
  case anything

  /// What a change may do to a selection; nil where it does nothing.
  init?(_ change: AuthorizationChange) {
    switch change {
    case .select(_, .add(let some)), .select(_, .remove(let some)): self = .named(some)
    case .select(_, .replace), .put, .remove: self = .anything
    case .refusals: return nil
    }
  }

  mutating func join(_ other: SelectionNews) {
    guard case .named(var all) = self, case .named(let some) = other else { return self = .anything }
    all.apply(.add(some))
    self = .named(all)
  }
}

extension Authorizations {
  /// Notes what changes may do, or have done.
  mutating func noteNews(_ changes: [AuthorizationChange]) {
    for change in changes {
      guard let more = SelectionNews(change) else { continue }
      noteNews(more, of: change.key)
    }
  }

  mutating func noteNews(_ more: SelectionNews, of key: RecordKey) {
    if selectionNews[key]?.join(more) == nil { selectionNews[key] = more }
  }
}

extension AuthorizationRequests {
  /// What of a selection may be another than when this was asked last; nil for nothing.
  package mutating func takeSelectionNews(of key: RecordKey) -> SelectionNews? {
    authorizations.selectionNews.removeValue(forKey: key)
  }
}
