internal import AlbumAPI
internal import AlbumClient
internal import AlbumTerminal
internal import ArgumentParser
internal import Words

struct Status: AlbumCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show what this app may do. Never prompts.")

  @OptionGroup var global: GlobalOptions

  @Option(help: "Only this access level.")
  var level: AuthorizationInterface.AccessLevel?

  init() {}

  /// What prompts of shells and status bars ask all the time, without the parser: that looks through all conformances in
  /// the program, which is most of what the command costs.
  ///
  /// - Returns: nil for what is not just this, or is wrong: the parser knows all of it, and says what is wrong.
  init?(plain arguments: ArraySlice<String>) {
    guard arguments.first == "status" else { return nil }
    var socket: String?
    var json: Bool?
    var level: AuthorizationInterface.AccessLevel?
    var rest = arguments.dropFirst()
    while let option = rest.popFirst() {
      switch option {
      case "--json" where json == nil: json = true
      case "--socket" where socket == nil:
        guard let path = rest.popFirst(), !path.hasPrefix("-") else { return nil }
        socket = path
      case "--level" where level == nil:
        guard let known = rest.popFirst().flatMap(AuthorizationInterface.AccessLevel.init) else { return nil }
        level = known
      default: return nil
      }
    }
    // What is not set cannot be read, unless the parser has set it.
    var global = GlobalOptions()
    global.socket = socket
    global.json = json ?? false
    self.global = global
    self.level = level
  }

  func run() throws {
    let connection = try global.connect()
    let words = global.words
    var rows: [[String]] = []
    for level in level.map({ [$0] }) ?? AuthorizationInterface.AccessLevel.allCases {
      let reply = try connection.status(of: level)
      if global.json {
        try Output.json(LevelStatus(level, reply))
        continue
      }
      let meaning = words.meaning(
        reply.status, selected: reply.selectionCount, location: reply.location, until: reply.expires)
      rows.append([words.name(level), words.name(reply.status), meaning])
    }
    var table = Table(.init(words[.columnLevel]), .init(words[.columnStatus]), .init(words[.columnMeaning]))
    try Output.write(table.lines(of: rows))
    if !global.json, level != .readWrite, let note = try words.addsAnyway(connection) { Report.note(note) }
  }
}

extension Words {
  /// That refusing to let this app add keeps it from nothing, where that is so (S2).
  func addsAnyway(_ connection: AlbumConnection) throws -> String? {
    addsAnyway(
      adding: try connection.status(of: .addOnly).status,
      reading: try connection.status(of: .readWrite).status)
  }
}

/// The reply, with the level that it is about.
private struct LevelStatus: Encodable {
  let accessLevel: AuthorizationInterface.AccessLevel
  let status: AuthorizationInterface.AuthorizationStatus
  let expires: Instant?
  let selectionCount: Int?
  let location: Bool?

  init(_ level: AuthorizationInterface.AccessLevel, _ reply: AuthorizationInterface.GetStatus.Reply) {
    accessLevel = level
    status = reply.status
    expires = reply.expires
    selectionCount = reply.selectionCount
    location = reply.location
  }
}
