internal import AlbumClient
internal import ArgumentParser
internal import Varlink

struct Reload: AlbumCommand {
  static let configuration = CommandConfiguration(
    abstract: "Make the daemon read its configuration again. One with errors changes nothing.")

  @OptionGroup var global: GlobalOptions

  func run() throws {
    try global.connect().reload()
    if global.json { try Output.json(Empty()) }
  }
}
