/// Whether the loop waits for the answers of a file system: not for a moment after one that it has waited for in vain, and for
/// longer while that goes on, so that a file system is hardly late that is slow once, and one that is slow all the time takes
/// little of the loop's (docs/decisions/0060-roots-that-hang.md).
///
/// Times are of a steady clock, in microseconds.
package struct SlowAnswers {
  private static let shortest: UInt64 = 100_000
  private static let longest: UInt64 = 5_000_000

  private var rest = shortest
  private var until: UInt64 = 0

  /// Of one that has not been slow.
  package init() {}

  /// Whether it may be waited for.
  package func mayWait(_ now: UInt64) -> Bool { until <= now }

  /// It has answered: one that was slow once may be waited for again, and is not slow for the first time if it is late soon.
  package mutating func noteAnswered(_ now: UInt64) {
    if rest == Self.shortest { until = min(until, now) }
  }

  /// It was waited for in vain. What has been in time for as long as the longest rest is slow for the first time.
  package mutating func noteLate(_ now: UInt64) {
    let goesOn = until > 0 && now < until + Self.longest
    rest = goesOn ? min(2 * rest, Self.longest) : Self.shortest
    until = now + rest
  }
}
