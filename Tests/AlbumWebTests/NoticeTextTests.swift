import Testing

@testable import AlbumWeb

@Suite struct NoticeTextTests {
  @Test("S62: what an app says is one line of a notification, and no longer than may be")
  func bounded() {
    #expect(NoticeText.line("Wallpapers", most: 10) == "Wallpapers")
    #expect(NoticeText.line("Wallpapers!", most: 10) == "Wallpaper…")
    #expect(NoticeText.line(String(repeating: "e\u{301}", count: 1000), most: 10).unicodeScalars.count == 10)
  }

  @Test(
    "S62: a notification is not turned around, and has no lines that an app made",
    arguments: [
      "\n", "\r", "\u{1B}", "\u{85}", "\u{202E}", "\u{2066}", "\u{200F}", "\u{2028}", "\0",
    ])
  func plain(_ mark: String) {
    #expect(NoticeText.line("a\(mark)b", most: 10) == "a b")
  }
}
