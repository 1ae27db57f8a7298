/// What a terminal shows at one time, and how it comes there from what it showed before.
package struct ScreenFrame: Hashable, Sendable {
  /// From the top.
  package let lines: [AgentDialog.Line]
  private let columns: Int
  private let rows: Int
  /// Where a picture may be; it stays free where there is none.
  let box: PictureBox?
  /// What is shown there.
  package var picture: Pixmap?

  /// - Parameters:
  ///   - columns: of the terminal.
  ///   - rows: of the terminal.
  package init(_ lines: [AgentDialog.Line], columns: Int, rows: Int) {
    self.init(lines, columns: columns, rows: rows, box: nil)
  }

  init(_ lines: [AgentDialog.Line], columns: Int, rows: Int, box: PictureBox?) {
    self.lines = lines
    self.columns = columns
    self.rows = rows
    self.box = box.flatMap { $0.row + $0.rows <= lines.count ? $0 : nil }
  }

  /// Whether a picture has a place on it.
  package var hasRoomForPicture: Bool { box != nil }

  /// What is sent to show it.
  ///
  /// Where there is room for a picture only what is another is drawn, so that nothing flickers; else everything.
  ///
  /// - Parameter previous: what is shown now; nil where that is something else.
  package func bytes(after previous: ScreenFrame?, on graphics: TerminalGraphics) -> [UInt8] {
    guard let previous, let box, previous.box == box, previous.columns == columns, previous.rows == rows
    else {
      // Sixels go with everything else.
      let erased = graphics.kind == .kitty ? previous?.erasure(graphics) ?? [] : []
      let text = "\u{1B}[H\u{1B}[2J\(lines.map(\.rendered).joined(separator: "\r\n"))"
      return erased + Array(text.utf8) + drawing(graphics)
    }
    let isSame = previous.shownPicture == shownPicture
    var out = isSame ? [] : previous.erasure(graphics)
    for row in 0..<max(lines.count, previous.lines.count) {
      let line = lines.indices.contains(row) ? lines[row] : .init("")
      let old = previous.lines.indices.contains(row) ? previous.lines[row] : .init("")
      guard line != old else { continue }
      let isBeside = box.column > 0 && box.contains(row: row)
      // What is beside a picture is written over: to erase the line would erase the picture.
      let blanks = isBeside ? max(0, box.column - TextWidth.columns(of: line.text)) : 0
      let erased = isBeside ? "" : "\u{1B}[2K"
      let padding = String(repeating: " ", count: blanks)
      out += Array("\u{1B}[\(row + 1);1H\(erased)\(line.rendered)\(padding)".utf8)
    }
    return isSame ? out : out + drawing(graphics)
  }

  /// What takes the picture away, as the screen is left.
  package func erasure(_ graphics: TerminalGraphics) -> [UInt8] {
    guard shownPicture != nil, let box else { return [] }
    switch graphics.kind {
    case .kitty: return KittyGraphics.delete
    // Its pixels go with the letters of their places.
    case .sixel:
      return (box.row..<box.row + box.rows).flatMap {
        Array("\u{1B}[\($0 + 1);\(box.column + 1)H\u{1B}[K".utf8)
      }
    case nil: return []
    }
  }

  /// The picture, where there is room for one.
  private var shownPicture: Pixmap? { box == nil ? nil : picture }

  private func drawing(_ graphics: TerminalGraphics) -> [UInt8] {
    guard let picture = shownPicture, let box else { return [] }
    let cell = graphics.cell ?? .usual
    // Sixels come in sixes: what is one line too many would be on the next row of letters.
    let fitted = picture.fitted(
      width: box.columns * cell.width, height: max(6, box.rows * cell.height / 6 * 6))
    let cursor = Array("\u{1B}[\(box.row + 1);\(box.column + 1)H".utf8)
    switch graphics.kind {
    case .kitty:
      return KittyGraphics.transmit(fitted) + cursor + KittyGraphics.place(box, fitted, cell)
    case .sixel: return cursor + Sixel(registers: graphics.registers).encode(fitted)
    case nil: return []
    }
  }
}

extension AgentDialog.Line {
  /// As ECMA-48 says it is written.
  var rendered: String {
    let style = (isEmphasized ? ["1"] : []) + (isFaint ? ["2"] : [])
    return style.isEmpty ? text : "\u{1B}[\(style.joined(separator: ";"))m\(text)\u{1B}[m"
  }
}
