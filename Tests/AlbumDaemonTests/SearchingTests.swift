import AlbumAPI
import EventLoop
import Glibc
import LibraryModel
import LoopTesting
import TestSupport
import Testing
import Varlink
import VarlinkTransport

@testable import AlbumDaemon
@testable import Storage

@Suite("Searches, asked by this process", .blocking, .timeLimit(.minutes(10)))
struct SearchingTests {
  private let services: ServiceTests

  init() throws { services = try ServiceTests() }

  @Test("S29: who loses access while a search is under way is not told what was found")
  func accessEnds() async throws {
    let scene = try await Scene(services)
    try scene.set(.authorized)
    let held = await scene.hold()
    try scene.app.send(try scene.fetchByName())
    await scene.untilWaiting(1)
    try scene.set(.denied)
    held.open()
    #expect(try scene.app.receive().reply.error == LibraryInterface.NotAuthorized.name)
    await scene.untilIdle()
  }

  @Test("S16, S29: what is taken out of a selection while a search is under way is not shown, nor counted")
  func selectionShrinks() async throws {
    let scene = try await Scene(services)
    try scene.set(.limited)
    try scene.select(scene.ids, .add)
    let held = await scene.hold()
    try scene.app.send(try scene.fetchByName())
    await scene.untilWaiting(1)
    try scene.select([scene.ids[0]], .remove)
    held.open()
    let reply = try scene.app.receive().reply
    #expect(reply.error == nil)
    let page = try JSONDecoding.decode(
      LibraryInterface.FetchAssets.Reply.self, from: .object(reply.parameters))
    #expect(page.total == scene.ids.count - 1)
    #expect(!page.assets.contains { $0.id == scene.ids[0] })
    #expect(page.assets.count == 10 && page.assets.allSatisfy { scene.ids.contains($0.id) })
  }

  @Test("who hangs up is not searched for, and what waits of it goes")
  func hangsUp() async throws {
    let scene = try await Scene(services)
    try scene.set(.authorized)
    let held = await scene.hold()
    do {
      let gone = try await services.connect(scene.daemon)
      try gone.send(try scene.fetchByName())
      await scene.untilWaiting(1)
      withExtendedLifetime(gone) {}
    }
    await scene.untilWaiting(0)
    try scene.app.send(Call(LibraryInterface.FetchMoments.self, .init(unit: .day)))
    await scene.untilWaiting(1)
    held.open()
    #expect(try scene.app.receive().reply.error == nil)
    await scene.untilIdle()
  }

  @Test("S58: no call has the loop look at each asset, or sort them")
  func loop() async throws {
    let scene = try await Scene(services)
    try scene.set(.authorized)
    let album = scene.album
    typealias Fetch = LibraryInterface.FetchAssets.Parameters
    var all: [Fetch] = [LibraryInterface.SortKey.created, .modified, .filename, .byteCount].flatMap {
      [Fetch(sort: $0, limit: 10), Fetch(sort: $0, descending: true, limit: 10)]
    }
    all += [
      Fetch(nameContains: "99", limit: 10), Fetch(nameContains: "99", sort: .byteCount, limit: 10),
      Fetch(mediaTypes: [.video], limit: 10), Fetch(albums: [album], limit: 10),
      Fetch(createdAfter: Instant(microseconds: 0), limit: 10), Fetch(subtypes: [.raw], limit: 10),
      Fetch(ids: Array(scene.ids.prefix(10)), sort: .filename),
    ]
    for parameters in all {
      let cost = try await scene.cost {
        _ = try scene.app.call(LibraryInterface.FetchAssets.self, parameters)
      }
      #expect(cost < scene.ids.count, "\(parameters)")
    }
    for albums in [nil, [album]] {
      for unit in [LibraryInterface.MomentUnit.day, .month, .year] {
        let cost = try await scene.cost {
          _ = try scene.app.call(LibraryInterface.FetchMoments.self, .init(unit: unit, albums: albums))
        }
        #expect(cost < scene.ids.count, "\(unit) of \(albums ?? [])")
      }
    }
    try scene.set(.limited)
    try scene.select(scene.ids, .add)
    var seen = 0
    let cost = try await scene.cost {
      seen = try scene.app.call(LibraryInterface.GetInfo.self, .init()).reply.assetCount
    }
    #expect(seen == scene.ids.count)
    #expect(cost < scene.ids.count)
  }
}

/// A daemon with some thousand photos, an owner, and an app.
private struct Scene {
  let daemon: Daemon
  let owner: ClientConnection
  let app: ClientConnection
  let ids: [String]
  /// Where all of them are.
  let album: String
  private let me: AuthorizationInterface.Identity

  init(_ services: ServiceTests) async throws {
    let made = try await services.makeDaemon()
    daemon = made
    owner = try await services.connect(made)
    app = try await services.connect(made)
    me = try owner.call(AuthorizationInterface.WhoAmI.self, .init()).reply.identity
    (ids, album) = try await EventLoopActor.run {
      let store = try #require(made.parts.store as? LibraryStore)
      try store.fill(3000)
      let ids = (1...3000).map { store.ids.encode(AssetID(rawValue: $0)) }
      return (ids, store.ids.encode(AlbumID(rawValue: 1)))
    }
  }

  func set(_ status: AuthorizationInterface.AuthorizationStatus) throws {
    _ = try owner.call(
      ManagerInterface.SetAuthorization.self,
      .init(appId: me.appId, uid: me.uid, accessLevel: .readWrite, status: status))
  }

  func select(_ assets: [String], _ operation: ManagerInterface.SelectionOperation) throws {
    _ = try owner.call(
      ManagerInterface.SetSelection.self,
      .init(appId: me.appId, uid: me.uid, assets: assets, albums: [], operation: operation))
  }

  func fetchByName() throws -> Call {
    try Call(LibraryInterface.FetchAssets.self, .init(sort: .filename, limit: 10))
  }

  /// Keeps this user's turn until the gate is opened.
  func hold() async -> Gate {
    let gate = Gate()
    let daemon = daemon
    // Of the loop alone: other tests may hold every thread of the pool.
    await EventLoopActor.run {
      _ = Task.onLoop { _ = try? await daemon.parts.searches.run(for: getuid()) { _ in gate.wait() } }
    }
    await gate.untilReached()
    return gate
  }

  func untilWaiting(_ count: Int) async { await Self.until(daemon) { $0.waiting == count } }

  func untilIdle() async { await Self.until(daemon) { $0 == .init(running: 0, waiting: 0) } }

  @EventLoopActor
  private static func until(_ daemon: Daemon, _ isSo: @Sendable (LongQueries.Counts) -> Bool) async {
    while !isSo(daemon.parts.searches.counts) { await EventLoopActor.giveWay() }
  }

  /// How many operations SQLite does for it on the loop's connection.
  func cost(of body: () throws -> Void) async throws -> Int {
    let before = try await steps()
    try body()
    return try await steps() - before
  }

  private func steps() async throws -> Int {
    let daemon = daemon
    return try await EventLoopActor.run {
      PreparedStatements(of: try #require(daemon.parts.store as? LibraryStore).connection.pointer).steps
    }
  }
}
