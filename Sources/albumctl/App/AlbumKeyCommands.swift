internal import AlbumAPI
internal import AlbumClient
internal import AlbumTerminal
internal import ArgumentParser

struct AlbumKey: AlbumCommand {
  static let configuration = CommandConfiguration(
    commandName: "key", abstract: "Choose the photo that stands for an album.")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var eyes: OwnerOption

  @Flag(help: "None stands for it any more.")
  var none = false

  @Argument(help: "The album's id (albumctl albums).")
  var album: String

  @Argument(help: "The asset's id (albumctl assets --album).")
  var asset: String?

  func validate() throws {
    if (asset == nil) != none { throw ValidationError("give either an asset or --none") }
  }

  func run() throws {
    try Output.album(eyes.connect(global).setKeyAsset(asset, of: album), global)
  }
}
