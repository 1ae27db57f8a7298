/// How many columns of a terminal a text takes.
///
/// wcwidth(3) would ask the locale; a terminal does not. Wide are East Asian Wide and Fullwidth (UAX #11)
/// and what shows as emoji.
package enum TextWidth {
  /// The columns of a text without control characters: the most that a terminal takes for it.
  ///
  /// Scalar by scalar. Terminals differ in what they draw as one (joined emoji, syllables of Hangul and of
  /// Indic scripts), and a name can be made of nothing else: what is counted as one and drawn as many
  /// would scroll the question away.
  package static func columns(of text: String) -> Int {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
    var previous = 0
    return text.unicodeScalars.reduce(0) { $0 + columns(of: $1, after: &previous) }
  }

  /// The longest beginning of a text that fits, with `…` for what is left out.
  package static func fit(_ text: String, into columns: Int) -> String {
    if self.columns(of: text) <= columns { return text }
    return columns > 0 ? beginning(of: text, columns - 1) + "…" : ""
  }

  /// A text with `…` for its middle, if it does not fit: of a path, both ends tell something.
  package static func abbreviate(_ text: String, into columns: Int) -> String {
    if self.columns(of: text) <= columns { return text }
    guard columns > 2 else { return fit(text, into: columns) }
    let first = beginning(of: text, columns / 2)
    var left = columns - 1 - self.columns(of: first)
    // From the end, a mark that widens comes before what it widens: it counts by itself.
    let last = text.unicodeScalars.reversed().prefix { scalar in
      left -= scalar == emojiStyle ? 1 : width(of: scalar)
      return left >= 0
    }
    var end = String.UnicodeScalarView()
    end.append(contentsOf: last.reversed())
    return first + "…" + String(end)
  }

  private static func beginning(of text: String, _ columns: Int) -> String {
    var (left, previous) = (columns, 0)
    return String(
      text.unicodeScalars.prefix { scalar in
        left -= self.columns(of: scalar, after: &previous)
        return left >= 0
      })
  }

  /// The text with spaces behind it, or before it, so that it takes so many columns.
  package static func pad(_ text: String, to columns: Int, before: Bool = false) -> String {
    let spaces = String(repeating: " ", count: max(0, columns - self.columns(of: text)))
    return before ? spaces + text : text + spaces
  }

  /// Lines of at most so many columns, broken between words where there are any.
  package static func wrap(_ text: String, into columns: Int) -> [String] {
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
      var previous = 0
      for scalar in word.unicodeScalars {
        let length = self.columns(of: scalar, after: &previous)
        if width > 0, width + length > columns {
          lines.append(line)
          (line, width) = ("", 0)
        }
        line.unicodeScalars.append(scalar)
        width += length
      }
    }
    return lines + [line]
  }

  /// Variation selector 16: what is before it shows as emoji.
  private static let emojiStyle: Unicode.Scalar = "\u{FE0F}"

  /// The columns that a scalar adds to those before it.
  private static func columns(of scalar: Unicode.Scalar, after previous: inout Int) -> Int {
    let width = scalar == emojiStyle && previous == 1 ? 1 : Self.width(of: scalar)
    previous = width
    return width
  }

  private static func width(of scalar: Unicode.Scalar) -> Int {
    if scalar.value < 0x80 { return 1 }
    if scalar.properties.isEmojiPresentation { return 2 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: return 0
    default:
      if joining.contains(where: { $0.contains(scalar.value) }) { return 0 }
      return wide.contains { $0.contains(scalar.value) } ? 2 : 1
    }
  }

  /// Vowels and finals of Hangul, which every terminal draws into the syllable before them (wcwidth(3) has 0).
  private static let joining: [ClosedRange<UInt32>] = [0x1160...0x11FF, 0xD7B0...0xD7FF]

  /// Blocks of EastAsianWidth.txt whose letters are W or F.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F,  // Hangul Jamo
    0x2329...0x232A,  // angle brackets
    0x2630...0x2637, 0x268A...0x268F,  // trigrams, monograms and digrams (Unicode 16)
    0x2E80...0x303E,  // radicals, punctuation
    0x3041...0xA4CF,  // Kana to Yi: Hangul compatibility, ideographs
    0xA960...0xA97C,  // Hangul Jamo
    0xAC00...0xD7A3,  // Hangul
    0xF900...0xFAFF,  // compatibility ideographs
    0xFE10...0xFE19, 0xFE30...0xFE6F,  // vertical and small forms
    0xFF00...0xFF60, 0xFFE0...0xFFE6,  // fullwidth forms
    0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF,  // Tangut, Kana
    0x1D300...0x1D356, 0x1D360...0x1D376,  // Tai Xuan Jing symbols, counting rods (Unicode 16)
    0x1F200...0x1F2FF,  // enclosed ideographs
    0x20000...0x3FFFD,  // ideographs
  ]
}
