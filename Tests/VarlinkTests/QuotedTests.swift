import Testing
import Varlink

@Suite("What is quoted of a peer")
struct QuotedTests {
  @Test("is its beginning, of whatever length it is, and says that there was more")
  func short() {
    #expect("\(Quoted("io.albumd.Library"))" == "io.albumd.Library")
    let long = "\(Quoted(String(repeating: "A", count: 1_000_000)))"
    #expect(long == String(repeating: "A", count: 64) + "…")
    // Never half a character.
    #expect("\(Quoted(String(repeating: "ä", count: 40), byteLimit: 5))" == "ää…")
  }

  @Test(
    "has nothing that ends a line, moves a cursor or turns the direction of writing",
    arguments: [
      ("a\nb", "a\\u{a}b"), ("\u{1b}[2J", "\\u{1b}[2J"), ("\u{202e}evil", "\\u{202e}evil"),
      ("a\u{2028}b", "a\\u{2028}b"), ("\u{200f}", "\\u{200f}"), ("\u{85}", "\\u{85}"), ("写真", "写真"),
    ])
  func harmless(_ text: String, _ quoted: String) {
    #expect("\(Quoted(text))" == quoted)
  }

  @Test("need not be UTF-8")
  func bytes() {
    #expect("\(Quoted([0x61, 0xFF, 0x62]))" == "a\u{FFFD}b")
  }
}
