internal import Digests

/// Text that nobody guesses: what a browser shows to be let in, and the token of a session (S61).
package struct Secret: Hashable, Sendable {
  /// As it is sent: 43 characters of A–Z, a–z, 0–9, - and _ (RFC 4648, section 5).
  package let text: String

  /// 256 random bits.
  ///
  /// - Parameter source: where they come from: getrandom(2) by ``SystemRandomNumberGenerator``.
  package init(using source: inout some RandomNumberGenerator) {
    var text = ""
    // Six bits of each byte: 43 of them hold 258 bits.
    for _ in 0..<43 { text.append(Self.alphabet[Int(UInt8.random(in: 0..<64, using: &source))]) }
    self.text = text
  }

  /// What somebody claims, or a file holds; nil for what is none.
  package init?(_ text: some StringProtocol) {
    guard text.utf8.count == 43, text.utf8.allSatisfy(Self.isPlain) else { return nil }
    self.text = String(text)
  }

  /// Another secret that follows from this one, and from which this one is not found out.
  ///
  /// - Parameter purpose: what it is for: each has its own.
  func derived(for purpose: String) -> Secret {
    let bytes = SHA256.digest("\(purpose)\n\(text)".utf8)
    // 256 bits are 43 characters, of which the last holds four.
    var text = ""
    for start in stride(from: 0, to: 258, by: 6) {
      let value = (start..<start + 6).reduce(0) { value, bit in
        value << 1 | (bit < 256 ? Int(bytes[bit / 8] >> (7 - UInt8(bit % 8)) & 1) : 0)
      }
      text.append(Self.alphabet[value])
    }
    return Secret(unchecked: text)
  }

  private init(unchecked text: String) { self.text = text }

  /// Whether both are the same, found out in the same time wherever they differ.
  package func isSame(as other: Secret) -> Bool {
    zip(text.utf8, other.text.utf8).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }

  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
