internal import AlbumAPI
internal import AlbumClient
internal import AlbumTerminal
internal import ArgumentParser
internal import Words

struct Delete: AlbumCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete",
    abstract: "Delete assets, if the owner agrees.",
    discussion: """
      The owner is asked once for each thousand, and can restore them for some days (albumctl deleted). Exit \
      status: 5 when the owner does not agree, 4 when no agent can show the question. With --owner nobody is \
      asked.
      """)

  @OptionGroup var global: GlobalOptions
  @OptionGroup var eyes: OwnerOption

  @Argument(help: "The assets' ids (albumctl assets).")
  var ids: [String]

  func run() throws {
    let connection = try eyes.connect(global)
    var deleted: [String] = []
    let end = Result { for batch in ids.batches { deleted += try connection.delete(batch) } }
    // What was deleted before one failed is deleted, and told.
    if !deleted.isEmpty { try show(deleted) }
    try end.get()
    let kept = Set(ids).subtracting(deleted)
    guard kept.isEmpty else {
      throw CommandFailure(.failed, global.words[.notDeleted, ["ids": kept.sorted().joined(separator: " ")]])
    }
  }

  private func show(_ deleted: [String]) throws {
    if global.json { return try Output.json(LibraryInterface.DeleteAssets.Reply(deleted: deleted)) }
    for id in deleted { try Output.line("\(SafeText(id))") }
  }
}
