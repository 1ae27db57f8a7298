internal import AlbumAPI
internal import AlbumClient
internal import AlbumTerminal
internal import ArgumentParser
internal import Words
internal import Glibc
internal import Linux

struct Open: AlbumCommand {
  static let configuration = CommandConfiguration(
    commandName: "open",
    abstract: "Write an asset's photo or video to a file, or to standard output.",
    discussion: "Of a live photo: the photo. albumctl export writes its movie as well, RAW and sidecars.")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var eyes: OwnerOption

  @Argument(help: "The asset's id (albumctl assets).")
  var id: String

  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp("Write to this file; one that exists is replaced.", valueName: "file"))
  var output: String?

  @Flag(help: "Without the place where it was taken: to pass it on.")
  var noLocation = false

  @Option(help: "Which of its files: photo, video, pairedVideo, sidecar, original or alternatePhoto.")
  var resource: LibraryInterface.ResourceType?

  @Option(help: ArgumentHelp("Which of several sidecars: 1, 2 and so on.", valueName: "number"))
  var number: Int?

  func validate() throws {
    if let number, resource != .sidecar || number < 1 {
      throw ValidationError("--number is of --resource sidecar, and at least 1")
    }
    if output == nil, global.json { throw ValidationError("--json describes the asset: it needs -o FILE") }
    if output == nil, isatty(STDOUT_FILENO) == 1 {
      throw ValidationError("a terminal cannot show it: -o FILE, or redirect the output")
    }
  }

  func run() throws {
    let opened = try eyes.connect(global).open(
      id, resource: resource, withoutLocation: noLocation, sidecar: number.map { $0 - 1 })
    guard let output else { return try FileCopy.copy(from: opened.file, to: STDOUT_FILENO) }
    do { try FileCopy.replace(output, with: opened.file) } catch let error as SystemError {
      throw CommandFailure(.failed, "\(error).")
    }
    if global.json { try Output.json(ExportedFile(asset: opened.asset, file: output)) }
  }
}

/// Where an asset went.
struct ExportedFile: Encodable {
  let asset: LibraryInterface.Asset
  let file: String
}
