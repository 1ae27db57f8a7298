internal import AlbumAPI
internal import Glibc

/// A day in the zone of this program (localtime_r(3)), by which pictures are laid out.
struct LocalDay: Hashable, Comparable, Sendable, CustomStringConvertible {
  let year: Int
  let month: Int
  let day: Int

  /// The day of a moment.
  init(_ instant: Instant) {
    var seconds = time_t(instant.microseconds / 1_000_000)
    var parts = tm()
    _ = localtime_r(&seconds, &parts)
    (year, month, day) = (Int(parts.tm_year) + 1900, Int(parts.tm_mon) + 1, Int(parts.tm_mday))
  }

  /// Reads `2026-07-14`.
  init?(_ text: String) {
    let parts = text.split(separator: "-").compactMap { Int($0) }
    guard parts.count == 3, 1...9999 ~= parts[0], 1...12 ~= parts[1], 1...31 ~= parts[2] else { return nil }
    (year, month, day) = (parts[0], parts[1], parts[2])
  }

  /// Its first moment.
  var start: Instant { moment(offset: 0) }
  /// The first moment after it.
  var end: Instant { moment(offset: 1) }

  var description: String {
    func pad(_ number: Int, _ width: Int) -> String {
      let text = "\(number)"
      return String(repeating: "0", count: max(0, width - text.count)) + text
    }
    return "\(pad(year, 4))-\(pad(month, 2))-\(pad(day, 2))"
  }

  static func < (one: LocalDay, other: LocalDay) -> Bool {
    (one.year, one.month, one.day) < (other.year, other.month, other.day)
  }

  private func moment(offset: Int) -> Instant {
    var parts = tm()
    parts.tm_year = CInt(year - 1900)
    parts.tm_mon = CInt(month - 1)
    parts.tm_mday = CInt(day + offset)
    // mktime(3) finds out about summer time.
    parts.tm_isdst = -1
    return Instant(microseconds: Int64(mktime(&parts)) * 1_000_000)
  }
}
