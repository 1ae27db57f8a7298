internal import AlbumAPI
internal import AlbumClient
internal import AlbumTerminal
internal import ArgumentParser
internal import Varlink
internal import Words

struct Limit: AlbumCommand {
  static let configuration = CommandConfiguration(
    commandName: "limit",
    abstract: "Limit an app to what is selected, without a prompt.",
    discussion: "Without ids, what was selected before counts: see albumctl selection. \(AppUsers.help)")

  @OptionGroup var global: GlobalOptions

  @Argument(help: "The app's id (albumctl apps).")
  var app: String

  @Argument(help: "Ids of assets and whole albums; they take the place of what was selected.")
  var ids: [String] = []

  @Option(help: ArgumentHelp("Only for this user of the app.", valueName: "number"))
  var uid: Int?

  @OptionGroup var end: EndOption
  @OptionGroup var location: LocationOption

  func run() throws {
    let connection = try global.connect()
    try connection.actAsOwner()
    // Selected first: the app must not see for a moment what was selected before.
    if !ids.isEmpty { try connection.select(ids, .replace, app: app, uid: uid, global) }
    let decision = ManagerInterface.SetAuthorization.Parameters(
      appId: app, uid: uid, accessLevel: .readWrite, status: .limited, expires: end.until?.instant,
      location: location.location)
    Report.unsaved(try connection.setAuthorization(decision), global.words)
    if global.json { try Output.json(decision) }
    if uid == nil { AppUsers.note(of: app, global, connection) }
  }
}

struct SelectionCommand: AlbumCommand {
  static let configuration = CommandConfiguration(
    commandName: "selection",
    abstract: "Show or change what an app may see when it is limited.",
    discussion:
      "Ids are those of assets (albumctl assets --owner) and of whole albums (albumctl albums --owner).")

  @OptionGroup var global: GlobalOptions

  @Argument(help: "The app's id (albumctl apps).")
  var app: String

  @Option(parsing: .upToNextOption, help: ArgumentHelp("These join it.", valueName: "ids"))
  var add: [String] = []

  @Option(parsing: .upToNextOption, help: ArgumentHelp("These leave it.", valueName: "ids"))
  var remove: [String] = []

  @Option(parsing: .upToNextOption, help: ArgumentHelp("These take its place.", valueName: "ids"))
  var set: [String] = []

  @Option(help: ArgumentHelp("Only for this user of the app.", valueName: "number"))
  var uid: Int?

  func validate() throws {
    if !set.isEmpty, !add.isEmpty || !remove.isEmpty {
      throw ValidationError("--set says all of it; it does not go with --add and --remove")
    }
  }

  func run() throws {
    let connection = try global.connect()
    try connection.actAsOwner()
    for (ids, operation) in [
      (set, ManagerInterface.SelectionOperation.replace), (remove, .remove), (add, .add),
    ]
    where !ids.isEmpty {
      try connection.select(ids, operation, app: app, uid: uid, global)
    }
    let selection = try connection.selection(of: app, uid: uid)
    if global.json { return try Output.json(selection) }
    try show(selection, connection)
  }

  private func show(_ selection: ManagerInterface.GetSelection.Reply, _ connection: AlbumConnection) throws {
    let words = global.words
    var table = Table(.init(words[.columnID]), .init(words[.columnKind]), .init(words[.columnName]))
    // All rows at once: the widths of the albums are not those of the photos.
    var rows: [[String]] = []
    var missing = Set(selection.assets + selection.albums)
    let albums = try selection.albums.parts.flatMap { try connection.albums(ids: $0).albums }
    missing.subtract(albums.map(\.id))
    rows += albums.map { [$0.id, Person.texts["album"], $0.title] }
    for part in selection.assets.parts {
      let pages = try connection.assets(.init(ids: part, sort: .filename, includeHidden: true))
      while let page = try pages.next() {
        missing.subtract(page.assets.map(\.id))
        rows += page.assets.map { [$0.id, Person.texts[$0.mediaType.rawValue], $0.filename] }
      }
    }
    rows += missing.sorted().map { [$0, "", words[.notInLibrary]] }
    try Output.write(table.lines(of: rows))
    let count = selection.assets.count + selection.albums.count
    try Output.line("\(SafeText(words[.selectedFor, ["count": "\(count)", "app": app]]))")
    let users = try connection.users(of: app, uid: uid)
    if users.count > 1 {
      Report.note(words[.selectedTogether, ["users": words.list(users.map(\.userName))]])
    }
    if !users.flatMap(\.grants).contains(where: { $0.status == .limited }) {
      Report.note(words[.selectedForLater, ["command": "albumctl limit \(app)"]])
    }
  }
}

extension AlbumConnection {
  /// Changes a selection by ids of which nobody said whether they are assets or albums.
  fileprivate func select(
    _ ids: [String], _ operation: ManagerInterface.SelectionOperation, app: String, uid: Int?,
    _ global: GlobalOptions
  ) throws {
    let words = global.words
    let found = try ids.parts.flatMap { try self.albums(ids: $0).albums }
    let albums = found.map(\.id)
    // What is no album of the library is an asset, or was one or the other: taking it out takes out both.
    let others = ids.filter { !albums.contains($0) }
    if operation != .remove, let unknown = try firstUnknown(others) {
      // What is neither is no asset, to a program.
      if global.json { throw AlbumError.noSuchAsset(unknown) }
      throw CommandFailure(.failed, words[.noSuchID, ["id": unknown]])
    }
    let storing = try setSelection(
      .init(
        appId: app, uid: uid, assets: others, albums: operation == .remove ? ids : albums,
        operation: operation))
    Report.unsaved(storing, words)
    let shared = operation == .remove || global.json ? [] : found.filter(\.shared).map(\.title)
    if !shared.isEmpty { Report.note(words[.sharedNotSeen, ["albums": words.list(shared)]]) }
  }

  /// Names the first of these assets that there is not, as far as the caller may see (S16).
  func require(assets ids: [String]) throws {
    if let unknown = try firstUnknown(ids) { throw AlbumError.noSuchAsset(unknown) }
  }

  private func firstUnknown(_ ids: [String]) throws -> String? {
    var missing = Set(ids)
    for part in ids.parts {
      let pages = try assets(.init(ids: part, includeHidden: true))
      while let page = try pages.next() { missing.subtract(page.assets.map(\.id)) }
    }
    return ids.first(where: missing.contains)
  }
}

extension [String] {
  /// In lists of as many ids as a call may name.
  fileprivate var parts: [[String]] {
    stride(from: 0, to: count, by: 10_000).map { Array(self[$0..<Swift.min($0 + 10_000, count)]) }
  }
}
