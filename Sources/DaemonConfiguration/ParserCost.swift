import Yams

/// What of a text the parser would take too long for, so it is looked for before: the parser compares keys by what their
/// aliases unfold to, and texts by canonical equivalence, for which each run of combining marks is sorted.
struct ParserCost {
  /// So many uses of anchors cannot unfold into more than 3^11 nodes, however they are nested.
  static let aliasLimit = 32
  /// So many combining marks follow one another in no text of any language: the Stream-Safe Text Format, UAX #15.
  static let markLimit = 30
  /// Bytes that are not ASCII, one after the other in a tag: marks can be written like this, `%CC%81`.
  static let escapedByteLimit = 512

  /// Where it is, and what to tell.
  let place: Place
  let message: String

  /// The first such place; nil for a text that can be parsed.
  static func first(in text: String) -> ParserCost? {
    var search = Search(text.unicodeScalars)
    return search.run()
  }
}

/// A place in a file, counted from one: columns in Unicode scalars.
struct Place {
  let line: Int
  let column: Int

  init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  init(_ mark: Mark) {
    self.init(line: mark.line, column: mark.column)
  }
}

/// Goes through a text once. What it takes for an escape may be none where it stands; it counts all the same.
private struct Search {
  private var rest: Substring.UnicodeScalarView
  /// What was passed last.
  private var previous: Unicode.Scalar = "\n"
  private var line = 1
  private var column = 1
  private var aliases = 0
  private var marks = 0
  private var escapedBytes = 0

  init(_ scalars: String.UnicodeScalarView) { rest = scalars[...] }

  mutating func run() -> ParserCost? {
    while let scalar = rest.first {
      let place = Place(line: line, column: column)
      let before = previous
      step()
      count(scalar, after: before)
      if aliases > ParserCost.aliasLimit {
        return .init(place: place, message: "more than \(ParserCost.aliasLimit) aliases (*name) in one file")
      }
      if marks > ParserCost.markLimit || escapedBytes > ParserCost.escapedByteLimit {
        return .init(
          place: place, message: "more than \(ParserCost.markLimit) combining marks follow one another here")
      }
    }
    return nil
  }

  private mutating func step() {
    guard let scalar = rest.popFirst() else { return }
    previous = scalar
    if scalar == "\n" {
      line += 1
      column = 1
    } else {
      column += 1
    }
  }

  private mutating func count(_ scalar: Unicode.Scalar, after before: Unicode.Scalar) {
    let following = rest.first
    if scalar == "*", Self.opensValue(before), let following, Self.isOfName(following) { aliases += 1 }
    if scalar == "%", let byte = number(digits: 2, after: 0), byte >= 0x80 {
      escapedBytes += 1
      for _ in 0..<2 { step() }
      return
    }
    escapedBytes = 0
    guard scalar == "\\" else { return note(scalar) }
    switch following {
    case "u", "U":
      let digits = following == "u" ? 4 : 8
      guard let number = number(digits: digits, after: 1), let escaped = Unicode.Scalar(number) else {
        return note(scalar)
      }
      for _ in 0...digits { step() }
      note(escaped)
    case let end? where Self.isBreak(end):
      // What is on the next line goes on what is on this one.
      while let next = rest.first, Self.isBreak(next) || next == " " || next == "\t" { step() }
    default: note(scalar)
    }
  }

  private mutating func note(_ scalar: Unicode.Scalar) { marks = Self.isMark(scalar) ? marks + 1 : 0 }

  /// The number that so many hexadecimal digits are.
  private func number(digits: Int, after skipped: Int) -> UInt32? {
    var value: UInt32 = 0
    var missing = digits
    for scalar in rest.dropFirst(skipped).prefix(digits) {
      guard scalar.isASCII, let digit = Character(scalar).hexDigitValue else { return nil }
      value = value << 4 | UInt32(digit)
      missing -= 1
    }
    return missing == 0 ? value : nil
  }

  /// Whether it is sorted among others like it. Four are only when they are taken apart, UAX #15.
  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    guard scalar.value >= 0x300 else { return false }
    return switch scalar.value {
    case 0x344, 0xF73, 0xF75, 0xF81: true
    default: scalar.properties.canonicalCombiningClass != .notReordered
    }
  }

  /// The line breaks of YAML 1.1, as the parser takes them.
  private static func isBreak(_ scalar: Unicode.Scalar) -> Bool {
    ["\n", "\r", "\u{85}", "\u{2028}", "\u{2029}"].contains(scalar)
  }

  /// Whether an alias may follow it. A byte order mark may begin a line.
  private static func opensValue(_ scalar: Unicode.Scalar) -> Bool {
    isBreak(scalar) || [" ", "\t", "[", ",", "{", ":", "?", "-", "\u{FEFF}"].contains(scalar)
  }

  private static func isOfName(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "0"..."9", "a"..."z", "A"..."Z", "_", "-": true
    default: false
    }
  }
}
