/// A part of a name that nobody guesses: 26 of a–z and 2–7, which are 130 random bits (RFC 4648, section 6, in lower case; RFC
/// 1035, section 2.3.4 allows 63).
package struct HostLabel: Hashable, Sendable {
  /// As it stands in a name.
  package let text: String

  /// - Parameter source: where its bits come from: getrandom(2) by ``SystemRandomNumberGenerator``.
  package init(using source: inout some RandomNumberGenerator) {
    text = String((0..<26).map { _ in Self.alphabet[Int.random(in: 0..<32, using: &source)] })
  }

  /// What a file holds; nil for what is none.
  package init?(_ text: some StringProtocol) {
    guard text.utf8.count == 26, text.allSatisfy(Self.alphabet.contains) else { return nil }
    self.text = String(text)
  }

  private static let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567")
}
