/// What becomes of a selection (rules S18, S22). A difference rather than the result, so that two changes that
/// are on their way at the same time are both kept.
public enum SelectionChange: Hashable, Sendable {
  /// These join it.
  case add(Selection)
  /// These leave it.
  case remove(Selection)
  /// This takes its place.
  case replace(Selection)
}

extension Selection {
  /// Whether nothing is selected.
  public var isEmpty: Bool { assets.isEmpty && albums.isEmpty }

  /// Makes a change.
  public mutating func apply(_ change: SelectionChange) {
    switch change {
    case .add(let other):
      assets.formUnion(other.assets)
      albums.formUnion(other.albums)
    case .remove(let other): self = subtracting(other)
    case .replace(let other): self = other
    }
  }

  /// What is in this one only.
  public func subtracting(_ other: Selection) -> Selection {
    Selection(assets: assets.subtracting(other.assets), albums: albums.subtracting(other.albums))
  }
}

extension AuthorizationRequests {
  /// Changes what an app may see when it is limited; its decision stays as it is. Where a policy decides, an
  /// owner cannot (rule S37).
  public mutating func changeSelection(
    of key: RecordKey, by changes: [SelectionChange], for manager: Requester
  ) -> [Action] {
    if let policy = authorizations.policies.policy(for: key) {
      return [fail(manager, .lockedByPolicy(policy))]
    }
    if changes.isEmpty { return [.reply(manager, .stored)] }
    return [store(changes.map { .select(key, $0) }, for: .manager(manager), settling: [:])]
  }

  /// What an app has added joins its selection (rule S18). That is no change of an owner's: it counts beneath a
  /// policy too, and is there when the policy goes (rule S6).
  public mutating func extendSelection(
    of key: RecordKey, by assets: Set<String>, for requester: Requester
  ) -> [Action] {
    [store([.select(key, .add(Selection(assets: assets)))], for: .manager(requester), settling: [:])]
  }
}
