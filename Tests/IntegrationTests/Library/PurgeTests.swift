import AlbumAPI
import TestSupport
import Testing
import Varlink

@Suite("Removing for good what was deleted (S33)", .blocking)
struct PurgeTests {
  private typealias Purge = ManagerInterface.PurgeDeleted

  /// How many assets were removed each time, as the log tells.
  private func purges(_ host: Host) throws -> [Int?] {
    try host.accessLog().filter { $0.kind == .purge }.map(\.assets)
  }

  @Test("S33: what cannot be removed is not in the way of the rest, and is told; the log tells of the rest")
  func halfway() throws {
    let host = try Host {
      try $0.add("first.jpg", Photo.jpeg("first"))
      try $0.add("last.jpg", Photo.jpeg("last"))
      try $0.add("../more/away.jpg", Photo.jpeg("away"))
      $0.moreRoots = [$0.path("../more")]
    }
    let owner = try host.owner()
    let names = ["first.jpg", "away.jpg", "last.jpg"]
    let ids = try names.map { try owner.asset($0).id }
    try owner.call(LibraryInterface.DeleteAssets.self, .init(ids: ids))
    try host.library.move("../more", to: "../gone")
    try host.daemon.waitForStatus { $0.hasPrefix("degraded") }

    let reply = try owner.call(Purge.self, .init(ids: ids))
    #expect(reply.count == 2)
    #expect(reply.problem?.contains("away") == true || reply.problem?.contains("offline") == true)
    #expect(try purges(host) == [2])
    // Now nothing can be removed at all.
    let error = try failure { try owner.call(Purge.self, .init()) }
    #expect(error.typed(ManagerInterface.CannotRestore.self)?.id == ids[1])
    #expect(try purges(host).count == 1)
    try host.library.move("../gone", to: "../more")
    try host.daemon.waitForStatus { $0.hasPrefix("ready") }
    #expect(try owner.call(Purge.self, .init()) == .init(count: 1))
  }
}
