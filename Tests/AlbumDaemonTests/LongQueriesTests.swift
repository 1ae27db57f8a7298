import EventLoop
import LibraryModel
import LoopTesting
import Storage
import Synchronization
import TestSupport
import Testing

@testable import AlbumDaemon

@Suite("Searches that take longer than the loop may", .blocking, .timeLimit(.minutes(30)))
struct LongQueriesTests {
  private let directory: TemporaryDirectory

  init() throws {
    LoopThread.start()
    directory = try TemporaryDirectory()
  }

  @EventLoopActor
  private func store(of count: Int = 0) throws -> LibraryStore {
    let store = try LibraryStore(path: directory.path + "/library.sqlite")
    try store.fill(count)
    return store
  }

  /// Whose searches are under way, and in which order they began.
  private final class Log: Sendable {
    let began = Mutex<[UInt32]>([])
    let running = Mutex<(users: [UInt32], most: Int)>(([], 0))

    func enter(_ user: UInt32) {
      began.withLock { $0.append(user) }
      running.withLock {
        #expect(!$0.users.contains(user))
        $0.users.append(user)
        $0.most = max($0.most, $0.users.count)
      }
    }

    func leave(_ user: UInt32) {
      running.withLock { state in state.users.removeAll { $0 == user } }
    }
  }

  @Test("64 of one user are found one after the other, and keep no other user waiting; the loop goes on")
  @EventLoopActor
  func fair() async throws {
    let searches = LongQueries(try store()) {}
    let (log, gate) = (Log(), Gate())
    let first = search(searches, 1, log) { gate.wait() }
    await gate.untilReached()
    let others = (0..<63).map { _ in search(searches, 1, log) {} }
    while searches.counts.waiting < 63 { await EventLoopActor.giveWay() }
    // Users who come later do not wait for all of them.
    for user in UInt32(2)...5 { try await search(searches, user, log) {}.value }
    #expect(searches.counts == .init(running: 1, waiting: 63))
    gate.open()
    for task in [first] + others { try await task.value }
    #expect(log.began.withLock { $0.count } == 68)
    #expect(searches.counts == .init(running: 0, waiting: 0))
  }

  @Test("so many begin at a time and no more; then users take turns")
  @EventLoopActor
  func turns() async throws {
    let searches = LongQueries(try store()) {}
    let log = Log()
    let gates = (0..<SearchSlices.mostFirst).map { _ in Gate() }
    var tasks: [Task<Void, any Error>] = []
    for (number, gate) in gates.enumerated() {
      tasks.append(search(searches, UInt32(number), log) { gate.wait() })
      await gate.untilReached()
    }
    // One more of those who are served but for the last, and one of another, who came last.
    let others = gates.dropLast()
    for user in others.indices { tasks.append(search(searches, UInt32(user), log) {}) }
    while searches.counts.waiting < others.count { await EventLoopActor.giveWay() }
    tasks.append(search(searches, 100, log) {})
    while searches.counts.waiting <= others.count { await EventLoopActor.giveWay() }
    #expect(searches.counts.running == SearchSlices.mostFirst)
    gates.last?.open()
    try await tasks.removeLast().value
    #expect(log.began.withLock { $0.contains(100) })
    for gate in others { gate.open() }
    for task in tasks { try await task.value }
    #expect(log.running.withLock { $0.most } == SearchSlices.mostFirst)
  }

  private static let byName = {
    var query = AssetQuery()
    query.nameContains = "no such name"
    return query
  }()

  @Test("beside four users whose searches do not end a fifth's is found, also one of several slices (0151)")
  @EventLoopActor
  func beside() async throws {
    let searches = LongQueries(try store(of: 5000)) {}
    let isOver = Mutex(false)
    let long = (UInt32(1)...4).map { user in
      task {
        _ = try await searches.find(for: user) { library in
          while !isOver.withLock({ $0 }) { _ = try library.count(Self.byName) }
        }
      }
    }
    while searches.counts.running < 4 { await EventLoopActor.giveWay() }
    for slices in [1, 10] {
      _ = try await searches.find(for: 5) { library in
        for _ in 0..<slices { _ = try library.count(Self.byName) }
      }
      #expect(searches.counts == .init(running: 4, waiting: 0))
    }
    isOver.withLock { $0 = true }
    for task in long { try await task.value }
  }

  @Test("beside four users' whose step does not end, such as a sort, a fifth's quick search is found (0151)")
  @EventLoopActor
  func besideStep() async throws {
    let searches = LongQueries(try store(of: 5000)) {}
    let gate = Gate()
    let long = (UInt32(1)...4).map { user in
      task {
        _ = try await searches.find(for: user) { library in
          for _ in 0..<4 { _ = try library.count(Self.byName) }
          gate.wait()
        }
      }
    }
    for _ in 0..<SearchSlices.mostLater { await gate.untilReached() }
    while searches.counts.running < 4 { await EventLoopActor.giveWay() }
    #expect(try await searches.find(for: 5) { try $0.count(AssetQuery()) }.value == 5000)
    #expect(searches.counts == .init(running: 4, waiting: 0))
    for _ in long { gate.open() }
    for task in long { try await task.value }
  }

  @Test("one that rests is stopped as well when its caller has gone (0151)")
  @EventLoopActor
  func restingAndGone() async throws {
    let searches = LongQueries(try store(of: 5000)) {}
    let long = (UInt32(1)...4).map { user in
      task {
        _ = try await searches.find(for: user) { library in
          while true { _ = try library.count(Self.byName) }
        }
      }
    }
    while searches.counts.running < 4 { await EventLoopActor.giveWay() }
    for task in long { task.cancel() }
    for task in long { await #expect(throws: CancellationError.self) { try await task.value } }
    #expect(searches.counts == .init(running: 0, waiting: 0))
    #expect(try await searches.find(for: 1) { try $0.count(AssetQuery()) }.value == 5000)
  }

  @Test("one whose caller has gone is not begun, and one that is under way is stopped")
  @EventLoopActor
  func cancelled() async throws {
    let searches = LongQueries(try store(of: 5000)) {}
    let (log, gate) = (Log(), Gate())
    let running = task {
      _ = try await searches.find(for: 1) { library in
        gate.wait()
        var query = AssetQuery()
        query.nameContains = "no such name"
        _ = try library.count(query)
        Issue.record("it went on to its end")
      }
    }
    await gate.untilReached()
    let waiting = (0..<64).map { _ in search(searches, 1, log) {} }
    while searches.counts.waiting < 64 { await EventLoopActor.giveWay() }
    for task in waiting + [running] { task.cancel() }
    for task in waiting { await #expect(throws: CancellationError.self) { try await task.value } }
    #expect(searches.counts == .init(running: 1, waiting: 0))
    gate.open()
    await #expect(throws: CancellationError.self) { try await running.value }
    #expect(searches.counts == .init(running: 0, waiting: 0))
    #expect(log.began.withLock { $0.isEmpty })
    try await search(searches, 1, log) {}.value
  }

  @Test("one that takes more than it may is stopped")
  @EventLoopActor
  func tooLong() async throws {
    let searches = LongQueries(try store(of: 5000), operations: 20_000) {}
    var query = AssetQuery()
    query.nameContains = "no such name"
    await #expect(throws: SearchLimit.Reached.tooLong) {
      try await searches.find(for: 1) { [query] in try $0.count(query) }
    }
    #expect(searches.counts == .init(running: 0, waiting: 0))
  }

  @Test("what was written before is found, and a place that cannot be committed is not told")
  @EventLoopActor
  func place() async throws {
    struct Full: Error {}
    let store = try store(of: 10)
    let isFull = Mutex(false)
    let searches = LongQueries(store) {
      if isFull.withLock({ $0 }) { throw Full() }
      try store.settle()
    }
    let found = try await searches.find(for: 1) { try $0.count(AssetQuery()) }
    #expect(found.value == 10 && found.place == store.place)
    isFull.withLock { $0 = true }
    let again = try await searches.find(for: 1) { try $0.count(AssetQuery()) }
    #expect(again.place == store.committedPlace)
  }

  @EventLoopActor
  private func search(
    _ searches: LongQueries, _ user: UInt32, _ log: Log, _ body: @escaping @Sendable () -> Void
  ) -> Task<Void, any Error> {
    task {
      _ = try await searches.find(for: user) { _ in
        log.enter(user)
        body()
        log.leave(user)
      }
    }
  }

  /// Needs no thread of the pool, since other tests may hold them all.
  @EventLoopActor
  private func task(_ body: @escaping @EventLoopActor () async throws -> Void) -> Task<Void, any Error> {
    Task(executorPreference: ThreadPerJob(), operation: body)
  }
}

extension LongQueries {
  /// What is the same whoever's turn it is.
  func find<Value: Sendable>(
    for user: UInt32, _ body: @escaping @Sendable (LibraryReader) throws -> Value
  ) async throws -> Found<Value> {
    try await run(for: user) { body }
  }
}

extension LibraryStore {
  /// Photos in one directory.
  func fill(_ count: Int) throws {
    try begin()
    for _ in 0..<count {
      let id = try index.files.reserveAssetID()
      let identity = FileIdentity(volume: .unknown, inode: UInt64(id.rawValue), birthTime: 1)
      let location = Location(DirectoryID(rawValue: 1), FileName("IMG_\(id.rawValue).jpg"))
      _ = try index.files.insert(
        Link(location: location, asset: id, identity: identity, byteCount: 1, modified: 1))
      try index.files.insert(
        Asset(
          id: id, mediaType: .image, identity: identity, byteCount: 1, created: 1, modified: 1,
          primary: location))
    }
    try commit()
    try settle()
  }
}
