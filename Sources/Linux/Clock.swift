internal import Glibc

/// Clocks of clock_gettime(2) that Swift has no name for.
public enum Clock {
  /// CLOCK_BOOTTIME in microseconds: proc(5) counts the starts of processes by it.
  public static var sinceBoot: UInt64 { microseconds(of: CLOCK_BOOTTIME) }

  /// CLOCK_MONOTONIC in microseconds, which stands still while the machine sleeps: what durations are measured by.
  public static var monotonic: UInt64 { microseconds(of: CLOCK_MONOTONIC) }

  private static func microseconds(of clock: clockid_t) -> UInt64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1000
  }
}
