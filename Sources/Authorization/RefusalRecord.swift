/// How often an owner answered "not now" for a record, and when last (rule S13).
package struct RefusalRecord: Hashable, Sendable {
  /// How often, since the last decision.
  package let count: Int
  /// When last.
  package let lastRefusedAt: Timestamp

  /// A count as stored.
  package init(count: Int, lastRefusedAt: Timestamp) {
    self.count = count
    self.lastRefusedAt = lastRefusedAt
  }

  /// The record after one more "not now".
  package static func adding(to earlier: RefusalRecord?, at now: Timestamp) -> RefusalRecord {
    let (count, overflows) = (earlier?.count ?? 0).addingReportingOverflow(1)
    return RefusalRecord(count: overflows ? .max : count, lastRefusedAt: now)
  }

  /// How long requests are refused after the last "not now", in seconds: nothing before the third, then
  /// an hour, doubled each time, a day at most.
  package var pauseSeconds: Int64 {
    guard count >= 3 else { return 0 }
    return min(3600 << Int64(min(count - 3, 5)), Self.longestPause)
  }

  /// A day.
  static let longestPause: Int64 = 86400

  /// Seconds until a request may prompt again; nil when it may now. A clock that was set back ends the
  /// pause: it never gets longer than the rule says.
  package func retryAfterSeconds(at now: Timestamp) -> Int64? {
    let end = lastRefusedAt.adding(seconds: pauseSeconds)
    guard lastRefusedAt <= now, now < end else { return nil }
    return now.seconds(until: end)
  }
}
