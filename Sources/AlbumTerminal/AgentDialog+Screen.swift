internal import AlbumAPI

extension AgentDialog {
  /// One line of the screen.
  public struct Line: Hashable, Sendable {
    /// What it says: never wider than the screen.
    public let text: String
    /// Whether it stands out.
    public let isEmphasized: Bool

    init(_ text: String, isEmphasized: Bool = false) {
      self.text = text
      self.isEmphasized = isEmphasized
    }
  }

  /// The open prompt on a screen of this size; nothing when none is open.
  public func screen(columns: Int, rows: Int) -> [Line] {
    guard let prompt else { return [] }
    let width = max(20, columns)
    let head = header(prompt, width)
    let body = body(prompt, width, rows: max(3, rows - head.count))
    return (head + body).prefix(max(1, rows)).map {
      Line(TextWidth.fit($0.text, into: columns), isEmphasized: $0.isEmphasized)
    }
  }

  private func header(_ prompt: AgentInterface.Prompt, _ width: Int) -> [Line] {
    let app = prompt.app
    var lines = TextWidth.wrap("\(SafeText(app.name)) \(prompt.question)", into: width)
      .map { Line($0, isEmphasized: true) }
    lines.append(Line(""))
    if let reason = prompt.usageDescription {
      let oneLine = reason.split(whereSeparator: \.isNewline).joined(separator: " ")
      lines += TextWidth.wrap("“\(SafeText(oneLine))”", into: width - 2).map { Line("  \($0)") }
      lines.append(Line(""))
    }
    lines.append(Line("  App   \(SafeText(app.id))"))
    lines.append(Line("  User  \(SafeText(app.user))"))
    if app.verified {
      lines.append(Line("  Verified: its user could not have forged which app it is."))
    } else {
      let warning =
        "NOT VERIFIED: any program that \(SafeText(app.user)) runs could pass itself off as this app."
      lines += TextWidth.wrap(warning, into: width - 2).map { Line("  \($0)", isEmphasized: true) }
    }
    if !waiting.isEmpty { lines.append(Line("  \(waiting.count) more waiting after this one")) }
    lines.append(Line(""))
    return lines
  }

  private func body(_ prompt: AgentInterface.Prompt, _ width: Int, rows: Int) -> [Line] {
    switch state {
    case .idle: return []
    case .choosing(let problem):
      let trouble = problem.map { TextWidth.wrap("\(SafeText($0))", into: width) } ?? []
      return trouble.map { Line($0, isEmphasized: true) }
        + prompt.choices.map { choice($0.key, $0.title) } + [choice("q", "Leave: it stays unanswered")]
    case .selecting(let selection): return list(selection, width, rows: rows)
    case .choosingDuration(let answer):
      return [
        Line("\(answer.inPlainWords.capitalizedFirst): for how long?"), choice("a", "Always"),
        choice("e", "Until the app exits"), choice("t", "Until a time"), Line("  Esc  Back"),
      ]
    case .choosingTime:
      return [Line("Until when?")] + TimeSpan.allCases.map { choice($0.key, $0.title) }
        + [Line("  Esc  Back")]
    case .sending(let answer): return [Line("\(answer.inPlainWords.capitalizedFirst) …")]
    }
  }

  private func choice(_ key: Character, _ title: String) -> Line { Line("  \(key)  \(title)") }

  private func list(_ selection: Selection, _ width: Int, rows: Int) -> [Line] {
    guard selection.isLoaded else { return [Line("Reading the library …")] }
    let range = selection.visible(rows: rows - 2)
    let shown = range.map { index in
      let item = selection.items[index]
      let mark = selection.isSelected(item) ? "[x]" : "[ ]"
      let kind = item.isAlbum ? "album " : ""
      let text = "\(mark) \(kind)\(SafeText(item.title))  \(SafeText(item.detail))"
      let isHere = index == selection.position
      return Line((isHere ? "> " : "  ") + TextWidth.fit(text, into: width - 2), isEmphasized: isHere)
    }
    let count = selection.selectedAlbums.count + selection.selectedAssets.count
    let more = selection.cursor == nil ? "" : ", m more"
    return shown + [
      Line(""), Line("\(count) selected. Space selects, Enter is done, Esc goes back\(more)."),
    ]
  }
}

extension String {
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
