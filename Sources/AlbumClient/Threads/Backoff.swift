/// How long to wait before trying again: from 10 milliseconds, doubling, to a bound.
public struct Backoff: Hashable, Sendable {
  private var next = 10
  private let bound: Int

  /// - Parameter bound: milliseconds.
  public init(bound: Int) {
    self.bound = bound
  }

  /// Milliseconds before the next try.
  public mutating func delay() -> Int {
    defer { next = min(next * 2, bound) }
    return next
  }

  /// Something is different now.
  public mutating func reset() {
    next = 10
  }
}
