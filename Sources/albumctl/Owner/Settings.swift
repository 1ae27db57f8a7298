internal import AlbumAPI
internal import AlbumClient
internal import AlbumTerminal
internal import ArgumentParser
internal import Glibc
internal import Words

struct Settings: AlbumCommand {
  static let configuration = CommandConfiguration(
    commandName: "settings",
    abstract: "Show what an app may do and what it did, and change it.",
    discussion: """
      Guides of refused apps lead here. With APP, at a terminal: a page on which everything about the app can \
      be changed. Else: what is on it, and the commands that change it. Without APP: every app.
      """)

  @OptionGroup var global: GlobalOptions

  @Argument(help: "The app's id (albumctl apps).")
  var app: String?

  func run() throws {
    let apps = try global.connect().apps(language: global.json ? nil : global.words.language).filter {
      app == nil || $0.id == app
    }
    if let app, apps.isEmpty {
      let words = global.words
      throw CommandFailure(.failed, words[.noSuchApp, ["app": app]] + " " + words[.seeWhichApps])
    }
    if let app, !global.json, isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1,
      let terminal = try? Terminal()
    {
      return try SettingsSession(global, app: app, terminal: terminal).run()
    }
    for app in apps {
      if global.json { try Output.json(app) } else { try show(app) }
    }
  }

  private func show(_ app: ManagerInterface.App) throws {
    let words = global.words
    let whose = ["app": app.name, "id": app.id, "user": app.user ?? "\(app.uid)"]
    try Output.line("\(SafeText(words[.appOfUser, whose]))")
    var table = Table(
      .init("  \(words[.columnLevel])"), .init(words[.columnStatus]), .init(words[.columnMeaning]))
    try Output.write(
      table.lines(
        of: app.grants.map { grant in
          [
            "  \(grant.accessLevel.rawValue)", grant.status.rawValue,
            words.meaning(grant.status, selected: grant.selectionCount, until: grant.expires),
          ]
        }))
    let id = "\(SafeText(app.id))"
    let commands = [
      "albumctl allow \(id) [--level LEVEL] [--until TIME]", "albumctl deny \(id) [--level LEVEL]",
      "albumctl limit \(id) [IDS] [--until TIME]", "albumctl selection \(id) [--add IDS] [--remove IDS]",
      words[.soThatItMayAsk, ["command": "albumctl reset \(id)"]],
    ]
    let title = words[.changeIt]
    for (index, command) in commands.enumerated() {
      let before = TextWidth.pad(index == 0 ? title : "", to: TextWidth.columns(of: title))
      try Output.line("  \(before)  \(command)")
    }
  }
}
