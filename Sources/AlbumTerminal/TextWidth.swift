/// How many columns of a terminal a text takes.
///
/// wcwidth(3) would ask the locale; a terminal does not. Wide are East Asian Wide and Fullwidth (UAX #11)
/// and what shows as emoji.
public enum TextWidth {
  /// The columns of a text without control characters.
  public static func columns(of text: String) -> Int {
    text.utf8.allSatisfy { $0 < 0x80 } ? text.utf8.count : text.reduce(0) { $0 + columns(of: $1) }
  }

  /// The longest beginning of a text that fits, with `…` for what is left out.
  public static func fit(_ text: String, into columns: Int) -> String {
    if self.columns(of: text) <= columns { return text }
    var left = columns - 1
    let beginning = text.prefix { character in
      left -= self.columns(of: character)
      return left >= 0
    }
    return columns > 0 ? beginning + "…" : ""
  }

  /// The text with spaces behind it, or before it, so that it takes so many columns.
  public static func pad(_ text: String, to columns: Int, before: Bool = false) -> String {
    let spaces = String(repeating: " ", count: max(0, columns - self.columns(of: text)))
    return before ? spaces + text : text + spaces
  }

  /// Lines of at most so many columns, broken between words where there are any.
  public static func wrap(_ text: String, into columns: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    var width = 0
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      let length = self.columns(of: String(word))
      if width > 0, width + 1 + length <= columns {
        line += " " + word
        width += 1 + length
        continue
      }
      if width > 0 { lines.append(line) }
      (line, width) = ("", 0)
      // A word longer than a line, such as text without spaces, is broken anywhere.
      for character in word {
        let length = self.columns(of: character)
        if width > 0, width + length > columns {
          lines.append(line)
          (line, width) = ("", 0)
        }
        line.append(character)
        width += length
      }
    }
    return lines + [line]
  }

  /// What a terminal shows as one character.
  private static func columns(of character: Character) -> Int {
    guard let first = character.unicodeScalars.first else { return 0 }
    if character.unicodeScalars.contains("\u{FE0F}") { return 2 }
    if first.properties.isEmojiPresentation { return 2 }
    switch first.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: return 0
    default: return wide.contains { $0.contains(first.value) } ? 2 : 1
    }
  }

  /// Blocks of EastAsianWidth.txt whose letters are W or F.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F,  // Hangul Jamo
    0x2E80...0x303E,  // radicals, punctuation
    0x3041...0xA4CF,  // Kana to Yi: Hangul compatibility, ideographs
    0xA960...0xA97C,  // Hangul Jamo
    0xAC00...0xD7A3,  // Hangul
    0xF900...0xFAFF,  // compatibility ideographs
    0xFE10...0xFE19, 0xFE30...0xFE6F,  // vertical and small forms
    0xFF00...0xFF60, 0xFFE0...0xFFE6,  // fullwidth forms
    0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF,  // Tangut, Kana
    0x1F200...0x1F2FF,  // enclosed ideographs
    0x20000...0x3FFFD,  // ideographs
  ]
}
