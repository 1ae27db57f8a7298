/// What is kept of a session, and what lists show of it: nothing that lets anybody in.
package struct SessionRecord: Hashable, Sendable {
  /// A name for it that opens nothing: for lists.
  package let name: String
  /// What the browser calls itself, as much of it as is kept.
  package let browser: String
  /// When it was let in, in seconds since 1970.
  package let began: Int64
  /// When it was last here, to the hour.
  package internal(set) var seen: Int64

  /// When it ends.
  package var ends: Int64 { began + Sessions.lifetime }

  func line(key: Secret) -> String {
    [key.text, name, "\(began)", "\(seen)", browser].joined(separator: "\t")
  }

  /// A line and the key in it; nil for what is none.
  static func read(_ line: Substring) -> (Secret, SessionRecord)? {
    let parts = line.split(separator: "\t", maxSplits: 4, omittingEmptySubsequences: false)
    guard parts.count == 5, let key = Secret(parts[0]), (1...12).contains(parts[1].utf8.count),
      let began = Int64(parts[2]), (0...1 << 40).contains(began), let seen = Int64(parts[3]),
      (0...1 << 40).contains(seen)
    else { return nil }
    return (
      key, SessionRecord(name: String(parts[1]), browser: plain(String(parts[4])), began: began, seen: seen)
    )
  }

  /// Of a text that anybody wrote, what fits on a line.
  static func plain(_ text: String) -> String {
    String(text.unicodeScalars.prefix(200).filter { 0x20..<0x7F ~= $0.value }.map(Character.init))
  }
}
