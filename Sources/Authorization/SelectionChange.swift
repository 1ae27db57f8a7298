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

extension AuthorizationRequests {
  /// Changes what apps may see when they are limited; what was decided about them stays as it is. All of it is
  /// changed or nothing: where a policy decides about one of them, an owner cannot (rule S37).
  package mutating func changeSelection(
    of keys: [RecordKey], by changes: [SelectionChange], for manager: Requester
  ) -> [Action] {
    if let locked = lock(of: keys, for: manager) { return [locked] }
    let selected = keys.flatMap { key in changes.map { AuthorizationChange.select(key, $0) } }
    if selected.isEmpty { return [.reply(manager, .stored())] }
    return store(selected, for: .manager(manager), settling: [:])
  }

  /// What an app has added joins its selection (rule S18). That is no change of an owner's: it counts beneath a
  /// policy too, and is there when the policy goes (rule S6).
  package mutating func extendSelection(
    of key: RecordKey, by assets: Set<String>, for requester: Requester
  ) -> [Action] {
    store([.select(key, .add(Selection(assets: assets)))], for: .manager(requester), settling: [:])
  }
}
