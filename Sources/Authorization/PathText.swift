extension Sequence<UInt8> {
  /// Bytes as ASCII, each text for one sequence of bytes: letters, digits and what is usual in paths stand for
  /// themselves, the rest is `%` and two digits.
  ///
  /// Swift calls texts equal that are other bytes (canonical equivalence), and puts one mark in the place of whatever
  /// is no UTF-8; to the kernel each is another file.
  package var percentEncoded: String {
    var text: [UInt8] = []
    for byte in self {
      if byte.isLetter || byte.isDigit || Self.usual.contains(byte) {
        text.append(byte)
      } else {
        text += [UInt8(ascii: "%"), Self.digits[Int(byte >> 4)], Self.digits[Int(byte & 15)]]
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static var usual: [UInt8] { Array("/._-+@,=~".utf8) }
  private static var digits: [UInt8] { Array("0123456789ABCDEF".utf8) }
}

extension UInt8 {
  var isLetter: Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self)
      || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self)
  }
  var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
