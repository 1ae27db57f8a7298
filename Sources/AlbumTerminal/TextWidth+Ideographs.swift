extension TextWidth {
  /// Lines of at most so many columns, of a text that is written without spaces: broken at spaces and beside ideographs,
  /// where no line begins with a closing mark or ends with an opening one. A path or a command that is longer than a line
  /// stays whole, to be copied.
  package static func wrapIdeographs(_ text: String, into columns: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for piece in pieces(of: text) {
      if !line.isEmpty, self.columns(of: line + withoutSpaces(piece)) > columns {
        lines.append(withoutSpaces(line))
        line = ""
      }
      line += piece
    }
    return lines + [withoutSpaces(line)]
  }

  /// What is never broken, the space behind it included.
  private static func pieces(of text: String) -> [String] {
    var pieces: [String] = []
    var piece = ""
    for character in text {
      if let last = piece.last, mayBreak(last, character) {
        pieces.append(piece)
        piece = ""
      }
      piece.append(character)
    }
    return piece.isEmpty ? pieces : pieces + [piece]
  }

  private static func mayBreak(_ before: Character, _ after: Character) -> Bool {
    if after == " " { return false }
    if before == " " { return true }
    if "（「『“‘《([{<".contains(before) || "，。、；：？！）」』”’》…)]}>,.;:".contains(after) { return false }
    return columns(of: String(before)) > 1 || columns(of: String(after)) > 1
  }

  private static func withoutSpaces(_ text: String) -> String {
    var text = text
    while text.last == " " { text.removeLast() }
    return text
  }
}
