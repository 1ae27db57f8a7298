internal import AlbumAPI
internal import AlbumClient
internal import AlbumTerminal
internal import ArgumentParser

struct AlbumOrder: AlbumCommand {
  static let configuration = CommandConfiguration(
    commandName: "order",
    abstract:
      "Put assets of an album before another one in it, in this order.")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var eyes: OwnerOption

  @Option(help: ArgumentHelp("The one that comes after them; else they come at the end.", valueName: "id"))
  var before: String?

  @Argument(help: "The album's id (albumctl albums).")
  var album: String

  @Argument(help: "The assets' ids (albumctl assets --album).")
  var ids: [String]

  func run() throws {
    let connection = try eyes.connect(global)
    try connection.change(ids, global) { batch throws(AlbumError) in
      try connection.move(batch, inAlbum: album, before: before)
    }
    if global.json {
      try Output.json(LibraryInterface.MoveInAlbum.Parameters(album: album, ids: ids, before: before))
    }
  }
}
