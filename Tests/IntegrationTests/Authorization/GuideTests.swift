import AlbumAPI
import Glibc
import Linux
import TestSupport
import Testing
import Varlink
import VarlinkTransport

@Suite("Guides, over the wire", .blocking)
struct GuideTests {
  @Test("S15: a refusal has a title, a message, three steps, the settings command and how to leave it")
  func denied() throws {
    let host = try Host()
    try host.set(.wallpapers, .denied)
    let app = try host.app().connect()
    for (language, later) in [("en", "Later"), ("zh-Hans", "稍后再说"), ("zh_CN.UTF-8", "稍后再说")] {
      let guide = try #require(try app.request(language: language).guide)
      #expect(!guide.title.isEmpty && !guide.message.isEmpty && guide.title != guide.message)
      #expect(guide.steps.count == 3 && guide.settingsAddress == nil, "no settings page runs here")
      #expect(guide.steps.contains { $0.contains("albumctl settings org.example.Wallpapers") })
      #expect(guide.settingsCommand == "albumctl settings org.example.Wallpapers")
      #expect(guide.later == later)
    }
  }

  @Test("S15: where the caller names no language, the daemon's locale decides")
  func locale() throws {
    let host = try Host { $0.environment = ["LANG=zh_CN.UTF-8"] }
    let app = try host.app().connect()
    func refusal() throws -> LibraryInterface.NotAuthorized? {
      try failure { _ = try app.assets() }.typed(LibraryInterface.NotAuthorized.self)
    }
    #expect(try refusal()?.guide.title == "“壁纸”还不能打开你的照片")
    try host.set(.wallpapers, .denied)
    #expect(try refusal()?.guide.title == "“壁纸”无法访问你的照片")
    #expect(try app.request(language: "en").guide?.title == "Wallpapers has no access to your photos")
    let saving = try failure {
      _ = try app.call(LibraryInterface.AddAssets.self, .init(items: [], language: "en"))
    }
    let guide = try #require(saving.typed(LibraryInterface.NotAuthorized.self)).guide
    #expect(guide.title.hasPrefix("Wallpapers "))
    // What cannot be served is served in the daemon's language, not in none.
    #expect(try app.request(language: "tlh").guide?.title == "“壁纸”无法访问你的照片")
  }

  @Test("S15: a call that names no language has the guide in the language that its app named last")
  func remembered() throws {
    let host = try Host { $0.environment = ["LANG=en_US.UTF-8"] }
    try host.set(.wallpapers, .denied)
    let app = try host.app()
    let connection = try app.connect()
    func title(_ connection: Connection) throws -> String? {
      try failure { _ = try connection.assets() }.typed(LibraryInterface.NotAuthorized.self)?.guide.title
    }
    #expect(try title(connection) == "Wallpapers has no access to your photos")
    _ = try connection.request(language: "zh-Hans")
    #expect(try title(connection) == "“壁纸”无法访问你的照片")
    #expect(try title(try app.connect()) == "“壁纸”无法访问你的照片", "on whichever connection")
    #expect(try title(try host.app(.mail).connect())?.contains("邮件") == false, "another app has its own")
    try host.daemon.restart()
    #expect(try title(try app.connect()) == "“壁纸”无法访问你的照片", "and after a restart")
  }

  @Test(
    "S5, S15: whoever asks for the status in a language has the guide in it, and nothing is noted of that")
  func ofStatus() throws {
    let host = try Host { $0.environment = ["LANG=en_US.UTF-8"] }
    let app = try host.app().connect()
    func title(_ language: String?) throws -> String? {
      try app.call(
        AuthorizationInterface.GetStatus.self, .init(accessLevel: .readWrite, language: language)
      ).guide?.title
    }
    #expect(try title(nil) == nil)
    #expect(try title("zh_CN.UTF-8") == "“壁纸”还不能打开你的照片")
    #expect(try title("en") == "Wallpapers may not open your photos yet")
    try host.set(.wallpapers, .denied)
    #expect(try title("zh-Hans") == "“壁纸”无法访问你的照片")
    let refused = try failure { _ = try app.assets() }.typed(LibraryInterface.NotAuthorized.self)
    #expect(refused?.guide.title == "Wallpapers has no access to your photos")
    try host.set(.wallpapers, .authorized)
    #expect(try title("zh-Hans") == nil)
  }

  @Test("S15: albumctl shows the guide in the language of its locale, whatever was named before")
  func ofCommand() throws {
    let host = try Host { $0.environment = ["LANG=en_US.UTF-8"] }
    func shown(_ locale: String) throws -> String {
      let outcome = try host.albumctl(["assets"], as: .wallpapers, environment: ["LC_ALL=\(locale)"])
      #expect(outcome.status == 3)
      return outcome.output
    }
    let step = "albumctl request --level readWrite"
    for _ in 1...2 {
      let chinese = try shown("zh_CN.UTF-8")
      #expect(chinese.contains("“壁纸”还不能打开你的照片") && chinese.contains("请求权限：\(step)"))
      let english = try shown("en_GB.UTF-8")
      #expect(
        english.contains("Wallpapers may not open your photos yet")
          && english.contains("Ask the owner from this terminal: \(step)"))
    }
  }

  @Test("names of apps are told in the language of whoever lists them")
  func listed() throws {
    let host = try Host()
    try host.set(.wallpapers, .denied)
    let connection = try host.connect()
    try connection.send("io.albumd.Manager.ListApps", ["language": .string("zh-Hans")])
    let apps = try connection.receive().decoded(ManagerInterface.ListApps.self).apps
    #expect(apps.first { $0.id == AppDescription.wallpapers.id }?.name == "壁纸")
    let english = try host.connect().call(ManagerInterface.ListApps.self, .init()).apps
    #expect(english.first { $0.id == AppDescription.wallpapers.id }?.name == "Wallpapers")
  }

  @Test("a translation that an administrator writes is used after a reload, without an installed file")
  func translation() throws {
    let host = try Host()
    try host.set(.wallpapers, .denied)
    let app = try host.app().connect()
    #expect(try app.request(language: "de").guide?.later == "Later")
    try host.library.write("\(host.library.directory)/guides/de.yaml", "later: Später\n")
    try host.connect().call(ManagerInterface.Reload.self, .init())
    #expect(try app.request(language: "de").guide?.later == "Later", "S38: one with errors does not count")
    try host.library.write("\(host.library.directory)/guides/de.yaml", Self.german)
    try host.connect().call(ManagerInterface.Reload.self, .init())
    let guide = try #require(try app.request(language: "de-AT").guide)
    #expect(guide.later == "Später")
    #expect(guide.title == "Wallpapers: kein Zugriff")
  }

  private static let german = """
    denied: &refusal
      title: {addOnly: "{app}: kein Hinzufügen", readWrite: "{app}: kein Zugriff"}
      message: {addOnly: Nein., readWrite: Nein.}
      steps: ["{command}", Erlauben, Zurück]
    restricted: *refusal
    notAsked: *refusal
    saved: &notice {title: Gesichert, one: "{album}", other: "{count}", steps: []}
    wallpaper: *notice
    inaccessible: *notice
    howToAllow: So geht es
    howToSetWallpaper: So geht es
    openSettings: Einstellungen
    later: Später
    done: Fertig
    understood: Verstanden
    between: " "

    """

  @Test("S15, S73: the guide after saving names the album, and how to set a wallpaper where it is for that")
  func saved() throws {
    let host = try Host()
    try host.set(.wallpapers, .authorized, .addOnly)
    let app = try host.app().connect()
    func save(
      _ purpose: LibraryInterface.SavePurpose?, language: String? = nil, desktop: String? = nil
    ) throws -> AuthorizationInterface.Guide? {
      let batch = DescriptorBatch()
      let path = try host.library.add("../new.jpg")
      let file = try OwnedDescriptor(open(path, O_RDONLY | O_CLOEXEC), call: "open", subject: path)
      let item = LibraryInterface.AddItem(fileDescriptor: batch.append(file), filename: "new.jpg")
      return try app.call(
        LibraryInterface.AddAssets.self,
        .init(items: [item], purpose: purpose, language: language, desktop: desktop),
        descriptors: batch
      ).guide
    }
    #expect(try save(nil) == nil)
    let kept = try #require(try save(.keep, language: "en"))
    #expect(kept.message == "You find it in the album “Saved”.")
    #expect(kept.steps.isEmpty && kept.heading == nil && kept.openSettings == nil)
    #expect(kept.later == "Done")
    let wallpaper = try #require(try save(.wallpaper, language: "zh-Hans"))
    #expect(wallpaper.title == "已保存：现在可以设置壁纸")
    #expect(wallpaper.heading == "如何设为壁纸" && wallpaper.later == "知道了")
    #expect(wallpaper.steps.count == 4 && wallpaper.steps[2].contains("相簿“Saved”"))
    #expect(wallpaper.settingsCommand == nil && wallpaper.openSettings == nil)
    let gnome = try #require(try save(.wallpaper, language: "en", desktop: "ubuntu:GNOME"))
    #expect(gnome.settingsCommand == "gnome-control-center background")
    #expect(gnome.openSettings == "Open settings" && gnome.steps.first == "Open Settings.")
    // Whoever names nonsense gets what is true everywhere.
    let other = try #require(try save(.wallpaper, language: "en", desktop: "; rm -r ~"))
    #expect(other.settingsCommand == nil && other.steps.count == 4)
  }
}
