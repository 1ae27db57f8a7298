internal import AlbumAPI
internal import AlbumClient
internal import AlbumTerminal
internal import ArgumentParser

struct Status: AlbumCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show what this app may do. Never prompts.")

  @OptionGroup var global: GlobalOptions

  @Option(help: "Only this access level.")
  var level: AuthorizationInterface.AccessLevel?

  func run() throws {
    let connection = try global.connect()
    var rows: [[String]] = []
    for level in level.map({ [$0] }) ?? AuthorizationInterface.AccessLevel.allCases {
      let reply = try connection.status(of: level)
      if global.json {
        try Output.json(LevelStatus(level, reply))
        continue
      }
      let selected = reply.selectionCount.map { " of \($0)" } ?? ""
      let expires = reply.expires.map { ", until \(LocalTime($0))" } ?? ""
      rows.append([level.rawValue, reply.status.rawValue, reply.status.inPlainWords + selected + expires])
    }
    var table = Table(.init("LEVEL"), .init("STATUS"), .init("MEANING"))
    try Output.write(table.lines(of: rows))
  }
}

/// The reply, with the level that it is about.
private struct LevelStatus: Encodable {
  let accessLevel: AuthorizationInterface.AccessLevel
  let status: AuthorizationInterface.AuthorizationStatus
  let expires: Instant?
  let selectionCount: Int?

  init(_ level: AuthorizationInterface.AccessLevel, _ reply: AuthorizationInterface.GetStatus.Reply) {
    accessLevel = level
    status = reply.status
    expires = reply.expires
    selectionCount = reply.selectionCount
  }
}
