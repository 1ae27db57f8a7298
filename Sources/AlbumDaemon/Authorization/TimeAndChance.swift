internal import Authorization
internal import Glibc

extension Timestamp {
  /// CLOCK_REALTIME.
  static var now: Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
  }
}

extension PromptID {
  /// A name that nobody can guess.
  static func random() -> PromptID { PromptID(RandomDigits.make()) }
}

/// 128 random bits (getrandom(2)) as 32 hexadecimal digits.
enum RandomDigits {
  static func make() -> String {
    var generator = SystemRandomNumberGenerator()
    return (0..<2).map { _ in
      let digits = String(generator.next(), radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }
}
