import AlbumAPI
import Authorization
import EventLoop
import Glibc
import LibraryModel
import Linux
import LoopTesting
import TestSupport
import Testing
import Varlink
import VarlinkTransport

@testable import AlbumDaemon
@testable import LibraryIO
@testable import VarlinkServer

/// A daemon with some hundred files, and albums beside them, an owner, and an app that sees each of them because it was selected.
struct NamedScene {
  let daemon: Daemon
  let owner: ClientConnection
  let app: ClientConnection
  let ids: [String]
  private let services: ServiceTests
  private let me: AuthorizationInterface.Identity
  private var key: RecordKey { RecordKey(uid: getuid(), appID: me.appId, accessLevel: .readWrite) }

  /// - Parameter others: how many files are in the first album besides.
  init(
    _ services: ServiceTests, files count: Int, albums: Int = 0, filesOfAlbum others: Int = 0
  ) async throws {
    self.services = services
    for number in 0..<albums { try #require(mkdir("\(services.photos)/album \(number)", 0o755) == 0) }
    let paths = (0..<count).map { "\($0)" } + (0..<others).map { "album 0/\($0)" }
    for path in paths {
      let file = try OwnedDescriptor(
        open("\(services.photos)/\(path).jpg", O_WRONLY | O_CREAT | O_CLOEXEC, 0o644), call: "open")
      try #require(write(file.number, path, 1) == 1)
    }
    try services.describe("manages: true\nusage: {readWrite: {en: To test.}}")
    let made = try await services.makeDaemon()
    daemon = made
    owner = try await services.connect(made)
    app = try await services.connect(made)
    try await EventLoopActor.run { try made.parts.library.start(telling: made.parts.wiring) }
    _ = try owner.call(ManagerInterface.ActAsOwner.self, .init())
    me = try app.call(AuthorizationInterface.WhoAmI.self, .init()).reply.identity
    var page: LibraryInterface.FetchAssets.Reply
    repeat {
      page = try owner.call(LibraryInterface.FetchAssets.self, .init(sort: .filename, limit: 1000)).reply
    } while try page.total < paths.count
      || owner.call(LibraryInterface.GetInfo.self, .init()).reply.albumCount < albums
    ids = page.assets.map(\.id)
  }

  func set(_ status: AuthorizationInterface.AuthorizationStatus) throws {
    _ = try owner.call(
      ManagerInterface.SetAuthorization.self,
      .init(appId: me.appId, uid: me.uid, accessLevel: .readWrite, status: status))
  }

  func select(_ assets: [String], _ operation: ManagerInterface.SelectionOperation = .add) throws {
    _ = try owner.call(
      ManagerInterface.SetSelection.self,
      .init(appId: me.appId, uid: me.uid, assets: assets, albums: [], operation: operation))
  }

  /// Somebody who agrees to what the app asks for next.
  func agent() async throws -> ClientConnection {
    let agent = try await services.connect(daemon)
    try agent.send(Call(AgentInterface.Register.self, .init(name: "test"), wantsMore: true))
    _ = try agent.receive()
    return agent
  }

  func agree(_ agent: ClientConnection, before answer: () async throws -> Void) async throws {
    let shown = try agent.receive().reply
    let prompt = try #require(
      try JSONDecoding.decode(AgentInterface.Register.Reply.self, from: .object(shown.parameters)).prompt)
    try await answer()
    _ = try owner.call(
      AgentInterface.Respond.self, .init(prompt: prompt.id, answer: .init(decision: .allow)))
  }

  /// What an app's call is answered, of whose assets one is taken from its sight when some have been looked up and others
  /// have not.
  func reply(to call: Call, losing id: String) async throws -> Reply {
    // Before: a call may be done when this thread goes on.
    let loss = await lose(id)
    try app.send(call)
    let reply = try app.receive().reply
    await loss.value
    try select([id])
    return reply
  }

  /// What an app's call is answered, about which something else is decided when a part was done.
  func reply(to call: Call, deciding status: DecidedStatus) async throws -> Reply {
    let key = key
    let record = try AuthorizationRecord(key, Decision(status, decidedAt: .now))
    await afterFirstSlice { daemon in
      daemon.parts.center.set([record], by: .init(.settings, uid: key.app.uid)) { _ in }
    }
    try app.send(call)
    return try app.receive().reply
  }

  /// Takes an asset from the app's sight as soon as a call of its user's lets others have their turn.
  func lose(_ id: String) async -> Task<Void, Never> {
    let (daemon, key) = (daemon, key)
    return await EventLoopActor.run {
      Task.onLoop {
        await withCheckedContinuation { continuation in
          whenWaiting(daemon) {
            let change = SelectionChange.remove(Selection(assets: [id]))
            daemon.parts.center.changeSelection(
              of: [key], by: [change], author: .init(.settings, uid: key.app.uid)
            ) { _ in }
            continuation.resume()
          }
        }
      }
    }
  }

  /// How often others have their turn while a call of the app's is served.
  func turns(during call: Call) async throws -> Int {
    try await turns {
      try app.send(call)
      let reply = try app.receive().reply
      #expect(reply.error == nil)
    }
  }

  /// How often others have their turn while calls of this user's are served.
  func turns(while body: () throws -> Void) async throws -> Int {
    try await TurnCount.turns(of: daemon, while: body)
  }

  /// Does something as soon as a call of this user's lets others have their turn.
  func afterFirstSlice(_ body: @escaping @EventLoopActor (Daemon) -> Void) async {
    let daemon = daemon
    await EventLoopActor.run { whenWaiting(daemon) { body(daemon) } }
  }

  /// So many programs were here, half of each of two users: of one, only so many are remembered.
  func noteApps(_ count: Int) async {
    let daemon = daemon
    await EventLoopActor.run {
      for number in 0..<count {
        let id = "/usr/bin/program-\(number)"
        let app = PeerIdentity(
          appID: id, uid: UInt32(20_000 + number % 2), evidence: .init(.executable, id), isVerified: false,
          manifest: nil, manifestFile: "program.yaml")
        daemon.parts.apps.note(app, isStored: false)
      }
    }
  }

  /// What an agent is shown next.
  func prompt(_ agent: ClientConnection) throws -> AgentInterface.Prompt {
    let shown = try agent.receive().reply
    return try #require(
      try JSONDecoding.decode(AgentInterface.Register.Reply.self, from: .object(shown.parameters)).prompt)
  }
}

/// Counts how often others have their turn while calls of this user's are served.
@EventLoopActor
final class TurnCount {
  private var turns = 0
  private var isOver = false

  private nonisolated init() {}

  nonisolated static func turns(of daemon: Daemon, while body: () throws -> Void) async throws -> Int {
    let count = TurnCount()
    await EventLoopActor.run { count.begin(daemon) }
    let result = Result { try body() }
    await EventLoopActor.run { count.isOver = true }
    _ = try result.get()
    return await count.turns
  }

  /// In each turn of the loop, as what lets others have theirs goes on after all that waits.
  private func begin(_ daemon: Daemon) {
    guard !isOver else { return }
    if isWaiting(daemon) { turns += 1 }
    Task { begin(daemon) }
  }
}

/// Does something in the very turn in which a call of this user's waits for its next slice.
@EventLoopActor
func whenWaiting(_ daemon: Daemon, _ body: @escaping @EventLoopActor () -> Void) {
  guard !isWaiting(daemon) else { return body() }
  Task { whenWaiting(daemon, body) }
}

/// Whether a call of this user's waits for its next slice: in each turn between two of them it does.
@EventLoopActor
private func isWaiting(_ daemon: Daemon) -> Bool {
  !(daemon.parts.server.user(getuid())?.slices.waiting.isEmpty ?? true)
}
