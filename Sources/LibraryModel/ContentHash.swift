/// The SHA-256 of the bytes of a photo or video (S96).
package struct ContentHash: Hashable, Sendable {
  /// How many bytes it has.
  package static let byteCount = 32
  private static let prefix = "sha256:"

  private let first, second, third, fourth: UInt64

  /// A hash as it is stored; nil for anything else.
  package init?(bytes: UnsafeRawBufferPointer) {
    guard bytes.count == Self.byteCount else { return nil }
    func word(_ number: Int) -> UInt64 {
      UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: number * 8, as: UInt64.self))
    }
    (first, second, third, fourth) = (word(0), word(1), word(2), word(3))
  }

  /// A hash as peers say it: `sha256:` and 64 hexadecimal digits, of lower case; nil for anything else.
  package init?(text: String) {
    let digits = text.utf8.dropFirst(Self.prefix.utf8.count)
    guard text.utf8.starts(with: Self.prefix.utf8), digits.count == 2 * Self.byteCount,
      digits.allSatisfy({ !(UInt8(ascii: "A")...UInt8(ascii: "F")).contains($0) })
    else { return nil }
    let values = digits.compactMap(hexadecimalValue)
    guard values.count == digits.count else { return nil }
    let bytes = stride(from: 0, to: values.count, by: 2).map { values[$0] << 4 | values[$0 + 1] }
    guard let hash = bytes.withUnsafeBytes({ ContentHash(bytes: $0) }) else { return nil }
    self = hash
  }

  /// As it is stored.
  package var bytes: [UInt8] {
    [first, second, third, fourth].flatMap { word in withUnsafeBytes(of: word.bigEndian) { Array($0) } }
  }

  /// As peers are told it.
  package var text: String {
    Self.prefix + [first, second, third, fourth].map { HexadecimalDigits($0).text }.joined()
  }
}
