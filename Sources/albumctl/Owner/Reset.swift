internal import AlbumAPI
internal import AlbumClient
internal import AlbumTerminal
internal import ArgumentParser
internal import Words

struct Reset: AlbumCommand {
  static let configuration = CommandConfiguration(
    commandName: "reset",
    abstract: "Forget what was decided, so that the app may ask again.",
    discussion: "With --all: for every app. A person at a terminal confirms that, unless --yes says so.")

  @OptionGroup var global: GlobalOptions

  @Argument(help: "The app's id (albumctl apps).")
  var app: String?

  @Option(help: "Only this access level.")
  var level: AuthorizationInterface.AccessLevel?

  @Option(help: ArgumentHelp("Only for this user.", valueName: "number"))
  var uid: Int?

  @Flag(help: "For every app.")
  var all = false

  @Flag(help: "Ask nothing.")
  var yes = false

  func validate() throws {
    if (app == nil) != all { throw ValidationError("name an app, or say --all for every app") }
  }

  func run() throws {
    if app == nil, !yes { try Person.confirm(.resetAll, global.words) }
    let reply = try global.connect().reset(app: app, uid: uid, level: level)
    Report.unsaved(.init(stored: reply.stored, reason: reply.reason), global.words)
    if global.json { return try Output.json(reply) }
    try Output.line(global.words.counting(reply.count, .resetOne, .resetOther))
  }
}
