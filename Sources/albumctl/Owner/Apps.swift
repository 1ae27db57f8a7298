internal import AlbumAPI
internal import AlbumClient
internal import AlbumTerminal
internal import ArgumentParser

struct Apps: AlbumCommand {
  static let configuration = CommandConfiguration(
    abstract: "List every app that is known, and what it may do.")

  @OptionGroup var global: GlobalOptions

  func run() throws {
    let apps = try global.connect().apps()
    if global.json {
      for app in apps { try Output.json(app) }
      return
    }
    var table = Table(
      .init("APP"), .init("NAME"), .init("USER"), .init("LEVEL"), .init("STATUS"), .init("DECIDED"),
      .init("UNTIL"))
    try Output.write(table.lines(of: apps.flatMap(rows)))
  }

  /// One row for each level; one without access for an app that has none.
  private func rows(_ app: ManagerInterface.App) -> [[String]] {
    let who = [app.id, app.name, app.user ?? "\(app.uid)"]
    if app.grants.isEmpty { return [who + ["", "", "", ""]] }
    return app.grants.map { grant in
      let end =
        if let policy = grant.policy {
          "policy \(policy)"
        } else if grant.untilExit == true {
          "the app exits"
        } else {
          grant.expires.map { "\(LocalTime($0))" } ?? ""
        }
      let decided = grant.decided.map { "\(LocalTime($0))" } ?? ""
      return who + [grant.accessLevel.rawValue, grant.status.rawValue, decided, end]
    }
  }
}
