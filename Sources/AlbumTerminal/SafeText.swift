/// Text from somewhere else (a file's name, an app's) as a terminal may show it: nothing in it moves the
/// cursor, changes colours, ends the line or turns the direction of writing.
///
/// A backslash is doubled, so that what is shown can only come from one text.
package struct SafeText: Hashable, Sendable, CustomStringConvertible {
  /// What to print.
  package let description: String

  /// Escapes whatever is not plain text.
  package init(_ text: String) {
    var safe = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": safe += "\\\\"
      case "\n": safe += "\\n"
      case "\r": safe += "\\r"
      case "\t": safe += "\\t"
      case "\u{1B}": safe += "\\e"
      case _ where Self.isPlain(scalar): safe.unicodeScalars.append(scalar)
      default: safe += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      }
    }
    description = safe
  }

  /// The same JSON for a terminal: what is not plain text is written as `\u` escapes (RFC 8259, section 7), which
  /// JSON asks for below U+0020 only.
  package static func json(_ text: String) -> String {
    var safe = ""
    for scalar in text.unicodeScalars {
      if scalar.value < 0x7F || isPlain(scalar) {
        safe.unicodeScalars.append(scalar)
        continue
      }
      for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
        let digits = String(unit, radix: 16)
        safe += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }
    }
    return safe
  }

  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    // Joins emoji and letters of several scripts; harmless by itself.
    if scalar == "\u{200D}" || scalar == "\u{200C}" { return true }
    return switch scalar.properties.generalCategory {
    // Format holds the marks that turn the direction of writing (CVE-2021-42574).
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .nonspacingMark, .spacingMark, .enclosingMark, .decimalNumber, .letterNumber, .otherNumber,
      .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation,
      .finalPunctuation, .otherPunctuation, .mathSymbol, .currencySymbol, .modifierSymbol, .otherSymbol,
      .spaceSeparator:
      true
    @unknown default: false
    }
  }
}
