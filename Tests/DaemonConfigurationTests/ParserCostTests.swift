import DaemonConfiguration
import Testing

/// The parser compares keys by what they unfold to, and texts by canonical equivalence: what would take it minutes, or for
/// ever, is found before (S38).
@Suite("A file that the parser would take too long for is refused")
struct ParserCostTests {
  private static func marks(_ count: Int, _ mark: String = "\u{316}\u{301}") -> String {
    String(
      String.UnicodeScalarView(Array(String(repeating: mark, count: count).unicodeScalars.prefix(count))))
  }

  private func errors(_ text: String) throws -> [String] { try ConfigurationDirectory(main: text).errors() }

  @Test(
    "S38: aliases are counted behind every line break of YAML, and a byte order mark",
    arguments: [" ", "\u{85}", "\u{2028}", "\u{2029}"])
  func aliases(opening: String) throws {
    let text = "x: &a [1]\ny: [" + (1...33).map { _ in opening + "*a" }.joined(separator: ",") + "]\n"
    #expect(try errors(text) == ["etc/albumd.yaml:2:134: syntax"])
    let lines = "x: &a [1]\n" + (1...33).map { "? [\u{2028}\u{FEFF}*a,\($0)]\n: 1\n" }.joined()
    #expect(try errors(lines) == ["etc/albumd.yaml:66:6: syntax"])
    // What ends a comment goes on nothing.
    let commented = "x: &a [1]\ny:\n" + (1...33).map { _ in "  - # \\\n    *a\n" }.joined()
    #expect(try errors(commented) == ["etc/albumd.yaml:68:5: syntax"])
    let flow = "x: &a [1]\ny: [" + (1...33).map { _ in " # \\\n*a," }.joined() + "]\n"
    #expect(try errors(flow) == ["etc/albumd.yaml:35:1: syntax"])
  }

  @Test(
    "S38: no language has texts with so many combining marks in a row, however they are written",
    arguments: [
      marks(31), marks(31, "\u{344}"), marks(31, "\u{F73}"),
      String(repeating: #"\u0316"#, count: 31), String(repeating: #"\U00000301"#, count: 31),
      marks(16) + String(repeating: #"\u0316"#, count: 15), marks(16) + "\\\n   " + marks(15),
    ])
  func marksInARow(marks: String) throws {
    let found = try errors("roots:\n  - path: /srv\nstate: \"/e\(marks)\"\n")
    #expect(found.count == 1 && found[0].hasSuffix(": syntax"), "\(found)")
    let key = try errors("\"e\(marks)\": 1\nroots:\n  - path: /srv\n")
    #expect(key.count == 1 && key[0].hasPrefix("etc/albumd.yaml:") && key[0].hasSuffix(": syntax"), "\(key)")
  }

  @Test("S38: nor in a tag, where marks are written as bytes")
  func tag() throws {
    let found = try errors("roots: !a\(String(repeating: "%CC%81", count: 257)) []\n")
    #expect(found == ["etc/albumd.yaml:1:\(10 + 512 * 3): syntax"])
  }

  @Test("S38: what languages have is read: as many marks as a text may have in a row, twice")
  func few() throws {
    let text = Self.marks(30)
    #expect(try errors("roots:\n  - path: /srv\nstate: /e\(text)e\(text)\n") == [])
    #expect(try errors("roots:\n  - path: /srv\nstate: \"/กำ้้ हिन्दी عَرَبِيّ %E4%B8%AD *a \\u0316\"\n") == [])
  }
}
