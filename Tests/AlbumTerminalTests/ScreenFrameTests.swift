import AlbumAPI
import TestSupport
import Testing

@testable import AlbumTerminal

@Suite("The screen of a picker with pictures") struct ScreenFrameTests {
  private let noon = Instant(microseconds: 0)

  private func graphics(_ kind: TerminalGraphics.Kind) -> TerminalGraphics {
    var graphics = TerminalGraphics()
    _ = graphics.ask(term: "xterm", now: noon)
    if kind == .kitty { graphics.take(.kitty(true), now: noon) }
    graphics.take(.cell(width: 10, height: 20), now: noon)
    graphics.take(.attributes([62, 4]), now: noon)
    return graphics
  }

  /// A picker of so many photos that is open.
  private func picker(_ photos: Int = 1000) -> (AgentDialog, FakeLibrary) {
    var (dialog, library) = (AgentDialog(), FakeLibrary(photos))
    dialog.show(
      AgentInterface.Prompt(
        id: "1", kind: .limitedPicker,
        app: .init(id: "org.example.App", name: "App", verified: false, user: "alice"),
        choices: [.limited, .allow, .notNow]))
    press(.character("s"), &dialog, &library)
    return (dialog, library)
  }

  private func press(_ key: Key, _ dialog: inout AgentDialog, _ library: inout FakeLibrary) {
    perform(dialog.press(key, now: noon), &dialog, &library)
  }

  private func perform(
    _ actions: [AgentDialog.Action], _ dialog: inout AgentDialog, _ library: inout FakeLibrary
  ) {
    var actions = actions
    while !actions.isEmpty {
      if case .load(let request) = actions.removeFirst() {
        actions += dialog.loaded(library.answer(request), for: request)
      }
    }
  }

  @Test("the picture is of the photo that the cursor is on, and of nothing else")
  func pictured() {
    var (dialog, library) = picker()
    #expect(dialog.pictured == [.asset("id0")])
    press(.down, &dialog, &library)
    #expect(dialog.pictured == [.asset("id1")])
    // Albums.
    press(.tab, &dialog, &library)
    #expect(dialog.pictured.isEmpty)
    press(.escape, &dialog, &library)
    #expect(dialog.pictured.isEmpty && !dialog.isPicking)
  }

  @Test(
    "it is beside the list from 80 columns on, else beneath it, where there is room for either",
    arguments: [
      (80, 24, PictureBox(row: 4, column: 40, columns: 40, rows: 16)),
      (121, 40, PictureBox(row: 4, column: 60, columns: 61, rows: 33)),
      (79, 24, PictureBox(row: 11, column: 0, columns: 79, rows: 8)),
      (40, 14, nil), (80, 6, nil), (10, 24, nil), (1, 1, nil),
    ])
  func box(columns: Int, rows: Int, box: PictureBox?) {
    for photos in [3, 1000] {
      var (dialog, library) = picker(photos)
      perform(dialog.resize(rows: rows), &dialog, &library)
      let frame = dialog.frame(columns: columns, rows: rows)
      #expect(frame.hasRoomForPicture == (box != nil))
      if let box {
        #expect(frame.box?.column == box.column && frame.box?.columns == box.columns)
        #expect((frame.box?.rows ?? 0) >= (columns < 80 ? 8 : 4))
      } else {
        #expect(frame.lines == dialog.screen(columns: columns, rows: rows))
      }
      #expect(frame.lines.count <= rows)
      for (row, line) in frame.lines.enumerated() {
        let isBeside = box.map { $0.column > 0 } == true && frame.box?.contains(row: row) == true
        #expect(TextWidth.columns(of: line.text) <= (isBeside ? columns / 2 - 1 : columns))
        if box?.column == 0, frame.box?.contains(row: row) == true { #expect(line.text.isEmpty) }
      }
      if columns >= 20 { #expect(frame.lines.contains { $0.text.hasPrefix("> ") }) }
    }
  }

  @Test("without room for a picture a screen is drawn as ever")
  func plain() {
    let (dialog, _) = picker()
    let lines = dialog.screen(columns: 80, rows: 24)
    let text = lines.map { $0.isEmphasized ? "\u{1B}[1m\($0.text)\u{1B}[m" : $0.text }.joined(
      separator: "\r\n")
    let frame = ScreenFrame(lines, columns: 80, rows: 24)
    for previous in [nil, frame] {
      #expect(
        frame.bytes(after: previous, on: TerminalGraphics()) == Array("\u{1B}[H\u{1B}[2J\(text)".utf8))
    }
  }

  @Test("a photo that is selected draws one line anew and leaves the picture alone")
  func selecting() {
    var (dialog, library) = picker()
    for kind in [TerminalGraphics.Kind.kitty, .sixel] {
      var before = dialog.frame(columns: 80, rows: 24)
      before.picture = .halves(width: 512, height: 384)
      press(.character(" "), &dialog, &library)
      var after = dialog.frame(columns: 80, rows: 24)
      after.picture = before.picture
      let bytes = after.bytes(after: before, on: graphics(kind))
      #expect(bytes.count < 400 && !bytes.isEmpty)
      #expect(before.bytes(after: before, on: graphics(kind)).isEmpty)
    }
  }

  @Test(
    "whatever is shown after whatever, it is what a screen shows that was drawn anew",
    arguments: [TerminalGraphics.Kind.kitty, .sixel], 0..<4 as Range<UInt64>)
  func any(kind: TerminalGraphics.Kind, seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let graphics = graphics(kind)
    var (dialog, library) = picker()
    var previous: ScreenFrame?
    var size = (columns: 90, rows: 30)
    var screen = TestScreen(columns: size.columns, rows: size.rows)
    let keys: [Key] =
      [.up, .down, .pageUp, .pageDown, .home, .end, .tab, .escape, .backspace, .enter]
      + " *us/9".map { .character($0) }
    for _ in 0..<150 {
      if Int.random(in: 0..<20, using: &random) == 0 {
        size = (
          Int.random(in: 20...120, using: &random), Int.random(in: 6...40, using: &random)
        )
        screen = TestScreen(columns: size.columns, rows: size.rows)
        perform(dialog.resize(rows: size.rows), &dialog, &library)
      } else {
        press(keys.randomElement(using: &random) ?? .down, &dialog, &library)
      }
      var frame = dialog.frame(columns: size.columns, rows: size.rows)
      if !dialog.pictured.isEmpty, Bool.random(using: &random) {
        // As long as one can be, and soon drawn.
        let (long, short) = (Int.random(in: 1...512, using: &random), Int.random(in: 1...6, using: &random))
        let isWide = Bool.random(using: &random)
        frame.picture = .halves(width: isWide ? long : short, height: isWide ? short : long)
      }
      screen.show(frame.bytes(after: previous, on: graphics))
      var anew = TestScreen(columns: size.columns, rows: size.rows)
      anew.show(frame.bytes(after: nil, on: graphics))
      try #require(screen == anew, "\(screen.text) \(anew.text)")
      #expect(screen.unknown.isEmpty && anew.unknown.isEmpty, "\(screen.unknown)")
      let isShown = frame.hasRoomForPicture && frame.picture != nil
      #expect((screen.kitty.isEmpty && screen.sixels.isEmpty) != isShown)
      previous = frame
      if dialog.answer != nil {
        perform(dialog.answerFailed("again", isFinal: false), &dialog, &library)
      }
    }
    screen.show(previous?.erasure(graphics) ?? [])
    #expect(screen.kitty.isEmpty && screen.sixels.isEmpty)
  }
}
