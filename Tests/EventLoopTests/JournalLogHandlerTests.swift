import Testing

@testable import EventLoop

struct JournalLogHandlerTests {
  @Test("a name from a peer does not move the terminal's cursor, end the line or turn the writing")
  func terminal() {
    #expect(
      JournalLogHandler.oneLine("a\u{1B}[2Jb\u{9B}c\u{202E}d\u{2028}e")
        == #"a\u{1B}[2Jb\u{9B}c\u{202E}d\u{2028}e"#)
    #expect(JournalLogHandler.oneLine("one\ntwo\rthree") == "one two three")
    #expect(JournalLogHandler.oneLine("壁纸 é") == "壁纸 é")
  }
}
