internal import AlbumAPI
internal import AlbumClient
internal import AlbumTerminal
internal import ArgumentParser

struct Settings: AlbumCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show what an app may do, and the commands that change it.",
    discussion: "Guides of refused apps lead here. Without APP: every app.")

  @OptionGroup var global: GlobalOptions

  @Argument(help: "The app's id (albumctl apps).")
  var app: String?

  func run() throws {
    let apps = try global.connect().apps().filter { app == nil || $0.id == app }
    if global.json {
      for app in apps { try Output.json(app) }
    } else {
      for app in apps { try show(app) }
    }
    if let app, apps.isEmpty {
      throw CommandFailure(.failed, "No app \(app) is known. See which are: albumctl apps")
    }
  }

  private func show(_ app: ManagerInterface.App) throws {
    try Output.line("\(SafeText(app.name)) (\(SafeText(app.id))), user \(SafeText(app.user ?? "\(app.uid)"))")
    var table = Table(.init("  LEVEL"), .init("STATUS"), .init("MEANING"))
    try Output.write(
      table.lines(
        of: app.grants.map { ["  \($0.accessLevel.rawValue)", $0.status.rawValue, $0.status.inPlainWords] }))
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
