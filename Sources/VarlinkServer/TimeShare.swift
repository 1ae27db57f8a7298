/// When a user who has asked for much may go on asking: half of the time, as long as somebody else asks for something.
///
/// Turns alone do not keep others from waiting: who asks without end keeps the service and itself busy, on as many
/// processors as there are, and whoever asks for a little then waits for a processor, in a queue that is the kernel's.
///
/// This is the generic cell rate algorithm (ITU-T I.371): every microsecond of work moves the time from which on the user
/// is within its share by two, and it is let go ahead of that by ``tolerance``.
struct TimeShare {
  /// Within its share from here on. Microseconds of the monotonic clock.
  private var earliest: UInt64 = 0

  /// Microseconds of work at a stretch. Longer than nearly everything that is asked for.
  static let tolerance: UInt64 = 1000
  /// Microseconds of rest at most: one thing that took long, such as a message that its sender keeps from being received,
  /// does not lock out all of its user's other programs.
  static let longest: UInt64 = 100_000

  /// Something was done for the user.
  ///
  /// - Parameters:
  ///   - work: how long it took, in microseconds.
  ///   - end: when it was done.
  mutating func spend(_ work: UInt64, until end: UInt64) {
    earliest = min(max(earliest, end &- work) &+ 2 &* work, end &+ Self.longest)
  }

  /// Until when the user is to rest; nil when it may go on.
  func rest(at now: UInt64) -> UInt64? {
    earliest > now &+ Self.tolerance ? earliest : nil
  }
}
