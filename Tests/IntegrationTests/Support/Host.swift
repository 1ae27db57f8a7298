import AlbumAPI
import Glibc
import Testing
import Varlink

/// A daemon on a library, with its apps and its owner.
final class Host {
  let library: TemporaryLibrary
  let daemon: DaemonProcess
  /// They live as long as the host, unless a test ends them.
  private var apps: [TestApp] = []

  /// Prepares a library, then starts a daemon on it.
  init(
    _ library: TemporaryLibrary? = nil, daemonUser: String? = nil,
    _ prepare: (TemporaryLibrary) throws -> Void = { _ in }
  ) throws {
    self.library = try library ?? TemporaryLibrary()
    try prepare(self.library)
    daemon = try DaemonProcess(self.library, user: daemonUser)
  }

  /// A new connection of this process, which no manifest describes: an owner when it runs as root.
  func connect() throws -> Connection { try Connection(path: library.socket) }

  /// A running app.
  func app(_ app: AppDescription = .wallpapers, uid: UInt32? = nil) throws -> TestApp {
    let app = try TestApp(app.program, in: library, uid: uid)
    apps.append(app)
    return app
  }

  func agent(languages: [String]? = nil) throws -> Agent {
    try Agent({ try connect() }, languages: languages)
  }

  /// A connection with the owner's view of the library.
  func owner() throws -> Connection {
    let connection = try connect()
    try connection.call(ManagerInterface.ActAsOwner.self, .init())
    return connection
  }

  /// Decides in settings.
  func set(
    _ app: AppDescription, _ status: AuthorizationInterface.AuthorizationStatus,
    _ level: AuthorizationInterface.AccessLevel = .readWrite, uid: UInt32 = getuid(), expires: Instant? = nil,
    location: Bool? = nil
  ) throws {
    try connect().call(
      ManagerInterface.SetAuthorization.self,
      .init(
        appId: app.id, uid: Int(uid), accessLevel: level, status: status, expires: expires,
        location: location))
  }

  /// The access log to its end, read on a connection of its own unless there is one.
  func accessLog(
    _ app: AppDescription? = nil, since: Instant? = nil, on connection: Connection? = nil
  ) throws -> [ManagerInterface.AccessLogEntry] {
    let connection = try connection ?? connect()
    try connection.begin(
      ManagerInterface.ListAccessLog.self, .init(appId: app?.id, since: since), more: true)
    var entries: [ManagerInterface.AccessLogEntry] = []
    while true {
      let answer = try connection.receive()
      entries += try answer.decoded(ManagerInterface.ListAccessLog.self).entries
      if !answer.reply.continues { return entries }
    }
  }

  /// Brings an app that nobody has decided about to a status: in settings, or by a policy about all apps.
  func bring(_ app: AppDescription, to status: AuthorizationInterface.AuthorizationStatus) throws {
    switch status {
    case .notDetermined: break
    case .denied, .authorized, .limited: try set(app, status)
    case .restricted:
      try library.policy("all", "effect: restrict\napps: [\"*\"]\n")
      try connect().call(ManagerInterface.Reload.self, .init())
    }
  }

  /// Changes what an app may see when it is limited, in settings.
  func select(
    _ operation: ManagerInterface.SelectionOperation, assets: [String] = [], albums: [String] = [],
    for app: AppDescription = .wallpapers
  ) throws {
    try connect().call(
      ManagerInterface.SetSelection.self,
      .init(appId: app.id, uid: Int(getuid()), assets: assets, albums: albums, operation: operation))
  }

  /// Lets an app see what is selected, by a prompt.
  func limit(_ app: Connection, assets: [String] = [], albums: [String] = []) throws {
    let agent = try agent()
    try app.begin(AuthorizationInterface.Request.self, .init(accessLevel: .readWrite))
    try agent.answer(agent.prompt(), .init(decision: .limited, assets: assets, albums: albums))
    #expect(try app.receive(AuthorizationInterface.Request.self).status == .limited)
  }
}

/// Why a test that becomes another user cannot run.
let needsRoot: Comment = "becoming another user needs root"
var isRoot: Bool { getuid() == 0 }
