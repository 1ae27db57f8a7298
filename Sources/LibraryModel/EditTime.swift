/// How much of its time an edit has left, of which nothing goes while it waits for its turn; and whether it takes too long with
/// all its waiting (docs/decisions/0060-roots-that-hang.md).
///
/// Times are of a steady clock, in microseconds.
package struct EditTime {
  private var rest: UInt64
  /// Since when time goes; nil while it waits.
  private var since: UInt64?
  private let end: UInt64

  /// It begins.
  ///
  /// - Parameters:
  ///   - limit: how long it may be at work, all together.
  ///   - whole: how long it may take before it begins another step, with all its waiting.
  package init(limit: UInt64, whole: UInt64, _ now: UInt64) {
    rest = limit
    since = now
    end = now + whole
  }

  /// Whether it has taken so long, with all its waiting, that it begins no other step.
  package func isOver(_ now: UInt64) -> Bool { now >= end }

  /// It waits for its turn.
  package mutating func wait(_ now: UInt64) {
    rest = left(now)
    since = nil
  }

  /// It has its turn, unless it has it already.
  package mutating func goOn(_ now: UInt64) { since = since ?? now }

  /// How much is left.
  package func left(_ now: UInt64) -> UInt64 {
    guard let since, now > since else { return rest }
    return rest - min(rest, now - since)
  }
}
