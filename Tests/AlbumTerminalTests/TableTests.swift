import AlbumTerminal
import Testing

@Suite struct TableTests {
  @Test("wide characters count two columns")
  func wide() {
    #expect(TextWidth.columns(of: "壁纸") == 4)
    #expect(TextWidth.columns(of: "e\u{301}") == 1)
    #expect(TextWidth.columns(of: "👨‍👩‍👧") == 2)
    #expect(TextWidth.columns(of: "❤️") == 2)
    #expect(TextWidth.columns(of: "ｱ") == 1)
  }

  @Test("columns line up, numbers on the right, nothing after the last text")
  func alignment() {
    var table = Table(.init("NAME"), .init("SIZE", .trailing), .init("TITLE"))
    let text = table.lines(of: [["壁纸", "7", "x"], ["bilder", "1200", ""]])
    #expect(
      text == """
        NAME    SIZE  TITLE
        壁纸       7  x
        bilder  1200

        """)
  }

  @Test("a later page has no second header and keeps the widths")
  func pages() {
    var table = Table(.init("A"), .init("B"))
    #expect(table.lines(of: []) == "")
    #expect(table.lines(of: [["long", "1"]]) == "A     B\nlong  1\n")
    #expect(table.lines(of: [["x", "2"]]) == "x     2\n")
    #expect(table.lines(of: [["\n", "3"]]) == "\\n    3\n")
  }

  @Test("a text is cut between characters, never in the middle of a wide one")
  func fit() {
    #expect(TextWidth.fit("壁纸壁纸", into: 5) == "壁纸…")
    #expect(TextWidth.fit("壁纸壁纸", into: 8) == "壁纸壁纸")
    #expect(TextWidth.fit("壁纸壁纸", into: 4) == "壁…")
    #expect(TextWidth.fit("abc", into: 0) == "")
  }

  @Test("lines break between words, or anywhere in text without spaces")
  func wrap() {
    #expect(TextWidth.wrap("one two three", into: 7) == ["one two", "three"])
    #expect(TextWidth.wrap("需要访问相册", into: 5) == ["需要", "访问", "相册"])
    #expect(TextWidth.wrap("", into: 5) == [""])
  }
}
