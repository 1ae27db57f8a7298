import AlbumAPI
import Glibc
import Linux
import TestSupport
import Testing
import Varlink

@Suite("The photo picker (S23)", .blocking)
struct PickerTests {
  private func host() throws -> Host {
    try Host {
      try $0.add("one.jpg", Photo.jpeg("one"))
      try $0.add("two.jpg", Photo.jpeg("two"))
      try $0.add("film.mp4", Photo.mp4)
      try $0.add("Family/secret.jpg", Photo.jpeg("secret"))
      $0.shared = ["Family"]
      try $0.describe(.map)
    }
  }

  /// A picker that is open: the app waits, the agent was shown it.
  private struct Opened {
    let app: Connection
    let agent: Agent
    let prompt: AgentInterface.Prompt

    init(_ host: Host, _ wish: PickerInterface.Pick.Parameters = .init(), app: Connection? = nil) throws {
      self.app = try app ?? host.app().connect()
      agent = try host.agent()
      try self.app.begin(PickerInterface.Pick.self, wish)
      prompt = try agent.prompt()
    }

    func pick(_ assets: [String]) throws {
      try agent.answer(prompt, .init(decision: .allow, assets: assets))
    }

    /// What the app gets, with what is in the files.
    func reply() throws -> (reply: PickerInterface.Pick.Reply, contents: [[UInt8]?]) {
      let answer = try app.receive()
      let reply = try answer.decoded(PickerInterface.Pick.self)
      #expect(answer.descriptors.count == reply.items.count { $0.fileDescriptor != nil })
      let contents: [[UInt8]?] = try reply.items.map { item in
        guard let index = item.fileDescriptor, let file = answer.descriptors.take(index) else { return nil }
        return try file.readAll()
      }
      return (reply, contents)
    }
  }

  @Test(
    "S23: whatever the status, the app gets the files that were picked, and no access",
    arguments: [AuthorizationInterface.AuthorizationStatus.notDetermined, .denied, .limited, .restricted])
  func anyStatus(_ status: AuthorizationInterface.AuthorizationStatus) throws {
    let host = try host()
    try host.bring(.wallpapers, to: status)
    let owner = try host.owner()
    let opened = try Opened(host)
    #expect(opened.prompt.kind == .picker)
    #expect(opened.prompt.choices == [.allow, .notNow])
    try opened.pick([try owner.asset("one.jpg").id, try owner.asset("secret.jpg").id])
    let (reply, contents) = try opened.reply()
    #expect(reply.items.map(\.filename) == ["one.jpg", "secret.jpg"])
    #expect(Set(contents.compactMap { $0 }) == [Photo.jpeg("one"), Photo.jpeg("secret")])
    #expect(reply.items.allSatisfy { $0.accessible && $0.id == nil && $0.mediaType == .image })
    #expect(reply.inaccessibleCount == 0)
    #expect(reply.message == nil)
    #expect(try opened.app.status() == status)
    if status == .limited { #expect(try opened.app.assets().isEmpty) }
  }

  @Test("S16, S23: the id comes with what the app may see")
  func ids() throws {
    let host = try host()
    let owner = try host.owner()
    let (one, two) = (try owner.asset("one.jpg").id, try owner.asset("two.jpg").id)
    let app = try host.app().connect()
    try host.limit(app, assets: [one])
    let opened = try Opened(host, app: app)
    try opened.pick([one, two])
    let ids = Dictionary(uniqueKeysWithValues: try opened.reply().reply.items.map { ($0.filename, $0.id) })
    #expect(ids == ["one.jpg": one, "two.jpg": nil])
  }

  @Test("S23, S43: what is handed out is read-only, and the very file")
  func readOnly() throws {
    let host = try host()
    try host.set(.map, .authorized, location: true)
    let one = try host.owner().asset("one.jpg").id
    let opened = try Opened(host, app: host.app(.map).connect())
    try opened.pick([one])
    let answer = try opened.app.receive()
    guard let file = answer.descriptors.take(0) else { throw DaemonProcess.Failure("no descriptor came") }
    #expect(try FileNumber(of: file) == FileNumber(of: host.library.path("one.jpg")))
    #expect(fcntl(file.number, F_GETFL) & O_ACCMODE == O_RDONLY)
  }

  @Test(
    "S11, S23: an owner who does not pick gives nothing",
    arguments: [AgentInterface.Decision.notNow, .deny])
  func notNow(_ decision: AgentInterface.Decision) throws {
    let host = try host()
    let opened = try Opened(host)
    try opened.agent.answer(opened.prompt, decision)
    #expect(try opened.reply().reply == .init(items: [], inaccessibleCount: 0))
  }

  @Test("S12: nobody can pick when no agent is there")
  func noAgent() throws {
    let host = try host()
    let app = try host.app().connect()
    let error = try failure { try app.call(PickerInterface.Pick.self, .init()) }
    #expect(error.name == AuthorizationInterface.NoAgent.name)
  }

  @Test("S12: a picker whose app has gone is taken away")
  func withdrawn() throws {
    let host = try host()
    let agent = try host.agent()
    let app = try host.app()
    var connection: Connection? = try app.connect()
    try connection?.begin(PickerInterface.Pick.self, .init())
    let prompt = try agent.prompt()
    connection = nil
    #expect(try agent.withdrawal().id == prompt.id)
  }

  @Test("S23: kinds and limit are told to the agent, and an answer that breaks them leaves the prompt open")
  func limits() throws {
    let host = try host()
    let owner = try host.owner()
    let (one, two) = (try owner.asset("one.jpg").id, try owner.asset("two.jpg").id)
    let film = try owner.asset("film.mp4").id
    let opened = try Opened(host, .init(mediaTypes: [.image], selectionLimit: 1))
    #expect(opened.prompt.mediaTypes == [.image])
    #expect(opened.prompt.selectionLimit == 1)
    let wrong: [([String], String)] = [
      ([film], "video"), ([one, two], "at most 1"), ([], "at least one"), (["0000000000000000"], "library"),
    ]
    for (assets, reason) in wrong {
      let error = try failure { try opened.pick(assets) }
      let invalid = try #require(error.typed(AgentInterface.InvalidAnswer.self))
      #expect(invalid.reason.contains(reason))
    }
    try opened.pick([two])
    #expect(try opened.reply().contents == [Photo.jpeg("two")])
  }

  @Test("S23: no limit is as much as one reply carries")
  func mostItems() throws {
    let count = PickerInterface.mostItems + 1
    let host = try Host { for number in 0..<count { try $0.add("\(number).jpg", Photo.jpeg("\(number)")) } }
    let all = try host.owner().assets().map(\.id)
    #expect(all.count == count)
    let opened = try Opened(host)
    #expect(opened.prompt.selectionLimit == PickerInterface.mostItems)
    let error = try failure { try opened.pick(all) }
    #expect(error.name == AgentInterface.InvalidAnswer.name)
    try opened.pick(Array(all.dropLast()))
    let (reply, contents) = try opened.reply()
    #expect(reply.items.count == PickerInterface.mostItems)
    for (item, content) in zip(reply.items, contents) {
      #expect(content == Photo.jpeg(String(item.filename.dropLast(4))))
    }
  }

  @Test("S23: a live photo comes with its movie, as far as there is room, and never instead of a photo")
  func livePhotos() throws {
    let most = PickerInterface.mostItems
    let host = try Host { library in
      for name in ["one", "two"] {
        try library.add("\(name).HEIC", Photo.jpeg(name))
        try library.add("\(name).MOV", Photo.mp4)
      }
      for number in 0..<most - 3 { try library.add("\(number).jpg", Photo.jpeg("\(number)")) }
    }
    let ids = try host.owner().assets().map(\.id)
    let opened = try Opened(host)
    try opened.pick(ids)
    let answer = try opened.app.receive()
    let items = try answer.decoded(PickerInterface.Pick.self).items
    #expect(items.count == most - 1 && answer.descriptors.count == most)
    for item in items {
      let file = try #require(item.fileDescriptor)
      let content = try answer.descriptors.take(file)?.readAll()
      #expect(content == Photo.jpeg(String(item.filename.prefix { $0 != "." })))
    }
    let movies = items.filter { $0.pairedVideoFileDescriptor != nil }
    #expect(movies.map(\.mediaType) == [.livePhoto] && movies.map(\.pairedVideoExtension) == ["MOV"])
    #expect(movies.first?.filename == items.first { $0.mediaType == .livePhoto }?.filename)
    let movie = try #require(movies.first?.pairedVideoFileDescriptor)
    #expect(try answer.descriptors.take(movie)?.readAll() == Photo.mp4)
  }

  /// XMP with a place.
  private static let packet = Array(
    #"<x:xmpmeta xmlns:exif="http://ns.adobe.com/exif/1.0/" exif:GPSLatitude="33,51.4S"/>"#.utf8)

  @Test("S79: sidecars are handed over to who asks for them; without location, those that say no place")
  func sidecars() throws {
    let packet = Self.packet
    let host = try Host {
      for name in ["one", "two"] { try $0.add("\(name).jpg", Photo.jpeg(name)) }
      for (name, content) in [("one.AAE", [1]), ("one.jpg.xmp", packet)] { try $0.add(name, content) }
      try $0.describe(.map)
    }
    let owner = try host.owner()
    let ids = try ["one.jpg", "two.jpg"].map { try owner.asset($0).id }
    func picked(_ wish: PickerInterface.Pick.Parameters) throws -> [[String: [UInt8]]] {
      let opened = try Opened(host, wish, app: try host.app(.map).connect())
      try opened.pick(ids)
      let answer = try opened.app.receive()
      return try answer.decoded(PickerInterface.Pick.self).items.map { item in
        try (item.sidecars ?? []).reduce(into: [:]) {
          $0[$1.sidecarExtension] = try answer.descriptors.take($1.fileDescriptor)?.readAll()
        }
      }
    }
    #expect(try picked(.init()) == [[:], [:]])
    let without = try picked(.init(sidecars: true))
    #expect(without.map { $0.keys.sorted() } == [["jpg.xmp"], []])
    #expect(without[0]["jpg.xmp"]?.count == packet.count && without[0]["jpg.xmp"] != packet)
    try host.set(.map, .authorized, location: true)
    #expect(try picked(.init(sidecars: true)) == [["AAE": [1], "jpg.xmp": packet], [:]])
  }

  @Test("S71, S79: as many sidecars come as one reply has room for, and in several replies all")
  func manySidecars() throws {
    let most = PickerInterface.mostItems
    let host = try Host {
      for number in 0..<most - 2 { try $0.add("\(number).jpg", Photo.jpeg("\(number)")) }
      for ending in ["jpg.xmp", "xmp", "XMP"] { try $0.add("0.\(ending)", Self.packet) }
    }
    let ids = try host.owner().assets().map(\.id)
    for wantsMore in [false, true] {
      let (app, agent) = (try host.app().connect(), try host.agent())
      try app.begin(PickerInterface.Pick.self, .init(sidecars: true), more: wantsMore)
      try agent.answer(try agent.prompt(), .init(decision: .allow, assets: ids))
      var items: [PickerInterface.PickedItem] = []
      var goesOn = true
      while goesOn {
        let answer = try app.receive()
        #expect(answer.descriptors.count <= most)
        items += try answer.decoded(PickerInterface.Pick.self).items
        goesOn = answer.reply.continues
      }
      #expect(items.count == most - 2)
      let endings = items.flatMap { $0.sidecars ?? [] }.map(\.sidecarExtension)
      #expect(endings == (wantsMore ? ["XMP", "jpg.xmp", "xmp"] : ["XMP", "jpg.xmp"]))
    }
  }

  @Test("what makes no sense is refused by name", arguments: [true, false])
  func badParameters(_ isLimit: Bool) throws {
    let host = try host()
    let app = try host.app().connect()
    let wish =
      isLimit
      ? PickerInterface.Pick.Parameters(selectionLimit: -1) : PickerInterface.Pick.Parameters(mediaTypes: [])
    let error = try failure { try app.call(PickerInterface.Pick.self, wish) }
    #expect(error.typed(InvalidParameter.self)?.parameter == (isLimit ? "selectionLimit" : "mediaTypes"))
  }

  // MARK: Asking for access

  @Test("S23: with requestAccess, what is allowed joins the selection, and the rest is counted")
  func requestAccess() throws {
    let host = try host()
    let owner = try host.owner()
    let (one, two) = (try owner.asset("one.jpg").id, try owner.asset("two.jpg").id)
    let film = try owner.asset("film.mp4").id
    let app = try host.app().connect()
    try host.limit(app, assets: [one])
    let opened = try Opened(host, .init(requestAccess: true, language: "zh-Hans"), app: app)
    try opened.pick([one, two, film])
    // Only what the app does not see is asked about.
    let question = try opened.agent.prompt()
    #expect(question.kind == .photoAccess)
    #expect(Set(question.assets ?? []) == [two, film])
    #expect(question.choices == [.allow, .limited, .deny, .notNow])
    try opened.agent.answer(question, .init(decision: .limited, assets: [two]))
    let (reply, contents) = try opened.reply()
    let items = Dictionary(uniqueKeysWithValues: zip(reply.items.map(\.filename), zip(reply.items, contents)))
    #expect(items["one.jpg"]?.0.id == one)
    #expect(items["two.jpg"]?.0.id == two)
    #expect(items["two.jpg"]?.1 == Photo.jpeg("two"))
    let refused = try #require(items["film.mp4"])
    #expect(!refused.0.accessible && refused.0.id == nil && refused.1 == nil)
    #expect(reply.inaccessibleCount == 1)
    #expect(reply.message == "有 1 张照片无法访问。")
    #expect(Set(try app.assets().map(\.id)) == [one, two])
    #expect(try app.status() == .limited)
  }

  @Test("S23: refused altogether, nothing joins", arguments: [AgentInterface.Decision.deny, .notNow])
  func accessRefused(_ decision: AgentInterface.Decision) throws {
    let host = try host()
    let owner = try host.owner()
    let app = try host.app().connect()
    try host.limit(app)
    let opened = try Opened(host, .init(requestAccess: true), app: app)
    try opened.pick([try owner.asset("one.jpg").id, try owner.asset("two.jpg").id])
    try opened.agent.answer(opened.agent.prompt(), decision)
    let (reply, contents) = try opened.reply()
    #expect(reply.inaccessibleCount == 2)
    #expect(reply.message == "2 photos could not be accessed.")
    #expect(contents == [nil, nil])
    #expect(try app.assets().isEmpty)
  }

  @Test("S23: an app that sees everything is not asked about")
  func authorized() throws {
    let host = try host()
    try host.set(.wallpapers, .authorized)
    let one = try host.owner().asset("one.jpg").id
    let opened = try Opened(host, .init(requestAccess: true))
    try opened.pick([one])
    #expect(try opened.reply().reply.items.map(\.id) == [one])
  }

  @Test("S23: an app without a selection gets what is allowed this once, and no access")
  func noSelection() throws {
    let host = try host()
    let one = try host.owner().asset("one.jpg").id
    let opened = try Opened(host, .init(requestAccess: true))
    try opened.pick([one])
    try opened.agent.answer(opened.agent.prompt(), .allow)
    let (reply, contents) = try opened.reply()
    #expect(reply.items.map(\.id) == [nil])
    #expect(contents == [Photo.jpeg("one")])
    #expect(try opened.app.status() == .notDetermined)
  }

  @Test("S14, S23, S36: for an app that does not say what for, what is allowed does not join its selection")
  func noDescription() throws {
    let host = try host()
    var silent = AppDescription.wallpapers
    silent.describesReading = false
    try host.library.describe(silent)
    try host.daemon.reload()
    let one = try host.owner().asset("one.jpg").id
    try host.set(.wallpapers, .limited)
    let opened = try Opened(host, .init(requestAccess: true))
    try opened.pick([one])
    try opened.agent.answer(opened.agent.prompt(), .allow)
    let (reply, contents) = try opened.reply()
    #expect(reply.items.map(\.id) == [nil])
    #expect(contents == [Photo.jpeg("one")])
    #expect(try opened.app.assets().isEmpty)
  }

  @Test("S19, S71: a photo of a shared album is what was picked, and nobody is asked for what it cannot give")
  func shared() throws {
    let host = try host()
    let owner = try host.owner()
    let (secret, one) = (try owner.asset("secret.jpg").id, try owner.asset("one.jpg").id)
    let app = try host.app().connect()
    try host.limit(app)
    let alone = try Opened(host, .init(requestAccess: true), app: app)
    try alone.pick([secret])
    let (reply, contents) = try alone.reply()
    #expect(reply.items.map(\.id) == [nil])
    #expect(contents == [Photo.jpeg("secret")])
    #expect(
      try app.call(AuthorizationInterface.GetStatus.self, .init(accessLevel: .readWrite)).selectionCount == 0)
    let both = try Opened(host, .init(requestAccess: true), app: app)
    try both.pick([secret, one])
    let question = try both.agent.prompt()
    #expect(question.assets == [one])
    try both.agent.answer(question, .deny)
    let (second, _) = try both.reply()
    #expect(second.items.map(\.accessible) == [true, false])
  }

  @Test("S71: of one photo there are no others to leave out")
  func oneAsked() throws {
    let host = try host()
    let one = try host.owner().asset("one.jpg").id
    let opened = try Opened(host, .init(requestAccess: true))
    try opened.pick([one])
    let question = try opened.agent.prompt()
    #expect(question.choices == [.allow, .deny, .notNow])
    try opened.agent.answer(question, .allow)
    #expect(try opened.reply().contents == [Photo.jpeg("one")])
  }

  @Test("S71: any number is picked and comes in the order of picking, in several replies, movies and all")
  func stream() throws {
    let most = PickerInterface.mostItems
    let host = try Host { library in
      for number in 0..<most + 50 { try library.add("\(number).jpg", Photo.jpeg("\(number)")) }
      for number in 0..<10 {
        try library.add("live\(number).HEIC", Photo.jpeg("live\(number)"))
        try library.add("live\(number).MOV", Photo.mp4)
      }
    }
    // Twice in the answer is once picked.
    let ids = try host.owner().assets().map(\.id).shuffled()
    let app = try host.app().connect()
    let agent = try host.agent()
    try app.begin(PickerInterface.Pick.self, .init(selectionLimit: 1000), more: true)
    let prompt = try agent.prompt()
    #expect(prompt.selectionLimit == 1000)
    try agent.answer(prompt, .init(decision: .allow, assets: ids + ids.prefix(3)))
    var items: [PickerInterface.PickedItem] = []
    var replies = 0
    var goesOn = true
    while goesOn {
      let answer = try app.receive()
      let reply = try answer.decoded(PickerInterface.Pick.self)
      #expect(answer.descriptors.count <= most)
      for item in reply.items {
        let content = try answer.descriptors.take(try #require(item.fileDescriptor))?.readAll()
        #expect(content == Photo.jpeg(String(item.filename.prefix { $0 != "." })))
        #expect((item.pairedVideoFileDescriptor != nil) == (item.mediaType == .livePhoto))
      }
      items += reply.items
      replies += 1
      goesOn = answer.reply.continues
      #expect(reply.inaccessibleCount == 0 && reply.message == nil)
    }
    #expect(replies == 2)
    let names = Dictionary(uniqueKeysWithValues: try host.owner().assets().map { ($0.id, $0.filename) })
    #expect(items.map(\.filename) == ids.compactMap { names[$0] })
  }

  @Test("S71: an unlimited picker tells the owner no limit where the app takes several replies")
  func unlimited() throws {
    let host = try host()
    let app = try host.app().connect()
    let agent = try host.agent()
    try app.begin(PickerInterface.Pick.self, .init(), more: true)
    let prompt = try agent.prompt()
    #expect(prompt.selectionLimit == 0)
    try agent.answer(prompt, .notNow)
    #expect(try app.receive().decoded(PickerInterface.Pick.self).items.isEmpty)
  }

  @Test("S23: a file that has gone meanwhile is not accessible, and the others are")
  func gone() throws {
    let host = try host()
    let owner = try host.owner()
    let (one, two) = (try owner.asset("one.jpg").id, try owner.asset("two.jpg").id)
    let opened = try Opened(host, .init(requestAccess: true))
    try opened.pick([one, two])
    let question = try opened.agent.prompt()
    try host.library.remove("one.jpg")
    try opened.agent.answer(question, .allow)
    let (reply, contents) = try opened.reply()
    let items = Dictionary(uniqueKeysWithValues: zip(reply.items.map(\.filename), contents))
    #expect(items == ["one.jpg": nil, "two.jpg": Photo.jpeg("two")])
    #expect(reply.inaccessibleCount == 1)
    #expect(reply.message == "1 photo could not be accessed.")
  }

  @Test("S23, S41: what cannot be reached now is not accessible")
  func offline() throws {
    let host = try host()
    let one = try host.owner().asset("one.jpg").id
    let opened = try Opened(host)
    try host.library.move("../photos", to: "../gone")
    try host.daemon.waitForStatus { $0.hasPrefix("offline") }
    try opened.pick([one])
    let (reply, contents) = try opened.reply()
    #expect(reply.items.map(\.accessible) == [false])
    #expect(contents == [nil])
    #expect(reply.inaccessibleCount == 1)
  }

  @Test("S23, S43: a live photo that gets another name meanwhile comes with its movie all the same")
  func renamed() throws {
    let host = try Host {
      try $0.add("one.HEIC", Photo.jpeg("one"))
      try $0.add("one.MOV", Photo.mp4)
    }
    let owner = try host.owner()
    let one = try owner.asset("one.HEIC").id
    let opened = try Opened(host, .init(requestAccess: true))
    try opened.pick([one])
    let question = try opened.agent.prompt()
    let subscriber = try host.owner().subscribe()
    try host.library.move("one.HEIC", to: "two.HEIC")
    try host.library.move("one.MOV", to: "two.MOV")
    _ = try subscriber.rest(in: host.library)
    try #require(try owner.asset("two.HEIC").resources == [.photo, .pairedVideo])
    try opened.agent.answer(question, .allow)
    let answer = try opened.app.receive()
    let item = try #require(try answer.decoded(PickerInterface.Pick.self).items.first)
    #expect(item.filename == "two.HEIC" && item.pairedVideoExtension == "MOV")
    let movie = try #require(item.pairedVideoFileDescriptor)
    #expect(try answer.descriptors.take(movie)?.readAll() == Photo.mp4)
  }

  @Test("S11, S23: the last agent's going away with the second question is no refusal")
  func agentGone() throws {
    let host = try host()
    let one = try host.owner().asset("one.jpg").id
    let app = try host.app().connect()
    var agent: Agent? = try host.agent()
    try app.begin(PickerInterface.Pick.self, .init(requestAccess: true))
    let prompt = try #require(try agent?.prompt())
    try agent?.answer(prompt, .init(decision: .allow, assets: [one]))
    #expect(try agent?.prompt().kind == .photoAccess)
    agent = nil
    let error = try failure { _ = try app.receive(PickerInterface.Pick.self) }
    #expect(error.name == AuthorizationInterface.NoAgent.name)
  }

  @Test("S20: a selection that holds what has gone since can still be answered")
  func goneSelection() throws {
    let host = try host()
    let owner = try host.owner()
    let (one, two) = (try owner.asset("one.jpg").id, try owner.asset("two.jpg").id)
    let app = try host.app().connect()
    try host.limit(app, assets: [one])
    let agent = try host.agent()
    try app.begin(AuthorizationInterface.PresentLimitedPicker.self, .init())
    let prompt = try agent.prompt()
    let subscriber = try owner.subscribe()
    try host.library.remove("one.jpg")
    #expect(try subscriber.next().removed == [one])
    try agent.answer(prompt, .init(decision: .limited, assets: [one, two]))
    #expect(try app.receive(AuthorizationInterface.PresentLimitedPicker.self).addedAssets == [two])
    #expect(try app.assets().map(\.id) == [two])
  }
}
