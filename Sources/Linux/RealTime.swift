internal import Glibc

/// CLOCK_REALTIME (clock_gettime(2)), since 1970.
public enum RealTime {
  /// In whole seconds.
  public static var seconds: Int64 { Int64(now.tv_sec) }

  /// In microseconds.
  public static var microseconds: Int64 {
    let time = now
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
  }

  /// In nanoseconds, as times of files are.
  public static var nanoseconds: Int64 {
    let time = now
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  private static var now: timespec {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return time
  }
}
