import EventLoop
import Glibc
import LibraryModel
import Linux
import LoopTesting
import TestSupport
import Testing

@testable import AlbumDaemon
@testable import Storage

@Suite("Searches when the write-ahead log is over its bound", .blocking, .timeLimit(.minutes(30)))
struct FullLogTests {
  private let directory: TemporaryDirectory
  private var path: String { directory.path + "/library.sqlite" }

  init() throws {
    LoopThread.start()
    directory = try TemporaryDirectory()
  }

  @EventLoopActor
  private func store() throws -> LibraryStore {
    let store = try LibraryStore(path: path, boot: "one", bound: 64)
    try store.fill(10)
    return store
  }

  /// Writes until the log is over its bound, as it comes to be while somebody reads.
  @EventLoopActor
  private func overfill(_ store: LibraryStore) throws {
    while !store.isLogFull { try store.fill(100) }
    #expect(Self.size(ofLogOf: path) > 64 * 4096)
  }

  private static func size(ofLogOf path: String) -> Int {
    var status = stat()
    return stat(path + "-wal", &status) == 0 ? Int(status.st_size) : -1
  }

  @Test("none begins before those under way have ended and it was cut")
  @EventLoopActor
  func waits() async throws {
    let store = try store()
    let searches = LongQueries(store) { try store.settle() }
    let gate = Gate()
    let first = task {
      _ = try await searches.find(for: 1) { library in
        _ = try library.count(AssetQuery())
        gate.wait()
      }
    }
    await gate.untilReached()
    try overfill(store)
    let gone = task { _ = try await searches.find(for: 2) { _ in Issue.record("nobody waits for it") } }
    let later = [UInt32(1), 3, 3].map { user in
      task { [path] in
        // Nothing of the log is left: it was cut before this began.
        let size = try await searches.find(for: user) { _ in Self.size(ofLogOf: path) }.value
        #expect(size == 0)
      }
    }
    while searches.counts.waiting < 4 { await EventLoopActor.giveWay() }
    #expect(searches.counts == .init(running: 1, waiting: 4))
    gone.cancel()
    await #expect(throws: CancellationError.self) { try await gone.value }
    gate.open()
    for task in [first] + later { try await task.value }
    #expect(!store.isLogFull)
    #expect(searches.counts == .init(running: 0, waiting: 0))
  }

  @Test("those that keep others waiting for long are ended")
  @EventLoopActor
  func patience() async throws {
    let store = try store()
    try store.fill(5000)
    let searches = LongQueries(store) { try store.settle() }
    searches.patience = .zero
    let gate = Gate()
    let long = task {
      await #expect(throws: SearchLimit.Reached.tooLong) {
        try await searches.find(for: 1) { library -> Int in
          var query = AssetQuery()
          query.nameContains = "no such name"
          // Only what has read something keeps the log from being begun anew.
          _ = try library.count(AssetQuery())
          gate.wait()
          // Nothing but its end comes between.
          while true { _ = try library.count(query) }
        }
      }
    }
    await gate.untilReached()
    try overfill(store)
    let other = task { _ = try await searches.find(for: 2) { try $0.count(AssetQuery()) } }
    gate.open()
    try await other.value
    try await long.value
  }

  @Test("one is not ended for the sake of others who wait no more")
  @EventLoopActor
  func hungUp() async throws {
    let store = try store()
    let searches = LongQueries(store) { try store.settle() }
    searches.patience = .seconds(3600)
    let gate = Gate()
    let long = task {
      _ = try await searches.find(for: 1) { library in
        // Only what has read something keeps the log from being begun anew.
        _ = try library.count(AssetQuery())
        gate.wait()
      }
    }
    await gate.untilReached()
    try overfill(store)
    let others = [UInt32(2), 3].map { user in task { _ = try await searches.find(for: user) { _ in } } }
    while searches.counts.waiting < 2 { await EventLoopActor.giveWay() }
    for (other, isOneLeft) in zip(others, [true, false]) {
      #expect(searches.ending.isArmed)
      other.cancel()
      await #expect(throws: CancellationError.self) { try await other.value }
      #expect(searches.ending.isArmed == isOneLeft)
    }
    gate.open()
    try await long.value
  }

  @Test("where it cannot be cut, because somebody else reads it, some begin, and then it is tried again")
  @EventLoopActor
  func others() async throws {
    let store = try store()
    let searches = LongQueries(store) { try store.settle() }
    let gate = Gate()
    let (apart, limit) = (store.apart, SearchLimit(operations: .max, slice: .max) {})
    let other = task {
      try await onThread {
        try apart.read(limit) { library in
          _ = try library.count(AssetQuery())
          gate.wait()
        }
      }
    }
    await gate.untilReached()
    try overfill(store)
    let users = UInt32(1)...UInt32(SearchSlices.mostFirst + 1)
    let tasks = users.map { user in
      task {
        let found = try await searches.find(for: user) { try $0.count(AssetQuery()) }.value
        #expect(found > 10)
      }
    }
    for task in tasks { try await task.value }
    #expect(store.isLogFull)
    gate.open()
    try await other.value
    let size = try await searches.find(for: 1) { [path] _ in Self.size(ofLogOf: path) }.value
    #expect(size == 0 && !store.isLogFull)
  }

  /// Needs no thread of the pool, since other tests may hold them all.
  @EventLoopActor
  private func task(_ body: @escaping @EventLoopActor () async throws -> Void) -> Task<Void, any Error> {
    Task(executorPreference: ThreadPerJob(), operation: body)
  }
}
