package import AlbumAPI
internal import Glibc
internal import Linux

/// A time as a person reads it: the minute, in the zone of this process (localtime_r(3)).
package struct LocalTime: CustomStringConvertible {
  private let instant: Instant

  /// A time to show.
  package init(_ instant: Instant) {
    self.instant = instant
  }

  /// Such as `2026-11-21 12:30`.
  package var description: String {
    var seconds = time_t(instant.microseconds / 1_000_000)
    var parts = tm()
    guard localtime_r(&seconds, &parts) != nil else { return instant.description }
    func two(_ number: CInt) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
      + " \(two(parts.tm_hour)):\(two(parts.tm_min))"
  }
}

extension Instant {
  /// clock_gettime(2).
  package static var now: Instant { Instant(microseconds: RealTime.microseconds) }

  /// A time as a person gives it (``GivenTime``), a span counting from now.
  package init?(argument: String, now: Instant) {
    guard let time = GivenTime(argument) else { return nil }
    self = time.instant(from: now)
  }
}

/// A time as a person gives it: RFC 3339, a day in the zone of this process, or a span such as `90m`, `2h`, `7d`,
/// `4w`.
package enum GivenTime: Hashable, Sendable {
  /// This time; of a day, its first moment.
  case at(Instant)
  /// So many microseconds away.
  case span(Int64)

  /// Nil for what is no time.
  package init?(_ text: String) {
    // First: Instant takes a day for one in UTC, and times are shown in the zone of this process.
    if text.utf8.count == 10, Instant(text) != nil, let day = LocalPeriod(text) {
      self = .at(day.start)
    } else if let instant = Instant(text) {
      self = .at(instant)
    } else {
      let seconds: [Character: Int64] = ["m": 60, "h": 3600, "d": 86_400, "w": 604_800]
      guard let unit = text.last, let length = seconds[unit], let count = Int64(text.dropLast()),
        1...100_000 ~= count
      else { return nil }
      self = .span(count * length * 1_000_000)
    }
  }

  /// When that is, a span counting from `now` on.
  package func instant(from now: Instant) -> Instant {
    switch self {
    case .at(let instant): instant
    case .span(let length): Instant(microseconds: now.microseconds + length)
    }
  }

  /// When that was, a span counting back from `now`.
  package func instant(before now: Instant) -> Instant {
    switch self {
    case .at(let instant): instant
    case .span(let length): Instant(microseconds: now.microseconds - length)
    }
  }
}

/// A year, a month or a day in the zone of this process: `2024`, `2024-05`, `2024-05-17`.
struct LocalPeriod {
  /// Its first moment.
  let start: Instant
  /// The first moment after it.
  let end: Instant

  /// Nil for what is no such period.
  init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { part in part.allSatisfy(\.isASCIIDigit) ? CInt(part) : nil }
    guard numbers.count == parts.count, 1...3 ~= parts.count, parts[0].utf8.count == 4,
      1900...2199 ~= numbers[0], parts.dropFirst().allSatisfy({ $0.utf8.count == 2 })
    else { return nil }
    let month = parts.count > 1 ? numbers[1] : 1
    let day = parts.count > 2 ? numbers[2] : 1
    guard Self.isInCalendar(numbers[0], month, day), let start = Self.midnight(numbers[0], month, day) else {
      return nil
    }
    // mktime(3) carries a thirteenth month over into the next year.
    let next: (CInt, CInt, CInt) =
      switch parts.count {
      case 1: (numbers[0] + 1, 1, 1)
      case 2: (numbers[0], month + 1, 1)
      default: (numbers[0], month, day + 1)
      }
    guard let end = Self.midnight(next.0, next.1, next.2) else { return nil }
    self.start = start
    self.end = end
  }

  /// Whether timegm(3) has nothing to carry over, as of 30 February into March. In UTC: elsewhere a day may begin
  /// later than at midnight.
  private static func isInCalendar(_ year: CInt, _ month: CInt, _ day: CInt) -> Bool {
    var time = tm()
    time.tm_year = year - 1900
    time.tm_mon = month - 1
    time.tm_mday = day
    timegm(&time)
    return (time.tm_mon, time.tm_mday) == (month - 1, day)
  }

  private static func midnight(_ year: CInt, _ month: CInt, _ day: CInt) -> Instant? {
    var time = tm()
    time.tm_year = year - 1900
    time.tm_mon = month - 1
    time.tm_mday = day
    time.tm_isdst = -1
    let seconds = mktime(&time)
    return seconds == -1 ? nil : Instant(microseconds: Int64(seconds) * 1_000_000)
  }
}

extension Character {
  fileprivate var isASCIIDigit: Bool { isASCII && isWholeNumber }
}
