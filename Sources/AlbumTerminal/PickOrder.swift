/// What is picked, in the order of picking.
struct PickOrder: Hashable, Sendable {
  private var numbers: [String: Int] = [:]
  private var next = 0

  /// - Parameter ids: picked in this order.
  init(_ ids: some Sequence<String> = []) {
    for id in ids { insert(id) }
  }

  /// How many there are.
  var count: Int { numbers.count }

  /// The ids, first picked first.
  var ids: [String] { numbers.sorted { $0.value < $1.value }.map(\.key) }

  func contains(_ id: String) -> Bool { numbers[id] != nil }

  /// Picks one; where it was picked before it keeps its place.
  mutating func insert(_ id: String) {
    guard numbers[id] == nil else { return }
    numbers[id] = next
    next += 1
  }

  mutating func remove(_ id: String) { numbers[id] = nil }
}
