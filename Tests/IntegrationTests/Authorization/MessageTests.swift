import AlbumAPI
import Glibc
import Linux
import TestSupport
import Testing
import Varlink
import VarlinkTransport

@Suite("What errors say, over the wire (S89)", .blocking)
struct MessageTests {
  /// What a call is refused with: a photo that is not there.
  private func refusal(_ owner: Connection, _ id: String = "x") throws -> RemoteError {
    try failure { try owner.call(LibraryInterface.OpenAsset.self, .init(id: id)) }
  }

  private func message(_ owner: Connection, _ id: String = "x") throws -> String? {
    try refusal(owner, id).typed(LibraryInterface.NoSuchAsset.self)?.message
  }

  private func name(_ language: String?, on connection: Connection) throws {
    try connection.call(AuthorizationInterface.SetLanguage.self, .init(language: language))
  }

  private let chinese = "没有你可以看到的照片 x。"
  private let english = "There is no asset x that you may see."

  @Test("S89: who names no language is told what it always was, and each connection has its own")
  func languages() throws {
    let host = try Host()
    let (none, first, second) = (try host.owner(), try host.owner(), try host.owner())
    try name("zh_CN.UTF-8", on: first)
    try name("zh-Hant", on: second)
    #expect(try refusal(none).parameters == ["id": "x"])
    #expect(try message(first) == chinese)
    #expect(try message(second) == "沒有你可以看到的照片 x。")
    #expect(try refusal(first).parameters == ["id": "x", "message": .string(chinese)])
    try name("tlh", on: second)
    #expect(try message(second) == english, "one that nobody has translated it to")
    try name(nil, on: first)
    #expect(try refusal(first).parameters == ["id": "x"])
    #expect(try refusal(none).parameters == ["id": "x"])
    // Errors of the protocol are as the protocol has them.
    try name("zh-Hans", on: none)
    try none.send("io.albumd.Library.OpenAsset", ["id": 1])
    #expect(try none.receive().reply.parameters == ["parameter": "id"])
    try none.send("io.albumd.Library.Missing")
    #expect(try none.receive().reply.parameters == ["method": "io.albumd.Library.Missing"])
    // Without an answer it counts as well.
    try second.send(
      Call(
        method: AuthorizationInterface.SetLanguage.name, parameters: ["language": "zh-Hans"], isOneway: true))
    #expect(try message(second) == chinese)
  }

  @Test("S89: a call that names a language is answered in that one, also where it is long")
  func ofCall() throws {
    let host = try Host()
    let app = try host.app().connect()
    func asked(_ language: String?) throws -> String? {
      try failure { _ = try app.request(language: language) }.typed(AuthorizationInterface.NoAgent.self)?
        .message
    }
    let chinese = "没有人可以回答：没有所有者的代理在显示请求。"
    let english = "Nobody is there to answer: no agent of an owner shows prompts."
    #expect(try asked(nil) == nil)
    #expect(try asked("zh-Hans") == chinese)
    #expect(try asked(nil) == nil, "of that call alone")
    try name("zh-Hans", on: app)
    #expect(try asked("en") == english)
    #expect(try asked(nil) == chinese)
    try name(nil, on: app)
    let long = PickerInterface.Pick.Parameters(
      mediaTypes: Array(repeating: .image, count: 4000), language: "zh-Hans")
    let refused = try failure { try app.call(PickerInterface.Pick.self, long) }
    #expect(refused.typed(AuthorizationInterface.NoAgent.self)?.message == chinese)
    // An agent names several.
    for (languages, text) in [
      (["nonsense nonsense", "zh-Hant"], "只有這個圖庫的擁有者可以進行此操作。"),
      (["en", "zh-Hant"], "Only an owner of this photo library may do this."),
    ] {
      try app.begin(AgentInterface.Register.self, .init(name: "x", languages: languages), more: true)
      let error = try failure { _ = try app.receive(AgentInterface.Register.self) }
      #expect(error.typed(AgentInterface.NotAnOwner.self)?.message == text)
    }
  }

  @Test("S15, S89: a guide is in the language of its connection, unless its call names another")
  func guides() throws {
    let host = try Host { $0.environment = ["LANG=en_US.UTF-8"] }
    try host.set(.wallpapers, .denied)
    let process = try host.app()
    let app = try process.connect()
    try name("zh-Hans", on: app)
    let refused = try failure { _ = try app.assets() }.typed(LibraryInterface.NotAuthorized.self)
    #expect(refused?.guide.title == "“壁纸”无法访问你的照片")
    #expect(refused?.message == "这个应用没有权限：访问和添加为“已拒绝”。")
    #expect(try app.request().guide?.title == "“壁纸”无法访问你的照片")
    #expect(try app.request(language: "en").guide?.title == "Wallpapers has no access to your photos")
    // Nothing of it is stored: another connection has the language that a call has named.
    let other = try failure { _ = try process.connect().assets() }.typed(LibraryInterface.NotAuthorized.self)
    #expect(other?.guide.title == "Wallpapers has no access to your photos" && other?.message == nil)
  }

  @Test("S89: a language has 1 to 64 bytes, and what a message quotes is bounded and controls no terminal")
  func bounds() throws {
    let host = try Host()
    let owner = try host.owner()
    try name("zh-Hans", on: owner)
    for language in ["", "zh-Hans-" + String(repeating: "x", count: 57), String(repeating: "照", count: 22)] {
      #expect(
        try failure { try name(language, on: owner) }.typed(InvalidParameter.self)?.parameter == "language")
      #expect(try message(owner) == chinese, "what was named before still counts")
    }
    try name("zh-Hant-" + String(repeating: "x", count: 56), on: owner)
    #expect(try message(owner) == "沒有你可以看到的照片 x。")
    // In a call it is as if none were named.
    let app = try host.app().connect()
    let refused = try failure {
      _ = try app.request(language: "zh-Hans-" + String(repeating: "x", count: 57))
    }
    #expect(refused.parameters == [:])
    let long = String(repeating: "a", count: 4000)
    #expect(try message(owner, long)?.contains(String(repeating: "a", count: 256) + "…") == true)
    let evil = try #require(try message(owner, "\u{1B}[2J\n\u{202E}"))
    #expect(evil == "沒有你可以看到的照片 \\u{1b}[2J\\u{a}\\u{202e}。")
    // What was sent stays what it was.
    #expect(try refusal(owner, "\u{1B}").typed(LibraryInterface.NoSuchAsset.self)?.id == "\u{1B}")
  }

  @Test("S89: a translation that an administrator installs counts from a reload on")
  func installed() throws {
    let host = try Host()
    let owner = try host.owner()
    try name("de", on: owner)
    #expect(try message(owner) == english)
    try host.library.makeAlbum("../words")
    try host.library.write(
      host.library.path("../words/de.yaml"), "errNoSuchAsset: \"Kein Foto {id}.\"\n")
    try owner.call(ManagerInterface.Reload.self, .init())
    #expect(try message(owner) == "Kein Foto x.")
    let other = try failure {
      try owner.call(LibraryInterface.CreateAlbum.self, .init(title: "y", parent: "x"))
    }
    #expect(
      other.typed(LibraryInterface.NoSuchAlbum.self)?.message == "There is no album x that you may see.",
      "what it lacks is said in English")
  }

  @Test("S31, S89: each of several files that is refused is told of in the language, too")
  func ofOne() throws {
    let host = try Host()
    try host.set(.wallpapers, .authorized)
    func told(_ connection: Connection, language: String?) throws -> [String] {
      let batch = DescriptorBatch()
      let items = try ["a.jpg", "b.jpg"].map { name in
        let path = try host.library.add("../\(name)")
        if name == "b.jpg" { try host.library.write(path, "no photo") }
        let file = try OwnedDescriptor(open(path, O_RDONLY | O_CLOEXEC), call: "open", subject: path)
        return LibraryInterface.AddItem(fileDescriptor: batch.append(file), filename: name)
      }
      return try connection.call(
        LibraryInterface.AddAssets.self, .init(items: items, language: language), descriptors: batch
      ).failures.map(\.message)
    }
    let app = try host.app().connect()
    #expect(try told(app, language: nil) == ["it is neither a photo nor a video"])
    #expect(try told(app, language: "zh-Hans") == ["从内容来看，它既不是照片也不是视频。"])
    try name("zh-Hant", on: app)
    #expect(try told(app, language: nil) == ["從內容來看，它既不是照片也不是影片。"])
  }
}
