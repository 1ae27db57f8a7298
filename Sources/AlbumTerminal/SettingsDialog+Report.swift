internal import AlbumAPI
internal import Words

extension SettingsDialog {
  /// The page for whoever is at no terminal: text, with the commands that change what the keys would.
  package var report: String {
    var text = users.map(access).joined()
    if !log.isEmpty {
      let lines = log.reversed().map { "  \(AccessLogLine($0, words))\n" }
      text += "\(words[.logTitle])\n" + lines.joined()
    }
    let title = words[.changeIt]
    for (index, command) in commands.enumerated() {
      text += "\(TextWidth.pad(index == 0 ? title : "", to: TextWidth.columns(of: title)))  \(command)\n"
    }
    return text
  }

  /// The app of each of its users, once.
  private var users: [ManagerInterface.App] {
    var seen: Set<Int> = []
    return rows.map(\.app).filter { seen.insert($0.uid).inserted }
  }

  /// How it stands with one user.
  private func access(of app: ManagerInterface.App) -> String {
    let whose = ["app": app.name, "id": app.id, "user": app.user ?? "\(app.uid)"]
    var table = Table(
      .init("  \(words[.columnLevel])"), .init(words[.columnStatus]), .init(words[.columnMeaning]))
    let lines = table.lines(
      of: app.grants.map { grant in
        [
          "  \(grant.accessLevel.rawValue)", grant.status.rawValue,
          words.list(
            words.meaning(grant.status, selected: grant.selectionCount, until: nil), words.end(of: grant)),
        ]
      })
    let facts = rows.filter { $0.app.uid == app.uid }.flatMap { row in
      words.facts(row).map {
        "  \(words[.grantFact, ["level": row.grant.accessLevel.rawValue, "fact": $0]])\n"
      }
    }
    return "\(SafeText(words[.appOfUser, whose]))\n  \(words.origin(of: app))\n" + lines + facts.joined()
  }

  /// What can be changed, and how. Where a policy decides about some of it, what is left is said one by one.
  private var commands: [String] {
    let id = "\(SafeText(appID))"
    let isFree = rows.allSatisfy { !$0.choices.isEmpty }
    let those = isFree ? [" [--level LEVEL]"] : rows.filter { !$0.choices.isEmpty }.map(options)
    let reading = isFree ? [""] : rows.filter { $0.choices.contains(.limited) }.map(user)
    var commands = those.map { "albumctl allow \(id)\($0) [--until TIME]" }
    commands += those.map { "albumctl deny \(id)\($0)" }
    commands += reading.map { "albumctl limit \(id)\($0) [IDS] [--until TIME]" }
    if rows.contains(where: \.hasLocationSwitch) {
      commands.append("albumctl settings \(id) --location|--no-location")
    }
    commands += reading.map { "albumctl selection \(id)\($0) [--add IDS] [--remove IDS]" }
    return commands + [words[.soThatItMayAsk, ["command": "albumctl reset \(id)"]]]
  }

  private func options(_ row: Row) -> String { " --level \(row.grant.accessLevel.rawValue)" + user(row) }

  private func user(_ row: Row) -> String { users.count > 1 ? " --uid \(row.app.uid)" : "" }
}
