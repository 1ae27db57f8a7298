/// The language of a person, as a peer names it.
enum PersonLanguage {
  /// Bytes; RFC 5646 asks for 35.
  static let longest = 64

  /// Whether this is one, as far as its length tells.
  static func canBe(_ text: String) -> Bool { (1...longest).contains(text.utf8.count) }
}
