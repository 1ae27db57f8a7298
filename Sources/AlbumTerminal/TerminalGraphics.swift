package import AlbumAPI

/// How large the place of one letter is, in pixels.
struct CellSize: Hashable, Sendable {
  let width: Int
  let height: Int

  /// Where a terminal does not say: that of DEC's VT340.
  static let usual = CellSize(width: 10, height: 20)

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// - Returns: nil where no letter is of that size.
  init?(checking width: Int, _ height: Int) {
    guard 2...256 ~= width, 2...512 ~= height else { return nil }
    self.init(width: width, height: height)
  }
}

/// What a terminal answered to a question, rather than a key.
package enum TerminalAnswer: Hashable, Sendable {
  /// To kitty's question: whether it speaks that.
  case kitty(Bool)
  /// The first device attributes (DA1), which every terminal answers.
  case attributes([Int])
  /// How large the place of one letter is, in pixels.
  case cell(width: Int, height: Int)
  /// How many colours sixels may have (XTSMGRAPHICS).
  case registers(Int)
}

/// Which pictures a terminal can show: it is asked, and answers among the keys.
package struct TerminalGraphics: Sendable {
  /// How pictures are sent.
  enum Kind: Hashable, Sendable {
    case kitty
    case sixel
  }

  /// After so long, in microseconds, an answer is none any more, and it is as with a terminal without pictures. Nobody
  /// waits for it.
  static let patience: Int64 = 5_000_000

  /// Nil before it is known, and where there is none.
  private(set) var kind: Kind?
  private(set) var cell: CellSize?
  private(set) var registers: Int?
  private var speaksKitty = false
  private var asked: Instant?

  /// A terminal that was not asked.
  package init() {}

  /// Whether pictures can be shown.
  package var showsPictures: Bool { kind != nil }

  /// Whether it was asked and may still answer.
  package func expectsAnswers(now: Instant) -> Bool {
    asked.map { now.microseconds - $0.microseconds <= Self.patience } ?? false
  }

  /// What asks; nil for a terminal that is no more than a printer.
  ///
  /// - Parameter term: what the environment says of the terminal (`TERM`, term(7)). `screen` and `tmux` take kitty's question
  ///   for a title, and hand no such pictures on.
  package mutating func ask(term: String, now: Instant) -> [UInt8]? {
    guard !term.isEmpty, term != "dumb" else { return nil }
    asked = now
    let isInside = term.hasPrefix("screen") || term.hasPrefix("tmux")
    // The device attributes last: whatever else is answered comes before.
    return (isInside ? [] : KittyGraphics.question) + Array("\u{1B}[16t\u{1B}[?1;1;0S\u{1B}[c".utf8)
  }

  /// It answered.
  package mutating func take(_ answer: TerminalAnswer, now: Instant) {
    guard expectsAnswers(now: now) else { return }
    switch answer {
    case .kitty(let speaks): speaksKitty = speaks
    case .cell(let width, let height): cell = CellSize(checking: width, height)
    case .registers(let count): registers = count
    case .attributes(let attributes):
      asked = nil
      // The first says which terminal it is; 4 among the others is sixels.
      kind = speaksKitty ? .kitty : attributes.dropFirst().contains(4) ? .sixel : nil
    }
  }

  /// What the system knows of the window (TIOCGWINSZ) goes before what was answered: it follows changes.
  ///
  /// - Parameters:
  ///   - columns: and rows, not 0.
  ///   - width: in pixels, and height; 0 where it is not known.
  package mutating func resize(columns: Int, rows: Int, width: Int, height: Int) {
    guard columns > 0, rows > 0, let size = CellSize(checking: width / columns, height / rows) else { return }
    cell = size
  }
}
