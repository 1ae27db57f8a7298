internal import Linux
internal import Synchronization

/// What the page tells its administrator: lines on standard error, which the journal keeps (sd-daemon(3) has the
/// numbers).
enum Log {
  static func note(_ text: String) { StandardStream.error.write("<5>\(line(text))\n") }
  static func warning(_ text: String) { StandardStream.error.write("<4>\(line(text))\n") }

  /// What is refused, of which whoever asks a thousand times is one line a second.
  enum Refusal { case outsiders, entries, connections, codes, requests }

  /// Tells that something was refused, unless another of the kind was told in this second.
  static func refusal(_ text: String, of kind: Refusal) {
    let now = Desk.seconds
    let isDue = told.withLock { $0.updateValue(now, forKey: kind) != now }
    if isDue { warning(text) }
  }

  /// In which second each was told last.
  private static let told = Mutex<[Refusal: Int64]>([:])

  /// Peers' words are in it: one line, and no more than is read.
  private static func line(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.prefix(400).map { $0.value < 0x20 ? "?" : $0 }))
  }
}
