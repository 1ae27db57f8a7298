import AlbumAPI
import Testing

@testable import AlbumTerminal

@Suite("The pictures of what a prompt is about") struct PromptPictureTests {
  private let noon = Instant(microseconds: 0)

  private func dialog(_ kind: AgentInterface.PromptKind, _ assets: Int) -> AgentDialog {
    var dialog = AgentDialog()
    var library = FakeLibrary(max(1, assets))
    var actions = dialog.show(
      AgentInterface.Prompt(
        id: "7", kind: kind,
        app: .init(id: "org.example.App", name: "App", verified: true, user: "alice"),
        choices: [.allow, .notNow], assets: assets == 0 ? nil : (0..<assets).map { "id\($0)" }),
      now: noon)
    while !actions.isEmpty {
      if case .load(let request) = actions.removeFirst() {
        actions += dialog.loaded(library.answer(request), for: request)
      }
    }
    return dialog
  }

  @Test("S33, S60: of what would be deleted the first twelve; of what would be overwritten, and what by")
  func shown() {
    #expect(dialog(.deletion, 2).pictured == [.asset("id0"), .asset("id1")])
    #expect(dialog(.deletion, 40).pictured == (0..<12).map { .asset("id\($0)") })
    #expect(dialog(.replacement, 1).pictured == [.asset("id0"), .replacement("7")])
    #expect(dialog(.reversion, 1).pictured == [.asset("id0")])
    #expect(dialog(.authorization, 0).pictured.isEmpty)
    var answered = dialog(.deletion, 2)
    _ = answered.press(.character("a"), now: Instant(microseconds: 2 * AgentDialog.settling))
    #expect(answered.answer != nil && answered.pictured.isEmpty)
  }

  @Test(
    "S60: they are beside the list of the photos or beneath it, and never in the place of what is asked or of its keys",
    arguments: [(80, 24), (121, 40), (79, 40), (60, 60), (79, 24), (40, 12), (20, 6), (80, 9)],
    [AgentInterface.PromptKind.deletion, .replacement, .reversion])
  func placed(size: (columns: Int, rows: Int), kind: AgentInterface.PromptKind) {
    for count in kind == .deletion ? [1, 2, 40] : [1] {
      let dialog = dialog(kind, count)
      let frame = dialog.frame(columns: size.columns, rows: size.rows)
      let plain = dialog.screen(columns: size.columns, rows: size.rows)
      #expect(frame.lines.count <= size.rows)
      if size.rows >= 24, size.columns >= 80 || size.rows >= 40 { #expect(frame.hasRoomForPicture) }
      guard let box = frame.box else {
        #expect(frame.lines == plain)
        continue
      }
      for (row, line) in frame.lines.enumerated() where box.contains(row: row) {
        #expect(TextWidth.columns(of: line.text) < max(1, box.column))
      }
      let outside = frame.lines.enumerated().filter { !box.contains(row: $0.offset) }.map(\.element.text)
      for line in plain where line.isFaint || line.isEmphasized { #expect(outside.contains(line.text)) }
      if kind == .replacement {
        #expect(frame.lines.contains { $0.text.contains("Left: as it is now") })
      }
    }
  }

  @Test("pictures stand in their order, none larger than the others' places; one alone is itself")
  func sheet() throws {
    let (red, green) = (plain(300, 100, [255, 0, 0]), plain(100, 400, [0, 255, 0]))
    #expect(Pixmap.sheet([red]) == red)
    #expect(Pixmap.sheet([nil]) == nil && Pixmap.sheet([nil, nil]) == nil && Pixmap.sheet([]) == nil)
    let two = try #require(Pixmap.sheet([red, green]))
    #expect(two.width == 512 && two.height == 252)
    #expect(two.pixel(126, 126) == [255, 0, 0] && two.pixel(386, 126) == [0, 255, 0])
    #expect(two.pixel(256, 126) == [128, 128, 128] && two.pixel(126, 10) == [128, 128, 128])
    // One that is missing leaves its place empty.
    let second = try #require(Pixmap.sheet([nil, green]))
    #expect(second.pixel(126, 126) == [128, 128, 128] && second.pixel(386, 126) == [0, 255, 0])
    for count in 2...12 {
      let sheet = try #require(Pixmap.sheet((0..<count).map { plain(512, 512, [UInt8($0), 1, 2]) }))
      #expect(sheet.width <= 512 && sheet.height <= 512)
      #expect(sheet.rgb.count == sheet.width * sheet.height * 3)
      let seen = Set(stride(from: 0, to: sheet.rgb.count, by: 3).map { sheet.rgb[$0] })
      #expect(seen.isSuperset(of: (0..<count).map { UInt8($0) }))
    }
  }

  private func plain(_ width: Int, _ height: Int, _ colour: [UInt8]) -> Pixmap {
    .halves(colour, colour, width: width, height: height)
  }
}
