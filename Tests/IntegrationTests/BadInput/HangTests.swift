import AlbumAPI
import Foundation
import Glibc
import Linux
import TestSupport
import Testing
import Varlink
import VarlinkTransport

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

  @Test(
    "22, S26, R2: killed while a thread waits for a root and the index is being written: the next one starts at once, with all that was said"
  )
  func killed() throws {
    let (host, slow) = try make()
    try host.set(.wallpapers, .denied)
    let before = try host.owner().subscribe().token
    slow.hang(taking: true)
    try host.owner().begin(ManagerInterface.Rescan.self, .init())
    slow.awaitRequest()
    // What is told is in the redo log, and not committed for a while.
    let subscriber = try host.owner().subscribe()
    try host.library.add("new.jpg")
    #expect(try subscriber.collect(1).inserted.map(\.filename) == ["new.jpg"])
    let stuck = try host.daemon.killWithoutEnd()
    defer { slow.answer() }
    #expect(stuck.isRunning)
    // Its socket is still there: a service manager would hand the same over to both.
    #expect(unlink(host.library.socket) == 0)
    try host.daemon.start()
    #expect(stuck.isRunning, "it was there all the time")
    let owner = try host.owner()
    #expect(try owner.subscribe(since: before).collect(1).inserted.map(\.filename) == ["new.jpg"])
    #expect(try host.app().connect().status() == .denied)
    // It can write, and end.
    try host.set(.wallpapers, .authorized)
    try host.library.add("newer.jpg")
    #expect(
      try host.owner().subscribe(since: subscriber.token).collect(1).inserted.map(\.filename) == ["newer.jpg"]
    )
    slow.answer()
    try stuck.wait()
    try host.daemon.restart()
    #expect(try host.app().connect().status() == .authorized)
    _ = try host.owner().asset("newer.jpg")
  }

  @Test(
    "21, S41: a file system that stops in the middle of a deletion keeps nobody else, and nothing is deleted when it goes on"
  )
  func stopsInDeletion() throws {
    let (host, slow) = try make()
    let (owner, other) = (try host.owner(), try host.owner())
    let there = try owner.asset("there.jpg")
    slow.hang(on: .rename)
    try owner.begin(LibraryInterface.DeleteAssets.self, .init(ids: [there.id]))
    slow.awaitTrap()
    #expect(try other.content(of: other.asset("here.jpg").id) == Photo.jpeg("here"))
    #expect(owner.isQuiet, "it was served while the other waits")
    #expect(try owner.receive().reply.error == LibraryInterface.Offline.name)
    try host.daemon.waitForStatus { $0.hasPrefix("degraded") }
    slow.answer()
    try host.daemon.waitForStatus { $0.hasPrefix("ready") }
    #expect(try other.asset("there.jpg").id == there.id)
    #expect(access(host.library.path("../slow/Trip/there.jpg"), F_OK) == 0)
    #expect(try host.connect().call(ManagerInterface.ListDeleted.self, .init()).assets.isEmpty)
    _ = try other.open(there.id)
  }

  @Test("21, S41: an album that is made in a file system that stops is none, and others are made meanwhile")
  func stopsInMaking() throws {
    let (host, slow) = try make()
    let (owner, other) = (try host.owner(), try host.owner())
    let trip = try owner.album("Trip").id
    slow.hang(on: .makeDirectory)
    try owner.begin(LibraryInterface.CreateAlbum.self, .init(title: "Day", parent: trip))
    slow.awaitTrap()
    let made = try other.call(LibraryInterface.CreateAlbum.self, .init(title: "Near", parent: nil)).album
    #expect(made.title == "Near")
    #expect(owner.isQuiet, "it was served while the other waits")
    #expect(try owner.receive().reply.error == LibraryInterface.Offline.name)
    try host.daemon.waitForStatus { $0.hasPrefix("degraded") }
    slow.answer()
    try host.daemon.waitForStatus { $0.hasPrefix("ready") }
    #expect(access(host.library.path("../slow/Trip/Day"), F_OK) != 0)
    let again = try owner.call(LibraryInterface.CreateAlbum.self, .init(title: "Day", parent: trip)).album
    #expect(again.title == "Day")
  }

  @Test("21, S41: an edit of one root that hangs keeps none of another such root waiting")
  func stopsBesideAnother() throws {
    var files: [HangingFileSystem] = []
    let host = try Host {
      for name in ["../slow", "../late"] {
        try $0.makeAlbum(name)
        files.append(try HangingFileSystem(at: $0.path(name), ["\(name.dropFirst(3))/there.jpg"]))
        $0.moreRoots.append($0.path(name))
      }
    }
    try host.daemon.waitForStatus { $0.hasPrefix("ready") }
    let (owner, other) = (try host.owner(), try host.owner())
    let (slow, late) = (try owner.album("slow").id, try owner.album("late").id)
    files[0].hang(on: .makeDirectory)
    try owner.begin(LibraryInterface.CreateAlbum.self, .init(title: "Day", parent: slow))
    files[0].awaitTrap()
    let made = try other.call(LibraryInterface.CreateAlbum.self, .init(title: "Day", parent: late)).album
    #expect(made.title == "Day")
    #expect(owner.isQuiet, "it was served while the other waits")
    #expect(try owner.receive().reply.error == LibraryInterface.Offline.name)
    files[0].answer()
    try host.daemon.waitForStatus { $0.hasPrefix("ready") }
  }

  @Test("21, S41: a file system that stops while what is half done is ended keeps nobody waiting")
  func stopsInEnding() throws {
    let (host, slow) = try make()
    let (owner, other) = (try host.owner(), try host.owner())
    let there = try owner.asset("there.jpg")
    slow.hang(on: .rename)
    try owner.begin(LibraryInterface.DeleteAssets.self, .init(ids: [there.id]))
    slow.awaitTrap()
    #expect(try owner.receive().reply.error == LibraryInterface.Offline.name)
    try host.daemon.waitForStatus { $0.hasPrefix("degraded") }
    // What was put away is put back, and that stops as well.
    slow.answer(until: .renameWithFlags)
    slow.awaitTrap()
    #expect(try other.content(of: other.asset("here.jpg").id) == Photo.jpeg("here"))
    try host.daemon.waitForStatus { $0.hasPrefix("degraded") }
    slow.answer()
    try host.daemon.waitForStatus { $0.hasPrefix("ready") }
    #expect(try other.asset("there.jpg").id == there.id)
    #expect(access(host.library.path("../slow/Trip/there.jpg"), F_OK) == 0)
  }

  @Test("21, S41: who adds to a root that hangs is told so, and nothing is left there")
  func stopsInAdding() throws {
    let (host, slow) = try make()
    let (owner, other) = (try host.owner(), try host.owner())
    let trip = try owner.album("Trip").id
    let path = try host.library.add("../source", Photo.jpeg("new"))
    let batch = DescriptorBatch()
    let source = try OwnedDescriptor(open(path, O_RDONLY | O_CLOEXEC), call: "open")
    let item = LibraryInterface.AddItem(fileDescriptor: batch.append(source), filename: "new.jpg")
    slow.hang(on: .create)
    try owner.send(
      try Call(LibraryInterface.AddAssets.self, .init(items: [item], album: trip)), descriptors: batch)
    slow.awaitTrap()
    #expect(try other.content(of: other.asset("here.jpg").id) == Photo.jpeg("here"))
    #expect(owner.isQuiet, "it was served while the other waits")
    #expect(try owner.receive().reply.error == LibraryInterface.Offline.name)
    slow.answer()
    try host.daemon.waitForStatus { $0.hasPrefix("ready") }
    // It is removed on a thread of its own.
    let deadline = Deadline.generous
    func names() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: host.library.path("../slow/Trip"))
    }
    while try names() != ["there.jpg"], !deadline.hasPassed { sched_yield() }
    #expect(try names() == ["there.jpg"])
  }

  @Test("21, S41, S75: an album that is renamed in a file system that stops stays as it is")
  func stopsInRenaming() throws {
    let (host, slow) = try make()
    let (owner, other) = (try host.owner(), try host.owner())
    let trip = try owner.album("Trip").id
    slow.hang(on: .renameWithFlags)
    try owner.begin(LibraryInterface.RenameAlbum.self, .init(album: trip, title: "Journey"))
    slow.awaitTrap()
    #expect(try other.content(of: other.asset("here.jpg").id) == Photo.jpeg("here"))
    #expect(owner.isQuiet, "it was served while the other waits")
    #expect(try owner.receive().reply.error == LibraryInterface.Offline.name)
    try host.daemon.waitForStatus { $0.hasPrefix("degraded") }
    slow.answer()
    try host.daemon.waitForStatus { $0.hasPrefix("ready") }
    // It was said not to be renamed.
    #expect(try owner.album("Trip").id == trip)
    #expect(access(host.library.path("../slow/Trip/there.jpg"), F_OK) == 0)
    let renamed = try owner.call(
      LibraryInterface.RenameAlbum.self, .init(album: trip, title: "Journey")
    ).album
    #expect(renamed.id == trip && renamed.title == "Journey")
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
