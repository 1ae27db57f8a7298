/// What is to be overwritten in a file, as it is sent and kept: a bounded number of bytes, which say nothing of the file.
///
/// Of each range: where it begins (eight bytes, the highest first), how long it is (four), and with what it is filled (one:
/// 0 zeros, 1 blanks, else how many bytes follow, plus 1).
package enum OverwritingBytes {
  /// The most bytes: what one message of a reader holds.
  package static let most = 24_000
  /// The most bytes of one filling.
  private static let longestFilling = 16

  /// - Returns: nil where it is too much.
  package static func encode(_ overwritings: [Overwriting]) -> [UInt8]? {
    var bytes: [UInt8] = []
    for overwriting in overwritings {
      bytes += number(overwriting.range.lowerBound, 8) + number(overwriting.range.count, 4)
      switch overwriting.filling {
      case .zeros: bytes.append(0)
      case .blanks: bytes.append(1)
      case .bytes(let filling):
        guard filling.count == overwriting.range.count, (1...longestFilling).contains(filling.count) else {
          return nil
        }
        bytes.append(UInt8(filling.count + 1))
        bytes += filling
      }
      guard overwriting.range.count <= UInt32.max, bytes.count <= most else { return nil }
    }
    return bytes
  }

  /// Reads what somebody says who need not be right.
  ///
  /// - Returns: what lies in a file of that size, in order, each byte once; nil where anything does not.
  package static func decode(_ bytes: [UInt8], fileSize: Int) -> [Overwriting]? {
    guard bytes.count <= most else { return nil }
    var overwritings: [Overwriting] = []
    var rest = bytes[...]
    var end = 0
    while !rest.isEmpty {
      guard rest.count >= 13, let start = Int(exactly: number(rest.prefix(8))) else { return nil }
      let length = Int(number(rest.dropFirst(8).prefix(4)))
      guard start >= end, length > 0, start <= fileSize, length <= fileSize - start else { return nil }
      let kind = Int(rest[rest.startIndex + 12])
      rest = rest.dropFirst(13)
      end = start + length
      switch kind {
      case 0: overwritings.append(Overwriting(start..<end, .zeros))
      case 1: overwritings.append(Overwriting(start..<end, .blanks))
      default:
        guard kind - 1 == length, kind - 1 <= longestFilling, rest.count >= length else { return nil }
        overwritings.append(Overwriting(start..<end, .bytes(Array(rest.prefix(length)))))
        rest = rest.dropFirst(length)
      }
    }
    return overwritings
  }

  private static func number(_ value: Int, _ length: Int) -> [UInt8] {
    (0..<length).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }
}

extension OverwritingBytes {
  /// As hexadecimal digits, two for each byte.
  package static func text(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  /// And back; nil where it is none.
  package static func bytes(of text: String) -> [UInt8]? {
    let digits = Array(text.utf8)
    guard digits.count % 2 == 0, digits.count <= 2 * most else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let high = value(digits[index]), let low = value(digits[index + 1]) else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes
  }

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case 0x30...0x39: digit - 0x30
    case 0x61...0x66: digit - 0x61 + 10
    default: nil
    }
  }
}

// As they are kept in the index, with the user for whom a file was looked through: the mark, which begins no range, and the
// user's number (four bytes, the highest first). Rows of an albumd that looked for less lack it, and are of no use.
extension OverwritingBytes {
  /// Which rules it was found by: one less, down to 0x80, whenever more is looked for (docs/decisions/0086-overwritten-in-place.md).
  package static let mark: UInt8 = 0xFC

  /// - Returns: nil where it is too much.
  package static func encode(_ overwritings: [Overwriting], for user: UInt32) -> [UInt8]? {
    encode(overwritings).map { [mark] + number(Int(user), 4) + $0 }
  }

  /// - Returns: nil where it was found for another user, or is none.
  package static func decode(_ bytes: [UInt8], for user: UInt32, fileSize: Int) -> [Overwriting]? {
    guard bytes.starts(with: [mark] + number(Int(user), 4)) else { return nil }
    return decode(Array(bytes.dropFirst(5)), fileSize: fileSize)
  }
}
