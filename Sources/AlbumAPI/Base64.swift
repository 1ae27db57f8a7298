/// Bytes as text: base64 of RFC 4648 (section 4), with padding.
package enum Base64 {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let padding = UInt8(ascii: "=")
  /// What each character stands for; 255 for those of no alphabet.
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 255, count: 256)
    for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
    return values
  }()

  /// How many characters there are of so many bytes.
  package static func length(of byteCount: Int) -> Int { (byteCount + 2) / 3 * 4 }

  /// The text of bytes.
  package static func encode(_ bytes: [UInt8]) -> String {
    String(unsafeUninitializedCapacity: length(of: bytes.count)) { text in
      var count = 0
      for start in stride(from: 0, to: bytes.count, by: 3) {
        let rest = bytes.count - start
        let second = rest > 1 ? bytes[start + 1] : 0
        let third = rest > 2 ? bytes[start + 2] : 0
        text[count] = alphabet[Int(bytes[start] >> 2)]
        text[count + 1] = alphabet[Int((bytes[start] & 0x03) << 4 | second >> 4)]
        text[count + 2] = rest > 1 ? alphabet[Int((second & 0x0F) << 2 | third >> 6)] : padding
        text[count + 3] = rest > 2 ? alphabet[Int(third & 0x3F)] : padding
        count += 4
      }
      return count
    }
  }

  /// The bytes of a text; nil for one that no bytes have: each have one text, and no other.
  package static func decode(_ text: String) -> [UInt8]? {
    let characters = Array(text.utf8)
    guard characters.count % 4 == 0 else { return nil }
    let padded = characters.suffix(2).count { $0 == padding }
    if padded == 2, characters.last != padding { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(characters.count / 4 * 3)
    for start in stride(from: 0, to: characters.count, by: 4) {
      let missing = start + 4 == characters.count ? padded : 0
      var bits: UInt32 = 0
      for index in start..<start + 4 {
        let value = index < start + 4 - missing ? values[Int(characters[index])] : 0
        guard value < 64 else { return nil }
        bits = bits << 6 | UInt32(value)
      }
      // What no byte takes must be nothing.
      guard missing == 0 || bits & (missing == 1 ? 0xFF : 0xFFFF) == 0 else { return nil }
      for byte in 0..<3 - missing { bytes.append(UInt8(truncatingIfNeeded: bits >> (16 - 8 * byte))) }
    }
    return bytes
  }
}
