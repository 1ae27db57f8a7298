internal import AlbumAPI
internal import AlbumClient
internal import AlbumTerminal
internal import ArgumentParser

struct Export: AlbumCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Copy assets into a directory.",
    usage: "albumctl export <ids> ... <directory> [--owner] [--socket <path>] [--json]",
    discussion:
      "Keeps their names; one that exists gets a number. A live photo becomes two files; RAW and sidecars come along."
  )

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
    let directory = try ExportDirectory(path)
    var failures = 0
    for id in idsAndDirectory.dropLast() {
      do { try export(id, connection, directory) } catch let error as AlbumError {
        // What concerns one asset does not keep the others.
        guard [.noSuchAsset, .noSuchResource, .offline].contains(error.code) else { throw error }
        failures += 1
        Report.failure(error, asJSON: global.json)
      }
    }
    if failures > 0 { throw CommandFailure(.failed) }
  }

  private func export(
    _ id: String, _ connection: AlbumConnection, _ directory: ExportDirectory
  ) throws {
    let opened = try connection.open(id)
    let asset = opened.asset
    let wanted = ExportName(filename: asset.filename, percentEncoded: asset.percentEncodedFilename)
    let name = try directory.save(opened.file, as: wanted)
    try tell(asset, directory.path(of: name))
    try exportMovie(of: asset, as: name, connection, directory)
    try exportRaw(of: asset, as: name, connection, directory)
    for number in 0..<asset.resources.count(where: { $0 == .sidecar }) {
      let sidecar = try connection.open(id, resource: .sidecar, sidecar: number)
      let wanted = name.replacingExtension(with: sidecar.sidecarExtension ?? "xmp")
      try tell(asset, directory.path(of: try directory.save(sidecar.file, as: wanted)))
    }
  }

  private func exportMovie(
    of asset: LibraryInterface.Asset, as name: ExportName, _ connection: AlbumConnection,
    _ directory: ExportDirectory
  ) throws {
    guard asset.resources.contains(.pairedVideo) else { return }
    let video = try connection.open(asset.id, resource: .pairedVideo)
    let pair = try directory.save(
      video.file, as: name.replacingExtension(with: video.pairedVideoExtension ?? "mov"))
    try tell(asset, directory.path(of: pair))
  }

  private func exportRaw(
    of asset: LibraryInterface.Asset, as name: ExportName, _ connection: AlbumConnection,
    _ directory: ExportDirectory
  ) throws {
    guard asset.resources.contains(.alternatePhoto) else { return }
    let raw = try connection.open(asset.id, resource: .alternatePhoto)
    let saved = try directory.save(
      raw.file, as: name.replacingExtension(with: raw.alternatePhotoExtension ?? "dng"))
    try tell(asset, directory.path(of: saved))
  }

  private func tell(_ asset: LibraryInterface.Asset, _ file: String) throws {
    if global.json { return try Output.json(ExportedFile(asset: asset, file: file)) }
    try Output.line("\(SafeText(asset.id))  \(SafeText(file))")
  }
}
