/// How many connections the page has, and of whom (S61): no user can use all of them up.
package struct ConnectionSlots: Sendable {
  /// Connections in all. A browser opens six to a host, and pages that are live keep one of them each.
  package static let limit = 128
  /// Connections of one user: the others can still come in.
  package static let userLimit = 96

  private var counts: [UInt32: Int] = [:]

  /// Nobody is connected.
  package init() {}

  /// A user connects.
  ///
  /// - Returns: whether there is a place for it; then ``giveBack(_:)`` is due.
  package mutating func take(_ user: UInt32) -> Bool {
    guard counts.values.reduce(0, +) < Self.limit, counts[user, default: 0] < Self.userLimit else {
      return false
    }
    counts[user, default: 0] += 1
    return true
  }

  /// A connection of a user has ended.
  package mutating func giveBack(_ user: UInt32) {
    guard let count = counts[user] else { return }
    counts[user] = count > 1 ? count - 1 : nil
  }
}
