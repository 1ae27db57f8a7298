/// Text from anywhere (an app's name, a file's) as a page may show it.
package enum HTMLText {
  /// For what a script shows as text: marks that turn the direction of writing (CVE-2021-42574) and controls become
  /// U+FFFD.
  package static func plain(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map { isPlain($0) ? $0 : "\u{FFFD}" }))
  }

  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "\n", "\t": true
    case "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}", "\u{200E}", "\u{200F}", "\u{061C}": false
    default: scalar.value >= 0x20 && !(0x7F..<0xA0 ~= scalar.value)
    }
  }

  /// Escapes what HTML would read as more than text, scalar by scalar: a quote with an accent on it is one character to
  /// Swift, and ends an attribute all the same. What is not plain becomes U+FFFD, as in ``plain(_:)``.
  package static func escape(_ text: String) -> String {
    var safe = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": safe.append(contentsOf: "&amp;".unicodeScalars)
      case "<": safe.append(contentsOf: "&lt;".unicodeScalars)
      case ">": safe.append(contentsOf: "&gt;".unicodeScalars)
      case "\"": safe.append(contentsOf: "&quot;".unicodeScalars)
      case "'": safe.append(contentsOf: "&#39;".unicodeScalars)
      case "`": safe.append(contentsOf: "&#96;".unicodeScalars)
      default: safe.append(isPlain(scalar) ? scalar : "\u{FFFD}")
      }
    }
    return String(safe)
  }
}
