internal import AlbumClient
internal import ArgumentParser
internal import Varlink

struct Rescan: AlbumCommand {
  static let configuration = CommandConfiguration(
    abstract: "Make the daemon compare the library with the disk again.")

  @OptionGroup var global: GlobalOptions

  @Option(
    name: .customLong("accept"),
    help: ArgumentHelp(
      "Take what is in this root now for the library.",
      discussion: "For a root that is offline because another file system is mounted there, or none.",
      valueName: "root"))
  var accepted: [String] = []

  func run() throws {
    try global.connect().rescan(accepting: accepted.isEmpty ? nil : accepted)
    if global.json { try Output.json(Empty()) }
  }
}
