internal import AlbumAPI

extension SettingsDialog {
  /// A line of the page.
  public typealias Line = AgentDialog.Line

  /// The page on a screen of this size. What can be changed is shown first; the log takes what room is left.
  public func screen(columns: Int, rows height: Int) -> [Line] {
    let width = max(20, columns)
    let head = header + [Line("")] + access + [Line("")]
    let foot = footer(width).suffix(max(0, height))
    let room = height - head.count - foot.count - 2
    var body = head
    if room > 0, !log.isEmpty {
      let newest = log.suffix(room).reversed().map { Line("  \(AccessLogLine($0))") }
      body += [Line("What it did, the newest first", isEmphasized: true)] + newest + [Line("")]
    }
    return (body.prefix(max(0, height - foot.count)) + foot).map {
      Line(TextWidth.fit($0.text, into: columns), isEmphasized: $0.isEmphasized)
    }
  }

  private var header: [Line] {
    guard let app = rows.first?.app else { return [Line("No app \(SafeText(appID)) is known.")] }
    let manifest = app.manifest.map { "described in \(SafeText($0))" } ?? "without a manifest: it cannot ask"
    let seen = app.lastSeen.map { ", last seen \(LocalTime($0))" } ?? ""
    return [
      Line("\(SafeText(app.name)) (\(SafeText(app.id)))", isEmphasized: true), Line("\(manifest)\(seen)"),
    ]
  }

  private var access: [Line] {
    let hasUsers = Set(rows.map(\.app.uid)).count > 1
    return rows.enumerated().flatMap { index, row in
      let isHere = index == position
      let user = hasUsers ? "\(SafeText(row.app.user ?? "\(row.app.uid)"))  " : ""
      let level = row.grant.accessLevel.rawValue
      let padding = String(repeating: " ", count: max(0, 9 - level.count))
      let line = Line(
        "\(isHere ? "> " : "  ")\(user)\(level)\(padding)  \(row.grant.summary)", isEmphasized: isHere)
      return [line] + row.grant.facts.map { Line("             \($0)") }
    }
  }

  private func footer(_ width: Int) -> [Line] {
    var lines = message.map { TextWidth.wrap("\(SafeText($0))", into: width).map { Line($0) } } ?? []
    switch state {
    case .choosing:
      let edit = row?.grant.status == .limited ? "e which ones, " : ""
      let select = row?.grant.accessLevel == .addOnly ? "" : "s selected photos only, "
      let move = rows.count > 1 ? "↑↓ line, " : ""
      let keys = "a allow, \(select)\(edit)d don't allow, r forget, \(move)q leave"
      lines += TextWidth.wrap(keys, into: width).map { Line($0) }
    case .choosingDuration(let status):
      lines.append(Line("\(status.rawValue): a always, t until a time, Esc back"))
    case .choosingTime(let status):
      let spans = TimeSpan.allCases.map { "\($0.key) \($0.title(in: .english).lowercased())" }.joined(
        separator: ", ")
      lines.append(Line("\(status.rawValue) for: \(spans), Esc back"))
    case .confirmingReset:
      lines.append(Line("Forget the decision, so that the app may ask again? y yes, n no"))
    case .sending: lines.append(Line("…"))
    }
    return lines
  }
}

extension ManagerInterface.Grant {
  /// The status, how much is selected, and until when.
  var summary: String {
    let selected = selectionCount.map { ", \($0) selected" } ?? ""
    let end = untilExit == true ? ", until it exits" : expires.map { ", until \(LocalTime($0))" } ?? ""
    return "\(status.rawValue): \(status.inPlainWords)\(selected)\(end)"
  }

  /// What else is known of it.
  var facts: [String] {
    var facts: [String] = []
    if let policy { facts.append("decided by the policy \(SafeText(policy)); it cannot be changed here") }
    if let decided {
      facts.append("\(policy == nil ? "decided" : "the owner decided") \(LocalTime(decided))")
    }
    if let lastUsed { facts.append("last used \(LocalTime(lastUsed).day)") }
    return facts
  }
}

extension LocalTime {
  /// The day alone.
  var day: Substring { description.prefix { $0 != " " } }
}
