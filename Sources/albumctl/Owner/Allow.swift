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
    discussion: "Without --level: readWrite, which brings the right to add. \(AppUsers.help)")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var subject: AppArguments

  @OptionGroup var end: EndOption
  @OptionGroup var location: LocationOption

  func run() throws {
    try subject.decide(
      .authorized, levels: [.readWrite], expires: end.until?.instant, location: location.location, global)
  }
}

struct Deny: AlbumCommand {
  static let configuration = CommandConfiguration(
    commandName: "deny",
    abstract: "Refuse an app access, without a prompt. Takes back what was granted.",
    discussion: """
      Without --level: both. An app that has readWrite may add, also where addOnly is refused. \(AppUsers.help)
      """)

  @OptionGroup var global: GlobalOptions
  @OptionGroup var subject: AppArguments

  @OptionGroup var end: EndOption

  func run() throws {
    let levels = AuthorizationInterface.AccessLevel.allCases
    try subject.decide(.denied, levels: levels, expires: end.until?.instant, global)
    // A courtesy: what was decided is stored, whatever keeps this from being said.
    if !global.json, subject.level == .addOnly,
      let apps = try? global.connect().users(of: subject.app, uid: subject.uid),
      let note = apps.lazy.compactMap(global.words.addsAnyway).first
    {
      Report.note(note)
    }
  }
}

/// Whether a grant includes where photos were taken (S55).
struct LocationOption: ParsableArguments {
  @Flag(
    inversion: .prefixedNo,
    help: "Let it learn where photos were taken, or not. Without: as it was; not, where it was not allowed.")
  var location: Bool?
}

/// How long a decision holds.
struct EndOption: ParsableArguments {
  @Option(
    name: [.customLong("until"), .customLong("for")],
    help: ArgumentHelp("A time to come: 2026-12-31, RFC 3339, or 2h, 7d from now.", valueName: "time"))
  var ends: [TimeArgument] = []

  var until: TimeArgument? { ends.first }

  func validate() throws {
    guard ends.count <= 1 else { throw ValidationError("say once how long it holds: --for or --until") }
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

  /// Decides, and says about whom.
  func decide(
    _ status: AuthorizationInterface.AuthorizationStatus, levels: [AuthorizationInterface.AccessLevel],
    expires: Instant?, location: Bool? = nil, _ global: GlobalOptions
  ) throws {
    let connection = try global.connect()
    let levels = level.map { [$0] } ?? levels
    if levels.count > 1 { try connection.requireNoPolicy(for: app, uid: uid, levels) }
    for level in levels {
      let decision = ManagerInterface.SetAuthorization.Parameters(
        appId: app, uid: uid, accessLevel: level, status: status, expires: expires, location: location)
      Report.unsaved(try connection.setAuthorization(decision), global.words)
      if global.json { try Output.json(decision) }
    }
    if uid == nil { AppUsers.note(of: app, global, connection) }
  }
}

/// All the users of an app, about whom is decided where none is named.
enum AppUsers {
  static let help = "Without --uid: for every user that the app was seen with."

  /// Says who they are, where they are several. A courtesy: what was decided is stored, whatever keeps this from
  /// being said.
  static func note(of app: String, _ global: GlobalOptions, _ connection: AlbumConnection) {
    guard !global.json, let users = try? connection.users(of: app, uid: nil), users.count > 1 else { return }
    let words = global.words
    let names = users.map(\.userName)
    Report.note(
      words[.decidedForUsers, ["app": app, "count": "\(users.count)", "users": words.list(names)]])
  }
}

extension ManagerInterface.App {
  /// Its user's login name, or number.
  var userName: String { user ?? "\(uid)" }
}

extension AlbumConnection {
  /// An app as it stands with each of its users, or with one of them.
  func users(of app: String, uid: Int?) throws(AlbumError) -> [ManagerInterface.App] {
    try apps().filter { $0.id == app && (uid == nil || $0.uid == uid) }
  }

  /// Refuses what a policy forbids (S37) before the first of several calls has changed anything.
  func requireNoPolicy(
    for app: String, uid: Int?, _ levels: [AuthorizationInterface.AccessLevel]
  ) throws(AlbumError) {
    let grants = try users(of: app, uid: uid).flatMap(\.grants).filter { levels.contains($0.accessLevel) }
    guard let policy = grants.lazy.compactMap(\.policy).first else { return }
    throw AlbumError(
      remote: RemoteError(
        name: ManagerInterface.LockedByPolicy.name, parameters: ["policy": .string(policy)]),
      place: ManagerInterface.SetAuthorization.name)
  }
}
