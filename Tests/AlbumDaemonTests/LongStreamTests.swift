import AlbumAPI
import Authorization
import EventLoop
import LibraryModel
import LoopTesting
import Storage
import Testing
import Varlink
import VarlinkTransport

@testable import AlbumDaemon
@testable import LibraryIO

@Suite("Streams that are long", .timeLimit(.minutes(30)))
struct LongStreamTests {
  private let services: ServiceTests

  init() throws { services = try ServiceTests() }

  @Test("S33: what was deleted is listed page by page, however much it is, to one that reads late")
  func deleted() async throws {
    let number = 16_000
    let daemon = try await services.makeDaemon()
    let owner = try await services.connect(daemon)
    try await EventLoopActor.run {
      try daemon.parts.library.start(telling: daemon.parts.wiring)
      try daemon.parts.library.between.change { _, database in
        for id in 1...number { try database.deleted.put(DeletedAsset(number: Int64(id))) }
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
      identity: FileIdentity(volume: .unknown, inode: UInt64(number), birthTime: 1),
      byteCount: 1, created: 1, modified: 1, primary: location)
    self.init(
      key: .random(), state: .deleted, asset: asset, root: RootID(rawValue: 1),
      place: DirectoryID(rawValue: 1), deleted: Timestamp.now.microseconds / 1_000_000, app: nil)
  }
}
