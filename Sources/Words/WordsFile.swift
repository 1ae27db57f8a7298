/// A catalogue: one language's texts by key, as `Catalogues/en.yaml` explains to translators.
///
/// It is YAML of the simplest kind, `key: "text"` line by line, so that albumctl can read it without the parser that
/// the daemon needs for its configuration.
public struct WordsFile: Hashable, Sendable {
  /// The most that is read of a file, in bytes.
  public static let byteLimit = 1 << 20

  /// What is wrong with a line. It counts as not there.
  public struct Problem: Hashable, Sendable {
    /// What is wrong.
    public enum Kind: Hashable, Sendable {
      /// It is not `key: "text"`.
      case syntax
      /// There is no such key.
      case unknownKey(String)
      /// The key came before.
      case twice(String)
      /// The text has other places than the English.
      case places(Phrase)
    }

    /// Counted from one.
    public let line: Int
    /// What is wrong.
    public let kind: Kind
  }

  /// What it says.
  public private(set) var texts: [Phrase: String] = [:]
  /// What is wrong with it.
  public private(set) var problems: [Problem] = []
  /// What it does not say, in the order of English.
  public var missing: [Phrase] { Phrase.allCases.filter { !keys.contains($0) } }
  private var keys: Set<Phrase> = []

  /// Reads a translation.
  public init(parsing bytes: [UInt8]) {
    self.init(parsing: bytes, like: .english)
  }

  /// - Parameter english: whose places its texts must have; nil for English itself.
  init(parsing bytes: [UInt8], like english: Words?) {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      guard let kind = take(line, like: english) else { continue }
      problems.append(Problem(line: index + 1, kind: kind))
    }
  }

  private mutating func take(_ line: ArraySlice<UInt8>, like english: Words?) -> Problem.Kind? {
    guard let line = String(validating: line, as: UTF8.self) else { return .syntax }
    if line.allSatisfy(\.isWhitespace) || line.hasPrefix("#") { return nil }
    guard let (key, text) = Self.entry(line.unicodeScalars[...]) else { return .syntax }
    guard let phrase = Phrase(rawValue: key) else { return .unknownKey(key) }
    guard keys.insert(phrase).inserted else { return .twice(key) }
    if let english, Set(Places.names(in: text)) != Set(Places.names(in: english[phrase])) {
      return .places(phrase)
    }
    texts[phrase] = text
    return nil
  }

  /// `key: "text"`, of which the text may have `\"` and `\\`, and a comment may follow.
  private static func entry(_ line: Substring.UnicodeScalarView) -> (key: String, text: String)? {
    let key = line.prefix { $0.isASCII && $0.properties.isAlphabetic }
    var rest = line[key.endIndex...]
    guard !key.isEmpty, rest.popFirst() == ":", rest.popFirst() == " " else { return nil }
    rest = rest.drop { $0 == " " }
    guard rest.popFirst() == "\"" else { return nil }
    var text = String.UnicodeScalarView()
    while let scalar = rest.popFirst(), scalar.properties.generalCategory != .control {
      switch scalar {
      case "\"":
        let after = rest.drop { $0.properties.isWhitespace }
        return after.isEmpty || after.first == "#" ? (String(key), String(text)) : nil
      case "\\":
        guard let next = rest.popFirst(), next == "\"" || next == "\\" else { return nil }
        text.append(next)
      default: text.append(scalar)
      }
    }
    return nil
  }
}
