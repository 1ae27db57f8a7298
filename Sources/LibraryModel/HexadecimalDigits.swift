/// A block as 16 lower-case hexadecimal digits.
package struct HexadecimalDigits {
  private let block: UInt64

  init(_ block: UInt64) {
    self.block = block
  }

  /// How many there are.
  package static var count: Int { 16 }

  /// The digits as text.
  package var text: String {
    String(unsafeUninitializedCapacity: Self.count) { write(into: UnsafeMutableRawBufferPointer($0)) }
  }

  /// Writes them in place.
  ///
  /// - Parameter bytes: room for ``count`` at least.
  /// - Returns: how many there are.
  package func write(into bytes: UnsafeMutableRawBufferPointer) -> Int {
    bytes.storeBytes(of: Self.eight(UInt32(block >> 32)).bigEndian, as: UInt64.self)
    bytes.storeBytes(
      of: Self.eight(UInt32(truncatingIfNeeded: block)).bigEndian, toByteOffset: 8, as: UInt64.self)
    return Self.count
  }

  /// Eight digits at once: each of the four bits gets a byte of its own, and those above nine the distance to `a`.
  private static func eight(_ half: UInt32) -> UInt64 {
    var digits = UInt64(half)
    digits = (digits | digits << 16) & 0x0000_FFFF_0000_FFFF
    digits = (digits | digits << 8) & 0x00FF_00FF_00FF_00FF
    digits = (digits | digits << 4) & 0x0F0F_0F0F_0F0F_0F0F
    let aboveNine = (digits &+ 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
    return digits &+ 0x3030_3030_3030_3030 &+ aboveNine &* UInt64(UInt8(ascii: "a") - UInt8(ascii: "0") - 10)
  }
}
