import AlbumAPI
import AlbumClient
import Glibc
import Linux
import TestSupport
import Testing
import Varlink
import VarlinkTransport

@Suite("What pictures say of themselves", .blocking, .timeLimit(.minutes(30)))
struct DescriptionTests {
  private static let taken = TakenPhoto(
    time: "2024:05:01 12:30:15", offset: "+02:00", width: 6000, height: 4000, place: (48, 16))

  /// Waits until all is described.
  private func described(_ connection: Connection) throws { try connection.waitUntilDescribed(.generous) }

  @Test("S48, S49, S50: what is there is described behind, and told as changed, not as new content")
  func behind() throws {
    let host = try Host()
    let owner = try host.owner()
    try described(owner)
    let subscriber = try Subscriber<LibraryInterface.Asset>(try host.owner(), .init())
    try host.library.add("a.jpg", Self.taken.bytes)
    let told = try #require(try subscriber.collect { !$0.changed.isEmpty }.changed.first)
    #expect(!told.contentChanged)
    let asset = try owner.asset("a.jpg")
    #expect(asset.created == Instant("2024-05-01T10:30:15Z") && asset.createdFrom == .capture)
    #expect(asset.createdLocal == "2024-05-01T12:30:15+02:00")
    #expect(asset.pixelWidth == 6000 && asset.pixelHeight == 4000 && asset.durationSeconds == nil)
    #expect(asset.hasLocation == true && asset.location?.latitude == 48 && asset.location?.longitude == 16)
    #expect(told.asset == asset)
  }

  @Test("S49, S57: an app is told that there is a place, and not which")
  func place() throws {
    let host = try Host()
    try host.library.add("a.jpg", Self.taken.bytes)
    try described(try host.owner())
    try host.set(.wallpapers, .authorized)
    let app = try host.app().connect()
    let asset = try app.asset("a.jpg")
    #expect(asset.pixelWidth == 6000 && asset.hasLocation == true && asset.location == nil)
    let box = LibraryInterface.BoundingBox(south: 40, west: 10, north: 50, east: 20)
    #expect(try failure { _ = try app.assets(.init(boundingBox: box)) }.name == InvalidParameter.name)
    let owner = try host.owner()
    #expect(try owner.assets(.init(boundingBox: box)).map(\.filename) == ["a.jpg"])
    let elsewhere = LibraryInterface.BoundingBox(south: -50, west: 10, north: 40, east: 20)
    #expect(try owner.assets(.init(boundingBox: elsewhere)).isEmpty)
  }

  @Test("S57: who is let know the place is told it, until that is taken back")
  func placeTold() throws {
    let host = try Host { try $0.describe(.map) }
    try host.library.add("a.jpg", Self.taken.bytes)
    try described(try host.owner())
    try host.set(.map, .authorized, location: true)
    let app = try host.app(.map).connect()
    let box = LibraryInterface.BoundingBox(south: 40, west: 10, north: 50, east: 20)
    #expect(try app.asset("a.jpg").location != nil)
    #expect(try app.assets(.init(boundingBox: box)).count == 1)
    try host.connect().call(
      ManagerInterface.SetLocation.self, .init(appId: AppDescription.map.id, location: false))
    #expect(try app.asset("a.jpg").location == nil)
    #expect(try failure { _ = try app.assets(.init(boundingBox: box)) }.name == InvalidParameter.name)
  }

  @Test("S50: what is added is described when it is told")
  func added() throws {
    let host = try Host { try $0.describeThisProcess() }
    try host.set(.client, .authorized)
    let owner = try host.owner()
    try described(owner)
    let subscriber = try Subscriber<LibraryInterface.Asset>(try host.owner(), .init())
    let connection = try AlbumConnection(socket: host.library.socket)
    let results = connection.save([MediaItem(.bytes(Self.taken.bytes), named: "a.jpg")])
    _ = try results.first?.get()
    let told = try #require(try subscriber.next().inserted.first)
    #expect(told.pixelWidth == 6000 && told.created == Instant("2024-05-01T10:30:15Z"))
    #expect(try owner.info().undescribed == 0)
  }

  @Test("S51: one that cannot be read is an asset like any other, and doctor counts it")
  func unreadable() throws {
    let host = try Host()
    try host.library.add("a.jpg", Array(Self.taken.bytes.prefix(30)))
    try host.library.add("b.png", Array("no picture".utf8))
    let owner = try host.owner()
    try described(owner)
    let asset = try owner.asset("b.png")
    #expect(asset.pixelWidth == nil && asset.createdFrom == .file && asset.hasLocation == nil)
    let findings = try owner.call(ManagerInterface.Check.self, .init()).findings
    #expect(findings.contains { $0.subject == "photos" && $0.severity == .warning })
  }

  @Test("S58: the days, months and years of what the caller sees")
  func moments() throws {
    let host = try Host { $0.environment = ["TZ=UTC"] }
    for (name, time) in [
      ("a", "2023:12:31 12:00:00"), ("b", "2024:01:01 12:00:00"), ("c", "2024:01:01 13:00:00"),
    ] {
      try host.library.add("\(name).jpg", TakenPhoto(time: time, offset: "+00:00").bytes)
    }
    let owner = try host.owner()
    try described(owner)
    func counts(_ unit: LibraryInterface.MomentUnit, _ connection: Connection) throws -> [Int] {
      try connection.call(LibraryInterface.FetchMoments.self, .init(unit: unit)).moments.map(\.count)
    }
    #expect(try counts(.day, owner) == [1, 2])
    #expect(try counts(.month, owner) == [1, 2] && counts(.year, owner) == [1, 2])
    let moments = try owner.call(
      LibraryInterface.FetchMoments.self, .init(unit: .day, mediaTypes: [.image])
    ).moments
    #expect(moments.map(\.firstId) == [try owner.asset("a.jpg").id, try owner.asset("b.jpg").id])
    #expect(
      try owner.call(LibraryInterface.FetchMoments.self, .init(unit: .day, mediaTypes: [.video])).moments
        .isEmpty)
    let app = try host.app().connect()
    try host.limit(app, assets: [try owner.asset("c.jpg").id])
    #expect(try counts(.day, app) == [1])
  }

  @Test("S59: a gallery jumps to a time, and asks for a kind of picture")
  func takenIn() throws {
    let host = try Host()
    for year in 2020...2023 {
      try host.library.add(
        "\(year).jpg", TakenPhoto(time: "\(year):06:01 12:00:00", offset: "+00:00").bytes)
    }
    let owner = try host.owner()
    try described(owner)
    let from = LibraryInterface.TakenIn(from: try #require(Instant("2022-01-01T00:00:00Z")))
    #expect(try owner.assets(.init(takenIn: from)).map(\.filename) == ["2022.jpg", "2023.jpg"])
    #expect(
      try owner.assets(.init(takenIn: from, descending: true)).map(\.filename) == ["2021.jpg", "2020.jpg"])
    #expect(
      try failure { _ = try owner.assets(.init(takenIn: from, sort: .filename)) }.name
        == InvalidParameter.name)
    #expect(try owner.assets(.init(subtypes: [.raw])).isEmpty)
  }

  @Test("S48: albumctl shows when and how large, and all that is known")
  func command() throws {
    let host = try Host()
    try host.library.add("a.jpg", Self.taken.bytes)
    try host.library.add("b.jpg")
    let owner = try host.owner()
    try described(owner)
    let id = try owner.asset("a.jpg").id
    let listed = try host.albumctl("assets", "--owner", "--taken-after", "2024-01-01")
    #expect(listed.status == 0 && listed.output.contains("6000×4000") && !listed.output.contains("b.jpg"))
    let all = try host.albumctl("describe", "--owner", id)
    #expect(
      all.status == 0 && all.output.contains("2024-05-01T12:30:15+02:00") && all.output.contains("48.0 16.0"))
    let json = try host.albumctl("describe", "--owner", "--json", id)
    #expect(json.output.contains("\"createdFrom\":\"capture\""))
    #expect(try host.albumctl("describe", "--owner", "nope").status == 1)
  }
}
