internal import AlbumAPI
internal import Words

extension SettingsDialog {
  /// A line of the page.
  package typealias Line = AgentDialog.Line

  /// The page on a screen of this size. What can be changed is shown first; the log takes what room is left.
  package func screen(columns: Int, rows height: Int) -> [Line] {
    let width = max(20, columns)
    let foot = footer(width).suffix(max(0, height))
    let head = header + [Line("")] + access(rows: max(1, height - foot.count - header.count - 2)) + [Line("")]
    let room = height - head.count - foot.count - 2
    var body = head
    if room > 0, !log.isEmpty {
      let newest = log.suffix(room).reversed().map { Line("  \(AccessLogLine($0, words))") }
      body += [Line(words[.logTitle], isEmphasized: true)] + newest + [Line("")]
    }
    return (body.prefix(max(0, height - foot.count)) + foot).map {
      Line(TextWidth.fit($0.text, into: columns), isEmphasized: $0.isEmphasized)
    }
  }

  private var header: [Line] {
    guard let app = rows.first?.app else { return [Line(words[.noSuchApp, ["app": "\(SafeText(appID))"]])] }
    return [
      Line("\(SafeText(app.name)) (\(SafeText(app.id)))", isEmphasized: true), Line(words.origin(of: app)),
    ]
  }

  /// The lines to change, as many as fit: those around the one that keys change.
  private func access(rows room: Int) -> [Line] {
    let lines = access
    let position = lines.firstIndex(where: \.isEmphasized) ?? 0
    guard lines.count > room else { return lines }
    let first = max(0, min(position - room / 2, lines.count - room))
    return Array(lines[first..<first + room])
  }

  private var access: [Line] {
    let hasUsers = Set(rows.map(\.app.uid)).count > 1
    // Below one another, whatever the language.
    let width = rows.map { TextWidth.columns(of: words.title($0.grant.accessLevel)) }.max() ?? 0
    return rows.enumerated().flatMap { index, row in
      let isHere = index == position
      let user = hasUsers ? "\(SafeText(row.app.user ?? "\(row.app.uid)"))  " : ""
      let level = TextWidth.pad(words.title(row.grant.accessLevel), to: width)
      let line = "\(isHere ? "> " : "  ")\(user)\(level)  \(words.summary(row.grant))"
      let facts = words.facts(row).map { Line(TextWidth.pad("", to: width + 4) + $0) }
      return [Line(line, isEmphasized: isHere)] + facts
    }
  }

  /// What can be done with the line, and with others.
  private var keys: String {
    let choices = row?.choices ?? []
    return words.list(
      choices.contains(.authorized) ? words[.keyAllow] : nil,
      choices.contains(.limited) ? words[.keySelected] : nil,
      row?.grant.status == .limited ? words[.keyWhich] : nil,
      row?.hasLocationSwitch == true ? words[.keyLocation] : nil,
      choices.contains(.denied) ? words[.keyDeny] : nil, row == nil ? nil : words[.keyForget],
      rows.count > 1 ? words[.keyLine] : nil, words[.keyLeave])
  }

  private func footer(_ width: Int) -> [Line] {
    var lines = message.map { TextWidth.wrap("\(SafeText($0))", into: width).map { Line($0) } } ?? []
    switch state {
    case .choosing:
      lines += TextWidth.wrap(keys, into: width).map { Line($0) }
    case .choosingDuration(let status):
      lines.append(Line(words[.settingsHowLong, ["status": words.title(status)]]))
    case .choosingTime(let status):
      let spans = TimeSpan.allCases.map { "\($0.key) \($0.title(in: words).lowercased())" }
      let values = ["status": words.title(status), "spans": words.list(spans)]
      lines.append(Line(words[.settingsUntilWhen, values]))
    case .confirmingReset: lines.append(Line(words[.settingsReset]))
    case .sending: lines.append(Line("…"))
    }
    return lines
  }
}

extension Words {
  /// The status, how much is selected, and until when.
  fileprivate func summary(_ grant: ManagerInterface.Grant) -> String {
    let meaning = self[.grant, ["status": title(grant.status), "meaning": meaning(grant.status)]]
    return list(
      meaning, grant.selectionCount.map { self[.grantSelected, ["count": "\($0)"]] }, end(of: grant))
  }

  /// Until when it holds; beneath a policy, no grant does (S6).
  func end(of grant: ManagerInterface.Grant) -> String? {
    if grant.policy == nil, grant.untilExit == true { return self[.grantUntilExit] }
    return grant.expires.map { self[.grantUntil, ["time": "\(LocalTime($0))"]] }
  }

  /// What describes an app, and when it was seen.
  func origin(of app: ManagerInterface.App) -> String {
    let manifest = app.manifest.map { self[.appManifest, ["file": "\(SafeText($0))"]] }
    let seen = app.lastSeen.map { self[.appSeen, ["time": "\(LocalTime($0))"]] }
    return list(manifest ?? self[.appNoManifest], seen)
  }

  /// Whether it learns where photos were taken, and why, or since when (S55).
  private func location(_ row: SettingsDialog.Row) -> String? {
    guard let location = row.grant.location else { return nil }
    guard let reason = row.app.locationUsageDescription else {
      return self[location ? .grantLocationKept : .grantNoLocation]
    }
    let oneLine = reason.split(whereSeparator: \.isNewline).joined(separator: " ")
    return self[
      location ? .grantLocationFor : .grantNoLocationFor, ["reason": "\(SafeText(oneLine))"]]
  }

  /// What else is known of it.
  func facts(_ row: SettingsDialog.Row) -> [String] {
    let grant = row.grant
    let decided: Phrase = grant.policy == nil ? .grantDecided : .grantOwnerDecided
    return [
      grant.policy.map { self[.grantPolicy, ["policy": "\(SafeText($0))"]] },
      grant.accessLevel == .addOnly ? addsAnyway(row.app) : nil,
      location(row),
      grant.decided.map { self[decided, ["time": "\(LocalTime($0))"]] },
      grant.lastUsed.map { self[.grantLastUsed, ["day": "\(LocalTime($0).day)"]] },
    ].compactMap(\.self)
  }
}

extension LocalTime {
  /// The day alone.
  package var day: String { String(description.prefix { $0 != " " }) }
}
