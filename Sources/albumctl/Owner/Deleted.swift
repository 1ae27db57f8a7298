internal import AlbumAPI
internal import AlbumClient
internal import AlbumTerminal
internal import ArgumentParser
internal import Words

struct Deleted: AlbumCommand {
  static let configuration = CommandConfiguration(
    commandName: "deleted",
    abstract: "List what was deleted and can be restored.")

  @OptionGroup var global: GlobalOptions

  func run() throws {
    let assets = try global.connect().deletedAssets()
    if global.json {
      for asset in assets { try Output.json(asset) }
      return
    }
    let words = global.words
    if assets.isEmpty { Report.note(words[.nothingDeleted]) }
    var table = Table(
      .init(words[.columnID]), .init(words[.columnSize], .trailing), .init(words[.columnDeleted]),
      .init(words[.columnKeptUntil]), .init(words[.columnBy]), .init(words[.columnName]))
    try Output.write(
      table.lines(
        of: assets.map { asset in
          [
            asset.id, "\(ByteCount(asset.byteCount))", "\(LocalTime(asset.deleted))",
            "\(LocalTime(asset.purge))", asset.appId ?? words[.anOwner], asset.filename,
          ]
        }))
  }
}

struct Restore: AlbumCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore",
    abstract: "Put deleted assets back where they were, with the ids that they had.")

  @OptionGroup var global: GlobalOptions

  @Argument(help: "Their ids (albumctl deleted).")
  var ids: [String]

  func run() throws {
    let restored = try global.connect().restore(ids)
    if global.json {
      try Output.json(ManagerInterface.RestoreDeleted.Reply(restored: restored))
    } else {
      for id in restored { try Output.line("\(SafeText(id))") }
    }
    let left = Set(ids).subtracting(restored)
    guard left.isEmpty else {
      throw CommandFailure(.failed, global.words[.notRestored, ["ids": left.sorted().joined(separator: " ")]])
    }
  }
}

struct Purge: AlbumCommand {
  static let configuration = CommandConfiguration(
    commandName: "purge",
    abstract: "Remove deleted assets for good.",
    discussion: "With --all: all of them. A person at a terminal confirms that, unless --yes says so.")

  @OptionGroup var global: GlobalOptions

  @Argument(help: "Their ids (albumctl deleted).")
  var ids: [String] = []

  @Flag(help: "All that was deleted.")
  var all = false

  @Flag(help: "Ask nothing.")
  var yes = false

  func validate() throws {
    if ids.isEmpty != all {
      throw ValidationError("name what to remove, or say --all for all that was deleted")
    }
  }

  func run() throws {
    let connection = try global.connect()
    if ids.isEmpty, !yes, try !connection.deletedAssets().isEmpty {
      try Person.confirm(.purgeAll, global.words)
    }
    let reply = try connection.purge(ids.isEmpty ? nil : ids)
    if global.json {
      try Output.json(reply)
    } else {
      try Output.line(global.words.counting(reply.count, .purgedOne, .purgedOther))
    }
    if let problem = reply.problem { throw CommandFailure(.failed, problem) }
  }
}
