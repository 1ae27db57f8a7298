/// Coordinates as films have them (ISO 6709): `+48.1607-011.5755+519/`.
enum ISO6709 {
  /// Whether some are there: a sign and two to seven digits, and the same once more, three at least.
  static func isThere(in bytes: [UInt8]) -> Bool {
    var at = 0
    while let sign = bytes[at...].firstIndex(where: { isSign($0) }) {
      at = sign + 1
      guard let latitude = number(in: bytes, from: at, 2), latitude < bytes.count, isSign(bytes[latitude]),
        number(in: bytes, from: latitude + 1, 3) != nil
      else { continue }
      return true
    }
    return false
  }

  private static func isSign(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") }

  /// Where a number ends that begins with so many digits at least; with a fraction, as no date and no other number has it.
  private static func number(in bytes: [UInt8], from start: Int, _ least: Int) -> Int? {
    let end = digits(in: bytes, from: start)
    guard (least...7).contains(end - start), end < bytes.count, bytes[end] == UInt8(ascii: ".") else {
      return nil
    }
    return digits(in: bytes, from: end + 1)
  }

  private static func digits(in bytes: [UInt8], from start: Int) -> Int {
    guard start < bytes.count else { return bytes.count }
    return bytes[start...].firstIndex { !(0x30...0x39).contains($0) } ?? bytes.count
  }
}
