internal import AlbumAPI
internal import AlbumClient
internal import AlbumTerminal
internal import ArgumentParser
internal import Glibc
internal import Linux

struct Preview: AlbumCommand {
  static let configuration = CommandConfiguration(
    commandName: "preview",
    abstract: "Write a small picture of an asset to a file, or to standard output.",
    discussion: """
      Upright and without metadata: a JPEG, or a WebP where something shows through. Of a video, a frame. It is never \
      larger than the original.
      """)

  @OptionGroup var global: GlobalOptions
  @OptionGroup var eyes: OwnerOption

  @Argument(help: "The asset's id (albumctl assets).")
  var id: String

  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp("Write to this file; one that exists is replaced.", valueName: "file"))
  var output: String?

  @Option(help: "The most pixels of the longer side, 16 to 4096.")
  var pixels = 512

  @Flag(help: "Cut out the square in the middle.")
  var crop = false

  @Flag(help: "Of an asset that was deleted (albumctl deleted), for its owner.")
  var deleted = false

  func validate() throws {
    guard 16...4096 ~= pixels else { throw ValidationError("--pixels is 16 to 4096") }
    if deleted, crop { throw ValidationError("--deleted shows the whole picture: leave --crop out") }
    if output == nil, global.json { throw ValidationError("--json describes the picture: it needs -o FILE") }
    if output == nil, isatty(STDOUT_FILENO) == 1 {
      throw ValidationError("a terminal cannot show it: -o FILE, or redirect the output")
    }
  }

  func run() throws {
    let connection = try eyes.connect(global)
    let opened =
      deleted
      ? try connection.openDeletedPreview(id, pixels: pixels)
      : try connection.openPreview(id, pixels: pixels, crop: crop)
    guard let output else { return try FileCopy.copy(from: opened.file, to: STDOUT_FILENO) }
    do { try FileCopy.replace(output, with: opened.file) } catch let error as SystemError {
      throw CommandFailure(.failed, "\(error).")
    }
    if global.json {
      try Output.json(
        PreviewFile(
          id: id, mediaType: opened.mediaType, pixelWidth: opened.pixelWidth, pixelHeight: opened.pixelHeight,
          file: output))
    }
  }
}

/// Where a preview went.
struct PreviewFile: Encodable {
  let id: String
  let mediaType: String
  let pixelWidth: Int
  let pixelHeight: Int
  let file: String
}
