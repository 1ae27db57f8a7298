internal import Glibc

extension Duration {
  /// In whole microseconds.
  var microseconds: UInt64 {
    UInt64(components.seconds) * 1_000_000 + UInt64(components.attoseconds / 1_000_000_000_000)
  }
}

/// CLOCK_REALTIME in nanoseconds, as file times are.
func realtimeNanoseconds() -> Int64 {
  var time = timespec()
  clock_gettime(CLOCK_REALTIME, &time)
  return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}
