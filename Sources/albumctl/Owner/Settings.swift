internal import AlbumAPI
internal import AlbumClient
internal import AlbumTerminal
internal import ArgumentParser
internal import Glibc

struct Settings: AlbumCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show what an app may do and what it did, and change it.",
    discussion: """
      Guides of refused apps lead here. With APP, at a terminal: a page on which everything about the app can \
      be changed. Else: what is on it, and the commands that change it. Without APP: every app.
      """)

  @OptionGroup var global: GlobalOptions

  @Argument(help: "The app's id (albumctl apps).")
  var app: String?

  func run() throws {
    let apps = try global.connect().apps().filter { app == nil || $0.id == app }
    if let app, apps.isEmpty {
      throw CommandFailure(.failed, "No app \(app) is known. See which are: albumctl apps")
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
    try Output.line("\(SafeText(app.name)) (\(SafeText(app.id))), user \(SafeText(app.user ?? "\(app.uid)"))")
    var table = Table(.init("  LEVEL"), .init("STATUS"), .init("MEANING"))
    try Output.write(
      table.lines(
        of: app.grants.map { grant in
          let selected = grant.selectionCount.map { " of \($0)" } ?? ""
          let expires = grant.expires.map { ", until \(LocalTime($0))" } ?? ""
          return [
            "  \(grant.accessLevel.rawValue)", grant.status.rawValue,
            grant.status.inPlainWords + selected + expires,
          ]
        }))
    try Output.line(
      """
        Change it:  albumctl allow \(SafeText(app.id)) [--level LEVEL] [--until TIME]
                    albumctl deny \(SafeText(app.id)) [--level LEVEL]
                    albumctl limit \(SafeText(app.id)) [IDS] [--until TIME]
                    albumctl selection \(SafeText(app.id)) [--add IDS] [--remove IDS]
                    albumctl reset \(SafeText(app.id)), so that it may ask again
      """)
  }
}
