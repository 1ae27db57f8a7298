internal import AlbumAPI
internal import AlbumClient
internal import AlbumTerminal
internal import ArgumentParser
internal import Varlink

struct Info: AlbumCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Show the state of the library, and how much of it is visible.")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var eyes: OwnerOption

  func run() throws {
    let connection = try eyes.connect(global)
    let info = try connection.info()
    if global.json { return try Output.json(info) }
    let service = try connection.service()
    try Output.facts(
      [
        ("Daemon", "\(service.product) \(service.version)"),
        ("Socket", connection.socketPath), ("State", info.state.rawValue),
        ("Assets", "\(info.assetCount)"), ("Albums", "\(info.albumCount)"), ("Token", info.token),
      ]
        + info.roots.enumerated().map { index, root in
          let problem = root.problem.map { ": \($0)" } ?? ""
          return (
            "Root \(index + 1)",
            [root.path, root.state.rawValue + problem].compactMap { $0 }.joined(separator: "  ")
          )
        })
  }
}
