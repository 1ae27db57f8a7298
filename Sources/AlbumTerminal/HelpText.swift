/// Help, and what is wrong with a command line, in another language than English.
///
/// The parser of the command line speaks English alone. What it prints is taken line by line and said anew, when it is
/// printed: a command that is given no help to print pays nothing for it.
package struct HelpText: Hashable, Sendable {
  /// As many columns as the parser has to be told, so that a line of its text is a paragraph.
  package static let unbroken = 1 << 20
  /// Where it begins to describe an option or a command, whose name stands before.
  private static let textColumn = 26

  private let catalogue: TextsByEnglish

  /// Nil where there are no texts, and help is English.
  package init?(_ texts: TextsByEnglish) {
    if texts.isEmpty { return nil }
    catalogue = texts
  }

  /// Says it in this language, in lines of at most so many columns. What is no help stays as it is, such as a script for
  /// a shell.
  ///
  /// - Parameter text: as the parser prints it, in lines of ``unbroken`` columns.
  package func translated(_ text: String, columns: Int) -> String {
    guard ["OVERVIEW: ", "USAGE: ", "Error: "].contains(where: { text.hasPrefix($0) }) else { return text }
    return text.split(separator: "\n", omittingEmptySubsequences: false)
      .flatMap { lines(of: $0, columns) }.joined(separator: "\n")
  }

  private func lines(of line: Substring, _ columns: Int) -> [String] {
    let indent = line.prefix { $0 == " " }.count
    let rest = line.dropFirst(indent)
    switch indent {
    case 0: return paragraph(rest, columns)
    case 2:
      if let said = catalogue.text(for: String(rest)) { return ["  " + said] }
      let label = line.prefix(Self.textColumn)
      let text = line.dropFirst(Self.textColumn)
      // A longer label has a line of its own.
      guard label.last == " ", !text.isEmpty else { return [String(line)] }
      let lines = wrapped(said(text), at: Self.textColumn, columns)
      return [String(label) + lines[0].dropFirst(Self.textColumn)] + lines.dropFirst()
    default: return wrapped(said(rest), at: indent, columns)
    }
  }

  /// `OVERVIEW: …`, `OPTIONS:`, or a sentence.
  private func paragraph(_ text: Substring, _ columns: Int) -> [String] {
    guard let colon = text.firstIndex(of: ":"), let title = catalogue.text(for: String(text[..<colon])) else {
      return wrapped(said(text), at: 0, columns)
    }
    let rest = text[colon...].dropFirst().drop { $0 == " " }
    if rest.isEmpty { return [title + "："] }
    // Of which option or argument it speaks: the parser has two spaces behind that.
    if let gap = rest.firstRange(of: "  ") {
      return ["\(title)：\(rest[..<gap.upperBound])\(said(rest[gap.upperBound...]))"]
    }
    // A usage stays as it is, and in one line, as the parser prints it.
    guard let said = catalogue.text(for: String(rest)) else { return ["\(title)：\(rest)"] }
    return wrapped("\(title)：\(said)", at: 0, columns)
  }

  private func said(_ text: Substring) -> String {
    if let said = catalogue.text(for: String(text)) { return said }
    // Values that it takes, which the parser adds: `(values: keep, wallpaper; default: keep)`.
    guard text.last == ")", let open = text.lastIndex(of: "(") else { return String(text) }
    let parts = text[open...].dropFirst().dropLast().split(separator: "; ").compactMap { part in
      part.firstRange(of: ": ").flatMap { colon in
        catalogue.text(for: String(part[..<colon.lowerBound])).map { "\($0)：\(part[colon.upperBound...])" }
      }
    }
    if parts.isEmpty { return String(text) }
    let before = text[..<open].dropLast(open > text.startIndex ? 1 : 0)
    return (catalogue.text(for: String(before)) ?? String(before)) + "（\(parts.joined(separator: "；"))）"
  }

  private func wrapped(_ text: String, at indent: Int, _ columns: Int) -> [String] {
    TextWidth.wrapIdeographs(text, into: max(20, columns - indent)).map {
      String(repeating: " ", count: indent) + $0
    }
  }
}
