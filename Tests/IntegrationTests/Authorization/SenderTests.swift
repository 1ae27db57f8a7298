import AlbumAPI
import Glibc
import TestSupport
import Testing
import Varlink
import VarlinkTransport

@Suite("Who sends on a connection", .blocking, .enabled(if: isRoot, needsRoot))
struct SenderTests {
  private static let uid: UInt32 = 65534
  private func identity(_ app: TestApp, _ connection: Connection) throws -> AuthorizationInterface.Identity {
    try app.send(Call(AuthorizationInterface.WhoAmI.self, .init()), on: connection)
    return try connection.receive(AuthorizationInterface.WhoAmI.self).identity
  }

  @Test("S35: the process that connected, and another one of the same app, are the app")
  func sameApp() throws {
    let host = try Host()
    let app = try host.app(uid: Self.uid)
    let connection = try app.connect()
    for app in [app, try host.app(uid: Self.uid), app] {
      #expect(try identity(app, connection).appId == AppDescription.wallpapers.id)
    }
  }

  @Test("S36: another program of the same user that sends on an app's connection is not the app")
  func anotherApp() throws {
    let host = try Host()
    let app = try host.app(uid: Self.uid)
    let connection = try app.connect()
    let stranger = try host.app(AppDescription(id: "unused", program: "stranger"), uid: Self.uid)
    for _ in 0..<2 {
      let error = try failure { _ = try identity(stranger, connection) }
      #expect(error.name == AuthorizationInterface.UnidentifiedPeer.name)
      #expect("\(error)".contains("stranger"), "\(error)")
    }
    #expect(try identity(app, connection).appId == AppDescription.wallpapers.id, "the app goes on")
  }

  @Test(
    "S36: another user's process is not the app, even if it runs its program; root's hands a connection on")
  func anotherUser() throws {
    let host = try Host()
    let connection = try host.app(uid: Self.uid).connect()
    let other = try host.app(uid: Self.uid - 1)
    let error = try failure { _ = try identity(other, connection) }
    #expect(error.name == AuthorizationInterface.UnidentifiedPeer.name)
    #expect(try identity(host.app(), connection).uid == Int(Self.uid))
  }

  @Test("S36: what two processes have sent together is nobody's, though either may send")
  func together() throws {
    let host = try Host()
    let app = try host.app(uid: Self.uid)
    let connection = try app.connect()
    try app.sendEnd(of: Call(AuthorizationInterface.WhoAmI.self, .init()), on: connection)
    let error = try failure { _ = try connection.receive(AuthorizationInterface.WhoAmI.self) }
    let refusal = error.typed(AuthorizationInterface.UnidentifiedPeer.self)
    #expect(refusal?.reason.contains("two processes") == true)
    #expect(try identity(app, connection).appId == AppDescription.wallpapers.id, "the app goes on")
  }

  @Test("S36: a set-user-ID program is not its caller, and not its owner")
  func setUserID() throws {
    let host = try Host()
    let app = try host.app(uid: Self.uid)
    let other = try host.app(AppDescription(id: "unused", program: "privileged"))
    #expect(chmod(host.library.executable(of: "privileged"), 0o4755) == 0)
    try app.become("privileged", in: host.library)
    var status = stat()
    #expect(stat("/proc/\(app.process.pid)", &status) == 0)
    // Where nothing becomes another user that way (nosuid, PR_SET_NO_NEW_PRIVS), it is the same process still.
    guard status.st_uid == 0 else { return }
    let error = try failure { _ = try app.connect().status() }
    #expect("\(error)".contains("set-user-ID"), "\(error)")
    withExtendedLifetime(other) {}
  }

  @Test("S36: a process that has become another program is not what it was, nor what it became")
  func becameAnother() throws {
    let host = try Host()
    let app = try host.app(uid: Self.uid)
    let connection = try app.connect()
    #expect(try identity(app, connection).appId == AppDescription.wallpapers.id)
    try app.become("stranger", in: host.library)
    for _ in 0..<2 {
      let error = try failure { _ = try identity(app, connection) }
      #expect(error.name == AuthorizationInterface.UnidentifiedPeer.name)
    }
    #expect(
      try identity(app, app.connect()).evidence.contains("stranger"), "a new connection is the new program's")
    try app.become(AppDescription.wallpapers.program, in: host.library)
    let error = try failure { _ = try identity(app, connection) }
    #expect(error.name == AuthorizationInterface.UnidentifiedPeer.name, "not even when it comes back")
  }

  @Test("S36: a stranger that becomes an app's program does not become the app on its old connection")
  func becameApp() throws {
    let host = try Host()
    let app = try host.app(AppDescription(id: "unused", program: "stranger"), uid: Self.uid)
    let connection = try app.connect()
    #expect(try identity(app, connection).manifest == nil)
    try app.become(AppDescription.wallpapers.program, in: host.library)
    let error = try failure { _ = try identity(app, connection) }
    #expect(error.name == AuthorizationInterface.UnidentifiedPeer.name)
  }
}
