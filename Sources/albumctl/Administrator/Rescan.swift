internal import AlbumAPI
internal import AlbumClient
internal import AlbumTerminal
internal import ArgumentParser
internal import Varlink

struct Rescan: AlbumCommand {
  static let configuration = CommandConfiguration(
    commandName: "rescan",
    abstract: "Make the daemon compare the library with the disk again.")

  @OptionGroup var global: GlobalOptions

  @Option(
    name: .customLong("accept"),
    help: ArgumentHelp(
      "Take what is in this directory now for the library.",
      discussion: """
        For a root, or a directory in one, that is offline because another file system is mounted there than before, or \
        none: what was there and is there no more is removed.
        """,
      valueName: "directory"))
  var accepted: [String] = []

  func run() throws {
    let connection = try global.connect()
    do throws(AlbumError) { try connection.rescan(accepting: accepted.isEmpty ? nil : accepted) } catch {
      guard error.code == .invalidParameter else { throw error }
      // The daemon names the parameter alone.
      try connection.actAsOwner()
      let roots = try connection.info().roots.compactMap(\.path)
      let wrong = accepted.first { !roots.contains($0) } ?? accepted.joined(separator: " ")
      throw CommandFailure(
        .failed,
        "--accept \(wrong): no root of the library, and no directory in one that is offline. Its roots: "
          + "\(roots.joined(separator: " ")).")
    }
    if global.json { try Output.json(Empty()) }
  }
}
