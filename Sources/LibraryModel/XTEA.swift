/// A cipher of 64-bit blocks with XTEA's 32 cycles (Needham and Wheeler, 1997).
///
/// It is not XTEA to the letter: of the sum and the part of the key that XTEA adds up first, the sum comes in by XOR and
/// the part is added after it. Ids are what apps have stored, so it stays (docs/decisions/0031-opaque-ids.md).
struct XTEA: Sendable {
  /// The part of the key that each half of a cycle adds.
  private let parts: [UInt32]
  private static let delta: UInt32 = 0x9E37_79B9

  init(key: (UInt64, UInt64)) {
    let key = [
      UInt32(key.0 >> 32), UInt32(truncatingIfNeeded: key.0),
      UInt32(key.1 >> 32), UInt32(truncatingIfNeeded: key.1),
    ]
    parts = (0..<32).flatMap { (cycle: UInt32) in
      let (before, after) = (cycle &* Self.delta, (cycle &+ 1) &* Self.delta)
      return [key[Int(before & 3)], key[Int(after >> 11 & 3)]]
    }
  }

  func encrypt(_ block: UInt64) -> UInt64 {
    var (left, right) = (UInt32(block >> 32), UInt32(truncatingIfNeeded: block))
    var sum: UInt32 = 0
    parts.withUnsafeBufferPointer { parts in
      var half = 0
      while half < 64 {
        left &+= (Self.mix(right) ^ sum) &+ parts[half]
        sum &+= Self.delta
        right &+= (Self.mix(left) ^ sum) &+ parts[half &+ 1]
        half &+= 2
      }
    }
    return UInt64(left) << 32 | UInt64(right)
  }

  func decrypt(_ block: UInt64) -> UInt64 {
    var (left, right) = (UInt32(block >> 32), UInt32(truncatingIfNeeded: block))
    var sum = Self.delta &* 32
    parts.withUnsafeBufferPointer { parts in
      for half in stride(from: 62, through: 0, by: -2) {
        right &-= (Self.mix(left) ^ sum) &+ parts[half &+ 1]
        sum &-= Self.delta
        left &-= (Self.mix(right) ^ sum) &+ parts[half]
      }
    }
    return UInt64(left) << 32 | UInt64(right)
  }

  @inline(__always)
  private static func mix(_ half: UInt32) -> UInt32 { (half << 4 ^ half >> 5) &+ half }
}
