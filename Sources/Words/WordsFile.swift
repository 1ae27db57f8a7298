/// A catalogue: one language's texts by key, as `Catalogues/en.yaml` explains to translators.
///
/// It is YAML of the simplest kind, `key: "text"` line by line, so that albumctl can read it without the parser that
/// the daemon needs for its configuration.
package struct WordsFile: Hashable, Sendable {
  /// The most that is read of a file, in bytes.
  package static let byteLimit = 1 << 20

  /// What is wrong is told of so many of its lines: a file of a megabyte may be wrong at half a million.
  package static let mostProblems = 20
  /// Bytes of an unknown key that are told.
  package static let mostKeyBytes = 64

  /// What is wrong with a line. It counts as not there.
  package struct Problem: Hashable, Sendable {
    /// What is wrong.
    package enum Kind: Hashable, Sendable {
      /// It is not `key: "text"`.
      case syntax
      /// There is no such key: the beginning of it.
      case unknownKey(String)
      /// The key came before.
      case twice(String)
      /// The text has other places than the English.
      case places(Phrase)
    }

    /// Counted from one.
    package let line: Int
    /// What is wrong.
    package let kind: Kind
  }

  /// What it says.
  package private(set) var texts: [Phrase: String] = [:]
  /// What is wrong with it: what comes first, ``mostProblems`` at most.
  package private(set) var problems: [Problem] = []
  /// How many lines are wrong beyond those.
  package private(set) var untoldProblems = 0
  /// What it does not say, in the order of English.
  package var missing: [Phrase] { Phrase.allCases.filter { !keys.contains($0) } }
  private var keys: Set<Phrase> = []

  /// What comes with the program.
  static let english = WordsFile(parsing: BuiltInCatalogue.english.bytes, like: nil)

  /// Reads a translation.
  package init(parsing bytes: [UInt8]) {
    // Installed as it came, it need not be read twice.
    self = bytes == BuiltInCatalogue.english.bytes ? .english : .init(parsing: bytes, like: .english)
  }

  /// - Parameter english: whose places its texts must have; nil for English itself.
  init(parsing bytes: [UInt8], like english: WordsFile?) {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      guard let kind = take(line, like: english) else { continue }
      if problems.count < Self.mostProblems {
        problems.append(Problem(line: index + 1, kind: kind))
      } else {
        untoldProblems += 1
      }
    }
  }

  private mutating func take(_ line: ArraySlice<UInt8>, like english: WordsFile?) -> Problem.Kind? {
    if line.first == UInt8(ascii: "#") || line.allSatisfy(Self.isBlank) { return nil }
    guard let (key, text) = Self.entry(line) else { return .syntax }
    guard let phrase = Self.phrases[key] else { return .unknownKey(Self.beginning(of: key)) }
    guard keys.insert(phrase).inserted else { return .twice(key) }
    if let english, Set(Places.names(in: text)) != Set(Places.names(in: english.texts[phrase] ?? "")) {
      return .places(phrase)
    }
    texts[phrase] = text
    return nil
  }

  /// A key is letters of ASCII, and may be as long as the file.
  private static func beginning(of key: String) -> String {
    key.utf8.count > mostKeyBytes ? key.prefix(mostKeyBytes) + "…" : key
  }

  /// By key: `Phrase(rawValue:)` compares it with one after the other.
  private static let phrases = Dictionary(uniqueKeysWithValues: Phrase.allCases.map { ($0.rawValue, $0) })

  /// `key: "text"`, of which the text may have `\"` and `\\`, and a comment may follow.
  ///
  /// Byte by byte, since it is read at each start of albumctl: what means something here is ASCII.
  static func entry(_ line: ArraySlice<UInt8>) -> (key: String, text: String)? {
    let key = line.prefix { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20) }
    var rest = line[key.endIndex...]
    guard !key.isEmpty, rest.popFirst() == UInt8(ascii: ":"), rest.popFirst() == UInt8(ascii: " ") else {
      return nil
    }
    rest = rest.drop { $0 == UInt8(ascii: " ") }
    guard rest.popFirst() == UInt8(ascii: "\"") else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(rest.count)
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "\""):
        let after = rest.drop(while: isBlank)
        guard after.isEmpty || after.first == UInt8(ascii: "#"), let text = text(bytes) else { return nil }
        return (String(decoding: key, as: UTF8.self), text)
      case UInt8(ascii: "\\"):
        guard let next = rest.popFirst(), next == UInt8(ascii: "\"") || next == UInt8(ascii: "\\") else {
          return nil
        }
        bytes.append(next)
      default: bytes.append(byte)
      }
    }
    return nil
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
  }

  /// Nil for what is not UTF-8, and what would control a terminal: C0, DEL, and C1 (U+0080 to U+009F).
  private static func text(_ bytes: [UInt8]) -> String? {
    let isControl = bytes.indices.contains {
      bytes[$0] < 0x20 || bytes[$0] == 0x7F
        || bytes[$0] == 0xC2 && $0 + 1 < bytes.count && bytes[$0 + 1] < 0xA0
    }
    return isControl ? nil : String(validating: bytes, as: UTF8.self)
  }
}
