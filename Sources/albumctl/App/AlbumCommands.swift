internal import AlbumAPI
internal import AlbumClient
internal import AlbumTerminal
internal import ArgumentParser
internal import Words
internal import Varlink

/// The commands about one album.
struct AlbumGroup: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "album", abstract: "Make an album, rename or move one, or change what is in it.",
    subcommands: [
      AlbumCreate.self, AlbumRename.self, AlbumMove.self, AlbumDelete.self, AlbumAdd.self, AlbumTake.self,
      AlbumLeave.self, AlbumRemove.self, AlbumKey.self, AlbumOrder.self,
    ])
}

struct AlbumCreate: AlbumCommand {
  static let configuration = CommandConfiguration(
    commandName: "create", abstract: "Make an album. A title that exists gets a number.")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var eyes: OwnerOption

  @Argument(help: "Its title.")
  var title: String

  @Option(help: ArgumentHelp("The album it shall lie in.", valueName: "album"))
  var parent: String?

  @Option(
    help: ArgumentHelp("The root it shall lie beneath, by its name; else the first.", valueName: "root"))
  var root: String?

  func run() throws {
    try Output.album(create(eyes.connect(global)), global)
  }

  private func create(_ connection: AlbumConnection) throws -> LibraryInterface.Album {
    do throws(AlbumError) { return try connection.createAlbum(title, in: parent, root: root) } catch {
      throw CommandFailure.aboutTitle(title, error, global)
    }
  }
}

struct AlbumAdd: AlbumCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Put assets into another album. They stay in those they are in.")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var eyes: OwnerOption

  @Argument(help: "The album's id (albumctl albums).")
  var album: String

  @Argument(help: "The assets' ids (albumctl assets).")
  var ids: [String]

  func run() throws {
    let connection = try eyes.connect(global)
    try connection.change(ids, global) { batch throws(AlbumError) in try connection.add(batch, toAlbum: album)
    }
    if global.json { try Output.json(LibraryInterface.AlbumMembership(ids: ids, album: album)) }
  }
}

struct AlbumRemove: AlbumCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Take assets out of an album. Each must be in another place as well.")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var eyes: OwnerOption

  @Argument(help: "The album's id (albumctl albums).")
  var album: String

  @Argument(help: "The assets' ids (albumctl assets).")
  var ids: [String]

  func run() throws {
    let connection = try eyes.connect(global)
    try connection.change(ids, global) { batch throws(AlbumError) in
      try connection.remove(batch, fromAlbum: album)
    }
    if global.json { try Output.json(LibraryInterface.AlbumMembership(ids: ids, album: album)) }
  }
}

extension AlbumConnection {
  /// Changes an album, and says at which asset it failed and what was done before.
  func change(
    _ ids: [String], _ global: GlobalOptions, _ change: ([String]) throws(AlbumError) -> Void
  ) throws {
    var done: [String] = []
    for batch in ids.batches {
      do throws(AlbumError) { try change(batch) } catch {
        // The first that cannot be changed ends the call; those before it were. One that does not exist ends
        // it before anything is done.
        let failed =
          error.remote?.typed(LibraryInterface.LastAlbum.self)?.id
          ?? error.remote?.typed(LibraryInterface.CannotLink.self)?.id
          ?? error.remote?.typed(LibraryInterface.CannotMove.self)?.id
          ?? error.remote?.typed(LibraryInterface.FlagsNotSupported.self)?.id
        if let failed { done += batch.prefix { $0 != failed } }
        guard failed != nil || !done.isEmpty else { throw error }
        let words = global.words
        let before =
          done.isEmpty ? words[.nothingDone] : words[.doneBefore, ["ids": done.joined(separator: " ")]]
        let subject = failed.map { "\($0): " } ?? ""
        Report.failure(
          error, message: "\(subject)\(error.message(in: words)) \(before)", asJSON: global.json)
        throw CommandFailure(CommandStatus(error))
      }
      done += batch
    }
  }
}

extension [String] {
  /// As many at a time as one call may name.
  var batches: [[String]] {
    stride(from: 0, to: count, by: 1000).map { Array(self[$0..<Swift.min($0 + 1000, count)]) }
  }
}
