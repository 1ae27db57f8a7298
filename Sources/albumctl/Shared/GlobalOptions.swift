public import AlbumAPI
internal import AlbumClient
internal import AlbumTerminal
public import ArgumentParser
internal import Varlink
internal import Words

/// What every command takes.
struct GlobalOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The daemon's socket.", valueName: "path"))
  var socket: String?

  @Flag(help: "Print JSON, one object per line.")
  var json = false

  func connect() throws(AlbumError) -> AlbumConnection {
    try AlbumConnection(socket: socket, language: json ? nil : Person.language)
  }

  /// The guide of a refusal in the person's language, which the call that was refused knows nothing of.
  func guide(of error: AlbumError) -> AuthorizationInterface.Guide? {
    guard !json,
      let refused = error.remote?.typed(LibraryInterface.NotAuthorized.self)
    else { return error.guide }
    let reply = try? connect().status(of: refused.accessLevel, language: Person.language)
    var guide = reply?.guide ?? error.guide
    // Nobody refused yet: asking helps, where settings would not.
    if (reply?.status ?? refused.status) == .notDetermined {
      let command = "albumctl request --level \(refused.accessLevel.rawValue)"
      guide?.steps.append(words[.askFirst, ["command": command]])
    }
    return guide
  }

  /// What a person is told; a program is told the same in every language.
  var words: Words { json ? .english : Person.words }
}

/// Whose eyes to see the library with.
struct OwnerOption: ParsableArguments {
  @Flag(help: "See the whole library, as its owner.")
  var owner = false

  func connect(_ global: GlobalOptions) throws(AlbumError) -> AlbumConnection {
    let connection = try global.connect()
    if owner { try connection.actAsOwner() }
    return connection
  }
}

extension AuthorizationInterface.AccessLevel: ExpressibleByArgument {}
extension LibraryInterface.MediaType: ExpressibleByArgument {}
extension LibraryInterface.ResourceType: ExpressibleByArgument {}
extension LibraryInterface.SavePurpose: ExpressibleByArgument {}
extension LibraryInterface.SortKey: ExpressibleByArgument {}
extension AgentInterface.Decision: ExpressibleByArgument {
  /// Written as the exit statuses are documented: `not-now`.
  public init?(argument: String) {
    self.init(rawValue: argument == "not-now" ? "notNow" : argument)
  }

  /// What the command line takes.
  public static var allValueStrings: [String] { ["allow", "deny", "limited", "not-now"] }
}

/// A day or time on the command line: a span such as `7d` is that far away.
struct TimeArgument: ExpressibleByArgument {
  let instant: Instant
  /// As it was typed.
  let text: String

  init?(argument: String) {
    guard let instant = Instant(argument: argument, now: .now) else { return nil }
    self.instant = instant
    text = argument
  }
}

/// A day or time in the past: a span such as `7d` is that long ago.
struct PastTimeArgument: ExpressibleByArgument {
  let instant: Instant

  init?(argument: String) {
    guard let time = GivenTime(argument) else { return nil }
    instant = time.instant(before: .now)
  }
}
