/// Text from an app as a desktop's notification may show it.
package enum NoticeText {
  /// One line of at most so many scalars. Ends of lines, controls and marks that turn the direction of writing
  /// (CVE-2021-42574) become spaces; what is cut off is told by `…`.
  package static func line(_ text: String, most: Int) -> String {
    var line = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      guard line.count < most else {
        line.removeLast()
        line.append("…")
        break
      }
      switch scalar {
      case "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}", "\u{200E}", "\u{200F}", "\u{061C}", "\u{2028}",
        "\u{2029}":
        line.append(" ")
      case _ where scalar.value < 0x20 || 0x7F..<0xA0 ~= scalar.value: line.append(" ")
      default: line.append(scalar)
      }
    }
    return String(line)
  }
}
