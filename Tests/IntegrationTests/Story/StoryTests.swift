import AlbumAPI
import TestSupport
import Testing
import Varlink

@Suite("The main job, with the daemon killed at every turn", .blocking)
struct StoryTests {
  /// SIGKILL, and a new daemon on what is on disk.
  private func crash(_ host: Host) throws {
    try host.daemon.kill()
    try host.daemon.start()
  }

  @Test("S4, S8, S26, S39: decisions, ids and tokens survive SIGKILL at any point of the story")
  func story() throws {
    let host = try Host {
      try $0.add("Trip/a.jpg", Photo.jpeg("a"))
      try $0.add("b.jpg", Photo.jpeg("b"))
    }
    let (wallpapers, mail) = (try host.app(.wallpapers), try host.app(.mail))
    #expect(try wallpapers.connect().status() == .notDetermined)
    try crash(host)

    // While the owner is being asked: nothing was decided, and nothing is remembered of it.
    try {
      let agent = try host.agent()
      let app = try wallpapers.connect()
      try app.beginRequest()
      _ = try agent.prompt()
      try crash(host)
      #expect(throws: (any Error).self) { _ = try app.requestReply() }
    }()
    #expect(try wallpapers.connect().status() == .notDetermined)

    // Right after the answer: who was told is told the same for good.
    try {
      let agent = try host.agent()
      let app = try wallpapers.connect()
      try app.beginRequest()
      try agent.answer(agent.prompt(), .allow)
      #expect(try app.requestReply().status == .authorized)
    }()
    try crash(host)
    var app = try wallpapers.connect()
    #expect(try app.request().status == .authorized)

    // Two photos, their ids, a token.
    let before = try app.assets()
    #expect(before.map(\.filename) == ["a.jpg", "b.jpg"])
    let ids = before.map(\.id)
    var subscriber = try wallpapers.connect().subscribe()

    // Photos appear; the daemon dies before it can tell of them.
    try host.library.add("c.jpg")
    try host.library.move("b.jpg", to: "Trip/b.jpg")
    try crash(host)
    subscriber = try wallpapers.connect().subscribe(since: subscriber.token)
    let seen = try subscriber.collect(2)
    #expect(seen.inserted.map(\.filename) == ["c.jpg"])
    #expect(seen.moved.map(\.id) == [ids[1]])
    try crash(host)
    app = try wallpapers.connect()
    #expect(try app.assets().map(\.id) == ids + seen.inserted.map(\.id))
    #expect(try app.content(of: ids[0]) == Photo.jpeg("a"))

    // Another app gets one photo, and not the rest; then nothing.
    let other = try mail.connect()
    try host.limit(other, assets: [ids[0]])
    try crash(host)
    #expect(try mail.connect().assets().map(\.id) == [ids[0]])
    try host.set(.mail, .denied)
    try crash(host)
    let refused = try mail.connect().request()
    #expect(refused.status == .denied)
    #expect(refused.guide?.steps.isEmpty == false)

    // Nothing was told twice, nothing is left to tell.
    subscriber = try wallpapers.connect().subscribe(since: subscriber.token)
    #expect(try subscriber.rest(in: host.library).count == 0)
    try host.daemon.stop()
  }

  @Test("S26: killed in the middle of bursts, every photo is told exactly once")
  func bursts() throws {
    let host = try Host()
    var token = try host.owner().info().token
    var told: [LibraryInterface.Asset] = []
    for round in 0..<5 {
      let subscriber = try host.owner().subscribe(since: token)
      for number in 0..<100 { try host.library.add("Burst \(round)/p\(round)-\(number).jpg") }
      // Some were told, some only written down, some not even seen.
      let some = try subscriber.collect { $0.inserted.count >= 10 * round }
      told += some.inserted
      token = subscriber.token
      try crash(host)
    }
    let last = try host.owner().subscribe(since: token)
    told += try last.collect(500 - told.count).inserted
    #expect(try last.rest(in: host.library).count == 0)
    #expect(Set(told.map(\.filename)).count == 500)
    #expect(told.count == 500)
    let fetched = try host.owner().assets(.init(limit: 1000)).filter { $0.filename.hasPrefix("p") }
    #expect(Set(fetched.map(\.id)) == Set(told.map(\.id)))
  }

  @Test("S8: a decision that was answered is on disk, however soon the daemon is killed")
  func decisions() throws {
    let host = try Host()
    let app = try host.app()
    _ = try app.connect().status()
    let statuses: [AuthorizationInterface.AuthorizationStatus] = [.authorized, .denied, .limited]
    for round in 0..<6 {
      try host.set(.wallpapers, statuses[round % 3])
      try crash(host)
      #expect(try app.connect().status() == statuses[round % 3])
    }
  }
}
