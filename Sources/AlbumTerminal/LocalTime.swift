public import AlbumAPI
internal import Glibc

/// A time as a person reads it: the minute, in the zone of this process (localtime_r(3)).
public struct LocalTime: CustomStringConvertible {
  private let instant: Instant

  /// A time to show.
  public init(_ instant: Instant) {
    self.instant = instant
  }

  /// Such as `2026-11-21 12:30`.
  public var description: String {
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
  public static var now: Instant {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Instant(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
  }

  /// A time as a person gives it: RFC 3339, a date, or a span from now such as `90m`, `2h`, `7d`, `4w`.
  public init?(argument: String, now: Instant) {
    if let instant = Instant(argument) {
      self = instant
      return
    }
    let seconds: [Character: Int64] = ["m": 60, "h": 3600, "d": 86_400, "w": 604_800]
    guard let unit = argument.last, let length = seconds[unit], let count = Int64(argument.dropLast()),
      1...100_000 ~= count
    else { return nil }
    self.init(microseconds: now.microseconds + count * length * 1_000_000)
  }
}
