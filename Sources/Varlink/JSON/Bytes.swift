internal import Glibc

// What peers send is bytes. Swift compares and hashes text by canonical equivalence: two different names may be equal,
// and finding that out takes time that grows with the square of their combining marks.

extension String {
  /// Whether two texts are the same bytes.
  func isSame(as other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    let same = utf8.withContiguousStorageIfAvailable { mine in
      other.utf8.withContiguousStorageIfAvailable { theirs in
        guard let one = mine.baseAddress, let other = theirs.baseAddress else { return true }
        return memcmp(one, other, mine.count) == 0
      }
    }
    // Only text from elsewhere than Swift is not in one piece.
    return (same ?? nil) ?? utf8.elementsEqual(other.utf8)
  }

  /// Mixes the bytes into a hash.
  func hashBytes(into hasher: inout Hasher) {
    if utf8.withContiguousStorageIfAvailable({ hasher.combine(bytes: UnsafeRawBufferPointer($0)) }) == nil {
      for byte in utf8 { hasher.combine(byte) }
    }
  }
}

/// A text that is a key by its bytes.
struct ByteKey: Hashable {
  let text: String

  static func == (one: ByteKey, other: ByteKey) -> Bool { one.text.isSame(as: other.text) }
  func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }
}

extension StringProtocol {
  /// What a peer sent, as it may stand in a log or an error: the first 64 bytes, with everything escaped that is not
  /// plain text, such as control characters and those that change the direction of writing.
  public var excerpt: String {
    var text = ""
    for scalar in unicodeScalars {
      let escaped = scalar.isPlain ? String(scalar) : "\\u{\(String(scalar.value, radix: 16))}"
      guard text.utf8.count + escaped.utf8.count <= 64 else { return text + "…" }
      text += escaped
    }
    return text
  }
}

extension Unicode.Scalar {
  fileprivate var isPlain: Bool {
    if isASCII { return value >= 0x20 && value != 0x7F }
    return switch properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
      .letterNumber, .otherNumber, .connectorPunctuation, .dashPunctuation, .openPunctuation,
      .closePunctuation,
      .initialPunctuation, .finalPunctuation, .otherPunctuation, .mathSymbol, .currencySymbol, .otherSymbol:
      true
    case .nonspacingMark, .spacingMark, .enclosingMark, .modifierSymbol, .spaceSeparator, .lineSeparator,
      .paragraphSeparator, .control, .format, .surrogate, .privateUse, .unassigned:
      false
    @unknown default: false
    }
  }
}
