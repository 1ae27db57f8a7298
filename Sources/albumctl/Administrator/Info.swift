internal import AlbumAPI
internal import AlbumClient
internal import AlbumTerminal
internal import ArgumentParser
internal import Varlink
internal import Words

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
    let words = global.words
    try Output.facts(
      [
        (words[.infoDaemon], "\(service.product) \(service.version)"),
        (words[.infoSocket], connection.socketPath), (words[.infoState], words.title(info.state)),
        (words[.infoAssets], "\(info.assetCount)"), (words[.infoAlbums], "\(info.albumCount)"),
        (words[.infoToken], info.token),
      ]
        + info.roots.enumerated().map { index, root in
          let problem = root.problem.map { ": \($0)" } ?? ""
          return (
            words[.infoRoot, ["number": "\(index + 1)"]],
            [root.path, words.title(root.state) + problem].compactMap { $0 }.joined(separator: "  ")
          )
        })
  }
}

extension Words {
  fileprivate func title(_ state: LibraryInterface.LibraryState) -> String {
    switch state {
    case .scanning: self[.stateScanning]
    case .ready: self[.stateReady]
    case .degraded: self[.stateDegraded]
    case .offline: self[.stateOffline]
    }
  }
}
