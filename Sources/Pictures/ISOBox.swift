/// A box of ISO/IEC 14496-12: a type of four characters, and content.
struct ISOBox {
  /// Four characters.
  let type: String
  /// Its content, as indices of what it is in.
  let content: Range<Int>

  /// The box at a place; nil if there is none that lies within `end`.
  init?(in bytes: UnsafeRawBufferPointer, at offset: Int, end: Int) {
    guard offset >= 0, end <= bytes.count, end - offset >= 8 else { return nil }
    type = String(decoding: bytes[offset + 4..<offset + 8], as: UTF8.self)
    var header = 8
    var length = Int(BigEndian.number(bytes, at: offset, count: 4))
    if length == 1 {
      guard end - offset >= 16, let long = Int(exactly: BigEndian.number(bytes, at: offset + 8, count: 8))
      else { return nil }
      header = 16
      length = long
    } else if length == 0 {
      length = end - offset
    }
    guard length >= header, length <= end - offset else { return nil }
    content = offset + header..<offset + length
  }

  /// The boxes of a file, one after another, until one that does not hold.
  static func all(in bytes: UnsafeRawBufferPointer) -> some Sequence<ISOBox> {
    sequence(state: 0) { offset in
      let box = ISOBox(in: bytes, at: offset, end: bytes.count)
      if let box { offset = box.content.upperBound }
      return box
    }
  }

  /// The brands of a file: the major one, then the compatible ones.
  static func brands(of start: [UInt8]) -> [String] {
    start.withUnsafeBytes { bytes in
      let length = min(Int(BigEndian.number(bytes, at: 0, count: 4)), bytes.count)
      guard length >= 12 else { return [] }
      return ([8] + Array(stride(from: 16, through: length - 4, by: 4))).map { place in
        String(decoding: bytes[place..<place + 4], as: UTF8.self)
      }
    }
  }
}

/// Numbers whose first byte is the highest.
enum BigEndian {
  /// - Precondition: they are there.
  static func number(_ bytes: UnsafeRawBufferPointer, at offset: Int, count: Int) -> UInt64 {
    bytes[offset..<offset + count].reduce(0) { $0 << 8 | UInt64($1) }
  }
}
