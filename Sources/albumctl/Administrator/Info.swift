internal import AlbumAPI
internal import AlbumClient
internal import AlbumTerminal
internal import ArgumentParser
internal import Glibc
internal import Varlink
internal import Words

struct Info: AlbumCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Show the state of the library, and how much of it is visible.",
    discussion: """
      Of the whole library for who may act as its owner; for others, of what this app may see. With --owner, for \
      owners alone.

      With --follow, a line for how it is now, and one for whatever changes: while it is compared with the disk, twice a \
      second how far that is. Ends with Ctrl-C (exit status 0), or when the daemon goes away (1).
      """)

  @OptionGroup var global: GlobalOptions
  @OptionGroup var eyes: OwnerOption

  @Flag(help: "Tell how the library is from now on.")
  var follow = false

  func run() throws {
    let connection = try eyes.owner ? eyes.connect(global) : connectAsOwnerIfAllowed()
    if follow { return try tellState(connection) }
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

  /// With the owner's view where this process may have it (S45), as every administrator's command has.
  private func connectAsOwnerIfAllowed() throws(AlbumError) -> AlbumConnection {
    let connection = try global.connect()
    do throws(AlbumError) { try connection.actAsOwner() } catch {
      guard error.code == .notAnOwner else { throw error }
    }
    return connection
  }

  private func tellState(_ connection: AlbumConnection) throws {
    let stream = try connection.monitorState()
    let signals = try SignalQueue([SIGINT, SIGTERM])
    while try signals.allow(stream), let state = try stream.next() {
      if global.json {
        try Output.json(state)
      } else {
        let words = global.words
        let scan = state.scan.map { scan in
          words[
            .infoScan,
            [
              "done": "\(scan.directoriesDone)", "left": "\(scan.directoriesLeft)",
              "assets": "\(scan.assetCount)",
            ]]
        }
        let offline = state.roots.filter { $0.state == .offline && state.state != .offline }
        let roots = offline.map { "\($0.path ?? $0.name ?? ""): \(words[.stateOffline])" }
        try Output.line(
          ([words.title(state.state)] + [scan].compactMap { $0 } + roots).joined(separator: "  "))
      }
    }
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
