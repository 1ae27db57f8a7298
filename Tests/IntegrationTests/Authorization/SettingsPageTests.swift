import AlbumAPI
import Glibc
import TestSupport
import Testing
import Varlink

@Suite("Settings on a page, over the wire", .blocking, .timeLimit(.minutes(30)))
struct SettingsPageTests {
  /// A page that counts.
  private func page(_ host: Host, origin: String? = nil) throws -> Connection {
    let page = try host.connect()
    try page.begin(ManagerInterface.ServeSettings.self, .init(origin: origin), more: true)
    _ = try page.receive(ManagerInterface.ServeSettings.self)
    return page
  }

  private func address(_ app: Connection) throws -> String? {
    try app.call(AuthorizationInterface.WhoAmI.self, .init()).settingsAddress
  }

  /// Until what a connection's end brings about is there.
  private func wait(_ app: Connection, for wanted: String?) throws {
    while try address(app) != wanted { try app.roundTrip() }
  }

  @Test("S15: while a page runs, guides lead to it; when it is gone, to none")
  func told() throws {
    let host = try Host()
    try host.set(.wallpapers, .denied)
    let app = try host.app().connect()
    #expect(try address(app) == nil)
    var page: Connection? = try page(host)
    let expected = "albumd:settings/\(AppDescription.wallpapers.id)"
    #expect(try address(app) == expected)
    let refused = try failure { _ = try app.assets() }.typed(LibraryInterface.NotAuthorized.self)
    #expect(refused?.guide.settingsAddress == expected)
    #expect(try app.request(language: "en").guide?.settingsAddress == expected)
    #expect(
      try app.call(
        AuthorizationInterface.GetStatus.self, .init(accessLevel: .readWrite, language: "zh-Hans")
      ).guide?.settingsAddress == expected)
    // In settings of whoever may: nothing to change there.
    try host.set(.wallpapers, .authorized)
    #expect(try address(app) == expected)
    #expect(page?.isQuiet == true)
    page = nil
    try wait(app, for: nil)
    try host.set(.wallpapers, .denied)
    #expect(try app.request(language: "en").guide?.settingsAddress == nil)
  }

  @Test(
    "S15, S46: another user's app is led to a page with an address, not to what this user's desktop opens")
  func otherUser() throws {
    let host = try Host()
    let (own, other) = (try host.app().connect(), try host.app(.mail, uid: 65534).connect())
    let desktop = try page(host)
    #expect(try address(own) == "albumd:settings/\(AppDescription.wallpapers.id)")
    #expect(try address(other) == nil)
    let home = try page(host, origin: "https://photos.example.org")
    #expect(try address(other) == "https://photos.example.org/apps/\(AppDescription.mail.id)/65534")
    #expect(try address(own) == "https://photos.example.org/apps/\(AppDescription.wallpapers.id)/\(getuid())")
    #expect(desktop.isQuiet && home.isQuiet)
  }

  @Test("S15, S44: apps and other users serve no settings")
  func notAnOwner() throws {
    let host = try Host()
    for app in [try host.app().connect(), try host.app(.mail, uid: 65534).connect()] {
      try app.begin(ManagerInterface.ServeSettings.self, .init(), more: true)
      let error = try failure { _ = try app.receive(ManagerInterface.ServeSettings.self) }
      #expect(error.name == ManagerInterface.NotAnOwner.name)
      #expect(try address(app) == nil)
    }
  }

  @Test(
    "S15, S61: what could lead an app or its person elsewhere is refused",
    arguments: [
      "http://photos.example.org", "http://abcdefghijklmnopqrstuvwxyz.localhost:7575", "javascript:alert(1)",
      "https://a/b",
      "https://" + String(repeating: "a", count: 248), "",
    ])
  func refused(_ origin: String) throws {
    let host = try Host()
    let connection = try host.connect()
    try connection.begin(ManagerInterface.ServeSettings.self, .init(origin: origin), more: true)
    let error = try failure { _ = try connection.receive(ManagerInterface.ServeSettings.self) }
    #expect(error.name == InvalidParameter.name)
    #expect(try address(host.app().connect()) == nil)
  }

  @Test("S15: of a user's pages so many count; the oldest is told that it does not any more")
  func bounded() throws {
    let host = try Host()
    let app = try host.app().connect()
    var pages = try (0..<4).map { try page(host, origin: "https://p\($0)") }
    #expect(pages.allSatisfy { $0.isQuiet })
    pages.append(try page(host, origin: "https://p4"))
    // Its last reply, after which it may call something else.
    _ = try pages[0].receive(ManagerInterface.ServeSettings.self)
    try pages[0].roundTrip()
    let id = AppDescription.wallpapers.id
    #expect(try address(app) == "https://p4/apps/\(id)/\(getuid())")
    for number in [3, 2, 1] {
      pages.removeLast()
      try wait(app, for: "https://p\(number)/apps/\(id)/\(getuid())")
    }
    pages.removeLast()
    try wait(app, for: nil)
  }

  @Test("S15, S44: a page of who is an owner no more leads nobody")
  func becomesApp() throws {
    let late = AppDescription(id: "org.example.Late", program: "late")
    let host = try Host()
    let app = try host.app().connect()
    let process = try host.app(late)
    let page = try process.connect()
    try page.begin(ManagerInterface.ServeSettings.self, .init(), more: true)
    _ = try page.receive(ManagerInterface.ServeSettings.self)
    #expect(try address(app) != nil)
    try host.library.describe(late)
    try host.daemon.reload()
    #expect(try address(app) == nil)
  }
}
