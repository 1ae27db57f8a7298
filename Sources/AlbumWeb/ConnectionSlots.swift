/// How many connections the page has, and of whom (S61): no user can use all of them up, and who has shown no session keeps
/// out nobody who comes later.
///
/// Where another computer reaches the page, an address is what a user is elsewhere.
package struct ConnectionSlots<ID: Hashable & Sendable, User: Hashable & Sendable>: Sendable {
  /// Connections in all. A browser opens six to a host, and pages that are live keep one of them each.
  package static var limit: Int { 128 }
  /// Connections of one user: the others can still come in.
  package static var userLimit: Int { 96 }

  /// What comes of a connection.
  package enum Outcome: Hashable, Sendable {
    /// It has a place.
    case taken
    /// It has that of another, which is to be closed.
    case insteadOf(ID)
    /// There is none.
    case none
  }

  private var users: [ID: User] = [:]
  private var counts: [User: Int] = [:]
  /// Those of each user that have shown no session, the oldest first.
  private var unknown: [User: [ID]] = [:]

  /// Nobody is connected.
  package init() {}

  /// A user connects.
  package mutating func take(_ id: ID, _ user: User) -> Outcome {
    var outcome = Outcome.taken
    if users.count >= Self.limit || counts[user, default: 0] >= Self.userLimit {
      // Its own where it has too many, else of whoever has most of them.
      let most = unknown.max { $0.value.count < $1.value.count }?.value.first
      let isFull = counts[user, default: 0] >= Self.userLimit
      guard let oldest = unknown[user]?.first ?? (isFull ? nil : most) else { return .none }
      giveBack(oldest)
      outcome = .insteadOf(oldest)
    }
    users[id] = user
    counts[user, default: 0] += 1
    unknown[user, default: []].append(id)
    return outcome
  }

  /// A connection has shown a session.
  package mutating func know(_ id: ID) {
    guard let user = users[id] else { return }
    unknown[user]?.removeAll { $0 == id }
  }

  /// A connection has ended.
  package mutating func giveBack(_ id: ID) {
    guard let user = users.removeValue(forKey: id) else { return }
    unknown[user]?.removeAll { $0 == id }
    let count = counts[user, default: 1] - 1
    counts[user] = count > 0 ? count : nil
    if count <= 0 { unknown[user] = nil }
  }
}
