import AlbumTerminal
import Testing
import Words

@Suite struct TableTests {
  @Test("wide characters count two columns")
  func wide() {
    #expect(TextWidth.columns(of: "壁纸") == 4)
    #expect(TextWidth.columns(of: "e\u{301}") == 1)
    // As drawn where joined emoji are not known.
    #expect(TextWidth.columns(of: "👨‍👩‍👧") == 6)
    #expect(TextWidth.columns(of: "한") == 2)
    #expect(TextWidth.columns(of: "\u{1112}\u{1161}\u{11AB}") == 2)
    #expect(TextWidth.columns(of: "❤️") == 2)
    #expect(TextWidth.columns(of: "ｱ") == 1)
  }

  @Test(
    "what Unicode 16 has made wide counts two columns, and what is beside it one",
    arguments: [
      0x2630...0x2637, 0x268A...0x268F, 0x1D300...0x1D356, 0x1D360...0x1D376,
    ] as [ClosedRange<UInt32>])
  func symbols(range: ClosedRange<UInt32>) {
    func columns(_ value: UInt32) -> Int? {
      Unicode.Scalar(value).map { TextWidth.columns(of: String(Character($0))) }
    }
    #expect(range.allSatisfy { columns($0) == 2 })
    #expect(columns(range.lowerBound - 1) == 1 && columns(range.upperBound + 1) == 1)
  }

  @Test(
    "what Swift takes for one character is as wide as all that a terminal draws of it",
    arguments: [("\u{1100}", 2), ("\u{1F468}\u{200D}", 2), ("\u{915}\u{94D}", 1), ("\u{1F1E9}\u{1F1EA}", 4)])
  func clusters(part: String, width: Int) {
    let text = String(repeating: part, count: 78)
    #expect(TextWidth.columns(of: text) == 78 * width)
    #expect(TextWidth.columns(of: TextWidth.fit(text, into: 20)) <= 20)
    #expect(TextWidth.columns(of: TextWidth.abbreviate(text, into: 20)) <= 20)
    #expect(TextWidth.fit(text, into: 20).unicodeScalars.count > 5)
    let lines = TextWidth.wrap(text, into: 20)
    #expect(lines.allSatisfy { TextWidth.columns(of: $0) <= 20 })
    #expect(lines.joined() == text)
  }

  @Test("of a path that does not fit, both ends are left")
  func abbreviate() {
    #expect(TextWidth.abbreviate("/usr/bin/wallpapers", into: 11) == "/usr/…apers")
    #expect(TextWidth.abbreviate("/usr/bin", into: 11) == "/usr/bin")
    #expect(TextWidth.abbreviate("壁纸壁纸壁纸", into: 8) == "壁纸…纸")
    #expect(TextWidth.abbreviate("abcdef", into: 2) == "a…")
  }

  @Test("one long text pushes its own row apart, not the table")
  func longRow() {
    var table = Table(.init("A"), .init("B"))
    let long = String(repeating: "x", count: 100)
    #expect(
      table.lines(of: [[long, "1"], ["y", "2"]]).split(separator: "\n").map(\.count) == [67, 103, 67])
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

  @Test("columns line up under titles in Chinese")
  func chinese() {
    let words = Words.matching(["zh-CN"])
    var table = Table(
      .init(words[.columnApp]), .init(words[.columnAppsNow], .trailing), .init(words[.columnUntil]))
    let lines = table.lines(of: [["org.example.壁纸", "3", words[.untilAppExits]], ["a", "12", ""]])
    #expect(
      lines == """
        应用              现有应用  有效期至
        org.example.壁纸         3  应用退出
        a                       12

        """)
  }

  @Test("a text is padded to columns, never cut")
  func pad() {
    #expect(TextWidth.pad("壁纸", to: 6) == "壁纸  ")
    #expect(TextWidth.pad("壁纸", to: 6, before: true) == "  壁纸")
    #expect(TextWidth.pad("壁纸", to: 3) == "壁纸")
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
