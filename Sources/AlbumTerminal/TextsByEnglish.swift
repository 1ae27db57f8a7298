internal import Words

/// What is said instead of the English that stands in the code, beside each command and option and nowhere else. A text
/// with places such as `{option}` is said of all that fits it.
package struct TextsByEnglish: Hashable, Sendable {
  private struct Pattern: Hashable, Sendable {
    let english: String
    let text: String
  }

  private var texts: [String: String] = [:]
  /// In the order of the file: what fits several is said as the first.
  private var patterns: [Pattern] = []

  /// The texts of the language that serves best: none where that is English, or one in which there are none.
  ///
  /// - Parameter languages: of the person, best first.
  package init(for languages: [String]) {
    let files = [
      "en": [], "zh-Hans": PackageResources.zh_Hans_yaml, "zh-Hant": PackageResources.zh_Hant_yaml,
    ]
    self.init(parsing: bestMatch(for: languages, among: files) ?? [])
  }

  /// What is said instead; the English where that is not known.
  package subscript(english: String) -> String { text(for: english) ?? english }

  /// Whether there are none.
  var isEmpty: Bool { texts.isEmpty && patterns.isEmpty }

  /// Reads a file: `"English": "text"` line by line, `\"` for a quotation mark, and lines that begin with `#`.
  init(parsing bytes: [UInt8]) {
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
      var rest = line[...]
      guard let english = Self.quoted(&rest), rest.starts(with: ": ") else { continue }
      rest = rest.dropFirst(2)
      guard let text = Self.quoted(&rest), rest.isEmpty else { continue }
      if Places.names(in: english).isEmpty {
        texts[english] = text
      } else {
        patterns.append(Pattern(english: english, text: text))
      }
    }
  }

  /// Everything that it has a text for, and the text.
  var entries: [(english: String, text: String)] {
    texts.map { ($0, $1) } + patterns.map { ($0.english, $0.text) }
  }

  /// What is said instead, if that is known.
  func text(for english: String) -> String? {
    if let text = texts[english] { return text }
    for pattern in patterns {
      guard let values = Self.values(in: english, of: pattern.english) else { continue }
      return Places.fill(pattern.text) { name in
        // A list of values, as the parser writes it.
        name == "values"
          ? values[name]?.replacing(", ", with: "、").replacing(" and ", with: "、").replacing(
            " or ", with: "、")
          : values[name]
      }
    }
    return nil
  }

  /// A text in quotation marks, taken from the beginning.
  private static func quoted(_ rest: inout Substring) -> String? {
    guard rest.popFirst() == "\"" else { return nil }
    var text = ""
    while let character = rest.popFirst() {
      switch character {
      case "\"": return text
      case "\\":
        guard let next = rest.popFirst() else { return nil }
        text.append(next)
      default: text.append(character)
      }
    }
    return nil
  }

  /// What stands in the places of a pattern; nil for what does not fit it.
  private static func values(in text: String, of pattern: String) -> [String: String]? {
    var values: [String: String] = [:]
    var (rest, open) = (text[...], nil as String?)
    var pieces = pattern[...]
    while true {
      let literal = pieces.prefix { $0 != "{" }
      pieces = pieces[literal.endIndex...]
      let isLast = pieces.isEmpty
      if let name = open {
        // The last piece is the end of the text; any other, the first that comes.
        if isLast, !rest.hasSuffix(literal) { return nil }
        let end =
          isLast
          ? rest.index(rest.endIndex, offsetBy: -literal.count) : rest.firstRange(of: literal)?.lowerBound
        guard let end else { return nil }
        values[name] = String(rest[..<end])
        rest = rest[end...]
      }
      guard rest.hasPrefix(literal) else { return nil }
      rest = rest.dropFirst(literal.count)
      if isLast { return rest.isEmpty ? values : nil }
      open = String(pieces.dropFirst().prefix { $0 != "}" })
      pieces = pieces.drop { $0 != "}" }.dropFirst()
    }
  }
}
