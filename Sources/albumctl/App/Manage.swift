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
      Prints the ids of what is newly selected. Does nothing unless access is limited (albumctl status). Exit \
      status: 4 when no agent can show the picker.
      """)

  @OptionGroup var global: GlobalOptions

  func run() throws {
    let connection = try global.connect()
    let added = try connection.presentLimitedPicker()
    for id in added {
      if global.json { try Output.json(["id": id]) } else { try Output.line("\(SafeText(id))") }
    }
    if added.isEmpty, !global.json {
      let status = try connection.status(of: .readWrite).status
      let words = global.words
      let message =
        switch status {
        case .limited: words[.manageNothing]
        case .authorized: words[.manageAll]
        case .notDetermined, .denied, .restricted: words[.manageNotLimited, ["status": words.title(status)]]
        }
      Report.note(message)
    }
  }
}
