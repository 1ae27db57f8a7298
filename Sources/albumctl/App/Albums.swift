internal import AlbumAPI
internal import AlbumClient
internal import AlbumTerminal
internal import ArgumentParser
internal import Varlink

struct Albums: AlbumCommand {
  static let configuration = CommandConfiguration(
    commandName: "albums", abstract: "List the albums that this app may see.")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var eyes: OwnerOption

  @Option(help: ArgumentHelp("Only those directly in this album.", valueName: "album"))
  var parent: String?

  @Flag(help: "The smart albums: everything, videos, screenshots and so on.")
  var smart = false

  func validate() throws {
    if smart && parent != nil { throw ValidationError("--smart and --parent exclude each other") }
  }

  func run() throws {
    let reply = try eyes.connect(global).albums(in: parent, smart: smart)
    if global.json {
      for album in reply.albums { try Output.json(album) }
      return
    }
    let texts = Person.texts
    var table = Table(
      .init(texts["ID"]), .init(texts["ASSETS"], .trailing), .init(texts["SHARED"]), .init(texts["IN"]),
      .init(texts["TITLE"]))
    try Output.write(
      table.lines(
        of: reply.albums.map {
          ["\($0.id)", "\($0.assetCount)", $0.shared ? texts["shared"] : "", $0.parent ?? "", $0.title]
        }))
    try Output.line(
      texts["\(Number(reply.albums.count, "album")). Token: \(SafeText(reply.token))"])
  }
}

extension AlbumConnection {
  /// Names the first of these albums that there is not, as far as the caller may see (S16). The interface takes
  /// it for an empty one; who typed it would take the answer for that.
  func require(albums ids: [String]) throws(AlbumError) {
    let ids = ids.filter { SmartAlbumKind(rawValue: $0) == nil }
    guard !ids.isEmpty else { return }
    let known = Set(try albums(ids: ids).albums.map(\.id))
    guard let unknown = ids.first(where: { !known.contains($0) }) else { return }
    throw AlbumError(
      remote: RemoteError(name: LibraryInterface.NoSuchAlbum.name, parameters: ["id": .string(unknown)]),
      place: LibraryInterface.FetchAlbums.name)
  }
}
