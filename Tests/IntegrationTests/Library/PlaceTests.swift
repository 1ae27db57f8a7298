import AlbumAPI
import Foundation
import Glibc
import Linux
import TestSupport
import Testing
import Varlink
import VarlinkTransport

@Suite("Files without the place where they were taken (S55, S56)", .blocking)
struct PlaceTests {
  private func host() throws -> Host {
    try Host {
      try $0.add("a.jpg", PlacedPhoto.jpeg("a"))
      try $0.add("plain.jpg", Photo.jpeg("plain"))
      try $0.add("loop.gif", Array("GIF89a".utf8) + [1, 0, 1, 0, 0, 0, 0, 0x3B])
      try $0.describe(.map)
    }
  }

  @Test("S56: who has no location gets the same bytes without the place, in a copy that nobody changes")
  func copied() throws {
    let host = try host()
    try host.set(.map, .authorized)
    let app = try host.app(.map).connect()
    let id = try app.asset("a.jpg").id
    // The second time what was found is known.
    for _ in 0..<3 {
      let file = try app.open(id)
      #expect(try FileNumber(of: file) != FileNumber(of: host.library.path("a.jpg")))
      #expect(fcntl(file.number, F_GETFL) & O_ACCMODE == O_RDONLY)
      let bytes = try file.readAll()
      #expect(bytes.count == PlacedPhoto.jpeg("a").count && !PlacedPhoto.saysPlace(bytes))
      #expect(Array(bytes.suffix(7)) == Array(PlacedPhoto.jpeg("a").suffix(7)))
    }
    #expect(try app.content(of: app.asset("plain.jpg").id) == Photo.jpeg("plain"))
    #expect(try app.asset("a.jpg").byteCount == Int64(PlacedPhoto.jpeg("a").count))
    #expect(try host.owner().content(of: id) == PlacedPhoto.jpeg("a"))
  }

  @Test("S55, S56: who has location gets the very file, until that is taken back")
  func granted() throws {
    let host = try host()
    try host.set(.map, .authorized, location: true)
    let app = try host.app(.map).connect()
    let monitor = try host.app(.map).connect()
    try monitor.begin(AuthorizationInterface.Monitor.self, .init(), more: true)
    var told: [Bool?] = []
    for _ in 0..<2 { told.append(try monitor.receive(AuthorizationInterface.Monitor.self).location) }
    #expect(told == [nil, true])
    let id = try app.asset("a.jpg").id
    #expect(try app.content(of: id) == PlacedPhoto.jpeg("a"))
    #expect(
      try app.call(AuthorizationInterface.GetStatus.self, .init(accessLevel: .readWrite)).location == true)
    try host.connect().call(
      ManagerInterface.SetLocation.self, .init(appId: AppDescription.map.id, location: false))
    #expect(try monitor.receive(AuthorizationInterface.Monitor.self).location == false)
    #expect(
      try app.call(AuthorizationInterface.GetStatus.self, .init(accessLevel: .readWrite)).location == false)
    #expect(try !PlacedPhoto.saysPlace(app.content(of: id)))
    #expect(try app.status() == .authorized)
  }

  @Test("S57: a token of before the location was given, or taken back, is gone on from by fetching anew")
  func tokens() throws {
    let host = try host()
    try host.set(.map, .authorized)
    let app = try host.app(.map)
    let (without, albums) = try (app.connect().subscribe().token, app.connect().subscribeToAlbums().token)
    try host.set(.map, .authorized, location: true)
    let with = try app.connect().subscribe(since: without)
    #expect(try !with.next().hasIncrementalChanges)
    // A list of albums has no places.
    try host.library.makeAlbum("New")
    #expect(try app.connect().subscribeToAlbums(since: albums).next().hasIncrementalChanges)
    let info = try app.connect().call(LibraryInterface.GetInfo.self, .init()).token
    try host.library.add("b.jpg")
    let going = try app.connect().subscribe(since: info)
    while true {
      let delivery = try going.next()
      #expect(delivery.hasIncrementalChanges)
      if !delivery.inserted.isEmpty { break }
    }
    try host.set(.map, .authorized, location: false)
    #expect(try !app.connect().subscribe(since: going.token).next().hasIncrementalChanges)
  }

  @Test("S56: a file that says no place is handed out itself, also to who opens it first")
  func noPlace() throws {
    let host = try Host {
      try $0.add("plain.jpg", Photo.jpeg("plain"))
      // Changed last, and long enough ago once it is handed out itself.
      try $0.add("late.jpg", Photo.jpeg("late"))
      try $0.describe(.map)
    }
    try host.set(.map, .authorized)
    let app = try host.app(.map).connect()
    let late = try app.asset("late.jpg").id
    let deadline = Deadline.generous
    while try FileNumber(of: app.open(late)) != FileNumber(of: host.library.path("late.jpg")) {
      try #require(!deadline.hasPassed, "only copies are handed out")
    }
    let plain = try app.open(app.asset("plain.jpg").id)
    #expect(try FileNumber(of: plain) == FileNumber(of: host.library.path("plain.jpg")))
    #expect(try plain.readAll() == Photo.jpeg("plain"))
  }

  @Test("S56: of one user's requests no more wait for what looks for places than may, and none is lost")
  func waiting() throws {
    // It takes connections and answers nothing.
    var reader: Listener?
    let host = try Host { library in
      try library.add("a.jpg", PlacedPhoto.jpeg("a"))
      library.pictures = "\(library.directory)/pictures"
      reader = Listener(try UnixSocket.listen(at: "\(library.directory)/pictures"))
    }
    let connections = try (0..<70).map { _ in try host.owner() }
    let id = try connections[0].asset("a.jpg").id
    for connection in connections {
      try connection.begin(LibraryInterface.OpenAsset.self, .init(id: id, withoutLocation: true))
    }
    let deadline = Deadline.generous
    var refused: [Connection] = []
    while refused.count < 6 {
      try #require(!deadline.hasPassed, "\(refused.count) were refused")
      refused = connections.filter { !$0.isQuiet }
    }
    for connection in refused {
      let error = try failure { _ = try connection.receive().decoded(LibraryInterface.OpenAsset.self) }
      #expect(error.name == AuthorizationInterface.Busy.name)
    }
    #expect(refused.count == 6)
    // It is gone: who waited is told so, and counts no more.
    #expect(reader != nil)
    reader = nil
    for connection in connections where !refused.contains(where: { $0 === connection }) {
      let error = try failure { _ = try connection.receive().decoded(LibraryInterface.OpenAsset.self) }
      #expect(error.typed(LibraryInterface.LocationCannotBeRemoved.self) == .init(id: id))
    }
    let error = try failure {
      try connections[0].call(LibraryInterface.OpenAsset.self, .init(id: id, withoutLocation: true))
    }
    #expect(error.typed(LibraryInterface.LocationCannotBeRemoved.self) == .init(id: id))
  }

  private final class Listener {
    private let socket: OwnedDescriptor

    init(_ socket: consuming OwnedDescriptor) { self.socket = socket }
  }

  @Test("S56: what cannot be followed is not handed out to who has no location")
  func untraceable() throws {
    let host = try host()
    try host.set(.map, .authorized)
    let app = try host.app(.map).connect()
    let id = try app.asset("loop.gif").id
    for _ in 0..<2 {
      let error = try failure { _ = try app.open(id) }
      #expect(error.typed(LibraryInterface.LocationCannotBeRemoved.self) == .init(id: id))
    }
    #expect(try !host.owner().content(of: id).isEmpty)
  }

  @Test("S56: what is found belongs to these bytes: changed ones are looked through again")
  func changed() throws {
    let host = try host()
    try host.set(.map, .authorized)
    let app = try host.app(.map).connect()
    let id = try app.asset("a.jpg").id
    #expect(try !PlacedPhoto.saysPlace(app.content(of: id)))
    // In place, to the same length; where the place was there is none any more, and behind there is one.
    let before = Photo.jpeg("a longer remark that is in front of everything else in this file")
    for latitude in 1...5 as ClosedRange<UInt8> {
      let placed = PlacedPhoto.jpeg("", latitude: latitude)
      let moved = before.dropLast(2) + placed.dropFirst(2)
      try host.library.add("a.jpg", Array(moved))
      let bytes = try app.content(of: id)
      let degrees = PlacedPhoto.degrees.lowerBound - 2 + before.count - 2
      #expect(bytes.count == moved.count && bytes[degrees..<degrees + 24].allSatisfy { $0 == 0 })
    }
  }

  @Test("S55: only an app that says what for can have it, in a prompt and in settings")
  func usage() throws {
    let host = try host()
    let agent = try host.agent()
    let mail = try host.app(.mail).connect()
    try mail.beginRequest()
    let prompt = try agent.prompt()
    #expect(prompt.locationUsageDescription == nil)
    let invalid = try failure { try agent.answer(prompt, .init(decision: .allow, location: true)) }
    #expect(invalid.name == AgentInterface.InvalidAnswer.name)
    try agent.answer(prompt, .init(decision: .allow))
    #expect(try mail.requestReply().status == .authorized)
    let refused = try failure { try host.set(.mail, .authorized, location: true) }
    #expect(refused.typed(ManagerInterface.NoLocationUsage.self)?.appId == AppDescription.mail.id)
    let map = try host.app(.map).connect()
    try map.beginRequest()
    let asked = try agent.prompt()
    #expect(asked.locationUsageDescription == AppDescription.locationReason)
    try agent.answer(
      asked, .init(decision: .limited, assets: [host.owner().asset("a.jpg").id], location: true))
    #expect(try map.requestReply().status == .limited)
    #expect(try map.content(of: map.asset("a.jpg").id) == PlacedPhoto.jpeg("a"))
    // As it was, where nothing is said.
    try host.set(.map, .authorized)
    #expect(
      try map.call(AuthorizationInterface.GetStatus.self, .init(accessLevel: .readWrite)).location == true)
  }

  @Test("S55: a policy grants with location or without")
  func policy() throws {
    let host = try host()
    let app = try host.app(.map).connect()
    for (line, expected) in [("location: true\n", true), ("location: false\n", false), ("", false)] {
      try host.library.policy("all", "effect: authorize\napps: [\"*\"]\n" + line)
      try host.daemon.reload()
      #expect(
        try app.call(AuthorizationInterface.GetStatus.self, .init(accessLevel: .readWrite)).location
          == expected)
      #expect(try PlacedPhoto.saysPlace(app.content(of: app.asset("a.jpg").id)) == expected)
    }
  }

  @Test(
    "S55, S56: picked photos come without the place, unless the owner says so", arguments: [nil, false, true])
  func picked(_ location: Bool?) throws {
    let host = try host()
    let agent = try host.agent()
    let app = try host.app(.map).connect()
    try app.begin(PickerInterface.Pick.self, .init())
    let prompt = try agent.prompt()
    #expect(prompt.locationUsageDescription == AppDescription.locationReason)
    let owner = try host.owner()
    let ids = try ["a.jpg", "loop.gif"].map { try owner.asset($0).id }
    try agent.answer(prompt, .init(decision: .allow, assets: ids, location: location))
    let answer = try app.receive()
    let items = try answer.decoded(PickerInterface.Pick.self).items
    #expect(items.map(\.accessible) == [true, location == true])
    guard let file = answer.descriptors.take(try #require(items[0].fileDescriptor)) else {
      throw DaemonProcess.Failure("no descriptor came")
    }
    #expect(try PlacedPhoto.saysPlace(file.readAll()) == (location == true))
  }

  /// A film that says where it was taken, and the same without: as cameras of telephones have it (`©xyz`).
  private static func film(_ isPlaced: Bool) -> [UInt8] {
    func box(_ type: [UInt8], _ content: [UInt8]) -> [UInt8] {
      [0, 0, 0, UInt8(8 + content.count)] + type + content
    }
    let place = [0, 18, 0x15, 0xC7] + Array("-33.8598+151.2111/".utf8)
    let said =
      isPlaced
      ? box([0xA9] + Array("xyz".utf8), place)
      : box(Array("free".utf8), [UInt8](repeating: 0, count: place.count))
    return Photo.mp4 + box(Array("moov".utf8), box(Array("udta".utf8), said))
  }

  @Test(
    "R8, S56: the movie of a live photo comes without its place, to who opens it and to who has it picked")
  func movie() throws {
    let host = try Host {
      try $0.add("live.HEIC", PlacedPhoto.jpeg("live"))
      try $0.add("live.MOV", Self.film(true))
      try $0.describe(.map)
    }
    func opened(_ connection: Connection, _ id: String) throws -> [UInt8]? {
      try connection.begin(LibraryInterface.OpenAsset.self, .init(id: id, resource: .pairedVideo))
      let answer = try connection.receive()
      let file = try answer.decoded(LibraryInterface.OpenAsset.self).fileDescriptor
      return try answer.descriptors.take(file)?.readAll()
    }
    let app = try host.app(.map).connect()
    let owner = try host.owner()
    let id = try owner.asset("live.HEIC").id
    let agent = try host.agent()
    for location in [false, true] {
      try app.begin(PickerInterface.Pick.self, .init())
      try agent.answer(agent.prompt(), .init(decision: .allow, assets: [id], location: location))
      let answer = try app.receive()
      let item = try #require(try answer.decoded(PickerInterface.Pick.self).items.first)
      let movie = try #require(item.pairedVideoFileDescriptor)
      #expect(try answer.descriptors.take(movie)?.readAll() == Self.film(location))
    }
    try host.set(.map, .authorized, location: false)
    // The second time what was found is known.
    for _ in 0..<2 { #expect(try opened(app, id) == Self.film(false)) }
    #expect(try opened(owner, id) == Self.film(true))
    try host.set(.map, .authorized, location: true)
    #expect(try opened(app, id) == Self.film(true))
  }

  @Test("S55: albumctl gives location and takes it back, and says how it stands")
  func commands() throws {
    let host = try host()
    let id = AppDescription.map.id
    let app = try host.app(.map).connect()
    func location() throws -> Bool? {
      try app.call(AuthorizationInterface.GetStatus.self, .init(accessLevel: .readWrite)).location
    }
    #expect(try location() == nil)
    #expect(try host.albumctl("settings", id, "--location").status == 1, "nothing is granted")
    #expect(try host.albumctl("allow", id).status == 0)
    #expect(try location() == false)
    #expect(try host.albumctl("settings", id, "--location").status == 0)
    #expect(try location() == true)
    #expect(try host.albumctl("settings", id).output.contains("“\(AppDescription.locationReason)”"))
    #expect(try host.albumctl("limit", id).status == 0)
    #expect(try location() == true, "as it was")
    #expect(try host.albumctl("allow", id, "--no-location").status == 0)
    #expect(try location() == false)
    #expect(try host.albumctl("allow", id, "--location").status == 0)
    #expect(try location() == true)
    #expect(try host.albumctl("allow", AppDescription.mail.id, "--location").status == 1)
    let asset = try host.owner().asset("a.jpg").id
    let output = host.library.path("../out.jpg")
    #expect(try host.albumctl("open", "--owner", asset, "-o", output).status == 0)
    #expect(try PlacedPhoto.saysPlace(Array(Data(contentsOf: URL(filePath: output)))))
    #expect(try host.albumctl("open", "--owner", "--no-location", asset, "-o", output).status == 0)
    #expect(try !PlacedPhoto.saysPlace(Array(Data(contentsOf: URL(filePath: output)))))
  }

  @Test("S56: who has location can have a file without the place, to pass it on")
  func withoutLocation() throws {
    let host = try host()
    let owner = try host.owner()
    let id = try owner.asset("a.jpg").id
    try owner.begin(LibraryInterface.OpenAsset.self, .init(id: id, withoutLocation: true))
    let answer = try owner.receive()
    let reply = try answer.decoded(LibraryInterface.OpenAsset.self)
    guard let file = answer.descriptors.take(reply.fileDescriptor) else {
      throw DaemonProcess.Failure("no descriptor came")
    }
    #expect(try !PlacedPhoto.saysPlace(file.readAll()))
  }
}
