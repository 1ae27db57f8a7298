import AlbumAPI
import Glibc
import Linux
import TestSupport
import Testing
import Varlink
import VarlinkTransport

@Suite("What a limited app adds, many at once (S18)", .blocking)
struct BatchSelectionTests {
  private typealias Add = LibraryInterface.AddAssets

  /// Begins to add photos; each is told when it is in.
  private func begin(_ app: Connection, _ count: Int, _ host: Host) throws {
    let batch = DescriptorBatch()
    let path = try host.library.add("../new.jpg")
    let items = try (1...count).map { number in
      let file = try OwnedDescriptor(open(path, O_RDONLY | O_CLOEXEC), call: "open", subject: path)
      return LibraryInterface.AddItem(fileDescriptor: batch.append(file), filename: "\(number).jpg")
    }
    try app.send(Call(Add.self, .init(items: items), wantsMore: true), descriptors: batch)
  }

  /// Reads on until so many are in.
  private func wait(_ app: Connection, until count: Int) throws {
    while try app.receive(Add.self).completed < count {}
  }

  @Test("S18: what was added before the daemon is killed is in the selection, but for the last few")
  func killed() throws {
    let host = try Host()
    let app = try host.app()
    let connection = try app.connect()
    try host.limit(connection, assets: [])
    try begin(connection, 200, host)
    try wait(connection, until: 100)
    try host.daemon.kill()
    try host.daemon.start()
    let all = try host.owner().assets().count
    let seen = try app.connect().assets().count
    #expect(all >= 100 && all < 200)
    #expect(seen > all - 20, "\(seen) of \(all)")
  }

  @Test("S18, S29: what it added is its own, however it was let see everything, and limited again, meanwhile")
  func meanwhile() throws {
    let host = try Host()
    let app = try host.app().connect()
    try host.limit(app, assets: [])
    try begin(app, 200, host)
    try wait(app, until: 1)
    try host.set(.wallpapers, .authorized)
    try wait(app, until: 200)
    try host.set(.wallpapers, .limited)
    #expect(try app.assets().count == 200)
  }

  @Test("S6, S18: what it adds while a policy lets it see everything is its own when the policy goes")
  func beneathPolicy() throws {
    let host = try Host()
    let app = try host.app().connect()
    try host.limit(app, assets: [])
    try host.library.policy("everyone", "effect: authorize\napps: [\"*\"]\n")
    try host.daemon.reload()
    try begin(app, 2, host)
    try wait(app, until: 2)
    try host.library.removePolicy("everyone")
    try host.daemon.reload()
    #expect(try app.status() == .limited)
    #expect(try app.assets().count == 2)
  }
}
