import AlbumAPI
import Authorization
import DaemonConfiguration
import EventLoop
import Glibc
import Linux
import Logging
import LoopTesting
import Synchronization
import Testing
import TestSupport
import Varlink
import VarlinkServer
import VarlinkTransport

@testable import AlbumDaemon

@Suite("The services, asked by this process", .timeLimit(.minutes(30)))
struct ServiceTests {
  private let directory: TemporaryDirectory
  /// A daemon ends with its process.
  @EventLoopActor private static var daemons: [Daemon] = []

  /// The library.
  var photos: String { "\(directory.path)/photos" }

  init() throws { try self.init(connectionsPerUser: 3) }

  init(connectionsPerUser: Int) throws {
    LoopThread.start()
    directory = try TemporaryDirectory()
    mkdir("\(directory.path)/photos", 0o750)
    mkdir("\(directory.path)/apps.d", 0o755)
    try write(
      "albumd.yaml",
      """
      roots:
        - path: \(directory.path)/photos
      state: \(directory.path)/state
      limits: {connectionsPerUser: \(connectionsPerUser)}

      """)
  }

  @Test("a subscriber that is gone before its first reply leaves nothing behind")
  func vanishedSubscriber() async throws {
    let daemon = try await makeDaemon()
    let owner = try await connect(daemon)
    let me = try owner.call(AuthorizationInterface.WhoAmI.self, .init()).reply.identity
    _ = try owner.call(
      ManagerInterface.SetAuthorization.self,
      .init(appId: me.appId, uid: me.uid, accessLevel: .readWrite, status: .authorized))
    let call = try Call(LibraryInterface.Subscribe.self, .init(), wantsMore: true).encoded()
    for _ in 0..<8 {
      var pair: [CInt] = [-1, -1]
      try #require(socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &pair) == 0)
      try #require(Glibc.write(pair[0], call, call.count) == call.count)
      close(pair[0])
      let number = pair[1]
      await EventLoopActor.run { daemon.parts.server.serve(connection: OwnedDescriptor(owning: number)) }
      while await daemon.parts.server.connectionCount > 1 { await EventLoopActor.run {} }
    }
    #expect(await daemon.parts.subscriptions.count == 0)
    // Each counts as one of the user's three connections until it is closed, which a thread does, and for as long as
    // something else keeps it.
    func isServed() async throws -> Bool {
      let last = try await connect(daemon)
      return (try? last.call(AuthorizationInterface.WhoAmI.self, .init()))?.reply.identity == me
    }
    while try await !isServed() { await EventLoopActor.run {} }
  }

  @Test("S45: an owner's connection is an app's like any other until it says so, and only that one")
  func ownersView() async throws {
    let daemon = try await makeDaemon()
    let owner = try await connect(daemon)
    let other = try await connect(daemon)
    func refusal(_ connection: ClientConnection) -> String? {
      let error = #expect(throws: RemoteError.self) {
        try connection.call(LibraryInterface.FetchAlbums.self, .init())
      }
      return error?.name
    }
    #expect(refusal(owner) == LibraryInterface.NotAuthorized.name)
    _ = try owner.call(ManagerInterface.ActAsOwner.self, .init())
    _ = try owner.call(LibraryInterface.FetchAlbums.self, .init())
    #expect(refusal(other) == LibraryInterface.NotAuthorized.name)
  }

  @Test("S29, S45: the owner's view ends when its process may not act as an owner any more")
  func ownerNoMore() async throws {
    let daemon = try await makeDaemon()
    let owner = try await connect(daemon)
    let other = try await connect(daemon)
    _ = try owner.call(ManagerInterface.ActAsOwner.self, .init())
    _ = try owner.call(LibraryInterface.FetchAlbums.self, .init())
    try isAnApp()
    _ = try other.call(ManagerInterface.Reload.self, .init())
    let error = #expect(throws: RemoteError.self) {
      try owner.call(LibraryInterface.FetchAlbums.self, .init())
    }
    #expect(error?.name == LibraryInterface.NotAuthorized.name)
  }

  @Test("S29: a subscription has ended when who took back its access is answered")
  func revokedSubscription() async throws {
    let daemon = try await makeDaemon()
    let owner = try await connect(daemon)
    let me = try owner.call(AuthorizationInterface.WhoAmI.self, .init()).reply.identity
    func set(_ status: AuthorizationInterface.AuthorizationStatus) throws {
      _ = try owner.call(
        ManagerInterface.SetAuthorization.self,
        .init(appId: me.appId, uid: me.uid, accessLevel: .readWrite, status: status))
    }
    try set(.authorized)
    let subscriber = try await connect(daemon)
    try subscriber.send(Call(LibraryInterface.Subscribe.self, .init(), wantsMore: true))
    #expect(try subscriber.receive().reply.error == nil)
    #expect(await daemon.parts.subscriptions.count == 1)
    try set(.denied)
    #expect(await daemon.parts.subscriptions.count == 0)
  }

  @Test(
    "S18, S29: the log tells of a status that has become another, not of a selection that grows or a reload"
  )
  func statusLines() async throws {
    let lines = Lines()
    let daemon = try await makeDaemon(log: Logger(label: "test") { _ in lines })
    let owner = try await connect(daemon)
    let me = try owner.call(AuthorizationInterface.WhoAmI.self, .init()).reply.identity
    func set(_ status: AuthorizationInterface.AuthorizationStatus) throws {
      _ = try owner.call(
        ManagerInterface.SetAuthorization.self,
        .init(appId: me.appId, uid: me.uid, accessLevel: .readWrite, status: status))
    }
    try set(.limited)
    for _ in 0..<3 {
      _ = try owner.call(
        ManagerInterface.SetSelection.self,
        .init(appId: me.appId, uid: me.uid, assets: [], albums: [], operation: .add))
      _ = try owner.call(ManagerInterface.Reload.self, .init())
    }
    try set(.denied)
    let told = lines.told.withLock { $0 }.filter { $0.contains("readWrite is") }
    #expect(told.count == 2)
    #expect(told.first?.contains("readWrite is limited") == true)
    #expect(told.last?.contains("readWrite is denied") == true)
  }

  @Test("who asks how the library is, and may not read, is answered; nobody is told of a refusal")
  func infoIsNoRefusal() async throws {
    let daemon = try await makeDaemon()
    let app = try await connect(daemon)
    let info = try app.call(LibraryInterface.GetInfo.self, .init()).reply
    #expect(info.token.isEmpty && info.assetCount == 0)
    #expect(try await refusals(of: daemon) == 0)
    #expect(throws: RemoteError.self) { try app.call(LibraryInterface.FetchAlbums.self, .init()) }
    #expect(try await refusals(of: daemon) == 1)
  }

  @EventLoopActor
  private func refusals(of daemon: Daemon) async throws -> Int {
    try await daemon.parts.accessLog.rows().count { $0.event.kind == .refused }
  }

  @Test(
    "the doctor looks at the roots and the state directory in use, not at those that count from the next start"
  )
  func checksWhatRuns() async throws {
    let daemon = try await makeDaemon()
    let owner = try await connect(daemon)
    try write(
      "albumd.yaml", "roots: [{path: \(directory.path)/elsewhere}]\nstate: \(directory.path)/other\n")
    let later = try owner.call(ManagerInterface.Reload.self, .init()).reply.needsRestart ?? []
    #expect(Set(later).isSuperset(of: ["roots", "state"]))
    let found = try owner.call(ManagerInterface.Check.self, .init()).reply.findings
    let looked = found.map(\.subject).filter { $0.hasPrefix("\(directory.path)/") && !$0.hasSuffix(".yaml") }
    #expect(looked == ["photos", "state"].map { "\(directory.path)/\($0)" })
  }

  /// Describes this process as an app that manages nothing.
  func isAnApp() throws { try describe("manages: false") }

  /// Describes this process as an app.
  ///
  /// - Parameter keys: what its manifest says besides.
  func describe(_ keys: String) throws {
    var program = [CChar](repeating: 0, count: Int(PATH_MAX))
    try #require(readlink("/proc/self/exe", &program, program.count - 1) > 0)
    try write(
      "apps.d/org.example.Test.yaml",
      """
      name: {en: Test}
      identity: {executable: \(String(decoding: program.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self))}
      \(keys)

      """)
  }

  func makeDaemon(log: Logger = Logger(label: "test")) async throws -> Daemon {
    let path = directory.path
    return try await EventLoopActor.run {
      let options = Daemon.Options(
        configurationFile: "\(path)/albumd.yaml", vendorDirectory: "\(path)/vendor",
        defaultState: "\(path)/state", socketPath: "\(path)/socket")
      let daemon = try Daemon(
        configuration: options.load(), options: options, helpers: HelperProcesses.start(), log: log)
      Self.daemons.append(daemon)
      return daemon
    }
  }

  func connect(_ daemon: Daemon) async throws -> ClientConnection {
    var pair: [CInt] = [-1, -1]
    try #require(socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &pair) == 0)
    let number = pair[1]
    await EventLoopActor.run { daemon.parts.server.serve(connection: OwnedDescriptor(owning: number)) }
    return ClientConnection(socket: OwnedDescriptor(owning: pair[0]))
  }

  func write(_ name: String, _ text: String) throws {
    let file = try OwnedDescriptor(
      open("\(directory.path)/\(name)", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644), call: "open")
    try #require(Glibc.write(file.number, text, text.utf8.count) == text.utf8.count)
  }
}
