/// Hints in the order in which they came. Each has a place, by which it can be changed or taken back while it waits; what
/// was taken costs no memory.
struct HintQueue {
  private var hints: [EventReducer.Hint?] = []
  /// The place of the first of `hints`, and how many of them were taken.
  private var base = 0
  private var head = 0
  /// How many wait.
  private(set) var count = 0

  /// Adds one.
  ///
  /// - Returns: its place.
  @discardableResult
  mutating func append(_ hint: EventReducer.Hint) -> Int {
    hints.append(hint)
    count += 1
    return base + hints.count - 1
  }

  /// The hint with a place; `nil` if it waits no more. One that waits can be changed, or taken back.
  subscript(place: Int) -> EventReducer.Hint? {
    get { place < base + head ? nil : hints[place - base] }
    set {
      guard self[place] != nil else { return }
      if newValue == nil { count -= 1 }
      hints[place - base] = newValue
    }
  }

  /// Takes the first.
  mutating func next() -> (hint: EventReducer.Hint, place: Int)? {
    while head < hints.count {
      let hint = hints[head].take()
      head += 1
      let place = base + head - 1
      if head >= 4096, head * 2 > hints.count {
        hints.removeFirst(head)
        (base, head) = (base + head, 0)
      }
      if let hint {
        count -= 1
        return (hint, place)
      }
    }
    return nil
  }

  /// Drops all.
  mutating func removeAll() {
    hints.removeAll(keepingCapacity: hints.capacity <= 1 << 14)
    (base, head, count) = (0, 0, 0)
  }
}
