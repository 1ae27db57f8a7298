import AlbumAPI
import Foundation
import Glibc
import Linux
import TestSupport
import Testing
import Varlink

@Suite("Roots that are not there (S41)", .blocking)
struct RootTests {
  @Test("S41: a root that is missing at the start is offline, and served when it appears")
  func missing() throws {
    let host = try Host { try FileManager.default.removeItem(atPath: $0.photos) }
    let owner = try host.owner()
    let info = try owner.info()
    #expect(info.state == .offline)
    #expect(info.roots.map(\.state) == [.offline])
    #expect(info.roots.first?.problem?.isEmpty == false)
    let subscriber = try host.owner().subscribe()
    try host.library.add("../new/a.jpg")
    try host.library.move("../new", to: "../photos")
    #expect(try subscriber.next().inserted.map(\.filename) == ["a.jpg"])
    try host.daemon.waitForStatus { $0.hasPrefix("ready") }
    #expect(try owner.info().state == .ready)
  }

  @Test("S41: the doctor says in the language of who asks why a root is away")
  func translated() throws {
    let host = try Host {
      try $0.makeAlbum("../disk")
      $0.moreRoots = ["\($0.path("../disk"))\n    requireMountPoint: true"]
    }
    func message(_ language: String?) throws -> String? {
      let findings = try host.connect().call(ManagerInterface.Check.self, .init(language: language)).findings
      return findings.first { $0.subject == host.library.path("../disk") }?.message
    }
    #expect(try message(nil) == "nothing is mounted there")
    #expect(try message("zh-Hans") == "那里没有挂载文件系统")
  }

  @Test("S41: a root that is lost puts its assets offline, deletes none, and tells the difference on return")
  func lost() throws {
    let host = try Host {
      try $0.add("a.jpg", Photo.jpeg("a"))
      try $0.add("Trip/b.jpg")
    }
    let owner = try host.owner()
    let (a, b) = (try owner.asset("a.jpg").id, try owner.asset("b.jpg").id)
    let subscriber = try host.owner().subscribe()
    try host.library.move("../photos", to: "../gone")
    try host.daemon.waitForStatus { $0.hasPrefix("offline") }
    #expect(try owner.assets().map(\.id) == [a, b])
    #expect(try owner.assets().allSatisfy(\.offline))
    let error = try failure { _ = try owner.open(a) }
    #expect(error.typed(LibraryInterface.Offline.self)?.root == "photos")

    try host.library.add("../gone/c.jpg")
    try host.library.remove("../gone/Trip/b.jpg")
    try host.library.move("../gone", to: "../photos")
    let seen = try subscriber.collect { !$0.inserted.isEmpty && !$0.removed.isEmpty }
    #expect(seen.inserted.map(\.filename) == ["c.jpg"])
    #expect(seen.removed == [b])
    #expect(try owner.asset("a.jpg").id == a)
    #expect(try owner.content(of: a) == Photo.jpeg("a"))
  }

  @Test("S41, S26: what is told of an asset while its root is away says so")
  func toldOffline() throws {
    let host = try Host {
      try $0.add("here.jpg", Photo.jpeg("here"))
      try $0.makeAlbum("../more")
      $0.moreRoots = [$0.path("../more")]
    }
    let owner = try host.owner()
    let token = try owner.info().token
    try host.library.add("../more/away.jpg", Photo.jpeg("away"))
    try host.library.add("new.jpg", Photo.jpeg("new"))
    func told() throws -> [String: Bool] {
      let seen = try host.owner().subscribe(since: token).collect { $0.inserted.count == 2 }
      return Dictionary(uniqueKeysWithValues: seen.inserted.map { ($0.filename, $0.offline) })
    }
    #expect(try told() == ["away.jpg": false, "new.jpg": false])
    try host.library.move("../more", to: "../gone")
    try host.daemon.waitForStatus { $0.hasPrefix("degraded") }
    #expect(try told() == ["away.jpg": true, "new.jpg": false])
    // What is selected for an app meanwhile comes into its sight as what it is.
    let app = try host.app()
    try host.limit(try app.connect(), assets: [])
    let subscriber = try app.connect().subscribe()
    try host.select(.add, assets: [try owner.asset("away.jpg").id])
    #expect(try subscriber.next().inserted.map(\.offline) == [true])
    try host.library.move("../gone", to: "../more")
    try host.daemon.waitForStatus { $0.hasPrefix("ready") }
    #expect(try told() == ["away.jpg": false, "new.jpg": false])
  }

  @Test("S41: another directory in a root's place is not its end either")
  func restartWithout() throws {
    let host = try Host { try $0.add("a.jpg") }
    let a = try host.owner().asset("a.jpg").id
    try host.daemon.stop()
    try host.library.move("../photos", to: "../gone")
    try host.daemon.start()
    #expect(try host.owner().assets().map(\.id) == [a])
    try host.daemon.stop()
    try host.library.move("../gone", to: "../photos")
    try host.daemon.start()
    let asset = try host.owner().asset("a.jpg")
    #expect(asset.id == a)
    #expect(!asset.offline)
  }

  @Test(
    "S41, S85: another disk over a root is offline, the check says what to do, and an owner may accept it",
    .enabled(if: SmallDisk.isPossible, "mounting a tmpfs is not permitted"))
  func accepted() throws {
    let host = try Host { try $0.add("a.jpg") }
    let owner = try host.owner()
    let a = try owner.asset("a.jpg").id
    let subscriber = try host.owner().subscribe()
    let disk = try SmallDisk(at: host.library.photos, kilobytes: 64)
    // Before the library is removed.
    defer { withExtendedLifetime(disk) { _ = umount2(host.library.photos, CInt(MNT_DETACH)) } }
    try host.library.add("b.jpg")
    try host.daemon.waitForStatus { $0.hasPrefix("offline") }
    try owner.call(ManagerInterface.Rescan.self, .init())
    #expect(try owner.assets().map(\.id) == [a])
    let findings = try owner.call(ManagerInterface.Check.self, .init()).findings
    let found = try #require(findings.first { $0.subject == host.library.photos })
    #expect(found.advice?.contains("albumctl rescan --accept \(host.library.photos)") == true)
    let unknown = try failure { try owner.call(ManagerInterface.Rescan.self, .init(acceptRoots: ["/"])) }
    #expect(unknown.typed(InvalidParameter.self)?.parameter == "acceptRoots")
    try owner.call(ManagerInterface.Rescan.self, .init(acceptRoots: [host.library.photos]))
    let seen = try subscriber.collect(2)
    #expect(seen.inserted.map(\.filename) == ["b.jpg"] && seen.removed == [a])
    try host.daemon.waitForStatus { $0.hasPrefix("ready") }
  }

  @Test("one root of two that is missing: degraded, and the other is served")
  func oneOfTwo() throws {
    let host = try Host {
      $0.moreRoots = ["\($0.directory)/missing"]
      try $0.add("a.jpg")
    }
    let owner = try host.owner()
    let info = try owner.info()
    #expect(info.state == .degraded)
    #expect(info.roots.map(\.state).contains(.offline))
    #expect(try owner.assets().map(\.filename) == ["a.jpg"])
    #expect(host.daemon.log.contains("\(host.library.directory)/missing"))
    let subscriber = try host.owner().subscribe()
    try host.library.add("b.jpg")
    #expect(try subscriber.next().inserted.map(\.filename) == ["b.jpg"])
  }

  @Test("a root that is a file is offline")
  func notDirectory() throws {
    let host = try Host { $0.moreRoots = [try $0.add("../file")] }
    #expect(try host.owner().info().state == .degraded)
  }

  @Test(
    "S42: a directory that cannot be read is said, and the rest is served", .enabled(if: isRoot, needsRoot))
  func unreadable() throws {
    let host = try Host(daemonUser: "nobody") {
      try $0.add("a.jpg")
      try $0.add("Secret/b.jpg")
      #expect(chmod($0.path("Secret"), 0) == 0)
    }
    #expect(host.daemon.status.hasPrefix("degraded, 1 asset,"), "\(host.daemon.status)")
    #expect(host.daemon.status.contains("Secret"))
    try host.connect().roundTrip()
  }

  @Test("a photograph that the daemon may not read is told by the doctor", .enabled(if: isRoot, needsRoot))
  func unreadablePhoto() throws {
    let host = try Host(daemonUser: "nobody") {
      try $0.add("a.jpg")
      try $0.add("Trip/b.jpg")
      try $0.add("Trip/notes.txt")
      // Who else may read it is told as well.
      #expect(chmod($0.photos, 0o700) == 0)
    }
    let check = ManagerInterface.Check.self
    func finding() throws -> ManagerInterface.Finding? {
      try host.connect().call(check, .init()).findings.first {
        $0.subject == host.library.photos && $0.severity == .warning
      }
    }
    #expect(try finding() == nil)
    for name in ["Trip/b.jpg", "Trip/notes.txt"] {
      #expect(chown(host.library.path(name), 0, 0) == 0 && chmod(host.library.path(name), 0o600) == 0)
    }
    let told = try #require(try finding())
    #expect(told.message.contains("1 photo") && told.message.contains("Trip/b.jpg"), "\(told.message)")
    #expect(told.advice?.contains("chown") == true)
  }

  @Test("a root that cannot be read is said, and the daemon goes on", .enabled(if: isRoot, needsRoot))
  func unreadableRoot() throws {
    let host = try Host(daemonUser: "nobody") {
      try $0.add("a.jpg")
      #expect(chmod($0.photos, 0) == 0)
    }
    #expect(!host.daemon.status.hasPrefix("ready"), "\(host.daemon.status)")
    #expect(host.daemon.status.contains(host.library.photos), "\(host.daemon.status)")
    try host.connect().roundTrip()
  }

  @Test("S41: without descriptors left, no root is lost, and what happened meanwhile is told")
  func withoutDescriptors() throws {
    let host = try Host {
      try $0.add("a.jpg")
      try $0.makeAlbum("Trip")
    }
    let (owner, subscriber) = (try host.owner(), try host.owner().subscribe())
    try host.daemon.limitDescriptors(host.daemon.lowestFreeDescriptor)
    try host.library.add("b.jpg")
    try host.library.add("Trip/c.jpg")
    // It has read the events once it answers.
    for _ in 0..<3 { try owner.roundTrip() }
    #expect(try owner.info().roots.allSatisfy { $0.state != .offline })
    #expect(try owner.asset("a.jpg").offline == false)
    try host.daemon.limitDescriptors(512)
    let seen = try subscriber.collect(2)
    #expect(Set(seen.inserted.map(\.filename)) == ["b.jpg", "c.jpg"])
    try host.daemon.waitForStatus { $0.hasPrefix("ready") }
  }

  @Test(
    "S42, R5: a directory that could not be read is compared when it can be again",
    .enabled(if: isRoot, needsRoot), arguments: [0, 0o444])
  func readableAgain(mode: mode_t) throws {
    let host = try Host(daemonUser: "nobody") { try $0.add("Secret/a.jpg") }
    let subscriber = try host.owner().subscribe()
    #expect(chmod(host.library.path("Secret"), mode) == 0)
    try host.library.add("Secret/b.jpg")
    try host.connect().call(ManagerInterface.Rescan.self, .init())
    try host.daemon.waitForStatus { $0.hasPrefix("degraded") }
    #expect(host.daemon.status.contains("Secret"), "\(host.daemon.status)")
    #expect(try host.owner().assets().map(\.filename) == ["a.jpg"])
    #expect(chmod(host.library.path("Secret"), 0o755) == 0)
    #expect(try subscriber.next().inserted.map(\.filename) == ["b.jpg"])
    try host.daemon.waitForStatus { $0.hasPrefix("ready") }
  }
}
