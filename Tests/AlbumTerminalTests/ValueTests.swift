import AlbumAPI
import AlbumClient
import AlbumTerminal
import Testing

@Suite struct ValueTests {
  @Test("keys in what a terminal sends")
  func keys() {
    #expect(Key.keys(in: Array("a".utf8)) == [.character("a")])
    #expect(
      Key.keys(in: Array("\u{1B}[A\u{1B}[B\u{1B}OA\u{1B}[5~\u{1B}[6~".utf8)) == [
        .up, .down, .up, .pageUp, .pageDown,
      ])
    #expect(Key.keys(in: Array("\u{1B}".utf8)) == [.escape])
    #expect(Key.keys(in: Array("\r\u{7F} ".utf8)) == [.enter, .backspace, .character(" ")])
    // A function key is no letter of its sequence.
    #expect(Key.keys(in: Array("\u{1B}[1;5D\u{1B}[15~d".utf8)) == [.character("d")])
    #expect(Key.keys(in: [0, 1, 0xFF]) == [.character("\u{FFFD}")])
  }

  @Test("a sequence that a slow line cuts in two is no Escape by itself")
  func unfinished() {
    for start in ["\u{1B}", "a\u{1B}[", "\u{1B}[1;5", "\u{1B}O"] {
      #expect(Key.isUnfinished(Array(start.utf8)))
    }
    for whole in ["", "a", "\u{1B}[A", "\u{1B}OA", "\u{1B}[5~", "\u{1B}x", "\u{1B}[Aj"] {
      #expect(!Key.isUnfinished(Array(whole.utf8)))
    }
  }

  @Test(
    "an exported name is a name, never a path",
    arguments: [
      ("a.jpg", nil, "a.jpg"), ("../../etc/passwd", nil, "_._.._etc_passwd"), ("..", nil, "_."),
      ("", nil, "unnamed"),
      ("\u{FFFD}.jpg", "%61%2F.jpg", "a_.jpg"), ("x", "%zz", "x"), ("x", "%+5", "x"),
    ] as [(String, String?, String)])
  func exportNames(name: String, encoded: String?, result: String) {
    let name = ExportName(filename: name, percentEncoded: encoded)
    #expect(String(decoding: name.bytes, as: UTF8.self) == result)
  }

  @Test("an exported name that is not UTF-8 keeps its bytes, and numbers go before the extension")
  func exportBytes() {
    let name = ExportName(filename: "\u{FFFD}.jpg", percentEncoded: "%FF.jpg")
    #expect(name.bytes == [0xFF] + Array(".jpg".utf8))
    #expect(name.numbered(2).bytes == [0xFF] + Array(" (2).jpg".utf8))
    #expect(name.replacingExtension(with: "mov").bytes == [0xFF] + Array(".mov".utf8))
  }

  @Test("a long exported name is cut where its end needs the room, and no letter in it is")
  func longExportNames() {
    let name = ExportName(filename: String(repeating: "照", count: 83) + "ab.jpg")
    #expect(name.bytes.count == 255)
    #expect(
      String(validating: name.numbered(2).bytes, as: UTF8.self) == String(repeating: "照", count: 82)
        + " (2).jpg"
    )
    #expect(name.numbered(99_999).bytes.count <= 255)
    #expect(
      name.replacingExtension(with: "jpeg").bytes
        == Array((String(repeating: "照", count: 83) + "a.jpeg").utf8))
  }

  @Test("nor is a long one hidden: of what is not UTF-8 as much stays as there is room for")
  func longExportBytes() {
    let name = ExportName(filename: "x", percentEncoded: String(repeating: "%80", count: 251) + ".jpg")
    #expect(
      name.replacingExtension(with: "mov").bytes == Array(repeating: 0x80, count: 251) + Array(".mov".utf8))
    #expect(name.numbered(2).bytes == Array(repeating: 0x80, count: 247) + Array(" (2).jpg".utf8))
    let whole = ExportName(filename: "x", percentEncoded: String(repeating: "%80", count: 255))
    #expect(whole.replacingExtension(with: "mov").bytes.starts(with: [0x80]))
    let extended = ExportName(filename: "a").replacingExtension(with: String(repeating: "b", count: 300))
    #expect(extended.bytes.starts(with: Array("_b".utf8)) && extended.bytes.count == 255)
  }

  @Test("times of a person: RFC 3339, a date, or a span")
  func times() {
    let now = Instant(microseconds: 5)
    #expect(Instant(argument: "2h", now: now)?.microseconds == 7_200_000_005)
    // A day begins in the zone of the person, as the times that they are shown.
    let day = Instant(argument: "2026-12-31", now: now)
    #expect(day.map { "\(LocalTime($0))" } == "2026-12-31 00:00")
    #expect(GivenTime("7d")?.instant(before: now).microseconds == 5 - 604_800_000_000)
    for wrong in ["", "h", "-2h", "0d", "2y", "soon", "999999999999999d", "2024-02-30"] {
      #expect(Instant(argument: wrong, now: now) == nil)
    }
  }

  @Test(
    "sizes",
    arguments: [
      (0, "0"), (1023, "1023"), (1024, "1.0 KiB"), (3_500_000, "3.3 MiB"), (1_048_000, "1.0 MiB"),
      (250_000_000, "238 MiB"),
    ] as [(Int64, String)])
  func sizes(bytes: Int64, text: String) {
    #expect(ByteCount(bytes).description == text)
  }
}
