/// Which of the searches that have begun go on: they take turns, a slice at a time, so that one that takes long keeps no other
/// waiting. Without IO.
///
/// The first slice of each has places of its own: a quick search waits for the first slices of others, and never for what takes
/// long, such as a sort, which SQLite does in one step.
struct SearchSlices {
  /// So many are there at a time, one of a user: each has a thread and memory, also while it rests.
  static let mostBegun = 16
  /// So many are in their first slice at a time.
  static let mostFirst = 2
  /// So many are in a later one.
  static let mostLater = 2
  /// How many operations of SQLite's virtual machine a slice is: some milliseconds.
  static let operations = 50_000

  private enum Stage {
    case first, resting, later
  }

  private var stages: [UInt32: Stage] = [:]
  /// Those that rest; who goes on next comes first.
  private var resting: [UInt32] = []

  /// How many have begun, and have not ended.
  var count: Int { stages.count }

  /// Whether one of this user's has.
  func has(_ user: UInt32) -> Bool { stages[user] != nil }

  /// Whether another may begin.
  var hasRoom: Bool { count < Self.mostBegun && count(.first) < Self.mostFirst }

  /// One begins.
  mutating func begin(_ user: UInt32) { stages[user] = .first }

  /// One has had a slice, and rests behind those that do already.
  mutating func rest(_ user: UInt32) {
    stages[user] = .resting
    resting.append(user)
  }

  /// One has come to its end.
  mutating func end(_ user: UInt32) {
    if stages.removeValue(forKey: user) == .resting { resting.removeAll { $0 == user } }
  }

  /// Whose rest is over now; nil for nobody's.
  mutating func next() -> UInt32? {
    guard !resting.isEmpty, count(.later) < Self.mostLater else { return nil }
    let user = resting.removeFirst()
    stages[user] = .later
    return user
  }

  private func count(_ stage: Stage) -> Int { stages.values.count { $0 == stage } }
}
