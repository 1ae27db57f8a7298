/// What waits, in the order in which it came. An array whose beginning is given back now and then: what is taken costs the
/// same however much waits.
public struct FirstInFirstOut<Element> {
  @usableFromInline var elements: [Element] = []
  @usableFromInline var next = 0

  /// Nothing yet.
  @inlinable
  public init() {}

  /// Whether nothing waits.
  @inlinable
  public var isEmpty: Bool { next == elements.count }

  /// All that waits, in its order.
  @inlinable
  public var all: ArraySlice<Element> { elements[next...] }

  /// Puts something at the end.
  @inlinable
  public mutating func append(_ element: Element) { elements.append(element) }

  /// Puts something before all that waits.
  package mutating func prepend(_ element: Element) {
    if next > 0 {
      next -= 1
      elements[next] = element
    } else {
      elements.insert(element, at: 0)
    }
  }

  /// Takes what has waited for longest.
  @inlinable
  public mutating func popFirst() -> Element? {
    guard !isEmpty else { return nil }
    defer {
      next += 1
      if isEmpty {
        elements.removeAll(keepingCapacity: true)
        next = 0
      } else if next >= 256 {
        elements.removeFirst(next)
        next = 0
      }
    }
    return elements[next]
  }
}
