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
@testable import Storage

/// A daemon with some thousand photos, an owner, and an app.
struct SearchScene {
  let daemon: Daemon
  let owner: ClientConnection
  let app: ClientConnection
  let ids: [String]
  /// Where all of them are.
  let album: String
  private let me: AuthorizationInterface.Identity
  private var key: RecordKey { RecordKey(uid: getuid(), appID: me.appId, accessLevel: .readWrite) }

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

  /// From then on what is written may be committed later.
  func finishScan() async throws {
    let daemon = daemon
    try await EventLoopActor.run {
      let store = try #require(daemon.parts.store as? LibraryStore)
      try store.begin()
      try store.finishScan()
      try store.commit()
      try store.settle()
    }
  }

  /// All of the album, now and later.
  func selectAlbum() async {
    // The index alone knows of it, so that no manager could name it.
    await Self.select(daemon, key, album)
  }

  @EventLoopActor
  private static func select(_ daemon: Daemon, _ key: RecordKey, _ album: String) async {
    await withCheckedContinuation { continuation in
      daemon.parts.center.changeSelection(
        of: [key], by: [.add(Selection(albums: [album]))], author: .init(.settings, uid: key.app.uid)
      ) { _ in continuation.resume() }
    }
  }

  /// Does something with each of the next so many searches that are made ready, in place of running it.
  func beforeSearches(
    _ count: Int, _ change: @escaping @EventLoopActor (_ body: @escaping @Sendable () -> Void) -> Void
  ) async {
    let daemon = daemon
    await EventLoopActor.run {
      let searches = daemon.parts.searches
      let start = searches.start
      var left = count
      searches.start = { body in
        left -= 1
        if left == 0 { searches.start = start }
        change(body)
      }
    }
  }

  /// Keeps the next search under way until the gate is opened.
  func holdSearch() async -> Gate {
    let gate = Gate()
    await beforeSearches(1) { body in
      ThreadReserve.shared.run {
        gate.wait()
        body()
      }
    }
    return gate
  }

  /// Writes while the next search is under way, before it reads anything.
  func writeDuringSearch(_ write: @escaping @EventLoopActor (LibraryStore) throws -> Void) async {
    let daemon = daemon
    await beforeSearches(1) { body in
      do { try write(try #require(daemon.parts.store as? LibraryStore)) } catch { Issue.record(error) }
      ThreadReserve.shared.run(body)
    }
  }

  /// While each of the next so many searches is under way, takes one more out of what is selected: from the first on.
  func shrinkDuringSearches(_ count: Int) async {
    let (daemon, key, ids) = (daemon, key, ids)
    var next = 0
    await beforeSearches(count) { body in
      let one = SelectionChange.remove(Selection(assets: [ids[next]]))
      next += 1
      daemon.parts.center.changeSelection(
        of: [key], by: [one], author: .init(.settings, uid: key.app.uid)
      ) { _ in ThreadReserve.shared.run(body) }
    }
  }

  func allow(operations: Int) async {
    let daemon = daemon
    await EventLoopActor.run { daemon.parts.searches.operations = operations }
  }

  /// What is asked for by name takes long.
  func fetchByName() throws -> Call {
    try Call(LibraryInterface.FetchAssets.self, .init(sort: .filename, limit: 10))
  }

  /// Denies the app everything in the turn in which a call of its user's waits for its next slice.
  func denyAfterFirstSlice() async throws {
    let (daemon, key) = (daemon, key)
    let record = try AuthorizationRecord(key, Decision(.denied, decidedAt: .now))
    await EventLoopActor.run {
      whenWaiting(daemon) {
        daemon.parts.center.set([record], by: .init(.settings, uid: key.app.uid)) { _ in }
      }
    }
  }

  /// Has this user's turn until the gate is opened.
  func hold() async -> Gate {
    let gate = Gate()
    let daemon = daemon
    // Of the loop alone: other tests may hold every thread of the pool.
    await EventLoopActor.run {
      _ = Task.onLoop { _ = try? await daemon.parts.searches.run(for: getuid()) { { _ in gate.wait() } } }
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
