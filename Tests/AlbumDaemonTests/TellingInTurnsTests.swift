import AlbumAPI
import EventLoop
import LibraryModel
import Linux
import LoopTesting
import Storage
import Testing
import Varlink
import VarlinkServer
import VarlinkTransport

@testable import AlbumDaemon
@testable import LibraryIO

@Suite("Many subscriptions of a user", .timeLimit(.minutes(30)))
struct TellingInTurnsTests {
  private let services: ServiceTests

  // The loop runs from here on.
  init() throws { services = try ServiceTests(connectionsPerUser: Self.number + 2) }

  /// Each about photos of its own: told by itself.
  private static let number = 40

  @Test(
    "S26, S28: some are told in a turn of the loop, each everything once and in order, whoever closes or comes between"
  )
  func inTurns() async throws {
    let scene = try await TellingScene(services)
    var readers: [TellingReader] = []
    for photo in 0..<Self.number { readers.append(try await scene.subscribe(about: [photo, photo + 1000])) }
    let (untold, late) = try await EventLoopActor.run {
      try scene.write(Array(0..<Self.number))
      let untold = scene.untold
      // All of it happens before anybody's next turn: some go, one comes, and more is to be told.
      for reader in readers.suffix(10) { scene.end(reader) }
      try scene.write((0..<Self.number).map { $0 + 1000 })
      return (untold, scene.untold)
    }
    // One more is about everything.
    #expect(untold == Self.number + 1 - SubscriptionGroups.atOnce)
    #expect(late >= untold - 10)
    let new = try await scene.subscribe(about: Array(0..<Self.number))
    for (photo, reader) in readers.dropLast(10).enumerated() {
      var told: [Int] = []
      while told.count < 2 { told += try await reader.next() }
      #expect(told == [photo, photo + 1000])
    }
    // Who came later is told what is committed from then on.
    try await EventLoopActor.run { try scene.write([7]) }
    #expect(try await new.next() == [7])
    #expect(try await readers[7].next() == [7])
    await scene.toldAll()
  }

  @Test("S26, S28: who waits while more is committed than is kept for it has it from the journal")
  func late() async throws {
    let scene = try await TellingScene(services)
    var readers: [TellingReader] = []
    for photo in 0..<Self.number { readers.append(try await scene.subscribe(about: [photo])) }
    let (commits, size) = (12, SubscriptionGroups.mostUntold / 10)
    try await EventLoopActor.run {
      for _ in 0..<commits { try scene.write((0..<size).map { $0 % Self.number }) }
    }
    let each = (0..<commits).flatMap { _ in (0..<size).map { $0 % Self.number } }
    for (photo, reader) in readers.enumerated() {
      let number = each.count { $0 == photo }
      var told: [Int] = []
      while told.count < number { told += try await reader.next() }
      #expect(told == Array(repeating: photo, count: number))
    }
    await scene.toldAll()
  }
}

/// A daemon whose journal a test fills.
@EventLoopActor
private final class TellingScene {
  private let daemon: Daemon
  private let services: ServiceTests
  private let first: TellingReader

  init(_ services: ServiceTests) async throws {
    self.services = services
    daemon = try await services.makeDaemon()
    first = try await TellingReader(services, daemon)
    try first.subscribe(.init())
    #expect(try await first.next() == [])
    try daemon.parts.library.start(telling: daemon.parts.wiring)
    // The end of the first scan: what there is now is another library.
    #expect(try await first.next(isAnew: true) == [])
  }

  var untold: Int { daemon.parts.subscriptions.untoldCount }

  /// Until nobody is left to be told, which takes some turns more.
  func toldAll() async { while untold > 0 { await EventLoopActor.giveWay() } }

  func subscribe(about photos: [Int]) async throws -> TellingReader {
    let reader = try await TellingReader(services, daemon)
    let others = Set(daemon.parts.subscriptions.subscriptions.keys)
    let ids = photos.map { daemon.parts.store.ids.encode(AssetID(rawValue: Int64($0 + 1))) }
    try reader.subscribe(.init(assets: .init(ids: ids)))
    #expect(try await reader.next() == [])
    reader.call = daemon.parts.subscriptions.subscriptions.first { !others.contains($0.key) }?.value.call
    return reader
  }

  /// Photos come in one commit.
  func write(_ photos: [Int]) throws {
    try daemon.parts.library.between.change { librarian, database in
      librarian.context.add(
        try photos.map { photo in
          let change = Change(
            .asset(AssetID(rawValue: Int64(photo + 1))), .inserted, albumsBefore: [], albumsAfter: [],
            snapshot: .asset(
              name: FileName("\(photo).jpg"), mediaType: .image, byteCount: 1, created: 1, modified: 1))
          return PlacedChange(place: try database.index.journal.append(change), entry: .change(change))
        })
    }
  }

  /// The daemon closes its connection.
  func end(_ reader: TellingReader) { reader.call?.connection.close() }
}

/// A connection of an owner's.
///
/// Unchecked: whoever waits for one of its calls is the only one that has it.
private final class TellingReader: @unchecked Sendable {
  private let connection: ClientConnection
  /// What the daemon has of it, for the loop to look at.
  @EventLoopActor weak var call: ServerCall?

  init(_ services: ServiceTests, _ daemon: Daemon) async throws {
    connection = try await services.connect(daemon)
    try await onThread { [self] in _ = try connection.call(ManagerInterface.ActAsOwner.self, .init()) }
  }

  func subscribe(_ parameters: LibraryInterface.Subscribe.Parameters) throws {
    try connection.send(Call(LibraryInterface.Subscribe.self, parameters, wantsMore: true))
  }

  /// The photos of the next delivery; none in the first, which is the starting token.
  func next(isAnew: Bool = false) async throws -> [Int] {
    let delivery = try await onThread { [self] in
      let reply = try connection.receive().reply
      if let error = reply.error { throw RemoteError(name: error, parameters: reply.parameters) }
      return try JSONDecoding.decode(
        LibraryInterface.Subscribe.Delivery<LibraryInterface.Asset>.self, from: .object(reply.parameters))
    }
    #expect(delivery.hasIncrementalChanges != isAnew)
    return delivery.inserted.compactMap { Int($0.filename.prefix { $0.isNumber }) }
  }
}
