@testable import AlbumTerminal

/// A terminal of letters of ten by twenty pixels that does what it is sent, and shows kitty's pictures and sixels.
struct TestScreen: Hashable {
  let columns: Int
  let rows: Int
  /// What is written in each place: nothing is a blank, and the right half of a wide letter.
  private(set) var letters: [[String]]
  /// Where sixels are that nothing was written over.
  private(set) var sixels: Set<[Int]> = []
  /// Where kitty shows a picture: row, column, columns and rows as said.
  private(set) var kitty: [String] = []
  private var row = 0
  private var column = 0
  private var hasKittyPixels = false
  /// What was sent and is none of it.
  private(set) var unknown: [String] = []
  /// How often everything was erased.
  private(set) var erasures = 0

  init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
    letters = Array(repeating: Array(repeating: "", count: columns), count: rows)
  }

  static func == (one: TestScreen, other: TestScreen) -> Bool {
    one.text == other.text && one.sixels == other.sixels && one.kitty == other.kitty
  }

  func hash(into hasher: inout Hasher) { hasher.combine(text) }

  /// The lines without blanks at their ends.
  var text: [String] {
    letters.map { line in
      var text = line.map { $0.isEmpty ? " " : $0 }.joined()
      while text.last == " " { text.removeLast() }
      return text
    }
  }

  mutating func show(_ bytes: [UInt8]) {
    var rest = Substring(String(decoding: bytes, as: UTF8.self))
    while let character = rest.popFirst() {
      switch character {
      case "\u{1B}": escape(&rest)
      case "\r\n": (row, column) = (row + 1, 0)
      default: write(character)
      }
    }
  }

  private mutating func write(_ character: Character) {
    let width = TextWidth.columns(of: String(character))
    guard row < rows, column + width <= columns else { return unknown.append("beyond: \(row) \(column)") }
    for place in 0..<width {
      letters[row][column + place] = place == 0 ? String(character) : ""
      sixels.remove([row, column + place])
    }
    column += width
  }

  private mutating func escape(_ rest: inout Substring) {
    switch rest.popFirst() {
    case "[":
      let numbers = rest.prefix { $0.isNumber || $0 == ";" || $0 == "?" }
      rest = rest.dropFirst(numbers.count)
      control(rest.popFirst(), numbers.split(separator: ";").compactMap { Int($0) })
    case "_": command(string(&rest))
    case "P": picture(string(&rest))
    case let other: unknown.append("\(String(describing: other))")
    }
  }

  private func string(_ rest: inout Substring) -> String {
    let content = rest.prefix { $0 != "\u{1B}" }
    rest = rest.dropFirst(content.count + 2)
    return String(content)
  }

  private mutating func control(_ final: Character?, _ numbers: [Int]) {
    switch (final, numbers) {
    case ("H", let place): (row, column) = ((place.first ?? 1) - 1, (place.dropFirst().first ?? 1) - 1)
    case ("J", [2]):
      erasures += 1
      for line in 0..<rows { erase(line, from: 0) }
      kitty = []
    case ("K", [2]): erase(row, from: 0)
    case ("K", []): erase(row, from: column)
    case ("m", _): break
    case (let other, _): unknown.append("\(String(describing: other)) \(numbers)")
    }
  }

  private mutating func erase(_ line: Int, from first: Int) {
    for column in first..<columns {
      letters[line][column] = ""
      sixels.remove([line, column])
    }
  }

  private mutating func command(_ text: String) {
    guard let command = KittyCommand.all(in: Array("\u{1B}_\(text)\u{1B}\\".utf8)).first else { return }
    switch command.keys["a"] {
    case "t": hasKittyPixels = true
    case "p":
      guard hasKittyPixels else { return unknown.append("no pixels") }
      kitty = ["\(row) \(column) \(command.keys["c"] ?? "-") \(command.keys["r"] ?? "-")"]
    case "d": (kitty, hasKittyPixels) = ([], false)
    case nil: break
    case let other?: unknown.append("kitty \(other)")
    }
  }

  private mutating func picture(_ text: String) {
    guard let screen = SixelScreen(Array("\u{1B}P\(text)\u{1B}\\".utf8)) else {
      return unknown.append("sixel")
    }
    // A terminal draws whole sixels, and moves on when they end.
    for line in row..<row + ((screen.height + 5) / 6 * 6 + 19) / 20 {
      for place in column..<column + (screen.width + 9) / 10 {
        if line >= rows || place >= columns { unknown.append("sixel beyond: \(line) \(place)") }
        sixels.insert([line, place])
      }
    }
  }
}
