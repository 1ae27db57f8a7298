import AlbumAPI
import Testing
import TestSupport
import Varlink

@Suite("What an app sees cannot be written into the journal", .blocking)
struct ViewFailureTests {
  /// A library, an app that may see one photo of it, and a journal that takes nothing about apps.
  private struct Scene {
    let host: Host
    let app: TestApp
    let subscriber: AssetSubscriber
    let (one, two): (String, String)
    private var database: String { "\(host.library.state)/library.sqlite" }

    init() throws {
      host = try Host {
        try $0.add("one.jpg", Photo.jpeg("one"))
        try $0.add("two.jpg", Photo.jpeg("two"))
      }
      let owner = try host.owner()
      (one, two) = (try owner.asset("one.jpg").id, try owner.asset("two.jpg").id)
      app = try host.app()
      try host.limit(try app.connect(), assets: [one])
      subscriber = try app.connect().subscribe()
      try setRoomForViews(false, on: database)
    }

    /// The subscription has ended, and none begins.
    func isUnserved() throws {
      let token = subscriber.token
      for error in [
        try failure { _ = try subscriber.next() },
        try failure { _ = try app.connect().subscribe(since: token) },
      ] {
        #expect(error.typed(LibraryInterface.NotAuthorized.self) == nil)
      }
      let chinese = try app.connect()
      try chinese.call(AuthorizationInterface.SetLanguage.self, .init(language: "zh-Hans"))
      let told = try failure { _ = try chinese.subscribe(since: token) }
      #expect(told.name == "io.systemd.System", "\(told)")
      #expect(told.parameters["message"] == "无法处理这个请求，原因见 albumd 的日志", "S89")
      try host.daemon.waitForStatus { $0.hasPrefix("degraded") }
    }

    /// There is room again: a token from before is good for fetching anew, once.
    func isServedAgain() throws {
      try setRoomForViews(true, on: database)
      try host.daemon.waitForStatus { $0.hasPrefix("ready") }
      let anew = try app.connect().subscribe(since: subscriber.token)
      let lost = try anew.next()
      #expect(!lost.hasIncrementalChanges && lost.isEmpty)
      try host.library.add("two.jpg", Photo.jpeg("two, again"))
      #expect(try anew.next().changed.map(\.id) == [two])
      #expect(host.daemon.log.split(separator: "cannot be written into the journal").count == 2, "said once")
    }
  }

  @Test("S16, S22, S28: it sees what is selected now and nothing else, and fetches anew when there is room")
  func limited() throws {
    let scene = try Scene()
    try scene.host.select(.replace, assets: [scene.two])
    let connection = try scene.app.connect()
    #expect(try connection.assets().map(\.id) == [scene.two])
    #expect(try failure { _ = try connection.open(scene.one) }.name == LibraryInterface.NoSuchAsset.name)
    try scene.isUnserved()
    #expect(try connection.assets().map(\.id) == [scene.two])
    try scene.isServedAgain()
  }

  @Test("S29: one that may see everything by now does, and is told of it when there is room")
  func authorized() throws {
    let scene = try Scene()
    try scene.host.set(.wallpapers, .authorized)
    #expect(try scene.app.connect().assets().map(\.id) == [scene.one, scene.two])
    try scene.isUnserved()
    try scene.isServedAgain()
  }
}
