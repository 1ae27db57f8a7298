import AlbumAPI
import Foundation
import Glibc
import Testing
import Varlink

@Suite("A machine that has no more (R2)", .blocking)
struct ResourceFaultTests {
  @Test("without descriptors nobody new is served, those who are go on, and it is over when there are some")
  func descriptors() throws {
    let host = try Host { try $0.add("a.jpg") }
    let owner = try host.owner()
    let id = try owner.asset("a.jpg").id
    try host.daemon.limitDescriptors(host.daemon.lowestFreeDescriptor)
    let late = try host.connect()
    try late.send("org.varlink.service.GetInfo")
    for _ in 0..<20 { try owner.roundTrip() }
    let error = try failure { _ = try owner.open(id) }
    #expect(error.description.contains("many open files"), "\(error)")
    #expect(late.isQuiet)
    try host.daemon.limitDescriptors(1024)
    #expect(try owner.content(of: id) == Photo.jpeg())
    #expect(try late.receive().reply.error == nil)
  }

  @Test(
    "without threads nobody new is known, those who are go on, and it is over when there are some",
    .enabled(if: isRoot, needsRoot))
  func threads() throws {
    let library = try TemporaryLibrary()
    // A user without other processes: RLIMIT_NPROC counts a user's, and root's not at all (getrlimit(2)).
    let host = try Host(library, daemonUser: "games") { try $0.add("a.jpg") }
    try host.set(.wallpapers, .authorized)
    let app = try host.app()
    let known = try app.connect()
    let id = try known.asset("a.jpg").id
    try host.daemon.limit("nproc", 1)
    #expect(try known.assets().map(\.id) == [id])
    let refused = try failure { _ = try app.connect().status() }
    #expect(refused.name == AuthorizationInterface.UnidentifiedPeer.name)
    #expect(refused.description.contains("thread"), "\(refused)")
    #expect(try known.content(of: id) == Photo.jpeg())
    try host.daemon.limit("nproc", 4096)
    #expect(try app.connect().status() == .authorized)
    try host.set(.wallpapers, .denied)
    #expect(try known.status() == .denied)
  }

  @Test("without memory it may end; what was acknowledged is there at its next start")
  func memory() throws {
    let host = try Host { library in
      for number in 0..<20 { try library.add("\(number).jpg") }
    }
    try host.set(.wallpapers, .authorized)
    let owner = try host.owner()
    let ids = try owner.assets().map(\.id)
    try owner.call(LibraryInterface.DeleteAssets.self, .init(ids: Array(ids.prefix(5))))
    try host.daemon.limit("as", host.daemon.addressSpace + 4 << 20)
    // Whatever makes it need memory: a message of a mebibyte from each of many, until it has none, or has served all.
    let text =
      "{\"method\":\"org.varlink.service.GetInfo\",\"parameters\":{\"x\":[\(String(repeating: "1,", count: 90_000))1]}}"
    for _ in 0..<40 {
      guard let connection = try? host.connect() else { break }
      try? connection.sendBytes(Array(text.utf8) + [0])
      _ = try? connection.receive()
    }
    if host.daemon.isRunning { try host.daemon.kill() } else { try host.daemon.ended() }
    try host.daemon.start()
    #expect(try host.app().connect().status() == .authorized)
    #expect(try Set(host.owner().assets().map(\.id)) == Set(ids.dropFirst(5)))
    let deleted = try host.connect().call(ManagerInterface.ListDeleted.self, .init()).assets
    #expect(Set(deleted.map(\.id)) == Set(ids.prefix(5)))
  }
}
