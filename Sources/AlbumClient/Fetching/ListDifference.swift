/// What turns one list into another, in PhotoKit's order of application: the removals (places in the old
/// list), the insertions (places after the removals), the changes (places after both), and at last the
/// moves, one after the other.
struct ListDifference: Hashable, Sendable {
  /// An object that goes from one place to another.
  struct Move: Hashable, Sendable {
    /// Where it is, when the moves before it are done.
    let from: Int
    /// Where it is once it is taken out and put in again.
    let to: Int
  }

  /// Places in the old list, ascending.
  private(set) var removed: [Int] = []
  /// Places after the removals, ascending: each of them in the list with all insertions before it.
  private(set) var inserted: [Int] = []
  /// Places after removals and insertions, ascending.
  private(set) var changed: [Int] = []
  /// What is left to do after that.
  private(set) var moves: [Move] = []
  /// The list after removals and insertions, each as its place in the new list.
  private(set) var intermediate: [Int] = []

  var isEmpty: Bool { removed.isEmpty && inserted.isEmpty && changed.isEmpty && moves.isEmpty }

  /// The most moves times objects: every move goes through the list, and is one on a screen.
  static let bound = 1 << 26

  /// - Parameters:
  ///   - destinations: for each place of the old list, the place of the same object in the new list.
  ///   - count: how long the new list is.
  ///   - changed: places in the new list.
  /// - Returns: nil where so many move in so long a list, that to show it from scratch is better.
  init?(destinations: [Int?], count: Int, changed: Set<Int>, bound: Int = ListDifference.bound) {
    removed = destinations.indices.filter { destinations[$0] == nil }
    let kept = destinations.compactMap { $0 }
    let roles = Roles(kept: kept, count: count)
    if roles.moving.count > bound / max(1, count) { return nil }
    intermediate = Self.inserting(kept, roles, count)
    for (place, object) in intermediate.enumerated() {
      if roles[object] == .new { inserted.append(place) }
      if changed.contains(object) { self.changed.append(place) }
    }
    moves = Self.moves(intermediate, roles)
  }

  /// The kept ones in their old order, and each new one behind what stays before it.
  private static func inserting(_ kept: [Int], _ roles: Roles, _ count: Int) -> [Int] {
    var followers: [Int: [Int]] = [:]
    var anchor = -1
    for object in 0..<count {
      switch roles[object] {
      case .stays: anchor = object
      case .new: followers[anchor, default: []].append(object)
      case .moves: break
      }
    }
    var list = followers[-1] ?? []
    list.reserveCapacity(count)
    for object in kept {
      list.append(object)
      if roles[object] == .stays, let new = followers[object] { list += new }
    }
    return list
  }

  /// Puts each one that has to move behind its predecessor, first to last: what lies before it is right.
  private static func moves(_ list: [Int], _ roles: Roles) -> [Move] {
    var list = list
    var moves: [Move] = []
    for object in roles.moving {
      guard let from = list.firstIndex(of: object) else { continue }
      list.remove(at: from)
      let to = object == 0 ? 0 : (list.firstIndex(of: object - 1) ?? -1) + 1
      list.insert(object, at: to)
      if from != to { moves.append(Move(from: from, to: to)) }
    }
    return moves
  }
}

/// What each object of the new list has to do.
private struct Roles {
  enum Role {
    case new
    case stays
    case moves
  }

  private var roles: [Role]
  /// Those that move, in the order of the new list.
  private(set) var moving: [Int] = []

  /// - Parameter kept: the places in the new list of what is in both, in the order of the old one.
  init(kept: [Int], count: Int) {
    roles = Array(repeating: .new, count: count)
    for object in kept { roles[object] = .moves }
    for object in longestIncreasingSubsequence(kept) { roles[object] = .stays }
    moving = roles.indices.filter { roles[$0] == .moves }
  }

  subscript(object: Int) -> Role { roles[object] }
}

/// The most numbers that are in order as they are (patience sorting: Fredman, "On computing the length of
/// longest increasing subsequences", 1975).
private func longestIncreasingSubsequence(_ numbers: [Int]) -> [Int] {
  // For each length, where in `numbers` the smallest possible end of such a sequence is.
  var ends: [Int] = []
  var previous = [Int](repeating: -1, count: numbers.count)
  for (index, number) in numbers.enumerated() {
    var length = ends.count
    // Mostly in order already: then this is the only comparison.
    if let last = ends.last, numbers[last] > number {
      var low = 0
      while low < length {
        let middle = (low + length) / 2
        if numbers[ends[middle]] < number { low = middle + 1 } else { length = middle }
      }
    }
    if length > 0 { previous[index] = ends[length - 1] }
    if length == ends.count { ends.append(index) } else { ends[length] = index }
  }
  var sequence: [Int] = []
  var index = ends.last ?? -1
  while index >= 0 {
    sequence.append(numbers[index])
    index = previous[index]
  }
  return sequence.reversed()
}
