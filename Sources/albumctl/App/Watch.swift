internal import AlbumAPI
internal import AlbumClient
internal import AlbumTerminal
internal import ArgumentParser
internal import Glibc
internal import Varlink

struct Watch: AlbumCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Print changes of the library as they happen.",
    discussion: """
      One line per change, then the token to come back with: --since TOKEN goes on from there and tells \
      everything that happened since, once. “anew” says that this cannot be told one by one: fetch anew, and go \
      on from the token that follows. With --json, one delivery of Subscribe per line. Ends with \
      Ctrl-C (exit status 0), or when the daemon goes away (1).
      """)

  @OptionGroup var global: GlobalOptions
  @OptionGroup var eyes: OwnerOption

  @Option(help: ArgumentHelp("Go on from this token rather than from now.", valueName: "token"))
  var since: String?

  @Flag(help: "Watch the list of albums rather than assets.")
  var albums = false

  @Option(help: ArgumentHelp("Only assets of this album. May be repeated.", valueName: "album"))
  var album: [String] = []

  func validate() throws {
    if albums && !album.isEmpty { throw ValidationError("--albums and --album exclude each other") }
  }

  func run() throws {
    let connection = try eyes.connect(global)
    if albums {
      try follow(try connection.albumChanges(since: since)) { ($0.id, $0.title) }
    } else {
      // One that has gone since the token has something to tell.
      if since == nil { try connection.require(albums: album) }
      let scope = album.isEmpty ? nil : LibraryInterface.AssetScope(albums: album)
      try follow(try connection.assetChanges(in: scope, since: since)) { ($0.id, $0.filename) }
    }
  }

  private func follow<Method: VarlinkMethod, Item>(
    _ stream: AlbumStream<Method>, _ describe: (Item) -> (id: String, name: String)
  ) throws where Method.Reply == LibraryInterface.Subscribe.Delivery<Item> {
    let signals = try SignalQueue([SIGINT, SIGTERM])
    var token = since
    do {
      while try signals.allow(stream) {
        guard let delivery = try stream.next() else { return }
        token = delivery.token
        if global.json { try Output.json(delivery) } else { try show(delivery, describe) }
      }
    } catch let error as AlbumError where error.code == .connectionLost {
      if let token, !global.json {
        Report.note(Person.texts["Go on from here later: albumctl watch --since \(token)"])
      }
      throw error
    }
  }

  private func show<Item>(
    _ delivery: LibraryInterface.Subscribe.Delivery<Item>, _ describe: (Item) -> (id: String, name: String)
  ) throws {
    // The access of a connection that acts as the owner is the same until its end.
    let reason = eyes.owner ? "changes were lost" : "the access is another, or changes were lost"
    var text =
      delivery.hasIncrementalChanges ? "" : "\(title("anew"))\(Person.texts["fetch anew: \(reason)"])\n"
    for item in delivery.inserted {
      let (id, name) = describe(item)
      text += "\(title("inserted"))\(SafeText(id))  \(SafeText(name))\n"
    }
    for id in delivery.removed { text += "\(title("removed"))\(SafeText(id))\n" }
    for change in delivery.changed {
      let name = change.asset?.filename ?? change.album?.title ?? ""
      let what = Person.texts[change.contentChanged ? "content" : "metadata"]
      text += "\(title("changed"))\(SafeText(change.id))  \(SafeText(name))  (\(what))\n"
    }
    for move in delivery.moved {
      let name = move.asset?.filename ?? move.album?.title ?? ""
      let (from, to) = (place(move.from), place(move.to))
      text +=
        "\(title("moved"))\(SafeText(move.id))  \(SafeText(name))  (\(SafeText(from)) → \(SafeText(to)))\n"
    }
    try Output.write(text + "\(title("token"))\(SafeText(delivery.token))\n")
  }

  /// What stands at the beginning of a line.
  private func title(_ kind: String) -> String { TextWidth.pad(Person.texts[kind], to: 10) }

  /// Of what is in no album that the app sees, it is only known to be in the library.
  private func place(_ albums: [String]) -> String {
    albums.isEmpty ? Person.texts["library"] : albums.joined(separator: ", ")
  }
}
