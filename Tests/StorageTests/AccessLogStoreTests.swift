import Authorization
import Testing
import TestSupport

@testable import Storage

@Suite("The access log on disk")
struct AccessLogStoreTests {
  private let place: StateDirectory
  private var directory: String { place.path }

  init() throws {
    place = try StateDirectory()
  }

  private func row(
    _ id: Int64, _ revision: Int64, uid: UInt32 = 4_000_000_000, app: String = "a", count: Int64 = 1,
    assets: Int64? = nil, accountable: UInt32? = nil
  ) -> AccessEntry {
    AccessEntry(
      id: id, revision: revision, first: Timestamp(seconds: revision), last: Timestamp(seconds: revision),
      count: count, assets: assets, app: AppKey(uid: uid, appID: app),
      accountable: accountable ?? uid,
      event: AccessEvent(
        .decision, accessLevel: .readWrite, outcome: "denied", by: .init(.agent, uid: 7), detail: "d"))
  }

  private func write(_ rows: [AccessEntry], to store: AccessLogStore, oldest: Int64 = 0) async throws {
    let result = await withCheckedContinuation { continuation in
      store.write(rows, oldest: Timestamp(seconds: oldest)) { continuation.resume(returning: $0) }
    }
    try result.get()
  }

  private func read(
    _ store: AccessLogStore, after place: Int64 = 0, app: String? = nil, since: Int64 = 0, limit: Int = 100
  ) async throws -> [AccessEntry] {
    let query = AccessLogStore.Query(
      after: place, appID: app, since: Timestamp(seconds: since), limit: limit)
    return try await withCheckedContinuation { continuation in
      store.read(query) { continuation.resume(returning: $0) }
    }.get()
  }

  @Test("what was written comes back, by place, also after the log was opened again")
  func roundTrip() async throws {
    let rows = [row(1, 1), row(2, 2, app: "b"), row(3, 3, assets: 5)]
    try await write(rows, to: AccessLogStore(directory: directory))
    let store = try AccessLogStore(directory: directory)
    #expect(store.last == (3, 3))
    #expect(try await read(store) == rows)
    #expect(try await read(store, after: 1, limit: 1) == [rows[1]])
    #expect(try await read(store, app: "b") == [rows[1]])
    #expect(try await read(store, since: 3) == [rows[2]])
  }

  @Test("a row that is written again takes the place of the earlier one")
  func update() async throws {
    let store = try AccessLogStore(directory: directory)
    try await write([row(1, 1), row(2, 2)], to: store)
    try store.close(writing: [row(1, 3, count: 9, assets: 11)], oldest: Timestamp(seconds: 0))
    let rows = try await read(AccessLogStore(directory: directory))
    #expect(rows.map(\.id) == [2, 1])
    #expect(rows.last?.count == 9 && rows.last?.assets == 11)
    #expect(rows.last?.first == Timestamp(seconds: 1), "it happened first when it did")
  }

  @Test("rows of an earlier version, which told how many assets in words, tell it as the new ones do")
  func earlierVersion() async throws {
    let store = try AccessLogStore(directory: directory)
    try await write([row(1, 1, count: 2), row(2, 2), row(3, 3)], to: store)
    try store.close(writing: [], oldest: Timestamp(seconds: 0))
    try execute(
      """
      DROP INDEX entryByUser;
      CREATE INDEX entryByUser ON entry (uid, app);
      ALTER TABLE entry DROP COLUMN accountable;
      ALTER TABLE entry DROP COLUMN assets;
      DELETE FROM grdb_migrations WHERE identifier IN ('access-3', 'access-4');
      UPDATE entry SET kind = 'restore', detail = '1 asset' WHERE id = 1;
      UPDATE entry SET kind = 'delete', detail = '30 assets' WHERE id = 2;
      """, on: "\(directory)/access.sqlite")
    let rows = try await read(AccessLogStore(directory: directory))
    #expect(rows.map(\.assets) == [2, 30, nil])
    #expect(rows.map(\.event.detail) == [nil, nil, "d"])
    #expect(rows.allSatisfy { $0.accountable == $0.uid })
  }

  @Test("what is too old is removed, and what is too much")
  func bounds() async throws {
    let store = try AccessLogStore(directory: directory, rowLimit: 1)
    try await write([row(1, 1), row(2, 2), row(3, 300)], to: store, oldest: 100)
    #expect(try await read(store).map(\.id) == [3])
    try await write([row(4, 301)], to: store, oldest: 0)
    #expect(try await read(store).map(\.id) == [4])
  }

  @Test("whoever does most pushes out its own: other users' rows stay, and those of its other apps")
  func shares() async throws {
    let store = try AccessLogStore(directory: directory, rowLimit: 10)
    try await write([row(1, 1, uid: 1), row(2, 2, uid: 2, app: "quiet"), row(3, 3, uid: 1)], to: store)
    try await write((4...40).map { row($0, $0, uid: 2, app: "loud") }, to: store)
    #expect(try await read(store).map(\.id) == [1, 2, 3, 34, 35, 36, 37, 38, 39, 40].map(Int64.init))
    // Those who hold less keep all; the others come down to the same.
    try await write((41...60).map { row($0, $0, uid: 3, app: "loud") }, to: store)
    let users = Dictionary(grouping: try await read(store), by: \.uid).mapValues(\.count)
    #expect(users == [1: 2, 2: 4, 3: 4])
    #expect(try await read(store, app: "quiet").map(\.id) == [2])
  }

  @Test("a user who poses as ever more apps pushes out no other's rows")
  func manyApps() async throws {
    let store = try AccessLogStore(directory: directory, rowLimit: 10)
    try await write([row(1, 1, uid: 1), row(2, 2, uid: 1)], to: store)
    try await write((3...40).map { row($0, $0, uid: 2, app: "app\($0)") }, to: store)
    #expect(try await read(store).map(\.id) == [1, 2, 33, 34, 35, 36, 37, 38, 39, 40].map(Int64.init))
  }

  @Test("a user who takes ever more subordinate ids pushes out no other's rows")
  func subordinateIDs() async throws {
    let store = try AccessLogStore(directory: directory, rowLimit: 10)
    try await write([row(1, 1, uid: 1), row(2, 2, uid: 1)], to: store)
    try await write((3...40).map { row($0, $0, uid: 100_000 + UInt32($0), accountable: 7) }, to: store)
    #expect(try await read(store).map(\.id) == [1, 2, 33, 34, 35, 36, 37, 38, 39, 40].map(Int64.init))
    #expect(try await read(store).last?.accountable == 7)
  }

  @Test(
    "a column whose name is damaged is an error when it is read", arguments: ["kind", "first", "outcome"])
  func damagedColumn(name: String) async throws {
    let store = try AccessLogStore(directory: directory)
    try await write([row(1, 1)], to: store)
    try execute("ALTER TABLE entry RENAME COLUMN \(name) TO damaged", on: "\(directory)/access.sqlite")
    await #expect(throws: StorageError.self) { try await read(store) }
  }

  @Test("a damaged log is put aside, and a new one begun: it decides nothing")
  func damaged() async throws {
    let damage = [UInt8](repeating: 7, count: 8192)
    try place.write("access.sqlite", damage)
    let store = try AccessLogStore(directory: directory)
    #expect(store.setAside != nil)
    #expect(try place.bytes("access.sqlite.damaged") == damage)
    try await write([row(1, 1)], to: store)
    #expect(try await read(store).count == 1)
  }

  @Test("so is one that cannot be counted on from", arguments: ["id", "revision"])
  func beyondCounting(column: String) async throws {
    try await write([row(1, 1)], to: try AccessLogStore(directory: directory))
    try execute("UPDATE entry SET \(column) = \(Int64.max)", on: "\(directory)/access.sqlite")
    let store = try AccessLogStore(directory: directory)
    #expect(store.setAside != nil && store.last == (id: 0, revision: 0))
  }
}
