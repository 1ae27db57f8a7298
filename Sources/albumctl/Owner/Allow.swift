internal import AlbumAPI
internal import AlbumClient
internal import AlbumTerminal
internal import ArgumentParser
internal import Varlink
internal import Words

struct Allow: AlbumCommand {
  static let configuration = CommandConfiguration(
    commandName: "allow",
    abstract: "Give an app access, without a prompt.",
    discussion: "Without --level: readWrite, which brings the right to add.")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var subject: AppArguments

  @OptionGroup var end: EndOption

  func run() throws {
    try subject.decide(.authorized, levels: [.readWrite], expires: end.until?.instant, global)
  }
}

struct Deny: AlbumCommand {
  static let configuration = CommandConfiguration(
    commandName: "deny",
    abstract: "Refuse an app access, without a prompt. Takes back what was granted.",
    discussion: "Without --level: both. An app that has readWrite may add, also where addOnly is refused.")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var subject: AppArguments

  @OptionGroup var end: EndOption

  func run() throws {
    let levels = AuthorizationInterface.AccessLevel.allCases
    try subject.decide(.denied, levels: levels, expires: end.until?.instant, global)
    // A courtesy: what was decided is stored, whatever keeps this from being said.
    if !global.json, subject.level == .addOnly { try? noteAddingAnyway() }
  }

  private func noteAddingAnyway() throws {
    let apps = try global.connect().apps().filter {
      $0.id == subject.app && (subject.uid == nil || $0.uid == subject.uid)
    }
    if let note = apps.lazy.compactMap(global.words.addsAnyway).first { Report.note(note) }
  }
}

/// How long a decision holds.
struct EndOption: ParsableArguments {
  @Option(
    name: [.long, .customLong("for")],
    help: ArgumentHelp("A time to come: 2026-12-31, RFC 3339, or 2h, 7d from now.", valueName: "time"))
  var until: TimeArgument?

  func validate() throws {
    guard let until, until.instant <= .now else { return }
    throw ValidationError("\(until.text) has passed: give a time to come")
  }
}

/// Whom a decision is about.
struct AppArguments: ParsableArguments {
  @Argument(help: "The app's id (albumctl apps).")
  var app: String

  @Option(help: "The access level.")
  var level: AuthorizationInterface.AccessLevel?

  @Option(help: ArgumentHelp("Only for this user of the app.", valueName: "number"))
  var uid: Int?

  func decide(
    _ status: AuthorizationInterface.AuthorizationStatus, levels: [AuthorizationInterface.AccessLevel],
    expires: Instant?, _ global: GlobalOptions
  ) throws {
    let connection = try global.connect()
    for level in level.map({ [$0] }) ?? levels {
      let decision = ManagerInterface.SetAuthorization.Parameters(
        appId: app, uid: uid, accessLevel: level, status: status, expires: expires)
      try connection.setAuthorization(decision)
      if global.json { try Output.json(decision) }
    }
  }
}
