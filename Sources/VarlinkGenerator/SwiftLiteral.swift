extension SwiftSource {
  /// Writes a text of several lines as a literal, whose lines begin where theirs do: `let NAME = """ … """`.
  mutating func literal(_ head: String, _ text: String) {
    line("\(head) = \"\"\"")
    verbatim(text.multilineLiteral + "\n\"\"\"\n")
  }
}

extension String {
  /// What stands for this text between the quotes of a literal of several lines.
  fileprivate var multilineLiteral: String {
    unicodeScalars.reduce(into: "") { literal, scalar in
      switch scalar {
      case "\\": literal += "\\\\"
      case "\"": literal += "\\\""
      case "\n": literal.unicodeScalars.append(scalar)
      default:
        // What an editor or the compiler might take for the end of a line, or drop.
        let isPlain =
          scalar.properties.isPatternWhitespace
          ? scalar == " " : scalar.properties.generalCategory != .control
        if isPlain, scalar != "\u{FEFF}" {
          literal.unicodeScalars.append(scalar)
        } else {
          literal += "\\u{\(String(scalar.value, radix: 16))}"
        }
      }
    }
  }
}
