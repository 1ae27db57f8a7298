internal import AlbumAPI
internal import AlbumClient
internal import ArgumentParser
internal import Varlink
internal import Words

struct Reload: AlbumCommand {
  static let configuration = CommandConfiguration(
    commandName: "reload",
    abstract: "Make the daemon read its configuration again. One with errors changes nothing.")

  @OptionGroup var global: GlobalOptions

  func run() throws {
    let later = try global.connect().reload()
    if global.json {
      try Output.json(ManagerInterface.Reload.Reply(needsRestart: later.isEmpty ? nil : later))
    } else if !later.isEmpty {
      let words = global.words
      try Output.line(words[.reloadLater, ["keys": words.list(later)]])
    }
  }
}
