internal import AlbumAPI
internal import AlbumClient
internal import AlbumTerminal
internal import ArgumentParser
internal import Words

struct Manage: AlbumCommand {
  static let configuration = CommandConfiguration(
    commandName: "manage",
    abstract: "Have the owner change what this app may see: the limited picker.",
    discussion: """
      Prints the ids of the photos that are newly selected one by one, not those that an album brings. Does \
      nothing unless access is limited (albumctl status). Exit status: 4 when no agent can show the picker; 5 when the owner puts it off.
      """)

  @OptionGroup var global: GlobalOptions

  func run() throws {
    let connection = try global.connect()
    let reply = try connection.presentLimitedPicker()
    guard reply.putOff != true else {
      throw CommandFailure(.refused, global.json ? nil : global.words[.ownerPutOff])
    }
    let added = reply.addedAssets
    for id in added {
      if global.json { try Output.json(["id": id]) } else { try Output.line("\(SafeText(id))") }
    }
    if added.isEmpty, !global.json {
      let now = try connection.status(of: .readWrite)
      let status = now.status
      let words = global.words
      let message =
        switch status {
        case .limited: words[.manageNothing, ["count": "\(now.selectionCount ?? 0)"]]
        case .authorized: words[.manageAll]
        case .notDetermined, .denied, .restricted: words[.manageNotLimited, ["status": words.title(status)]]
        }
      Report.note(message)
    }
  }
}
