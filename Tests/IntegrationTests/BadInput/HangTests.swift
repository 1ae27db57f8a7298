import AlbumAPI
import Glibc
import Linux
import TestSupport
import Testing
import Varlink

@Suite(
  "Roots that hang (S41)", .blocking,
  .enabled(if: HangingFileSystem.isPossible, "mounting a file system in user space is not permitted"))
struct HangTests {
  /// A daemon with a photo in a root, and another in one of these.
  private func make() throws -> (Host, HangingFileSystem) {
    var slow: HangingFileSystem?
    let host = try Host {
      try $0.add("here.jpg", Photo.jpeg("here"))
      try $0.makeAlbum("../slow")
      slow = try HangingFileSystem(at: $0.path("../slow"), ["Trip/there.jpg"])
      $0.moreRoots = [$0.path("../slow")]
    }
    try host.daemon.waitForStatus { $0.hasPrefix("ready") }
    return (host, try #require(slow))
  }

  private func slowRoot(_ connection: Connection) throws -> LibraryInterface.Root {
    try #require(try connection.info().roots.last)
  }

  @Test(
    "21, S41: who opens a photo of a root that hangs is told so, others are served meanwhile, the doctor names it"
  )
  func opening() throws {
    let (host, slow) = try make()
    let (owner, other) = (try host.owner(), try host.owner())
    let there = try owner.asset("there.jpg").id
    let here = try owner.asset("here.jpg").id
    // Read by nobody else: a page that is known would be read without asking.
    _ = try owner.open(there)
    slow.hang()
    try owner.begin(LibraryInterface.OpenAsset.self, .init(id: there))
    slow.awaitRequest()
    #expect(try other.content(of: here) == Photo.jpeg("here"))
    #expect(try other.info().roots.last?.state != .offline)
    #expect(try owner.receive().reply.error == LibraryInterface.Offline.name)
    #expect(try slowRoot(other).state == .offline)
    #expect(try slowRoot(other).problem == "its file system does not answer")
    let findings = try other.call(ManagerInterface.Check.self, .init()).findings
    #expect(findings.contains { $0.subject == host.library.path("../slow") && $0.severity == .error })
    #expect(try failure { _ = try other.open(there) }.name == LibraryInterface.Offline.name)
    try host.daemon.waitForStatus { $0.hasPrefix("degraded") }
    slow.answer()
    try host.daemon.waitForStatus { $0.hasPrefix("ready") }
    #expect(try owner.asset("there.jpg").id == there)
    #expect(try owner.asset("there.jpg").offline == false)
  }

  @Test(
    "22, S41: the daemon stops and starts while a root hangs, and everything is as it was when that answers")
  func restart() throws {
    let (host, slow) = try make()
    let there = try host.owner().asset("there.jpg").id
    slow.hang()
    try host.owner().begin(ManagerInterface.Rescan.self, .init())
    slow.awaitRequest()
    try host.daemon.restart()
    let owner = try host.owner()
    #expect(try owner.content(of: owner.asset("here.jpg").id) == Photo.jpeg("here"))
    #expect(try owner.asset("there.jpg").id == there)
    slow.answer()
    try host.daemon.waitForStatus { $0.hasPrefix("ready") }
    #expect(try owner.asset("there.jpg").offline == false)
  }

  @Test("21, S41: what is to be deleted in a root that hangs stays, and others are served meanwhile")
  func deleting() throws {
    let (host, slow) = try make()
    let (owner, other) = (try host.owner(), try host.owner())
    let there = try owner.asset("there.jpg").id
    slow.hang()
    try owner.begin(LibraryInterface.DeleteAssets.self, .init(ids: [there]))
    slow.awaitRequest()
    _ = try other.asset("here.jpg")
    #expect(try owner.receive().reply.error != nil)
    #expect(try other.asset("there.jpg").id == there)
    try host.daemon.waitForStatus { $0.hasPrefix("degraded") }
    slow.answer()
    try host.daemon.waitForStatus { $0.hasPrefix("ready") }
    #expect(try owner.asset("there.jpg").id == there)
  }
}
