import AlbumAPI
import Foundation
import Glibc
import Linux
import Testing
import TestSupport
import Varlink
import VarlinkTransport

@Suite("Deleting and overwriting (S33)", .blocking)
struct DeletionTests {
  private typealias Delete = LibraryInterface.DeleteAssets
  private typealias Replace = LibraryInterface.ReplaceAsset

  /// A photo in two albums, another, and an app that may see everything.
  private func host() throws -> Host {
    let host = try Host {
      try $0.add("A/one.jpg", Photo.jpeg("one"))
      try $0.makeAlbum("B")
      try $0.link("A/one.jpg", to: "B/one.jpg")
      try $0.add("two.jpg", Photo.jpeg("two"))
    }
    try host.set(.wallpapers, .authorized)
    return host
  }

  private func files(_ host: Host) -> Set<String> {
    let all = FileManager.default.enumerator(atPath: host.library.photos)?.compactMap { $0 as? String } ?? []
    return Set(all.filter { $0.hasSuffix(".jpg") })
  }

  private func deleted(_ host: Host) throws -> [ManagerInterface.DeletedAsset] {
    try host.connect().call(ManagerInterface.ListDeleted.self, .init()).assets
  }

  @Test("S33: the owner is asked about exactly these assets, and what is allowed is gone, and told once")
  func allowed() throws {
    let host = try host()
    let agent = try host.agent()
    let app = try host.app()
    let connection = try app.connect()
    let id = try connection.asset("one.jpg").id
    let albums = try connection.asset("one.jpg").albums
    let subscriber = try app.connect().subscribe()
    try connection.begin(Delete.self, .init(ids: [id]))
    let prompt = try agent.prompt()
    #expect(prompt.kind == .deletion && prompt.assets == [id])
    #expect(prompt.app.id == AppDescription.wallpapers.id)
    try agent.answer(prompt, .allow)
    #expect(try connection.receive(Delete.self).deleted == [id])
    #expect(try connection.assets().map(\.filename) == ["two.jpg"])
    #expect(files(host) == ["two.jpg"])
    #expect(try failure { _ = try connection.open(id) }.name == LibraryInterface.NoSuchAsset.name)
    let seen = try subscriber.rest(in: host.library)
    #expect(seen.removed == [id] && seen.count == 1)
    let kept = try #require(try deleted(host).first)
    #expect(kept.id == id && kept.filename == "one.jpg" && kept.appId == AppDescription.wallpapers.id)
    #expect(Set(kept.albums) == Set(albums) && kept.mediaType == .image)
    #expect(kept.purge.microseconds - kept.deleted.microseconds == 30 * 86_400 * 1_000_000)
  }

  @Test(
    "S33: every other answer removes nothing", arguments: [AgentInterface.Decision.deny, .notNow])
  func refused(_ decision: AgentInterface.Decision) throws {
    let host = try host()
    let connection = try host.app().connect()
    let id = try connection.asset("one.jpg").id
    let agent = try host.agent()
    try connection.begin(Delete.self, .init(ids: [id]))
    try agent.answer(agent.prompt(), decision)
    #expect(try failure { _ = try connection.receive(Delete.self) }.name == LibraryInterface.UserRefused.name)
    #expect(files(host) == ["A/one.jpg", "B/one.jpg", "two.jpg"])
    #expect(try deleted(host).isEmpty)
  }

  @Test("S12, S33: with no agent, and when the only one closes, nothing is removed or overwritten")
  func noAgent() throws {
    let host = try host()
    let connection = try host.app().connect()
    let id = try connection.asset("one.jpg").id
    let none = try failure { try connection.call(Delete.self, .init(ids: [id])) }
    #expect(none.name == AuthorizationInterface.NoAgent.name)
    try begin(connection, id, Photo.jpeg("edited"), host)
    let kept = try failure { _ = try connection.receive(Replace.self) }
    #expect(kept.name == AuthorizationInterface.NoAgent.name)
    do {
      let agent = try host.agent()
      try connection.begin(Delete.self, .init(ids: [id]))
      _ = try agent.prompt()
    }
    let gone = try failure { _ = try connection.receive(Delete.self) }
    #expect([AuthorizationInterface.NoAgent.name, LibraryInterface.UserRefused.name].contains(gone.name))
    #expect(files(host) == ["A/one.jpg", "B/one.jpg", "two.jpg"])
  }

  @Test(
    "S33: an app that goes away while the owner is asked has deleted nothing, and the prompt is withdrawn")
  func callerGone() throws {
    let host = try host()
    let agent = try host.agent()
    let prompt: AgentInterface.Prompt
    do {
      let connection = try host.app().connect()
      try connection.begin(Delete.self, .init(ids: [connection.asset("one.jpg").id]))
      prompt = try agent.prompt()
    }
    #expect(try agent.withdrawal().id == prompt.id)
    #expect(files(host) == ["A/one.jpg", "B/one.jpg", "two.jpg"])
  }

  @Test("S29, S33: what the app may no longer see when the owner answers is not deleted")
  func revokedMeanwhile() throws {
    let host = try host()
    let agent = try host.agent()
    let connection = try host.app().connect()
    try connection.begin(Delete.self, .init(ids: [connection.asset("one.jpg").id]))
    let prompt = try agent.prompt()
    try host.set(.wallpapers, .denied)
    try agent.answer(prompt, .allow)
    #expect(
      try failure { _ = try connection.receive(Delete.self) }.name == LibraryInterface.NotAuthorized.name)
    #expect(files(host) == ["A/one.jpg", "B/one.jpg", "two.jpg"])
  }

  @Test("S33, S39, S45: an owner is not asked; after a restart it is restored, with its id, to both albums")
  func restored() throws {
    let host = try host()
    let owner = try host.owner()
    let before = try owner.asset("one.jpg")
    #expect(try owner.call(Delete.self, .init(ids: [before.id])).deleted == [before.id])
    #expect(try deleted(host).first?.appId == nil)
    try host.daemon.kill()
    try host.daemon.start()
    let subscriber = try host.owner().subscribe()
    let restored = try host.connect().call(ManagerInterface.RestoreDeleted.self, .init(ids: [before.id]))
    #expect(restored.restored == [before.id])
    let after = try host.owner().asset("one.jpg")
    #expect(after.id == before.id && after.albums == before.albums)
    #expect(files(host) == ["A/one.jpg", "B/one.jpg", "two.jpg"])
    #expect(try host.owner().content(of: before.id) == Photo.jpeg("one"))
    let seen = try subscriber.rest(in: host.library)
    #expect(seen.inserted.map(\.id) == [before.id] && seen.removed.isEmpty)
    #expect(try deleted(host).isEmpty)
    let again = try failure {
      try host.connect().call(ManagerInterface.RestoreDeleted.self, .init(ids: [before.id]))
    }
    #expect(again.typed(ManagerInterface.NoSuchDeletedAsset.self)?.id == before.id)
  }

  @Test("S33: purged, it is gone for good; nobody but an owner may")
  func purged() throws {
    let host = try host()
    let owner = try host.owner()
    let ids = try owner.assets().map(\.id)
    #expect(try owner.call(Delete.self, .init(ids: ids)).deleted.count == 2)
    let app = try host.app().connect()
    #expect(
      try failure { try app.call(ManagerInterface.PurgeDeleted.self, .init()) }.name
        == ManagerInterface.NotAnOwner.name)
    #expect(try owner.call(ManagerInterface.PurgeDeleted.self, .init(ids: [ids[0]])).count == 1)
    #expect(try owner.call(ManagerInterface.PurgeDeleted.self, .init()).count == 1)
    #expect(try deleted(host).isEmpty)
    let left = try FileManager.default.contentsOfDirectory(atPath: host.library.path(".albumd-deleted"))
    #expect(left.isEmpty)
  }

  @Test("R2: killed while it deletes, every asset is there, or can be restored with its id", arguments: 0..<8)
  func killed(_ moment: Int) throws {
    let host = try Host { library in
      for number in 0..<40 {
        try library.add("A/\(number).jpg", Photo.jpeg("\(number)"))
        try library.makeAlbum("B")
        try library.link("A/\(number).jpg", to: "B/\(number).jpg")
      }
    }
    let owner = try host.owner()
    let before = Dictionary(uniqueKeysWithValues: try owner.assets().map { ($0.id, $0.albums) })
    let other = try host.connect()
    try owner.begin(Delete.self, .init(ids: Array(before.keys)))
    // Each is answered between two turns of what is being deleted.
    for _ in 0..<moment { try other.roundTrip() }
    try host.daemon.kill()
    try host.daemon.start()
    let present = try host.owner().assets().map(\.id)
    let kept = try deleted(host).map(\.id)
    #expect(Set(present).isDisjoint(with: kept))
    #expect(Set(present + kept) == Set(before.keys) && present.count + kept.count == 40)
    #expect(files(host).count == 2 * present.count)
    if !kept.isEmpty { try host.connect().call(ManagerInterface.RestoreDeleted.self, .init(ids: kept)) }
    let after = Dictionary(uniqueKeysWithValues: try host.owner().assets().map { ($0.id, $0.albums) })
    #expect(after == before)
  }

  @Test("S33: what is restored while much is removed for good is not removed, and is told as one of the two")
  func restoredWhilePurged() throws {
    let host = try Host { library in
      for number in 0..<20 { try library.add("\(number).jpg", Photo.jpeg("\(number)")) }
    }
    let owner = try host.owner()
    let ids = try owner.assets().map(\.id)
    try owner.call(Delete.self, .init(ids: ids))
    let (purging, restoring) = (try host.connect(), try host.connect())
    try purging.begin(ManagerInterface.PurgeDeleted.self, .init(ids: ids))
    // They meet in the middle; whichever finds the other done has nothing to do, or is refused.
    try restoring.begin(ManagerInterface.RestoreDeleted.self, .init(ids: ids.dropFirst().reversed()))
    func outcome<Value>(_ body: () throws -> Value, or nothing: Value) throws -> Value {
      do { return try body() } catch let error as RemoteError {
        let foreseen = [ManagerInterface.NoSuchDeletedAsset.name, ManagerInterface.CannotRestore.name]
        #expect(foreseen.contains(error.name))
        return nothing
      }
    }
    let restored = try outcome(
      { try restoring.receive(ManagerInterface.RestoreDeleted.self).restored }, or: [])
    let purged = try outcome({ try purging.receive(ManagerInterface.PurgeDeleted.self).count }, or: 0)
    #expect(Set(try owner.assets().map(\.id)) == Set(restored))
    #expect(try purged + restored.count + deleted(host).count == ids.count && purged + restored.count > 0)
  }

  @Test("S33: what was deleted so many days ago is removed for good at the start, and what was later is not")
  func daysOver() throws {
    let host = try Host { library in
      for name in ["old.jpg", "young.jpg"] { try library.add(name, Photo.jpeg(name)) }
      library.options.append("recentlyDeletedDays: 7")
    }
    let database = "\(host.library.state)/library.sqlite"
    let owner = try host.owner()
    let (old, young) = (try owner.asset("old.jpg").id, try owner.asset("young.jpg").id)
    try owner.call(Delete.self, .init(ids: [old]))
    try host.daemon.stop()
    try execute("UPDATE deletedAsset SET deleted = deleted - 6 * 86400", on: database)
    // The days have passed, and not by the clock alone.
    try hasRun(host, days: 20)
    try host.daemon.start()
    try host.owner().call(Delete.self, .init(ids: [young]))
    #expect(try Set(deleted(host).map(\.id)) == [old, young])
    #expect(hiddenFiles(host) == 2)

    // By now it is seven days for the one, one for the other.
    try host.daemon.stop()
    try execute("UPDATE deletedAsset SET deleted = deleted - 86400 - 60", on: database)
    try hasRun(host, days: 20)
    try host.daemon.start()
    let bystander = try host.connect()
    let deadline = Deadline.generous
    while hiddenFiles(host) > 1, !deadline.hasPassed { try bystander.roundTrip() }
    #expect(hiddenFiles(host) == 1)
    #expect(try deleted(host).map(\.id) == [young])
    let gone = try failure {
      try host.connect().call(ManagerInterface.RestoreDeleted.self, .init(ids: [old]))
    }
    #expect(gone.name == ManagerInterface.NoSuchDeletedAsset.name)
    try host.connect().call(ManagerInterface.RestoreDeleted.self, .init(ids: [young]))
    #expect(try host.owner().assets().map(\.filename) == ["young.jpg"])
  }

  /// The daemon has been running for so many days until now.
  private func hasRun(_ host: Host, days: Int) throws {
    let (now, length) = (Int(Date().timeIntervalSince1970), days * 86_400)
    try "albumd counted days 1\nlatest \(now)\nspan \(now - length) 0 \(length)\nend\n".write(
      toFile: "\(host.library.state)/counted-days", atomically: false, encoding: .utf8)
  }

  private func hiddenFiles(_ host: Host) -> Int {
    let hidden = "\(host.library.photos)/.albumd-deleted"
    return (try? FileManager.default.contentsOfDirectory(atPath: hidden))?.count ?? 0
  }

  // MARK: Overwriting

  private func begin(_ connection: Connection, _ id: String, _ content: [UInt8], _ host: Host) throws {
    let path = try host.library.add("../source-\(UInt64.random(in: 0...UInt64.max))", content)
    let batch = DescriptorBatch()
    let index = batch.append(
      try OwnedDescriptor(open(path, O_RDONLY | O_CLOEXEC), call: "open", subject: path))
    try connection.send(try Call(Replace.self, .init(id: id, fileDescriptor: index)), descriptors: batch)
  }

  @Test("S33, S39: overwritten with the owner's word, it keeps its id; what it was can be restored")
  func overwritten() throws {
    let host = try host()
    let agent = try host.agent()
    let app = try host.app()
    let connection = try app.connect()
    let before = try connection.asset("one.jpg")
    let subscriber = try app.connect().subscribe()
    try begin(connection, before.id, Photo.jpeg("edited"), host)
    let prompt = try agent.prompt()
    #expect(prompt.kind == .replacement && prompt.assets == [before.id])
    try agent.answer(prompt, .allow)
    let after = try connection.receive(Replace.self).asset
    #expect(after.id == before.id && after.albums == before.albums && after.filename == "one.jpg")
    #expect(try connection.content(of: before.id) == Photo.jpeg("edited"))
    let seen = try subscriber.rest(in: host.library)
    #expect(seen.changed.map(\.id) == [before.id] && seen.changed.first?.contentChanged == true)
    #expect(seen.count == 1)
    let former = try #require(try deleted(host).first)
    #expect(former.id != before.id && former.filename == "one.jpg")
    try host.connect().call(ManagerInterface.RestoreDeleted.self, .init(ids: [former.id]))
    #expect(try connection.content(of: former.id) == Photo.jpeg("one"))
    #expect(try connection.content(of: before.id) == Photo.jpeg("edited"))
  }

  @Test("S33: a file that never answers keeps waiting who sent it, and nobody else", .enabled(if: canOpenLog))
  func silentFile() throws {
    let host = try host()
    let connection = try host.app().connect()
    let id = try connection.asset("one.jpg").id
    let batch = DescriptorBatch()
    let index = batch.append(try OwnedDescriptor(open(kernelLog, O_RDONLY | O_CLOEXEC), call: "open"))
    // Read up to its end, it is silent until the kernel says something.
    #expect(lseek(try #require(batch.numbersToSend.first), 0, SEEK_END) >= 0)
    try connection.send(try Call(Replace.self, .init(id: id, fileDescriptor: index)), descriptors: batch)
    try host.connect().roundTrip()
    let agent = try host.agent()
    let other = try host.app().connect()
    try other.begin(Delete.self, .init(ids: [other.asset("two.jpg").id]))
    try agent.answer(agent.prompt(), .allow)
    #expect(try other.receive(Delete.self).deleted.count == 1)
    // Nor the daemon from being ended, and its state from being another's.
    try host.daemon.restart()
    #expect(try host.app().connect().assets().map(\.id) == [id])
  }

  @Test("S31, S33: what is refused, by the owner or for its content, changes nothing")
  func notOverwritten() throws {
    let host = try host()
    let agent = try host.agent()
    let connection = try host.app().connect()
    let id = try connection.asset("one.jpg").id
    for content in [Array("#!/bin/sh\n".utf8), Photo.mp4] {
      try begin(connection, id, content, host)
      #expect(try failure { _ = try connection.receive(Replace.self) }.name == LibraryInterface.NotMedia.name)
    }
    #expect(try agent.isQuiet)
    try begin(connection, id, Photo.jpeg("edited"), host)
    try agent.answer(agent.prompt(), .deny)
    #expect(
      try failure { _ = try connection.receive(Replace.self) }.name == LibraryInterface.UserRefused.name)
    #expect(try connection.content(of: id) == Photo.jpeg("one"))
    #expect(try deleted(host).isEmpty)
  }

  @Test("S33: without readWrite, and on what a limited app does not see, nothing is asked or done")
  func invisible() throws {
    let host = try Host {
      try $0.add("one.jpg", Photo.jpeg("one"))
      try $0.add("two.jpg", Photo.jpeg("two"))
    }
    let owner = try host.owner()
    let (one, two) = (try owner.asset("one.jpg").id, try owner.asset("two.jpg").id)
    try host.set(.wallpapers, .authorized, .addOnly)
    let app = try host.app().connect()
    func refusals() throws -> [RemoteError] {
      [
        try failure { try app.call(Delete.self, .init(ids: [one, two])) },
        try failure {
          try begin(app, two, Photo.jpeg("edited"), host)
          _ = try app.receive(Replace.self)
        },
      ]
    }
    for error in try refusals() {
      #expect(error.typed(LibraryInterface.NotAuthorized.self)?.accessLevel == .readWrite)
    }
    try host.limit(app, assets: [one])
    let agent = try host.agent()
    for error in try refusals() { #expect(error.typed(LibraryInterface.NoSuchAsset.self)?.id == two) }
    #expect(try agent.isQuiet)
    #expect(try owner.assets().map(\.filename) == ["one.jpg", "two.jpg"])
    #expect(try owner.content(of: two) == Photo.jpeg("two"))
  }
}

/// A file that may wait for ever, as one of a peer's own file system: who opens it may be few (dmesg_restrict,
/// proc(5)).
private let kernelLog = "/dev/kmsg"

private var canOpenLog: Bool {
  let number = open(kernelLog, O_RDONLY | O_CLOEXEC)
  if number >= 0 { _ = OwnedDescriptor(owning: number) }
  return number >= 0
}
