/// A moment: microseconds since the Unix epoch, as clock_gettime(2) tells `CLOCK_REALTIME`.
///
/// The model never reads a clock. Whoever calls it says what time it is.
package struct Timestamp: Hashable, Comparable, Sendable {
  /// Microseconds since 1970-01-01 00:00:00 UTC.
  package let microseconds: Int64

  /// The moment so many microseconds after the epoch.
  package init(microseconds: Int64) {
    self.microseconds = microseconds
  }

  /// The moment so many seconds after the epoch; the last one there is where that does not fit.
  package init(seconds: Int64) {
    self = Timestamp(microseconds: 0).adding(seconds: seconds)
  }

  /// This moment and so many seconds. Stops at the ends of time instead of overflowing.
  package func adding(seconds: Int64) -> Timestamp {
    let (span, spanOverflows) = seconds.multipliedReportingOverflow(by: 1_000_000)
    let (sum, sumOverflows) = microseconds.addingReportingOverflow(span)
    guard spanOverflows || sumOverflows else { return Timestamp(microseconds: sum) }
    return Timestamp(microseconds: seconds < 0 ? .min : .max)
  }

  /// Whole seconds until `later`, rounded up, so that who waits that long is not too early. Zero when
  /// `later` has passed.
  package func seconds(until later: Timestamp) -> Int64 {
    guard later > self else { return 0 }
    let (span, overflows) = later.microseconds.subtractingReportingOverflow(microseconds)
    let known = overflows ? Int64.max : span
    return known / 1_000_000 + (known % 1_000_000 == 0 ? 0 : 1)
  }

  /// Earlier than.
  package static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.microseconds < right.microseconds
  }
}
