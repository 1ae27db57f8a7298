internal import AlbumAPI
internal import Words

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
    let lines =
      switch state {
      case .picking: picking(prompt, width, rows: rows)
      case .idle, .choosing, .choosingDuration, .choosingTime, .sending: asking(prompt, width, rows: rows)
      }
    return lines.prefix(max(0, rows)).map {
      Line(TextWidth.fit($0.text, into: columns), isEmphasized: $0.isEmphasized)
    }
  }

  private func asking(_ prompt: AgentInterface.Prompt, _ width: Int, rows: Int) -> [Line] {
    var head = header(prompt, width) + facts(prompt, width)
    var body = body(prompt, width, rows: rows - head.count, isSmall: false)
    if head.count + body.count > rows {
      head = header(prompt, width).filter(\.isEmphasized) + facts(prompt, width).filter { !$0.text.isEmpty }
      body = self.body(prompt, width, rows: rows / 2, isSmall: true)
      let room = max(0, rows - body.count)
      if head.count > room { head = head.prefix(max(0, room - 1)) + [Line(words[.tooSmall])] }
    }
    return head.prefix(max(0, rows - body.count)) + body
  }

  /// Who asks for what, shortly, and the picker on what is left.
  private func picking(_ prompt: AgentInterface.Prompt, _ width: Int, rows: Int) -> [Line] {
    guard let picker else { return [] }
    let question = TextWidth.wrap(words.question(prompt), into: width).map { Line($0, isEmphasized: true) }
    let head = Array((question + [identity(prompt.app)]).prefix(max(0, rows - 6)))
    return head + picker.lines(words, width: width, rows: rows - head.count)
  }

  private func identity(_ app: AgentInterface.PromptApp) -> Line {
    let warning = app.verified ? "" : "  " + words[.notVerified, ["user": "\(SafeText(app.user))"]]
    return Line("\(SafeText(app.id)), \(SafeText(app.user))\(warning)")
  }

  private func header(_ prompt: AgentInterface.Prompt, _ width: Int) -> [Line] {
    let question = TextWidth.wrap(words.question(prompt), into: width)
    var lines = question.map { Line($0, isEmphasized: true) } + [Line("")]
    if let reason = prompt.usageDescription {
      let oneLine = reason.split(whereSeparator: \.isNewline).joined(separator: " ")
      lines += TextWidth.wrap("“\(SafeText(oneLine))”", into: width - 2).map { Line("  \($0)") } + [Line("")]
    }
    return lines
  }

  private func facts(_ prompt: AgentInterface.Prompt, _ width: Int) -> [Line] {
    let app = prompt.app
    // Below one another, whatever the language.
    let labels = max(TextWidth.columns(of: words[.app]), TextWidth.columns(of: words[.user]))
    func fact(_ label: String, _ text: String) -> Line {
      Line("  \(TextWidth.pad(label, to: labels))  \(SafeText(text))")
    }
    var lines = [fact(words[.app], app.id), fact(words[.user], app.user)]
    if app.verified {
      lines.append(Line("  \(words[.verified])"))
    } else {
      let warning = words[.notVerified, ["user": "\(SafeText(app.user))"]]
      lines += TextWidth.wrap(warning, into: width - 2).map { Line("  \($0)", isEmphasized: true) }
    }
    if !waiting.isEmpty { lines.append(Line("  " + words[.waiting, ["count": "\(waiting.count)"]])) }
    return lines + [Line("")]
  }

  private func body(_ prompt: AgentInterface.Prompt, _ width: Int, rows: Int, isSmall: Bool) -> [Line] {
    switch state {
    case .idle, .picking: return []
    case .choosing(let problem):
      let trouble = problem.map { TextWidth.wrap("\(SafeText($0))", into: width) } ?? []
      let choices =
        prompt.choices.map { ("\($0.key(for: prompt.kind))", words.title($0, prompt)) }
        + [("q", words[.leave])]
      let below = trouble.map { Line($0, isEmphasized: true) } + keys(choices, width, isSmall)
      return subjectLines(width, rows: rows - below.count) + below
    case .choosingDuration(let answer):
      let choices = [
        ("a", words[.always]), ("e", words[.untilExit]), ("t", words[.untilTime]), ("Esc", words[.back]),
      ]
      return [Line(words[.howLong, ["answer": words.answered(answer).capitalizedFirst]])]
        + keys(choices, width, isSmall)
    case .choosingTime:
      let choices = TimeSpan.allCases.map { ("\($0.key)", $0.title(in: words)) } + [("Esc", words[.back])]
      return [Line(words[.untilWhen])] + keys(choices, width, isSmall)
    case .sending(let answer):
      return [Line(words[.sending, ["answer": words.answered(answer).capitalizedFirst]])]
    }
  }

  /// The photos that the prompt is about, as many as fit.
  private func subjectLines(_ width: Int, rows: Int) -> [Line] {
    guard let subjects, rows > 0 else { return [] }
    let isLong = subjects.rowCount > rows - 1
    let room = max(1, min(rows - (isLong ? 2 : 1), 20))
    let list = subjects.list(words, width, rows: room, hasCursor: false)
    guard isLong, rows > 2 else { return list + [Line("")] }
    return list + [Line("  " + words[.moreBelow, ["count": "\(subjects.rowCount)"]]), Line("")]
  }

  private func keys(_ choices: [(key: String, title: String)], _ width: Int, _ isSmall: Bool) -> [Line] {
    guard isSmall else { return choices.map { Line("  \($0.key)  \($0.title)") } }
    // A key and what it does stay on one line.
    let together = choices.map { "\($0.key) \($0.title)".replacing(" ", with: "\u{A0}") }
    return TextWidth.wrap(together.joined(separator: ", "), into: width)
      .map { Line($0.replacing("\u{A0}", with: " ")) }
  }
}

extension String {
  fileprivate func replacing(_ old: Character, with new: Character) -> String {
    String(map { $0 == old ? new : $0 })
  }

  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
