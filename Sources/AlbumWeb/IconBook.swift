/// Which icons are known, and which are to be read (S62): one after the other, since what a manifest names may lie where
/// nothing answers. Of what is late the page waits once, and shows it when it is there.
package struct IconBook<Icon: Sendable>: Sendable {
  private struct Entry {
    let icon: Icon
    let read: Int64
  }

  /// Icons that are kept at a time; and those that wait.
  private let limit: Int
  /// After so many microseconds one is looked for again: apps come and are updated.
  private let lifetime: Int64
  private var known: [String: Entry] = [:]
  /// What is to be read, in its order; while somebody reads, the first is what they are at.
  private var waiting: [String] = []
  /// Of those, what was waited for in vain.
  private var late: Set<String> = []
  private var isRead = false

  /// Nothing is known.
  package init(limit: Int = 128, lifetime: Int64 = 600_000_000) {
    self.limit = limit
    self.lifetime = lifetime
  }

  /// An icon, if it was read.
  package func icon(_ name: String) -> Icon? { known[name]?.icon }

  /// What a page is about to show is to be read, where it is not known.
  ///
  /// - Parameter now: microseconds of a clock that nobody sets.
  /// - Returns: whether somebody has to begin to read, and whether the page should wait a moment for them.
  package mutating func want(_ names: [String], now: Int64) -> (begins: Bool, waits: Bool) {
    let missing = Set(names).filter { name in known[name].map { now - $0.read > lifetime } ?? true }
    let new = missing.subtracting(waiting).sorted()
    waiting += new.prefix(max(0, limit - waiting.count))
    let begins = !isRead && !waiting.isEmpty
    if begins { isRead = true }
    return (begins, waiting.contains { missing.contains($0) && !late.contains($0) })
  }

  /// What is to be read now; nil where nothing is left, and nobody reads any more.
  package mutating func next() -> String? {
    isRead = !waiting.isEmpty
    return waiting.first
  }

  /// It was read; there may be none yet.
  package mutating func read(_ name: String, _ icon: Icon?, now: Int64) {
    waiting.removeAll { $0 == name }
    late.remove(name)
    known[name] = icon.map { Entry(icon: $0, read: now) }
    guard known.count > limit, let oldest = known.min(by: { $0.value.read < $1.value.read }) else { return }
    known[oldest.key] = nil
  }

  /// A page has waited in vain: of what is on its way it does not wait again.
  package mutating func gaveUp() { late.formUnion(waiting) }
}
