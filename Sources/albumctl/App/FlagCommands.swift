internal import AlbumAPI
internal import AlbumClient
internal import AlbumTerminal
internal import ArgumentParser

struct Favorite: AlbumCommand {
  static let configuration = CommandConfiguration(
    commandName: "favorite",
    abstract: "Mark photos and videos as favourites: their files say so for other programs.")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var eyes: OwnerOption

  @Flag(help: "They are none any more.")
  var remove = false

  @Argument(help: "The assets' ids (albumctl assets).")
  var ids: [String]

  func run() throws {
    let connection = try eyes.connect(global)
    try connection.change(ids, global) { batch throws(AlbumError) in
      try connection.setFavorite(!remove, of: batch)
    }
    if global.json { try Output.json(LibraryInterface.SetFavorite.Parameters(ids: ids, favorite: !remove)) }
  }
}

struct Hide: AlbumCommand {
  static let configuration = CommandConfiguration(
    commandName: "hide",
    abstract: "Hide photos and videos: only who sees the whole library and asks for them still sees them.")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var eyes: OwnerOption

  @Flag(help: "Show them again.")
  var remove = false

  @Argument(help: "The assets' ids (albumctl assets).")
  var ids: [String]

  func run() throws {
    let connection = try eyes.connect(global)
    try connection.change(ids, global) { batch throws(AlbumError) in
      try connection.setHidden(!remove, of: batch)
    }
    if global.json { try Output.json(LibraryInterface.SetHidden.Parameters(ids: ids, hidden: !remove)) }
  }
}
