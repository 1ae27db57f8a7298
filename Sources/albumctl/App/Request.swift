internal import AlbumAPI
internal import AlbumClient
internal import AlbumTerminal
internal import ArgumentParser
internal import Linux
internal import Words

struct Request: AlbumCommand {
  static let configuration = CommandConfiguration(
    commandName: "request",
    abstract: "Ask the owner for access, and wait for the answer.",
    discussion: """
      Prompts only when nobody was asked before; else prints the status that holds. Exit status: 0 when it is \
      authorized or limited; 3 when it is denied or restricted, with a guide; 4 when no agent can show the \
      prompt; 5 when the answer was "not now", so that the status is still notDetermined.
      """)

  @OptionGroup var global: GlobalOptions

  @Option(help: "addOnly, or readWrite.")
  var level: AuthorizationInterface.AccessLevel

  @Option(
    help: ArgumentHelp(
      "Explain first, and ask the owner only if the person here agrees. Not when the answer is known already.",
      valueName: "text"))
  var askFirst: String?

  @Flag(help: "Wait for an agent rather than fail when there is none.")
  var wait = false

  func run() throws {
    let connection = try global.connect()
    if let askFirst, try connection.status(of: level).status == .notDetermined, !agrees(to: askFirst) {
      try show(.init(status: .notDetermined))
      throw CommandFailure(.refused, global.json ? nil : global.words[.declinedHere])
    }
    let reply = try connection.request(level, waitForAgent: wait, language: Person.language)
    let note = global.json || level == .readWrite ? nil : try? global.words.addsAnyway(connection)
    try show(reply, instead: note)
    let status = CommandStatus(requestAnsweredWith: reply.status)
    if status == .refused, !global.json { Report.note(global.words[.ownerPutOff]) }
    if status != .done { throw CommandFailure(status) }
  }

  /// - Parameter note: for the person, instead of a guide that says what is not so.
  private func show(_ reply: AuthorizationInterface.Request.Reply, instead note: String? = nil) throws {
    if global.json { return try Output.json(reply) }
    try Output.line(reply.status.rawValue)
    if let note { Report.note(note) } else if let guide = reply.guide { Report.guide(guide) }
  }

  /// The app's own question, before the owner is asked the one time (S8).
  private func agrees(to text: String) -> Bool {
    StandardStream.error.write("\(SafeText(text)) \(global.words[.goOn])")
    let answer = readLine() ?? ""
    return ["y", "yes"].contains(answer.lowercased())
  }
}
