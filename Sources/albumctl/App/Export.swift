internal import AlbumAPI
internal import AlbumClient
internal import AlbumTerminal
internal import ArgumentParser
internal import Glibc
internal import Linux

struct Export: AlbumCommand {
  static let configuration = CommandConfiguration(
    abstract: "Copy assets into a directory.",
    usage: "albumctl export <ids> ... <directory> [--owner] [--socket <path>] [--json]",
    discussion: "Keeps their names; one that exists gets a number. A live photo becomes two files.")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var eyes: OwnerOption

  @Argument(help: "The assets' ids (albumctl assets), then the directory.")
  var idsAndDirectory: [String]

  func validate() throws {
    if idsAndDirectory.count < 2 { throw ValidationError("give at least one id, and a directory") }
  }

  func run() throws {
    let path = idsAndDirectory.last ?? "."
    let connection = try eyes.connect(global)
    let directory: OwnedDescriptor
    do throws(SystemError) {
      let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
      directory = try OwnedDescriptor(Glibc.open(path, flags), call: "open", subject: path)
    } catch { throw CommandFailure(.failed, "\(error).") }
    var failures = 0
    for id in idsAndDirectory.dropLast() {
      do { try export(id, connection, directory, path) } catch let error as AlbumError {
        // What concerns one asset does not keep the others.
        guard error.code == .noSuchAsset || error.code == .offline else { throw error }
        failures += 1
        Report.failure(error, asJSON: global.json)
      } catch let error as SystemError { throw CommandFailure(.failed, "\(error).") }
    }
    if failures > 0 { throw CommandFailure(.failed) }
  }

  private func export(
    _ id: String, _ connection: AlbumConnection, _ directory: borrowing OwnedDescriptor, _ path: String
  ) throws {
    let opened = try connection.open(id)
    let asset = opened.asset
    let wanted = ExportName(filename: asset.filename, percentEncoded: asset.percentEncodedFilename)
    let name = try FileCopy.add(opened.file, as: wanted, in: directory)
    try tell(asset, path, name)
    guard asset.resources.contains(.pairedVideo) else { return }
    let video = try connection.open(id, resource: .pairedVideo)
    let pair = name.replacingExtension(with: "mov")
    try tell(asset, path, try FileCopy.add(video.file, as: pair, in: directory))
  }

  private func tell(_ asset: LibraryInterface.Asset, _ path: String, _ name: ExportName) throws {
    let file = "\(path)/\(String(decoding: name.bytes, as: UTF8.self))"
    if global.json { return try Output.json(ExportedFile(asset: asset, file: file)) }
    try Output.line("\(SafeText(asset.id))  \(SafeText(file))")
  }
}
