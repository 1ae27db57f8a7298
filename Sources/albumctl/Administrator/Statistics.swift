internal import AlbumAPI
internal import AlbumClient
internal import AlbumTerminal
internal import ArgumentParser

struct Statistics: AlbumCommand {
  static let configuration = CommandConfiguration(
    commandName: "statistics",
    abstract: "Show what the daemon counts.")

  @OptionGroup var global: GlobalOptions

  func run() throws {
    let counted = try global.connect().statistics()
    if global.json { return try Output.json(counted) }
    let journal = counted.journalFirst.map { "changes \($0) to \(counted.journalLast)" } ?? "empty"
    try Output.facts([
      ("Running since", "\(LocalTime(counted.started))"),
      ("Memory", "\(ByteCount(Int64(counted.memoryBytes)))"),
      ("Connections", "\(counted.connections) now, \(counted.connectionsAccepted) since the start"),
      (
        "Refused",
        "\(counted.connectionsRefused) connections, \(counted.protocolViolations) for breaking the protocol"
      ),
      ("Calls", "\(counted.calls)"),
      ("Subscriptions", "\(counted.subscriptions)"),
      ("Agents", "\(counted.agents)"),
      ("Prompts waiting", "\(counted.promptsWaiting)"),
      ("Library", "\(counted.assets) assets, \(counted.albums) albums"),
      ("Journal", journal),
      ("Watched", "\(counted.watches) directories, \(counted.polledDirectories) more without a watch"),
      ("File events", "\(counted.fileEvents), \(counted.queueOverflows) overflows, \(counted.scans) scans"),
      ("Changes told", "\(counted.changes)"),
      ("Access log", "\(counted.accessLogLost) rows lost"),
    ])
  }
}
