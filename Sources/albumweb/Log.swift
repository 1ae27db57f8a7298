internal import Linux

/// What the page tells its administrator: lines on standard error, which the journal keeps (sd-daemon(3) has the
/// numbers).
enum Log {
  static func note(_ text: String) { StandardStream.error.write("<5>\(line(text))\n") }
  static func warning(_ text: String) { StandardStream.error.write("<4>\(line(text))\n") }

  /// Peers' words are in it: one line, and no more than is read.
  private static func line(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.prefix(400).map { $0.value < 0x20 ? "?" : $0 }))
  }
}
