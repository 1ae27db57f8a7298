internal import AlbumAPI
internal import AlbumClient
internal import AlbumTerminal
internal import ArgumentParser
internal import Varlink
internal import Words

struct Rename: AlbumCommand {
  static let configuration = CommandConfiguration(
    commandName: "rename", abstract: "Give a photo or video another name. It keeps its id and its extension.")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var eyes: OwnerOption

  @Argument(help: "The asset's id (albumctl assets).")
  var id: String

  @Argument(help: "Its new name, with its extension or without.")
  var name: String

  func run() throws {
    let asset = try rename(eyes.connect(global))
    if global.json { return try Output.json(asset) }
    try Output.line("\(SafeText(asset.id))  \(SafeText(asset.filename))")
  }

  private func rename(_ connection: AlbumConnection) throws -> LibraryInterface.Asset {
    do throws(AlbumError) { return try connection.rename(asset: id, to: name) } catch {
      // The daemon names the parameter alone.
      guard error.remote?.typed(InvalidParameter.self)?.parameter == "filename" else { throw error }
      throw CommandFailure(.failed, global.words[.fileNameFault, ["name": name]])
    }
  }
}

struct AlbumTake: AlbumCommand {
  static let configuration = CommandConfiguration(
    commandName: "take", abstract: "Move assets into an album, out of all others of the same root.")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var eyes: OwnerOption

  @Argument(help: "The album's id (albumctl albums).")
  var album: String

  @Argument(help: "The assets' ids (albumctl assets).")
  var ids: [String]

  func run() throws {
    let connection = try eyes.connect(global)
    try connection.change(ids, global) { batch throws(AlbumError) in
      try connection.move(batch, toAlbum: album)
    }
    if global.json { try Output.json(LibraryInterface.AlbumMembership(ids: ids, album: album)) }
  }
}

struct AlbumLeave: AlbumCommand {
  static let configuration = CommandConfiguration(
    commandName: "leave", abstract: "Move assets out of all albums, to directly beneath their root.")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var eyes: OwnerOption

  @Argument(help: "The assets' ids (albumctl assets).")
  var ids: [String]

  func run() throws {
    let connection = try eyes.connect(global)
    try connection.change(ids, global) { batch throws(AlbumError) in
      try connection.move(batch, toAlbum: nil)
    }
    if global.json { try Output.json(LibraryInterface.MoveAssets.Parameters(ids: ids)) }
  }
}
