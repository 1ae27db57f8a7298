import AlbumAPI
import Glibc
import TestSupport
import Testing
import Varlink

@Suite(
  "Edits that wait (S29)", .blocking,
  .enabled(if: HangingFileSystem.isPossible, "mounting a file system in user space is not permitted"))
struct DecidedMeanwhileTests {
  enum Wish: CaseIterable { case makeAlbum, rename }

  @Test(
    "S29, 21: an app that is denied while its edit waits for a slow root has edited nothing",
    arguments: Wish.allCases)
  func denied(_ wish: Wish) throws {
    var slow: HangingFileSystem?
    let host = try Host {
      try $0.makeAlbum("../slow")
      slow = try HangingFileSystem(at: $0.path("../slow"), ["Trip/there.jpg"])
      $0.moreRoots = [$0.path("../slow")]
    }
    let files = try #require(slow)
    try host.daemon.waitForStatus { $0.hasPrefix("ready") }
    let owner = try host.owner()
    let (trip, there) = (try owner.album("Trip").id, try owner.asset("there.jpg").id)
    // Where the machine is so late that the root is taken for one that hangs, that is said instead: it is tried again.
    for number in 0..<20 {
      try host.set(.wallpapers, .authorized)
      let (app, other) = (try host.app().connect(), try host.app().connect())
      files.hang(on: .makeDirectory)
      try owner.begin(LibraryInterface.CreateAlbum.self, .init(title: "Day \(number)", parent: trip))
      files.awaitTrap()
      switch wish {
      case .makeAlbum: try app.begin(LibraryInterface.CreateAlbum.self, .init(title: "Mine", parent: trip))
      case .rename: try app.begin(LibraryInterface.RenameAsset.self, .init(id: there, filename: "mine.jpg"))
      }
      // It was read before this.
      #expect(try other.status() == .authorized)
      try host.set(.wallpapers, .denied)
      files.answer()
      _ = try owner.receive()
      let error = try #require(try app.receive().reply.error)
      try host.daemon.waitForStatus { $0.hasPrefix("ready") }
      #expect(access(host.library.path("../slow/Trip/Mine"), F_OK) != 0)
      #expect(access(host.library.path("../slow/Trip/there.jpg"), F_OK) == 0)
      if error == LibraryInterface.Offline.name { continue }
      #expect(error == LibraryInterface.NotAuthorized.name)
      return
    }
    Issue.record("the root was offline each time")
  }
}
