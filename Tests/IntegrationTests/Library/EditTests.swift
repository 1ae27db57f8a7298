import AlbumAPI
import Foundation
import Glibc
import Linux
import Testing
import TestSupport
import Varlink
import VarlinkTransport

@Suite("Edits that can be undone (S94, S95)", .blocking)
struct EditTests {
  private typealias Replace = LibraryInterface.ReplaceAsset
  private typealias Revert = LibraryInterface.RevertAsset
  private typealias Get = LibraryInterface.GetAdjustment
  private typealias Adjustment = LibraryInterface.Adjustment

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

  private func adjustment(_ data: String = "AQID") -> Adjustment {
    Adjustment(formatIdentifier: "org.example.Editor", formatVersion: "1.0", data: data)
  }

  private func begin(
    _ connection: Connection, _ id: String, _ content: [UInt8], _ adjustment: Adjustment?, _ host: Host
  ) throws {
    let path = try host.library.add("../source-\(UInt64.random(in: 0...UInt64.max))", content)
    let batch = DescriptorBatch()
    let index = batch.append(
      try OwnedDescriptor(open(path, O_RDONLY | O_CLOEXEC), call: "open", subject: path))
    try connection.send(
      try Call(Replace.self, .init(id: id, fileDescriptor: index, adjustment: adjustment)), descriptors: batch
    )
  }

  /// An owner edits: nobody is asked.
  @discardableResult
  private func edit(
    _ owner: Connection, _ id: String, _ content: String, _ host: Host, _ adjustment: Adjustment?
  ) throws -> LibraryInterface.Asset {
    try begin(owner, id, Photo.jpeg(content), adjustment, host)
    return try owner.receive(Replace.self).asset
  }

  private func original(_ connection: Connection, _ id: String) throws -> [UInt8] {
    try connection.begin(LibraryInterface.OpenAsset.self, .init(id: id, resource: .original))
    let answer = try connection.receive()
    let index = try answer.decoded(LibraryInterface.OpenAsset.self).fileDescriptor
    guard let file = answer.descriptors.take(index) else { throw DaemonProcess.Failure("no descriptor came") }
    return try file.readAll()
  }

  private func deleted(_ host: Host) throws -> [ManagerInterface.DeletedAsset] {
    try host.connect().call(ManagerInterface.ListDeleted.self, .init()).assets
  }

  private func hidden(_ host: Host) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: host.library.path(".albumd-deleted"))
  }

  @Test("S94, S33: edited and put back with the owner's word, each time; followers see what a fetch shows")
  func reverted() throws {
    let host = try host()
    let agent = try host.agent()
    let app = try host.app()
    let connection = try app.connect()
    let before = try connection.asset("one.jpg")
    let subscriber = try app.connect().subscribe()
    #expect(before.hasAdjustment == nil && before.resources == [.photo])
    try begin(connection, before.id, Photo.jpeg("edited"), adjustment(), host)
    let asked = try agent.prompt()
    #expect(asked.kind == .replacement)
    try agent.answer(asked, .allow)
    let edited = try connection.receive(Replace.self).asset
    #expect(
      edited.id == before.id && edited.hasAdjustment == true && edited.resources == [.photo, .original])
    #expect(try connection.content(of: before.id) == Photo.jpeg("edited"))
    #expect(try original(connection, before.id) == Photo.jpeg("one"))
    #expect(try connection.call(Get.self, .init(id: before.id)).adjustment == adjustment())
    #expect(try deleted(host).isEmpty)
    let seen = try subscriber.rest(in: host.library)
    #expect(seen.changed.map(\.id) == [before.id] && seen.changed.first?.contentChanged == true)
    #expect(seen.changed.first?.asset?.resources == edited.resources)
    #expect(seen.changed.first?.asset?.hasAdjustment == true)
    let fetched = try connection.asset("one.jpg")
    #expect(fetched.hasAdjustment == true && fetched.resources == edited.resources)

    try connection.begin(Revert.self, .init(id: before.id))
    let prompt = try agent.prompt()
    #expect(prompt.kind == .reversion && prompt.assets == [before.id])
    #expect(prompt.choices == [.allow, .deny, .notNow])
    try agent.answer(prompt, .allow)
    let reverted = try connection.receive(Revert.self).asset
    #expect(reverted.id == before.id && reverted.albums == before.albums && reverted.resources == [.photo])
    #expect(reverted.hasAdjustment == nil && reverted.modified == before.modified)
    #expect(try connection.content(of: before.id) == Photo.jpeg("one"))
    let told = try subscriber.rest(in: host.library)
    #expect(told.changed.map(\.id) == [before.id] && told.changed.first?.contentChanged == true)
    #expect(told.changed.first?.asset?.resources == [.photo])
    #expect(told.changed.first?.asset?.hasAdjustment == nil)
    // What it was last can be restored, as an asset of its own.
    let former = try #require(try deleted(host).first)
    #expect(former.id != before.id && former.appId == AppDescription.wallpapers.id)
    try host.connect().call(ManagerInterface.RestoreDeleted.self, .init(ids: [former.id]))
    #expect(try connection.content(of: former.id) == Photo.jpeg("edited"))
    let log = try host.accessLog(.wallpapers)
    #expect(log.contains { $0.kind == .revert && $0.assets == 1 && $0.outcome == nil })
  }

  @Test(
    "S94, S33: every other answer puts nothing back, and without an agent nobody is asked",
    arguments: [AgentInterface.Decision.deny, .notNow])
  func refused(_ decision: AgentInterface.Decision) throws {
    let host = try host()
    let connection = try host.app().connect()
    let id = try connection.asset("one.jpg").id
    try edit(try host.owner(), id, "edited", host, adjustment())
    let none = try failure { try connection.call(Revert.self, .init(id: id)) }
    #expect(none.name == AuthorizationInterface.NoAgent.name)
    let agent = try host.agent()
    try connection.begin(Revert.self, .init(id: id))
    try agent.answer(agent.prompt(), decision)
    #expect(try failure { _ = try connection.receive(Revert.self) }.name == LibraryInterface.UserRefused.name)
    #expect(try connection.content(of: id) == Photo.jpeg("edited"))
    #expect(try original(connection, id) == Photo.jpeg("one"))
    #expect(try deleted(host).isEmpty)
  }

  @Test("S94: what has no original, or was changed by another program, says so before anybody is asked")
  func noAdjustment() throws {
    let host = try host()
    let agent = try host.agent()
    let connection = try host.app().connect()
    let (one, two) = (try connection.asset("one.jpg").id, try connection.asset("two.jpg").id)
    for error in [
      try failure { try connection.call(Get.self, .init(id: two)) },
      try failure { try connection.call(Revert.self, .init(id: two)) },
    ] {
      #expect(error.typed(LibraryInterface.NoAdjustment.self)?.id == two)
    }
    let missing = try failure { _ = try original(connection, two) }
    #expect(missing.typed(LibraryInterface.NoSuchResource.self)?.resource == .original)
    #expect(try agent.isQuiet)

    let owner = try host.owner()
    try edit(owner, one, "edited", host, adjustment())
    let subscriber = try host.owner().subscribe()
    try host.library.add("A/one.jpg", Photo.jpeg("by another"))
    let seen = try subscriber.rest(in: host.library, atLeast: 1)
    #expect(seen.changed.last?.asset?.hasAdjustment == nil)
    #expect(seen.changed.last?.asset?.resources == [.photo, .original])
    let unknown = try failure { try connection.call(Get.self, .init(id: one)) }
    #expect(unknown.typed(LibraryInterface.NoAdjustment.self)?.id == one)
    #expect(try original(connection, one) == Photo.jpeg("one"))
    #expect(try owner.call(Revert.self, .init(id: one)).asset.hasAdjustment == nil)
    #expect(try owner.content(of: one) == Photo.jpeg("one"))
    let again = try failure { try owner.call(Revert.self, .init(id: one)) }
    #expect(again.typed(LibraryInterface.NoAdjustment.self)?.id == one)
  }

  @Test("S94: what is no format, no version, no base64 or too long is refused, and nobody is asked")
  func bounds() throws {
    let host = try host()
    let agent = try host.agent()
    let connection = try host.app().connect()
    let owner = try host.owner()
    let id = try connection.asset("one.jpg").id
    let most = [UInt8](repeating: 7, count: 512 << 10)
    let wrong: [(Adjustment, String)] = [
      (.init(formatIdentifier: "", formatVersion: "1", data: ""), "adjustment.formatIdentifier"),
      (
        .init(formatIdentifier: String(repeating: "a", count: 256), formatVersion: "1", data: ""),
        "adjustment.formatIdentifier"
      ),
      (.init(formatIdentifier: "a\u{1b}b", formatVersion: "1", data: ""), "adjustment.formatIdentifier"),
      (
        .init(formatIdentifier: "a", formatVersion: String(repeating: "1", count: 65), data: ""),
        "adjustment.formatVersion"
      ),
      (.init(formatIdentifier: "a", formatVersion: "1", data: "Zg"), "adjustment.data"),
      (adjustment(Data(most + [7]).base64EncodedString()), "adjustment.data"),
      (adjustment(Data(most + [7, 7, 7]).base64EncodedString()), "adjustment.data"),
    ]
    for (adjustment, parameter) in wrong {
      try begin(connection, id, Photo.jpeg("edited"), adjustment, host)
      let error = try failure { _ = try connection.receive(Replace.self) }
      #expect(error.typed(InvalidParameter.self)?.parameter == parameter)
    }
    #expect(try agent.isQuiet)
    let longest = Adjustment(
      formatIdentifier: String(repeating: "a", count: 255), formatVersion: String(repeating: "1", count: 64),
      data: Data(most).base64EncodedString())
    try edit(owner, id, "edited", host, longest)
    #expect(try owner.call(Get.self, .init(id: id)).adjustment == longest)
    // Nothing at all is data as well.
    try edit(owner, id, "edited again", host, adjustment(""))
    #expect(try owner.call(Get.self, .init(id: id)).adjustment == adjustment(""))
    #expect(try original(connection, id) == Photo.jpeg("one"))
    try host.daemon.kill()
    try host.daemon.start()
    #expect(try host.owner().call(Get.self, .init(id: id)).adjustment == adjustment(""))
  }

  @Test(
    "S94, S16: of what a limited app does not see nothing is told; of what it sees, the original is opened")
  func limited() throws {
    let host = try Host {
      try $0.add("one.jpg", Photo.jpeg("one"))
      try $0.add("two.jpg", Photo.jpeg("two"))
    }
    let owner = try host.owner()
    let (one, two) = (try owner.asset("one.jpg").id, try owner.asset("two.jpg").id)
    for id in [one, two] { try edit(owner, id, "edited", host, nil) }
    for id in [one, two] { try edit(owner, id, "edited more", host, adjustment()) }
    let app = try host.app().connect()
    let refused = try failure { try app.call(Revert.self, .init(id: one)) }
    #expect(refused.typed(LibraryInterface.NotAuthorized.self)?.accessLevel == .readWrite)
    try host.limit(app, assets: [one])
    let agent = try host.agent()
    let errors = [
      try failure { try app.call(Get.self, .init(id: two)) },
      try failure { try app.call(Revert.self, .init(id: two)) },
      try failure { _ = try original(app, two) },
    ]
    for error in errors { #expect(error.typed(LibraryInterface.NoSuchAsset.self)?.id == two) }
    #expect(try agent.isQuiet)
    #expect(try original(app, one) == Photo.jpeg("edited"))
    // The owner, who knows the place, has written what may tell it.
    let error = try failure { try app.call(Get.self, .init(id: one)) }
    #expect(error.typed(LibraryInterface.LocationCannotBeRemoved.self)?.id == one)
    try app.begin(Revert.self, .init(id: one))
    try agent.answer(agent.prompt(), .allow)
    #expect(try app.receive(Revert.self).asset.resources == [.photo])
  }

  @Test(
    "S95: who has no location gets the original without the place, and of what was done only what cannot tell it"
  )
  func places() throws {
    let host = try Host {
      try $0.add("a.jpg", PlacedPhoto.jpeg("a"))
      try $0.describe(.map)
    }
    try host.set(.map, .authorized)
    let agent = try host.agent()
    let owner = try host.owner()
    let app = try host.app(.map).connect()
    let id = try app.asset("a.jpg").id
    try begin(app, id, Photo.jpeg("edited"), adjustment(), host)
    try agent.answer(agent.prompt(), .allow)
    _ = try app.receive(Replace.self)
    for _ in 0..<2 {
      let bytes = try original(app, id)
      #expect(bytes.count == PlacedPhoto.jpeg("a").count && !PlacedPhoto.saysPlace(bytes))
    }
    #expect(try original(owner, id) == PlacedPhoto.jpeg("a"))
    #expect(try app.call(Get.self, .init(id: id)).adjustment == adjustment())
    // The original is put back as it was.
    try app.begin(Revert.self, .init(id: id))
    try agent.answer(agent.prompt(), .allow)
    #expect(try app.receive(Revert.self).asset.location == nil)
    #expect(try owner.content(of: id) == PlacedPhoto.jpeg("a"))
    // What one wrote that knows the place is for those that know it.
    try edit(owner, id, "edited", host, adjustment())
    let error = try failure { try app.call(Get.self, .init(id: id)) }
    #expect(error.typed(LibraryInterface.LocationCannotBeRemoved.self)?.id == id)
    try host.set(.map, .authorized, location: true)
    #expect(try app.call(Get.self, .init(id: id)).adjustment == adjustment())
    #expect(try original(app, id) == PlacedPhoto.jpeg("a"))
  }

  @Test("S94, S33: deleted it takes its original along, restored it has it again; removed for good both are")
  func deletedAndPurged() throws {
    let host = try host()
    let owner = try host.owner()
    let id = try owner.asset("one.jpg").id
    try edit(owner, id, "edited", host, adjustment())
    try owner.call(LibraryInterface.DeleteAssets.self, .init(ids: [id]))
    try host.daemon.kill()
    try host.daemon.start()
    try host.connect().call(ManagerInterface.RestoreDeleted.self, .init(ids: [id]))
    let back = try host.owner()
    #expect(try back.asset("one.jpg").hasAdjustment == true)
    #expect(try original(back, id) == Photo.jpeg("one"))
    try back.call(LibraryInterface.DeleteAssets.self, .init(ids: [id]))
    #expect(try hidden(host).count == 3)
    #expect(try back.call(ManagerInterface.PurgeDeleted.self, .init(ids: [id])).count == 1)
    #expect(try hidden(host).isEmpty)
  }

  @Test("S94: of what was removed meanwhile by another program the original can be restored")
  func removedByOthers() throws {
    let host = try host()
    let owner = try host.owner()
    let id = try owner.asset("two.jpg").id
    try edit(owner, id, "edited", host, adjustment())
    try host.daemon.stop()
    try host.library.remove("two.jpg")
    try host.daemon.start()
    let bystander = try host.connect()
    let deadline = Deadline.generous
    while try deleted(host).isEmpty, !deadline.hasPassed { try bystander.roundTrip() }
    let kept = try #require(try deleted(host).first)
    #expect(kept.filename == "two.jpg" && kept.id != id)
    try host.connect().call(ManagerInterface.RestoreDeleted.self, .init(ids: [kept.id]))
    #expect(try host.owner().content(of: kept.id) == Photo.jpeg("two"))
  }

  @Test("R2, S94: killed while an original is put back, the photo is the one or the other", arguments: 0..<6)
  func killed(_ moment: Int) throws {
    let host = try host()
    let owner = try host.owner()
    let id = try owner.asset("one.jpg").id
    try edit(owner, id, "edited", host, adjustment())
    let other = try host.connect()
    try owner.begin(Revert.self, .init(id: id))
    // Each is answered between two turns of what is being done.
    for _ in 0..<moment { try other.roundTrip() }
    try host.daemon.kill()
    try host.daemon.start()
    let after = try host.owner()
    let asset = try after.asset("one.jpg")
    let isReverted = asset.hasAdjustment == nil
    #expect(asset.id == id && asset.resources == (isReverted ? [.photo] : [.photo, .original]))
    #expect(try after.content(of: id) == Photo.jpeg(isReverted ? "one" : "edited"))
    #expect(try deleted(host).count == (isReverted ? 1 : 0))
    if !isReverted { #expect(try original(after, id) == Photo.jpeg("one")) }
  }
}
