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
    let texts = Person.texts
    let facts: [(String, String)] = [
      ("Running since", "\(LocalTime(counted.started))"),
      ("Memory", "\(ByteCount(Int64(counted.memoryBytes)))"),
      ("Connections", "\(counted.connections) now, \(counted.connectionsAccepted) since the start"),
      (
        "Refused",
        "\(Number(counted.connectionsRefused, "connection")), \(counted.protocolViolations) for breaking the protocol"
      ),
      ("Calls", "\(counted.calls)"),
      ("Subscriptions", "\(counted.subscriptions)"),
      ("Agents", "\(counted.agents)"),
      ("Prompts waiting", "\(counted.promptsWaiting)"),
      ("Library", "\(Number(counted.assets, "asset")), \(Number(counted.albums, "album"))"),
      ("Journal", journal),
      (
        "Watched",
        "\(Number(counted.watches, "directory", "directories")), "
          + "\(counted.polledDirectories) more without a watch"
      ),
      (
        "File events",
        "\(counted.fileEvents), \(Number(counted.queueOverflows, "overflow")), \(Number(counted.scans, "scan"))"
      ),
      ("Changes told", "\(counted.changes)"),
      ("Access log", "\(Number(counted.accessLogLost, "row")) lost"),
    ]
    try Output.facts(facts.map { (texts[$0.0], texts[$0.1]) })
  }
}
