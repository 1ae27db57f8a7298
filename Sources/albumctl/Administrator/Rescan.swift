internal import AlbumClient
internal import ArgumentParser
internal import Varlink

struct Rescan: AlbumCommand {
  static let configuration = CommandConfiguration(
    abstract: "Make the daemon compare the library with the disk again.")

  @OptionGroup var global: GlobalOptions

  func run() throws {
    try global.connect().rescan()
    if global.json { try Output.json(Empty()) }
  }
}
