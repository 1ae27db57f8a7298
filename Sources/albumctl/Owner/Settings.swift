internal import AlbumAPI
internal import AlbumClient
internal import AlbumTerminal
internal import ArgumentParser
internal import Glibc
internal import Varlink
internal import Words

struct Settings: AlbumCommand {
  static let configuration = CommandConfiguration(
    commandName: "settings",
    abstract: "Show what an app may do and what it did, and change it.",
    discussion: """
      Guides of refused apps lead here. With APP, at a terminal: a page on which everything about the app can \
      be changed. Else: what is on it, and the commands that change it; with --json, "log" is what it did. Without \
      APP: every app, and not what they did.
      """)

  @OptionGroup var global: GlobalOptions

  @Argument(help: "The app's id (albumctl apps).")
  var app: String?

  @Option(help: ArgumentHelp("Change only for this user of the app.", valueName: "number"))
  var uid: Int?

  @Flag(
    inversion: .prefixedNo, help: "Let an app that may read learn where photos were taken, or not any more.")
  var location: Bool?

  func validate() throws {
    if location != nil, app == nil { throw ValidationError("--location and --no-location need an APP") }
    if uid != nil, location == nil { throw ValidationError("--uid goes with --location and --no-location") }
  }

  func run() throws {
    if let app, let location { return try change(location, of: app) }
    let apps = try global.connect().apps(language: global.json ? nil : global.words.language).filter {
      app == nil || $0.id == app
    }
    if let app, apps.isEmpty { throw AlbumError.noSuchApp(app) }
    if let app, !global.json, isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1,
      let terminal = try? Terminal()
    {
      return try SettingsSession(global, app: app, terminal: terminal).run()
    }
    let history = try app.map(self.history) ?? []
    if global.json {
      for user in apps {
        if app == nil { try Output.json(user) } else { try Output.json(user.with(log: history)) }
      }
      return
    }
    var seen: Set<String> = []
    for id in apps.map(\.id) where seen.insert(id).inserted {
      var page = SettingsDialog(appID: id, words: global.words)
      page.show(apps)
      page.note(history)
      try Output.write(page.report)
    }
  }

  private func change(_ location: Bool, of app: String) throws {
    let change = ManagerInterface.SetLocation.Parameters(appId: app, uid: uid, location: location)
    Report.unsaved(try global.connect().setLocation(change), global.words)
    if global.json { try Output.json(change) }
  }

  /// What the app did last, as much as the page keeps of it.
  private func history(of app: String) throws -> [ManagerInterface.AccessLogEntry] {
    let stream = try global.connect().accessLog(app: app)
    var page = SettingsDialog(appID: app)
    while let reply = try stream.next() { page.note(reply.entries) }
    return page.log
  }
}

extension ManagerInterface.App {
  /// The app as an object, with what it did for this user.
  fileprivate func with(log: [ManagerInterface.AccessLogEntry]) throws -> JSON {
    var object = try JSON(parsing: JSONEncoding.encode(self)).object ?? JSONObject()
    object["log"] = try JSON(parsing: JSONEncoding.encode(log.filter { $0.uid == uid }))
    return .object(object)
  }
}
