import AlbumAPI
import Authorization
import EventLoop
import LibraryIO
import LibraryModel
import LoopTesting
import Storage
import Testing
import Varlink
import VarlinkTransport

@testable import AlbumDaemon

@Suite("Streams that are long", .timeLimit(.minutes(1)))
struct LongStreamTests {
  private let services: ServiceTests

  init() throws { services = try ServiceTests() }

  /// Sees every turn of the loop in which nothing more urgent is ready.
  @EventLoopActor
  private final class Turns {
    private let look: @EventLoopActor () -> Void
    private lazy var next = DeferredCall(priority: 10) { [unowned self] in turn() }

    init(_ look: @escaping @EventLoopActor () -> Void) {
      self.look = look
      next.arm()
    }

    private func turn() {
      look()
      next.arm()
    }

    func end() { next.cancel() }
  }

  @EventLoopActor
  private final class Count {
    var behind = 0
  }

  @Test("S28: one that is behind goes on page by page, and others have their turn in between")
  func behind() async throws {
    let pages = 20
    let daemon = try await services.makeDaemon()
    let owner = try await services.connect(daemon)
    _ = try owner.call(ManagerInterface.ActAsOwner.self, .init())
    let start = try owner.call(LibraryInterface.FetchAlbums.self, .init()).reply.token
    try await EventLoopActor.run {
      let (store, library) = (daemon.store, daemon.library)
      try library.start()
      func append(_ subject: Change.Subject) throws -> PlacedChange {
        let change = Change(subject, .removed, albumsBefore: [], albumsAfter: [], snapshot: nil)
        return PlacedChange(place: try store.append(change), entry: .change(change))
      }
      try library.write {
        try (0..<256 * pages).map { try append(.asset(AssetID(rawValue: Int64($0 + 1)))) }
          + [append(.album(AlbumID(rawValue: 7)))]
      }
    }
    let count = await EventLoopActor.run { Count() }
    let turns = await EventLoopActor.run {
      Turns {
        if daemon.subscriptions.subscriptions.values.contains(where: { $0.group == nil }) {
          count.behind += 1
        }
      }
    }
    try owner.send(Call(LibraryInterface.Subscribe.self, .init(albums: true, since: start), wantsMore: true))
    for expected in [0, 1] {
      let delivery: LibraryInterface.Subscribe.Delivery<LibraryInterface.Album> = try JSONDecoding.decode(
        LibraryInterface.Subscribe.Delivery.self, from: .object(owner.receive().reply.parameters))
      #expect(delivery.removed.count == expected)
    }
    await EventLoopActor.run { turns.end() }
    #expect(await EventLoopActor.run { count.behind } >= pages)
  }

  @Test("S33: what was deleted is listed page by page, however much it is, to one that reads late")
  func deleted() async throws {
    let number = 16_000
    let daemon = try await services.makeDaemon()
    let owner = try await services.connect(daemon)
    try await EventLoopActor.run {
      try daemon.library.start()
      try daemon.library.write {
        for id in 1...number { try daemon.store.put(DeletedAsset(number: Int64(id))) }
        return []
      }
    }
    try owner.send(Call(ManagerInterface.ListDeleted.self, .init(), wantsMore: true))
    // What the daemon sends without being read it has sent when this is answered.
    _ = try await services.connect(daemon).call(ServiceInterface.GetInfo.self, .init())
    var seen: Set<String> = []
    var continues = true
    while continues {
      let reply = try owner.receive().reply
      #expect(reply.error == nil)
      let page = try JSONDecoding.decode(
        ManagerInterface.ListDeleted.Reply.self, from: .object(reply.parameters))
      seen.formUnion(page.assets.map(\.id))
      continues = reply.continues
    }
    #expect(seen.count == number)
  }
}

extension DeletedAsset {
  fileprivate init(number: Int64) {
    let location = Location(
      DirectoryID(rawValue: 1), FileName(String(repeating: "n", count: 200) + "\(number).jpg"))
    let asset = Asset(
      id: AssetID(rawValue: number), mediaType: .image,
      identity: FileIdentity(inode: UInt64(number), birthTime: 1),
      byteCount: 1, created: 1, modified: 1, primary: location)
    self.init(
      key: .random(), state: .deleted, asset: asset, root: RootID(rawValue: 1),
      place: DirectoryID(rawValue: 1), deleted: Timestamp.now.microseconds / 1_000_000, app: nil)
  }
}
