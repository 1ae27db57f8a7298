internal import AlbumAPI
internal import Words

extension AgentDialog {
  /// One line of the screen.
  package struct Line: Hashable, Sendable {
    /// What it says: never wider than the screen.
    package let text: String
    /// Whether it stands out.
    package let isEmphasized: Bool
    /// Whether it is there, and does nothing yet.
    package let isFaint: Bool

    init(_ text: String, isEmphasized: Bool = false, isFaint: Bool = false) {
      self.text = text
      self.isEmphasized = isEmphasized
      self.isFaint = isFaint
    }
  }

  /// The open prompt on a screen of this size; nothing when none is open.
  ///
  /// What can be answered is always shown. A small screen first loses what is there for comfort, then the
  /// end of the question, at last that of what is known of the app.
  package func screen(columns: Int, rows: Int) -> [Line] {
    AgentScreen(of: self).frame(columns, rows, hasPicture: false).lines
  }

  /// The same, with room for the pictures of ``pictured`` where there is room for them.
  package func frame(columns: Int, rows: Int) -> ScreenFrame {
    AgentScreen(of: self).frame(columns, rows, hasPicture: true)
  }
}

/// What a terminal agent shows of where it stands.
private struct AgentScreen {
  typealias Line = AgentDialog.Line

  /// What a prompt is about takes so many rows at most.
  private static let mostSubjectRows = 20

  private let dialog: AgentDialog
  private let words: Words

  init(of dialog: AgentDialog) {
    self.dialog = dialog
    words = dialog.words
  }

  func frame(_ columns: Int, _ rows: Int, hasPicture: Bool) -> ScreenFrame {
    guard let prompt = dialog.prompt else { return ScreenFrame([], columns: columns, rows: rows) }
    let width = max(20, columns)
    let (lines, box): ([Line], PictureBox?) =
      switch dialog.state {
      case .picking: picking(prompt, width, rows: rows, hasPicture: hasPicture && columns == width)
      case .idle, .choosing, .choosingDuration, .choosingTime, .sending:
        asking(prompt, width, rows: rows, hasPicture: hasPicture && columns == width)
      }
    let shown = lines.prefix(max(0, rows)).map {
      Line(TextWidth.fit($0.text, into: columns), isEmphasized: $0.isEmphasized, isFaint: $0.isFaint)
    }
    return ScreenFrame(shown, columns: columns, rows: rows, box: box)
  }

  private func asking(
    _ prompt: AgentInterface.Prompt, _ width: Int, rows: Int, hasPicture: Bool
  ) -> ([Line], PictureBox?) {
    var head = header(prompt, width) + facts(prompt, width)
    var (body, box) = body(
      prompt, width, rows: rows - head.count, isSmall: false, hasPicture: hasPicture)
    if head.count + body.count > rows {
      (body, box) = self.body(prompt, width, rows: rows / 2, isSmall: true, hasPicture: false)
      let room = max(0, rows - body.count)
      let (question, facts) = (self.question(prompt, width), self.identity(prompt.app, width))
      head = question + facts
      if head.count > room {
        // One line for what is asked, one to say that there is more.
        head = question.prefix(max(1, room - facts.count - 1)) + facts
        head = head.prefix(max(0, room - 1)) + [Line(words[.tooSmall])]
      }
    }
    return (head.prefix(max(0, rows - body.count)) + body, box?.moved(by: head.count))
  }

  /// Who asks for what, shortly, and the picker on what is left.
  private func picking(
    _ prompt: AgentInterface.Prompt, _ width: Int, rows: Int, hasPicture: Bool
  ) -> ([Line], PictureBox?) {
    guard let picker = dialog.picker else { return ([], nil) }
    // Who it is stays longest: a picker of no app is no picker to answer.
    let room = max(min(rows, 1), rows - 6)
    let user = TextWidth.abbreviate("\(SafeText(prompt.app.user))", into: width / 3)
    let id = TextWidth.abbreviate("\(SafeText(prompt.app.id))", into: width - 2 - TextWidth.columns(of: user))
    let identity = Array((warning(prompt.app) + [Line("\(id), \(user)")]).suffix(room))
    let head: [Line] = question(prompt, width).prefix(room - identity.count) + identity
    let (lines, box) = PickerScreen(of: picker, words, width)
      .lines(rows: rows - head.count, hasPicture: hasPicture)
    return (head + lines, box?.moved(by: head.count))
  }

  /// What is asked. However long the app calls itself, its name takes one line of it, so that it does not push
  /// out who the app is.
  private func question(_ prompt: AgentInterface.Prompt, _ width: Int) -> [Line] {
    let name = TextWidth.abbreviate("\(SafeText(prompt.app.name))", into: width)
    return TextWidth.wrap(words.question(prompt, label: name), into: width).map {
      Line($0, isEmphasized: true)
    }
  }

  /// Who asks, a line each: first that nobody knows.
  private func identity(_ app: AgentInterface.PromptApp, _ width: Int) -> [Line] {
    // Below one another, whatever the language.
    let labels = max(TextWidth.columns(of: words[.app]), TextWidth.columns(of: words[.user]))
    func fact(_ label: String, _ text: String) -> Line {
      let text = TextWidth.abbreviate("\(SafeText(text))", into: max(3, width - labels - 4))
      return Line("  \(TextWidth.pad(label, to: labels))  \(text)")
    }
    return warning(app).map { Line("  \($0.text)", isEmphasized: true) }
      + [fact(words[.app], app.id), fact(words[.user], app.user)]
  }

  private func warning(_ app: AgentInterface.PromptApp) -> [Line] {
    app.verified
      ? [] : [Line(words[.notVerified, ["user": "\(SafeText(app.user))"]], isEmphasized: true)]
  }

  private func header(_ prompt: AgentInterface.Prompt, _ width: Int) -> [Line] {
    var lines = question(prompt, width) + [Line("")]
    if let reason = prompt.usageDescription {
      lines += quoted("", reason, width) + [Line("")]
    }
    if let reason = prompt.locationUsageDescription {
      lines += quoted("\(words[.askLocation]) ", reason, width) + [Line("")]
    }
    return lines
  }

  /// What an app says of itself, in the words of its manifest.
  private func quoted(_ before: String, _ text: String, _ width: Int) -> [Line] {
    let oneLine = text.split(whereSeparator: \.isNewline).joined(separator: " ")
    return TextWidth.wrap("\(before)“\(SafeText(oneLine))”", into: width - 2).map { Line("  \($0)") }
  }

  private func facts(_ prompt: AgentInterface.Prompt, _ width: Int) -> [Line] {
    let warning = self.warning(prompt.app).flatMap { TextWidth.wrap($0.text, into: width - 2) }
    let app = identity(prompt.app, width).suffix(2)
    var lines = warning.map { Line("  \($0)", isEmphasized: true) } + app
    if prompt.app.verified { lines.append(Line("  \(words[.verified])")) }
    if let evidence = prompt.app.evidence {
      let known = words[.knownBy, ["evidence": words.evidence("\(SafeText(evidence))")]]
      lines.append(Line("  \(TextWidth.abbreviate(known, into: max(3, width - 2)))"))
    }
    if !dialog.waiting.isEmpty {
      lines.append(Line("  " + words[.waiting, ["count": "\(dialog.waiting.count)"]]))
    }
    return lines + [Line("")]
  }

  private func body(
    _ prompt: AgentInterface.Prompt, _ width: Int, rows: Int, isSmall: Bool, hasPicture: Bool
  ) -> ([Line], PictureBox?) {
    switch dialog.state {
    case .idle, .picking: return ([], nil)
    case .choosing(let problem):
      let trouble = problem.map { TextWidth.wrap("\(SafeText($0))", into: width).prefix(3) } ?? []
      let choices =
        prompt.choices.map { ("\($0.key(for: prompt.kind))", words.title($0, prompt)) }
        + location(prompt) + [("q", words[.leave])]
      let below = trouble.map { Line($0, isEmphasized: true) } + keys(choices, width, isSmall)
      let (subjects, box) = subjects(prompt, width, rows: rows - below.count, hasPicture: hasPicture)
      return (subjects + below, box)
    case .choosingDuration(let answer):
      let choices = [
        ("a", words[.always]), ("e", words[.untilExit]), ("t", words[.untilTime]), ("Esc", words[.back]),
      ]
      let question = Line(words[.howLong, ["answer": words.answered(answer).capitalizedFirst]])
      return ([question] + keys(choices, width, isSmall), nil)
    case .choosingTime:
      let choices = TimeSpan.allCases.map { ("\($0.key)", $0.title(in: words)) } + [("Esc", words[.back])]
      return ([Line(words[.untilWhen])] + keys(choices, width, isSmall), nil)
    case .sending(let answer):
      return ([Line(words[.sending, ["answer": words.answered(answer).capitalizedFirst]])], nil)
    }
  }

  /// The switch for where photos were taken, and how it stands.
  private func location(_ prompt: AgentInterface.Prompt) -> [(key: String, title: String)] {
    guard prompt.locationUsageDescription != nil else { return [] }
    return [("\(AgentDialog.locationKey)", words[dialog.includesLocation ? .locationOn : .locationOff])]
  }

  /// The photos that the prompt is about, and beside or beneath them their pictures.
  private func subjects(
    _ prompt: AgentInterface.Prompt, _ width: Int, rows: Int, hasPicture: Bool
  ) -> ([Line], PictureBox?) {
    let room = min(rows - 1, Self.mostSubjectRows)
    guard hasPicture, !dialog.pictured.isEmpty, let box = PictureBox(on: room, width: width) else {
      return (subjectLines(width, rows: rows), nil)
    }
    let isBeside = box.column > 0
    let narrow = isBeside ? box.column - 1 : width
    let caption =
      prompt.kind == .replacement
      ? TextWidth.wrap(words[.replacementPictures], into: narrow).map { Line($0) } : []
    let listed = isBeside ? room : room - box.rows
    let list = (subjectLines(narrow, rows: listed - caption.count) + caption).prefix(listed)
    // However short the list is, what comes then comes beneath the pictures.
    return (list + [Line](repeating: Line(""), count: room - list.count + 1), box)
  }

  /// The photos that the prompt is about, as many as fit.
  private func subjectLines(_ width: Int, rows: Int) -> [Line] {
    guard let subjects = dialog.subjects, rows > 0 else { return [] }
    let isLong = subjects.rowCount > rows - 1
    let room = max(1, min(rows - (isLong ? 2 : 1), Self.mostSubjectRows))
    let list = PickerScreen(of: subjects, words, width).list(rows: room, hasCursor: false)
    guard isLong, rows > 2 else { return list + [Line("")] }
    return list + [Line("  " + words[.moreBelow, ["count": "\(subjects.rowCount)"]]), Line("")]
  }

  private func keys(_ choices: [(key: String, title: String)], _ width: Int, _ isSmall: Bool) -> [Line] {
    guard isSmall else { return choices.map { Line("  \($0.key)  \($0.title)", isFaint: !dialog.takesKeys) } }
    // A key and what it does stay on one line.
    let together = choices.map { "\($0.key) \($0.title)".replacing(" ", with: "\u{A0}") }
    return TextWidth.wrap(together.joined(separator: ", "), into: width)
      .map { Line($0.replacing("\u{A0}", with: " "), isFaint: !dialog.takesKeys) }
  }
}

extension String {
  fileprivate func replacing(_ old: Character, with new: Character) -> String {
    String(map { $0 == old ? new : $0 })
  }

  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
