import AlbumAPI
import Glibc
import TestSupport
import Testing
import Varlink

@Suite("Who a peer is, over the wire", .blocking)
struct IdentityTests {
  @Test("S35: a manifest binds a program file to an app")
  func manifest() throws {
    let host = try Host()
    let app = try host.app().connect()
    let identity = try app.call(AuthorizationInterface.WhoAmI.self, .init()).identity
    #expect(identity.appId == AppDescription.wallpapers.id)
    #expect(identity.uid == Int(getuid()))
    #expect(identity.evidence.contains(host.library.executable(of: "wallpapers")))
    #expect(identity.manifest == "\(host.library.directory)/apps.d/org.example.Wallpapers.yaml")
    #expect(!identity.verified, "whose file it is says nothing of who has it do what")
  }

  @Test("S35: a vendor's manifest counts until the administrator has one of its name, which counts whole")
  func vendor() throws {
    let late = AppDescription(
      id: "org.example.Late", program: "late", name: "Vendor's", describesReading: false)
    let host = try Host {
      try $0.makeAlbum("../vendor/apps.d")
      try $0.write(
        "\($0.directory)/vendor/apps.d/\(late.id).yaml",
        late.manifest(executable: $0.executable(of: late.program)))
    }
    let app = try host.app(late).connect()
    func name() throws -> String? {
      let apps = try host.connect().call(ManagerInterface.ListApps.self, .init()).apps
      return apps.first { $0.id == late.id }?.name
    }
    #expect(try app.call(AuthorizationInterface.WhoAmI.self, .init()).identity.appId == late.id)
    #expect(try name() == "Vendor's")
    #expect(
      try failure { _ = try app.request() }.name == AuthorizationInterface.UsageDescriptionMissing.name)
    var own = late
    (own.name, own.describesReading) = ("Own", true)
    try host.library.describe(own)
    try host.daemon.reload()
    #expect(try name() == "Own")
    #expect(try failure { _ = try app.request() }.name == AuthorizationInterface.NoAgent.name)
  }

  @Test("S36: a peer without a manifest may ask its status and cannot be granted anything by a prompt")
  func unmatched() throws {
    let host = try Host()
    let agent = try host.agent()
    let app = try host.app(AppDescription(id: "unused", program: "stranger")).connect()
    let identity = try app.call(AuthorizationInterface.WhoAmI.self, .init()).identity
    #expect(identity.manifest == nil)
    #expect(try app.status() == .notDetermined)
    let error = try failure { _ = try app.request() }
    #expect(error.name == AuthorizationInterface.UsageDescriptionMissing.name)
    #expect(try agent.isQuiet)
  }

  @Test("S36: a peer whose process has ended is refused")
  func gone() throws {
    let host = try Host()
    let app = try host.app()
    // It is looked at when it has connected: here, once it has ended.
    host.daemon.pause()
    let connection = try app.connect()
    try app.end()
    host.daemon.goOn()
    let error = try failure { _ = try connection.status() }
    #expect(error.name == AuthorizationInterface.UnidentifiedPeer.name)
  }

  @Test("S35: a copy of an app's program is not the app")
  func copied() throws {
    let host = try Host()
    try host.set(.wallpapers, .authorized)
    let copy = try host.app(AppDescription(id: "unused", program: "copy-of-wallpapers")).connect()
    #expect(try copy.status() == .notDetermined)
    #expect(try host.app(.wallpapers).connect().status() == .authorized)
  }

  @Test("S35: manifests that are read again apply to peers that are connected")
  func reload() throws {
    let late = AppDescription(id: "org.example.Late", program: "late")
    let host = try Host()
    let app = try host.app(late).connect()
    #expect(try app.call(AuthorizationInterface.WhoAmI.self, .init()).identity.manifest == nil)
    try host.library.describe(late)
    try host.daemon.reload()
    #expect(try app.call(AuthorizationInterface.WhoAmI.self, .init()).identity.appId == late.id)
    #expect(
      try host.connect().call(ManagerInterface.ListApps.self, .init()).apps.contains { $0.id == late.id })
  }

  @Test("S29, S35: a monitor tells the status of the app that its caller is by the manifests in force")
  func monitored() throws {
    let late = AppDescription(id: "org.example.Late", program: "late")
    let host = try Host()
    let app = try host.app(late)
    let monitor = try app.connect()
    try monitor.begin(AuthorizationInterface.Monitor.self, .init(), more: true)
    for _ in AuthorizationInterface.AccessLevel.allCases {
      #expect(try monitor.receive(AuthorizationInterface.Monitor.self).status == .notDetermined)
    }
    // An app from now on, and decided about.
    try host.library.describe(late)
    try host.daemon.reload()
    try host.set(late, .authorized)
    let told = try monitor.receive(AuthorizationInterface.Monitor.self)
    #expect(told.accessLevel == .readWrite && told.status == .authorized)
    // Another app, which nobody has decided about; what becomes of the first is none of its business.
    var other = late
    other.id = "org.example.Other"
    try host.library.undescribe(late)
    try host.library.describe(other)
    try host.library.policy("late", "effect: restrict\napps: [\(late.id)]\n")
    try host.daemon.reload()
    let changed = try monitor.receive(AuthorizationInterface.Monitor.self)
    #expect(changed.accessLevel == .readWrite && changed.status == .notDetermined)
    try host.set(other, .denied, .addOnly)
    let last = try monitor.receive(AuthorizationInterface.Monitor.self)
    #expect(last.accessLevel == .addOnly && last.status == .denied)
  }
}
