internal import AlbumAPI
internal import AlbumClient
internal import AlbumTerminal
internal import ArgumentParser
internal import Words

struct Apps: AlbumCommand {
  static let configuration = CommandConfiguration(
    commandName: "apps",
    abstract: "List every app that is known, and what it may do.")

  @OptionGroup var global: GlobalOptions

  func run() throws {
    let apps = try global.connect().apps(language: global.json ? nil : global.words.language)
    if global.json {
      for app in apps { try Output.json(app) }
      return
    }
    let words = global.words
    var table = Table(
      .init(words[.columnApp]), .init(words[.columnName]), .init(words[.columnUser]),
      .init(words[.columnLevel]), .init(words[.columnStatus]), .init(words[.columnDecided]),
      .init(words[.columnUntil]), .init(words[.columnPolicy]))
    try Output.write(table.lines(of: apps.flatMap(rows)))
  }

  /// One row for each level; one without access for an app that has none.
  private func rows(_ app: ManagerInterface.App) -> [[String]] {
    let who = [app.id, app.name, app.user ?? "\(app.uid)"]
    if app.grants.isEmpty { return [who + ["", "", "", "", ""]] }
    return app.grants.map { grant in
      // Of a grant beneath a policy, nothing counts now.
      let ends = grant.policy == nil && grant.untilExit == true
      let end = ends ? global.words[.untilAppExits] : grant.expires.map { "\(LocalTime($0))" } ?? ""
      let decided = grant.decided.map { "\(LocalTime($0))" } ?? ""
      let (level, status) = (global.words.name(grant.accessLevel), global.words.name(grant.status))
      return who + [level, status, decided, end, grant.policy ?? ""]
    }
  }
}
