internal import Glibc

/// Clocks of clock_gettime(2) that Swift has no name for.
public enum Clock {
  /// CLOCK_BOOTTIME in microseconds: proc(5) counts the starts of processes by it.
  public static var sinceBoot: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1000
  }
}
