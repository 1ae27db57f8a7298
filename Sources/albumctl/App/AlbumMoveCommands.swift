internal import AlbumAPI
internal import AlbumClient
internal import AlbumTerminal
internal import ArgumentParser
internal import Varlink
internal import Words

struct AlbumRename: AlbumCommand {
  static let configuration = CommandConfiguration(
    commandName: "rename", abstract: "Give an album another title. It keeps its id and what is in it.")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var eyes: OwnerOption

  @Argument(help: "The album's id (albumctl albums).")
  var album: String

  @Argument(help: "Its new title.")
  var title: String

  func run() throws {
    let renamed = try rename(eyes.connect(global))
    try Output.album(renamed, global)
  }

  private func rename(_ connection: AlbumConnection) throws -> LibraryInterface.Album {
    do throws(AlbumError) { return try connection.rename(album: album, to: title) } catch {
      throw CommandFailure.aboutTitle(title, error, global)
    }
  }
}

struct AlbumMove: AlbumCommand {
  static let configuration = CommandConfiguration(
    commandName: "move", abstract: "Have an album lie in another one of the same root, or in none.")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var eyes: OwnerOption

  @Argument(help: "The album's id (albumctl albums).")
  var album: String

  @Option(
    help: ArgumentHelp(
      "The album it shall lie in; directly beneath its root without this.", valueName: "album"))
  var parent: String?

  func run() throws {
    try Output.album(eyes.connect(global).move(album: album, into: parent), global)
  }
}

struct AlbumDelete: AlbumCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete an album: an empty one at once, another if the owner agrees.",
    discussion: """
      What is in it and nowhere else is deleted with it, and can be restored for some days (albumctl deleted). Exit \
      status: 5 when the owner does not agree, 4 when no agent can show the question. With --owner nobody is \
      asked.
      """)

  @OptionGroup var global: GlobalOptions
  @OptionGroup var eyes: OwnerOption

  @Argument(help: "The album's id (albumctl albums).")
  var album: String

  func run() throws {
    let deleted = try eyes.connect(global).delete(album: album)
    if global.json { return try Output.json(LibraryInterface.DeleteAlbum.Reply(deleted: deleted)) }
    for id in deleted { try Output.line("\(SafeText(id))") }
  }
}

extension Output {
  /// An album that was made or changed.
  static func album(_ album: LibraryInterface.Album, _ global: GlobalOptions) throws {
    if global.json { return try json(album) }
    try line("\(SafeText(album.id))  \(SafeText(album.title))")
  }
}

extension CommandFailure {
  /// Explains what is wrong with a title: the daemon names the parameter alone.
  static func aboutTitle(_ title: String, _ error: AlbumError, _ global: GlobalOptions) -> any Error {
    guard error.remote?.typed(InvalidParameter.self)?.parameter == "title" else { return error }
    return CommandFailure(.failed, global.words[.titleFault, ["title": title]])
  }
}
