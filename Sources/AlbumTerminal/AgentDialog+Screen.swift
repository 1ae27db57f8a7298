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
  ///
  /// What can be answered is always shown. A small screen first loses what is there for comfort, then the
  /// end of what is known of the app.
  public func screen(columns: Int, rows: Int) -> [Line] {
    guard let prompt else { return [] }
    let width = max(20, columns)
    var head = header(prompt, width) + facts(prompt, width)
    var body = body(prompt, width, rows: rows - head.count, isSmall: false)
    if head.count + body.count > rows {
      head = header(prompt, width).filter(\.isEmphasized) + facts(prompt, width).filter { !$0.text.isEmpty }
      body = self.body(prompt, width, rows: rows / 2, isSmall: true)
      let room = max(0, rows - body.count)
      if head.count > room { head = head.prefix(max(0, room - 1)) + [Line("… (the window is too small)")] }
    }
    return (head.prefix(max(0, rows - body.count)) + body.prefix(rows)).map {
      Line(TextWidth.fit($0.text, into: columns), isEmphasized: $0.isEmphasized)
    }
  }

  private func header(_ prompt: AgentInterface.Prompt, _ width: Int) -> [Line] {
    let question = TextWidth.wrap("\(SafeText(prompt.app.name)) \(prompt.question)", into: width)
    var lines = question.map { Line($0, isEmphasized: true) } + [Line("")]
    if let reason = prompt.usageDescription {
      let oneLine = reason.split(whereSeparator: \.isNewline).joined(separator: " ")
      lines += TextWidth.wrap("“\(SafeText(oneLine))”", into: width - 2).map { Line("  \($0)") } + [Line("")]
    }
    return lines
  }

  private func facts(_ prompt: AgentInterface.Prompt, _ width: Int) -> [Line] {
    let app = prompt.app
    var lines = [Line("  App   \(SafeText(app.id))"), Line("  User  \(SafeText(app.user))")]
    if app.verified {
      lines.append(Line("  Verified: its user could not have forged which app it is."))
    } else {
      let warning =
        "NOT VERIFIED: any program that \(SafeText(app.user)) runs could pass itself off as this app."
      lines += TextWidth.wrap(warning, into: width - 2).map { Line("  \($0)", isEmphasized: true) }
    }
    if !waiting.isEmpty { lines.append(Line("  \(waiting.count) more waiting after this one")) }
    return lines + [Line("")]
  }

  private func body(_ prompt: AgentInterface.Prompt, _ width: Int, rows: Int, isSmall: Bool) -> [Line] {
    switch state {
    case .idle: return []
    case .choosing(let problem):
      let trouble = problem.map { TextWidth.wrap("\(SafeText($0))", into: width) } ?? []
      let choices = prompt.choices.map { ("\($0.key)", $0.title) } + [("q", "Leave: it stays unanswered")]
      return trouble.map { Line($0, isEmphasized: true) } + keys(choices, width, isSmall)
    case .selecting(let selection): return list(selection, width, rows: max(3, rows))
    case .choosingDuration(let answer):
      let choices = [("a", "Always"), ("e", "Until the app exits"), ("t", "Until a time"), ("Esc", "Back")]
      return [Line("\(answer.inPlainWords.capitalizedFirst): for how long?")] + keys(choices, width, isSmall)
    case .choosingTime:
      let choices = TimeSpan.allCases.map { ("\($0.key)", $0.title) } + [("Esc", "Back")]
      return [Line("Until when?")] + keys(choices, width, isSmall)
    case .sending(let answer): return [Line("\(answer.inPlainWords.capitalizedFirst) …")]
    }
  }

  private func keys(_ choices: [(key: String, title: String)], _ width: Int, _ isSmall: Bool) -> [Line] {
    guard isSmall else { return choices.map { Line("  \($0.key)  \($0.title)") } }
    // A key and what it does stay on one line.
    let together = choices.map { "\($0.key) \($0.title)".replacing(" ", with: "\u{A0}") }
    return TextWidth.wrap(together.joined(separator: ", "), into: width)
      .map { Line($0.replacing("\u{A0}", with: " ")) }
  }

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
  fileprivate func replacing(_ old: Character, with new: Character) -> String {
    String(map { $0 == old ? new : $0 })
  }

  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
