import AlbumAPI
import EventLoop
import Glibc
import LibraryModel
import Linux
import Storage
import Testing
import Varlink
import VarlinkServer
import VarlinkTransport

@testable import AlbumDaemon
@testable import LibraryIO

@Suite("Subscriptions that are far behind", .timeLimit(.minutes(30)))
struct PagingTests {
  private let services: ServiceTests

  init() throws { services = try ServiceTests() }

  @Test(
    "S26, S28: who is thousands behind is told each once, in order, while more comes; others have it at once")
  func behind() async throws {
    let scene = try await Scene(services)
    try await scene.write(3000)
    let behind = try await scene.subscribe()
    for _ in 0..<20 { try await scene.writeOne() }
    #expect(await scene.isBehind(behind))
    var told: [Int] = []
    while told.count < 2000 {
      told += try await behind.next()
      try await scene.writeOne()
    }
    while await told.count < scene.count { told += try await behind.next() }
    #expect(await told == scene.all)
    // Told together again.
    let last = try await scene.writeOne()
    #expect(try await behind.next() == [last])
    #expect(await !scene.isBehind(behind))
  }

  @Test("S28: one that stops reading in the middle costs nothing, however much there is, and goes on later")
  func stops() async throws {
    let scene = try await Scene(services)
    // More than may ever wait for one that reads late.
    try await scene.write(12_000)
    let behind = try await scene.subscribe()
    var told: [Int] = []
    while told.count < 1000 { told += try await behind.next() }
    // Once its socket is full nothing is done for it, and what is held for it is a page at most.
    await scene.untilBlocked(behind)
    for _ in 0..<20 { try await scene.writeOne() }
    #expect(await scene.isBlocked(behind))
    while await told.count < scene.count { told += try await behind.next() }
    #expect(await told == scene.all)
  }

  @Test("S24, S28: thousands of changes that do not concern it are passed over page by page; nobody waits")
  func unconcerned() async throws {
    let scene = try await Scene(services)
    try await scene.write(12_000)
    let concerned = try await scene.connect()
    #expect(try await scene.pagesUntilAnswered(by: concerned, about: 12_001) < 12)
    #expect(try await concerned.next() == [])
    #expect(try await scene.writeOne() == 12_001)
    #expect(try await concerned.next() == [12_001])
  }
}

/// A daemon whose journal a test fills, and one who reads all that comes.
@EventLoopActor
private final class Scene {
  private let daemon: Daemon
  private let services: ServiceTests
  private let live: Reader
  private let asker: Reader
  /// Where the journal began.
  private let start: String
  private(set) var count = 0

  init(_ services: ServiceTests) async throws {
    self.services = services
    let daemon = try await services.makeDaemon()
    self.daemon = daemon
    live = try await Reader(services, daemon)
    asker = try await Reader(services, daemon)
    try live.subscribe(.init())
    #expect(try await live.next() == [])
    try daemon.parts.library.start(telling: daemon.parts.wiring)
    // The end of the first scan.
    #expect(try await live.next() == [])
    start = live.token
  }

  /// All there are.
  var all: [Int] { Array(1...count) }

  func connect() async throws -> Reader { try await Reader(services, daemon) }

  /// Somebody who knows the journal's beginning.
  func subscribe() async throws -> Reader {
    let reader = try await connect()
    let others = Set(daemon.parts.subscriptions.subscriptions.keys)
    try reader.subscribe(.init(since: start))
    #expect(try await reader.next() == [])
    reader.subscription = daemon.parts.subscriptions.subscriptions.first { !others.contains($0.key) }?.value
    return reader
  }

  /// Photos come; who reads is told.
  func write(_ number: Int) async throws {
    try daemon.parts.library.between.change { librarian, database in
      librarian.context.add(
        try (count + 1...count + number).map { number in
          let change = Change(photo: number)
          return PlacedChange(place: try database.index.journal.append(change), entry: .change(change))
        })
    }
    let before = count
    count += number
    var told: [Int] = []
    while told.count < number { told += try await live.next() }
    #expect(told == Array(before + 1...count))
  }

  @discardableResult
  func writeOne() async throws -> Int {
    try await write(1)
    return count
  }

  /// Whether it is not told together with all who are.
  func isBehind(_ reader: Reader) -> Bool { reader.subscription?.group == nil }

  /// Whether nothing is done for it before it reads.
  func isBlocked(_ reader: Reader) -> Bool {
    isBehind(reader) && reader.subscription?.call.isDrained == false
      && !daemon.parts.subscriptions.backlog.all.contains { $0.subscription === reader.subscription }
  }

  func untilBlocked(_ reader: Reader) async {
    while !isBlocked(reader) { await Task.yield() }
  }

  /// How many pages another's question waits for, turn by turn, while one is gone through the journal for that asks
  /// about a single photo.
  func pagesUntilAnswered(by reader: Reader, about photo: Int) async throws -> Int64 {
    let id = daemon.parts.store.ids.encode(AssetID(rawValue: Int64(photo)))
    try reader.subscribe(.init(assets: .init(ids: [id]), since: start))
    while daemon.parts.subscriptions.backlog.isEmpty { await Task.yield() }
    let before = daemon.parts.subscriptions.backlog.all.first?.place.rawValue ?? 0
    try asker.ask()
    while !asker.isAnswered { await Task.yield() }
    let after = daemon.parts.subscriptions.backlog.all.first?.place.rawValue ?? .max
    return (after - before) / Int64(DeliveryEncoder.limit)
  }
}

/// A connection of an owner's.
///
/// Unchecked: whoever waits for one of its calls is the only one that has it.
private final class Reader: @unchecked Sendable {
  private let connection: ClientConnection
  private(set) var token = ""
  /// What the daemon has of it, for the loop to look at.
  @EventLoopActor weak var subscription: Subscription?

  init(_ services: ServiceTests, _ daemon: Daemon) async throws {
    connection = try await services.connect(daemon)
    try await onThread { [self] in _ = try connection.call(ManagerInterface.ActAsOwner.self, .init()) }
  }

  func subscribe(_ parameters: LibraryInterface.Subscribe.Parameters) throws {
    try connection.send(Call(LibraryInterface.Subscribe.self, parameters, wantsMore: true))
  }

  /// The photos of the next delivery; none in the first, which is the starting token.
  func next() async throws -> [Int] {
    let delivery = try await onThread { [self] in
      let reply = try connection.receive().reply
      if let error = reply.error { throw RemoteError(name: error, parameters: reply.parameters) }
      return try JSONDecoding.decode(
        LibraryInterface.Subscribe.Delivery<LibraryInterface.Asset>.self, from: .object(reply.parameters))
    }
    #expect(delivery.removed.isEmpty && delivery.changed.isEmpty && delivery.moved.isEmpty)
    token = delivery.token
    return delivery.inserted.compactMap { Int($0.filename.prefix { $0.isNumber }) }
  }

  /// Asks for something, and waits for nothing.
  func ask() throws { try connection.send(Call(LibraryInterface.GetInfo.self, .init())) }

  var isAnswered: Bool {
    var request = pollfd(fd: connection.descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&request, 1, 0) > 0
  }
}

extension Change {
  /// A long name, so that a thousand fill a socket.
  fileprivate init(photo number: Int) {
    self.init(
      .asset(AssetID(rawValue: Int64(number))), .inserted, albumsBefore: [], albumsAfter: [],
      snapshot: .asset(
        name: FileName("\(number)-" + String(repeating: "n", count: 200) + ".jpg"), mediaType: .image,
        byteCount: 1, created: 1, modified: 1))
  }
}
