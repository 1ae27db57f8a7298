internal import AlbumAPI
internal import AlbumClient
internal import AlbumTerminal
internal import ArgumentParser
internal import Glibc
internal import Linux

struct Replace: AlbumCommand {
  static let configuration = CommandConfiguration(
    commandName: "replace",
    abstract: "Overwrite a photo or video, if the owner agrees. It keeps its id, its name and its albums.",
    discussion: """
      With --adjustment, what it was before the first such edit is kept, and albumctl revert puts it back. Exit \
      status: 5 when the owner does not agree, 4 when no agent can show the question. With --owner nobody is asked.
      """)

  @OptionGroup var global: GlobalOptions
  @OptionGroup var eyes: OwnerOption

  @Argument(help: "The asset's id (albumctl assets).")
  var id: String

  @Argument(help: "The file with its new content.")
  var file: String

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp(
      "What was done to it: whose format that is in, its version, and the file with the data.",
      valueName: "format version file"))
  var adjustment: [String] = []

  func validate() throws {
    if !adjustment.isEmpty, adjustment.count != 3 {
      throw ValidationError("--adjustment takes three values: format, version and file")
    }
  }

  func run() throws {
    let connection = try eyes.connect(global)
    let asset = try connection.replace(id, with: try Self.open(file), adjustment: try described())
    if global.json { return try Output.json(asset) }
    try Output.line("\(SafeText(asset.id))  \(SafeText(asset.filename))")
  }

  private func described() throws -> PhotoAdjustment? {
    guard adjustment.count == 3 else { return nil }
    return PhotoAdjustment(
      formatIdentifier: adjustment[0], formatVersion: adjustment[1], data: try Self.content(of: adjustment[2])
    )
  }

  private static func open(_ path: String) throws -> OwnedDescriptor {
    do throws(SystemError) {
      return try OwnedDescriptor(
        Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), call: "open", subject: path)
    } catch { throw CommandFailure(.failed, "\(error).") }
  }

  /// No more of it than an adjustment may have, and one byte: the daemon says that this is too much.
  private static func content(of path: String) throws -> [UInt8] {
    let file = try open(path)
    let limit = (1 << 19) + 1
    var bytes: [UInt8] = []
    do throws(SystemError) {
      while bytes.count < limit {
        var piece = [UInt8](repeating: 0, count: min(1 << 16, limit - bytes.count))
        let count = try retryingInterrupts("read", subject: path) { read(file.number, &piece, piece.count) }
        if count == 0 { break }
        bytes += piece[..<count]
      }
    } catch { throw CommandFailure(.failed, "\(error).") }
    return bytes
  }
}

struct Revert: AlbumCommand {
  static let configuration = CommandConfiguration(
    commandName: "revert",
    abstract: "Put a photo's or video's original back, if the owner agrees.",
    discussion: """
      That is what it was before albumctl replace --adjustment, or an app, edited it first. What it is now can be restored \
      for some days (albumctl deleted). Exit status: 5 when the owner does not agree, 4 when no agent can show the \
      question. With --owner nobody is asked.
      """)

  @OptionGroup var global: GlobalOptions
  @OptionGroup var eyes: OwnerOption

  @Argument(help: "The asset's id (albumctl assets).")
  var id: String

  func run() throws {
    let asset = try eyes.connect(global).revert(id)
    if global.json { return try Output.json(asset) }
    try Output.line("\(SafeText(asset.id))  \(SafeText(asset.filename))")
  }
}
