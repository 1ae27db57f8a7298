import AlbumTerminal
import Testing

@Suite struct SafeTextTests {
  @Test(
    "a name cannot act on the terminal",
    arguments: [
      ("IMG_1.jpg", "IMG_1.jpg"),
      ("壁纸 é.jpg", "壁纸 é.jpg"),
      ("\u{1B}[2J\u{1B}]0;x\u{7}", "\\e[2J\\e]0;x\\u{7}"),
      ("one\ntwo\r\tthree", "one\\ntwo\\r\\tthree"),
      ("a\\nb", "a\\\\nb"),
      ("photo\u{202E}gpj.exe", "photo\\u{202E}gpj.exe"),
      ("\u{9B}31m", "\\u{9B}31m"),
      ("👨‍👩‍👧", "👨‍👩‍👧"),
    ])
  func escapes(text: String, shown: String) {
    #expect(SafeText(text).description == shown)
  }

  @Test(
    "JSON on a terminal cannot act on it either, and is the same JSON",
    arguments: [
      (#"{"a":"壁纸 \\ é"}"#, #"{"a":"壁纸 \\ é"}"#), ("\"\u{9B}31m\u{7F}\"", #""\u009b31m\u007f""#),
      ("\"photo\u{202E}gpj\"", #""photo\u202egpj""#), ("\"\u{E0041}\"", #""\udb40\udc41""#),
    ])
  func json(text: String, shown: String) {
    #expect(SafeText.json(text) == shown)
  }

  @Test("CRLF, one character to Swift, is escaped too")
  func crlf() {
    #expect(SafeText("a\r\nb").description == "a\\r\\nb")
  }
}
