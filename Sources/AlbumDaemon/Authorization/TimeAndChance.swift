internal import Authorization
internal import Linux

extension Timestamp {
  /// CLOCK_REALTIME.
  static var now: Timestamp { Timestamp(microseconds: RealTime.microseconds) }
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
