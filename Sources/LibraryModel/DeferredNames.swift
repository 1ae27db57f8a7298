/// Names that a listing raised doubts about. They are examined only when everything is listed, for what they
/// stood for may turn up under another name; and in an order in which the answer does not depend on what was
/// listed first (S39).
public struct DeferredNames: Sendable {
  /// Directories that are not the ones they were: made anew, unless those are elsewhere now. First, because
  /// what is in them is still to be listed.
  public var remade: [Location] = []
  /// Files that are not what they were.
  public var replaced: [Location] = []
  /// What is not there.
  public var missing: [Location] = []

  /// None.
  public init() {}

  /// How many there are.
  public var count: Int { remade.count + replaced.count + missing.count }

  /// Adds others.
  public mutating func append(_ other: DeferredNames) {
    remade += other.remade
    replaced += other.replaced
    missing += other.missing
  }

  /// Takes those that come first; none if there are none at all.
  public mutating func takeFirst() -> [Location] {
    if !remade.isEmpty {
      defer { remade.removeAll() }
      return remade
    }
    if !replaced.isEmpty {
      defer { replaced.removeAll() }
      return replaced
    }
    defer { missing.removeAll() }
    return missing
  }
}
