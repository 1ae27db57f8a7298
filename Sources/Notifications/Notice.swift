/// Something that a desktop is to show, with one action. All of it is plain text.
package struct Notice: Hashable, Sendable {
  /// What it is about: of two that say the same, each is shown.
  package let id: String
  /// One line.
  package let summary: String
  /// A few lines.
  package let body: String
  /// What is written on its button.
  package let action: String

  /// What is in these texts is shown as it is, but for what no desktop could show: a zero byte.
  package init(id: String, summary: String, body: String, action: String) {
    self.id = id
    self.summary = summary
    self.body = body
    self.action = action
  }

  /// Text where markup is read (Desktop Notifications Specification, section 5).
  static func escape(_ text: String) -> String {
    text.unicodeScalars.map { scalar in
      switch scalar {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      default: String(scalar)
      }
    }.joined()
  }
}
