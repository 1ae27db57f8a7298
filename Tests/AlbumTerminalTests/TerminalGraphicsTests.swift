import AlbumAPI
import Testing

@testable import AlbumTerminal

private let noon = Instant(microseconds: 0)

@Suite("What a terminal answers is no key") struct TerminalGraphicsTests {
  private static let kitty = "\u{1B}_Gi=31;OK\u{1B}\\"
  private static let answers = "\(kitty)\u{1B}[6;20;10t\u{1B}[?1;0;256S\u{1B}[?62;4;22c"

  /// What a terminal can show that answers so.
  private func graphics(_ answers: String, term: String = "xterm") -> TerminalGraphics {
    var (graphics, reader) = (TerminalGraphics(), KeyReader())
    _ = graphics.ask(term: term, now: noon)
    for case .answer(let answer) in reader.read(Array(answers.utf8), expectsAnswers: true) {
      graphics.take(answer, now: noon)
    }
    return graphics
  }

  @Test("kitty goes before sixels, and neither is there before the last answer")
  func kinds() {
    #expect(graphics(Self.answers).kind == .kitty)
    #expect(graphics("\u{1B}[?62;4;22c").kind == .sixel)
    #expect(graphics("\u{1B}_Gi=31;ENOTSUPPORTED:no\u{1B}\\\u{1B}[?62;4c").kind == .sixel)
    // A picture of somebody else's.
    #expect(graphics("\u{1B}_Gi=30;OK\u{1B}\\\u{1B}[?62c").kind == nil)
    // The first number is the terminal's, not what it can do.
    for answer in ["\u{1B}[?62;22c", "\u{1B}[?4c", "\u{1B}[?c", Self.kitty, "\u{1B}[6;20;10t"] {
      #expect(graphics(answer).kind == nil, "\(answer.dropFirst())")
    }
    let all = graphics(Self.answers)
    #expect(all.cell == CellSize(width: 10, height: 20) && all.registers == 256)
    for size in ["0;0", "1;1", "9999;10", "20", "20;10;1"] {
      #expect(graphics("\u{1B}[6;\(size)t\u{1B}[?62;4c").cell == nil)
    }
  }

  @Test("who is asked, and what")
  func asked() {
    func question(_ term: String) -> String? {
      var graphics = TerminalGraphics()
      let bytes = graphics.ask(term: term, now: noon)
      #expect(graphics.expectsAnswers(now: noon) == (bytes != nil))
      return bytes.map { String(decoding: $0, as: UTF8.self) }
    }
    #expect(question("dumb") == nil && question("") == nil)
    #expect(
      question("xterm-256color")
        == "\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\\u{1B}[16t\u{1B}[?1;1;0S\u{1B}[c")
    for term in ["screen", "screen-256color", "tmux-256color"] {
      #expect(question(term) == "\u{1B}[16t\u{1B}[?1;1;0S\u{1B}[c")
    }
  }

  @Test("an answer that comes too late is none, and none is expected after the last")
  func late() {
    var graphics = TerminalGraphics()
    graphics.take(.attributes([62, 4]), now: noon)
    #expect(graphics.kind == nil)
    _ = graphics.ask(term: "xterm", now: noon)
    let late = Instant(microseconds: TerminalGraphics.patience + 1)
    #expect(!graphics.expectsAnswers(now: late))
    graphics.take(.attributes([62, 4]), now: late)
    #expect(graphics.kind == nil)
    graphics.take(.attributes([62, 4]), now: Instant(microseconds: TerminalGraphics.patience))
    #expect(graphics.kind == .sixel && !graphics.expectsAnswers(now: noon))
  }

  @Test("the window's size goes before an answer, where the system knows it")
  func window() {
    var graphics = graphics(Self.answers)
    graphics.resize(columns: 80, rows: 24, width: 0, height: 0)
    #expect(graphics.cell == CellSize(width: 10, height: 20))
    graphics.resize(columns: 80, rows: 24, width: 640, height: 384)
    #expect(graphics.cell == CellSize(width: 8, height: 16))
    graphics.resize(columns: 0, rows: 0, width: 640, height: 384)
    #expect(graphics.cell == CellSize(width: 8, height: 16))
  }

  @Test(
    "wherever answers are cut in two, each is whole, and every key before, between and behind them is one")
  func pieces() {
    let bytes = Array("a\u{1B}[A\(Self.answers)\u{1B}[Bz".utf8)
    var reader = KeyReader()
    let whole = reader.read(bytes, expectsAnswers: true)
    #expect(
      whole == [
        .key(.character("a")), .key(.up), .answer(.kitty(true)), .answer(.cell(width: 10, height: 20)),
        .answer(.registers(256)), .answer(.attributes([62, 4, 22])), .key(.down), .key(.character("z")),
      ])
    for cut in bytes.indices {
      // What ends with Escape alone is waited for (``KeyReader/isUnfinished(_:expectsAnswers:)``).
      let first = Array(bytes[..<cut])
      if first.last == 0x1B {
        #expect(reader.isUnfinished(first, expectsAnswers: true))
        if bytes[cut] != UInt8(ascii: "\\") { continue }
      }
      var reader = KeyReader()
      let parts =
        reader.read(first, expectsAnswers: true)
        + reader.read(Array(bytes[cut...]), expectsAnswers: true)
      #expect(parts == whole, "cut at \(cut)")
    }
  }

  @Test(
    "where none is expected bytes are keys as before; the beginning of one that does not come is forgotten")
  func unexpected() {
    var reader = KeyReader()
    let text = Array("\u{1B}_a".utf8)
    #expect(reader.read(text, expectsAnswers: false) == Key.keys(in: text).map(KeyReader.Input.key))
    #expect(!reader.isUnfinished(text, expectsAnswers: false))
    #expect(reader.read(Array("\u{1B}_Gi=31".utf8), expectsAnswers: true).isEmpty)
    #expect(reader.read(Array("a".utf8), expectsAnswers: false) == [.key(.character("a"))])
    #expect(reader.read(Array("b".utf8), expectsAnswers: true) == [.key(.character("b"))])
    // Escape, and then a key that no answer begins with.
    #expect(
      reader.read(Array("\u{1B}_x".utf8), expectsAnswers: true)
        == [.key(.escape), .key(.character("_")), .key(.character("x"))])
  }

  @Test("an answer that does not end takes no more than its bound")
  func bound() {
    var reader = KeyReader()
    let endless = Array("\u{1B}_G".utf8) + [UInt8](repeating: UInt8(ascii: "d"), count: 10_000)
    #expect(reader.read(endless, expectsAnswers: true).isEmpty)
    #expect(reader.read([UInt8(ascii: "d")], expectsAnswers: true) == [.key(.character("d"))])
    // In small pieces as well.
    #expect(reader.read(Array(endless[..<3]), expectsAnswers: true).isEmpty)
    var keys = 0
    for byte in endless[3...] { keys += reader.read([byte], expectsAnswers: true).count }
    #expect(keys == 10_000 - (KeyReader.longestAnswer + 1 - 3))
  }
}
