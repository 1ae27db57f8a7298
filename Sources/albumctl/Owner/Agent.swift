internal import AlbumAPI
internal import AlbumClient
internal import AlbumTerminal
internal import ArgumentParser

struct Agent: AlbumCommand {
  static let configuration = CommandConfiguration(
    commandName: "agent",
    abstract: "Show the prompts of apps that ask for access, and answer them.",
    discussion: """
      Answers by key in the terminal, or always the same with --answer. Pickers show the photo that the cursor is on \
      where the terminal can show pictures (kitty's graphics or sixels). Runs until Ctrl-C; when the daemon restarts, \
      it registers again.
      """)

  @OptionGroup var global: GlobalOptions

  @Option(help: "Answer every prompt so, without asking. One that does not offer it is put off.")
  var answer: AgentInterface.Decision?

  @Option(
    help: ArgumentHelp(
      "The assets to select, with --answer limited; in pickers to pick, also with --answer allow.",
      valueName: "id,…"))
  var assets: String?

  @Option(help: ArgumentHelp("The albums to select, with --answer limited.", valueName: "id,…"))
  var albums: String?

  @Option(
    help: ArgumentHelp(
      "How long --answer holds: always, untilExit, 2h from each answer, or until a day such as 2026-12-31.",
      valueName: "time"))
  var duration: String?

  @Flag(help: "With --answer: let apps that say what for learn where photos were taken.")
  var location = false

  @Flag(help: "End after one answer; without one, with 1.")
  var once = false

  func validate() throws {
    if answer == nil, assets != nil || albums != nil || duration != nil || location {
      throw ValidationError("--assets, --albums, --duration and --location go with --answer")
    }
    do { _ = try script() } catch { throw ValidationError("\(error)") }
  }

  func run() throws {
    try checkSelection()
    let session = try AgentSession(global, script: try script(), endsAfterOne: once)
    try session.run()
  }

  private func script() throws -> ScriptedAnswer? {
    guard let answer else { return nil }
    return try ScriptedAnswer(
      answer, assets: ids(assets), albums: ids(albums), duration: duration,
      includesLocation: location, now: .now)
  }

  private func ids(_ list: String?) -> [String] { list?.split(separator: ",").map(String.init) ?? [] }

  /// Names what the library does not have now, rather than when somebody asks.
  private func checkSelection() throws {
    guard assets != nil || albums != nil else { return }
    let connection = try global.connect()
    try connection.actAsOwner()
    try connection.require(assets: ids(assets))
    try connection.require(albums: ids(albums))
  }
}
