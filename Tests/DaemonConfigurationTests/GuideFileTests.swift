import Authorization
import DaemonConfiguration
import Testing

@Suite("Texts of guides")
struct GuideFileTests {
  /// The texts that come with the program, as a translator finds them.
  private func builtIn(_ name: String) throws -> String {
    let repository = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    return String(
      decoding: try text(of: "/\(repository)/Sources/DaemonConfiguration/Guides/\(name)"), as: UTF8.self)
  }

  @Test("S15: English and Simplified Chinese are there without any file, and say everything")
  func complete() throws {
    let catalogue = try ConfigurationDirectory().load().guides
    #expect(Set(catalogue.texts.keys) == ["en", "zh-Hans", "zh-Hant"])
    let denied = EffectiveStatus(.decision(Decision(.denied, decidedAt: Timestamp(seconds: 1))))
    let policy = Policy(
      name: "p", effect: .restrict, apps: [Glob("*")], users: nil, accessLevels: [.readWrite], reason: nil,
      file: "p.yaml")
    for language in ["en", "zh-Hans", "zh-Hant"] {
      let reader = Guide.Reader(appID: "app.id", appName: "APP", languages: [language])
      var guides = [
        Guide(saved: 1, to: "ALBUM", for: .keep, reader, in: catalogue),
        Guide(saved: 2, to: "ALBUM", for: .wallpaper, reader, in: catalogue),
        Guide(inaccessible: 1, for: reader, in: catalogue),
        Guide(inaccessible: 3, for: reader, in: catalogue),
      ]
      for level in AccessLevel.allCases {
        guides += [
          Guide(denied, level: level, for: reader, in: catalogue),
          Guide(EffectiveStatus(.policy(policy)), level: level, for: reader, in: catalogue),
          Guide(notAsked: level, for: reader, in: catalogue),
        ]
      }
      for guide in guides {
        let guide = try #require(guide)
        let texts = [guide.title, guide.message, guide.later ?? ""] + guide.steps
        #expect((guide.openSettings != nil) == (guide.settingsCommand != nil))
        if guide.steps.isEmpty { #expect(guide.heading == nil) }
        #expect(texts.allSatisfy { !$0.isEmpty && !$0.contains("{") }, "\(texts)")
      }
      #expect(guides[1]?.steps.count == 4, "the steps that set a wallpaper")
      for desktop in Desktop.allCases {
        let own = Guide(saved: 1, to: "ALBUM", for: .wallpaper, reader, desktop: desktop, in: catalogue)
        #expect(own?.steps.count == 4 && own?.steps != guides[1]?.steps, "\(desktop)")
        #expect(own?.openSettings != nil && own?.heading != nil)
      }
      #expect(guides[4]?.steps.count == 3, "the steps after a refusal")
      #expect(guides[4]?.steps.contains { $0.contains("albumctl settings app.id") } == true)
    }
    let chinese = Guide.Reader(appID: "a", appName: "壁纸", languages: ["zh_CN.UTF-8"])
    #expect(Guide(denied, level: .readWrite, for: chinese, in: catalogue)?.title == "“壁纸”无法访问你的照片")
    #expect(Guide(inaccessible: 3, for: chinese, in: catalogue)?.message == "有 3 张照片无法访问。")
    let english = Guide.Reader(appID: "a", appName: "A", languages: [])
    #expect(Guide(inaccessible: 3, for: english, in: catalogue)?.message == "3 photos could not be accessed.")
  }

  @Test("a translation is a file; the administrator's wins over the vendor's, and that over the built-in")
  func translations() throws {
    let directory = try ConfigurationDirectory()
    let english = try builtIn("en.yaml")
    func later(_ word: String) -> String { english.replacing("later: \"Later\"", with: "later: \"\(word)\"") }
    try directory.write("usr/guides/de.yaml", later("Später"))
    try directory.write("usr/guides/en.yaml", later("Vendor"))
    #expect(try directory.load().guides.texts["en"]?.labels.later == "Vendor")
    #expect(try directory.load().guides.texts["de"]?.labels.later == "Später")
    try directory.write("etc/guides/en.yaml", later("Not now"))
    let texts = try directory.load().guides.texts
    #expect(texts["en"]?.labels.later == "Not now")
    #expect(texts["zh-Hans"]?.labels.later == "稍后再说")
  }

  @Test("S38: every missing key is named, with the place; so are unknown keys and places")
  func errors() throws {
    let directory = try ConfigurationDirectory()
    try directory.write(
      "etc/guides/fr.yaml",
      """
      denied:
        title: {addOnly: a}
        message: {addOnly: a, readWrite: "{ap}"}
        steps: [a, b, c]
      restricted: {}
      laters: x
      """)
    let messages = directory.found().map { "\($0.line): \($0.message)" }
    for expected in [
      "2: the key “readWrite” is missing", "3: “{ap}” is filled in by nobody",
      "5: the key “title” is missing",
      "5: the key “message” is missing", "5: the key “steps” is missing", "1: the key “notAsked” is missing",
      "1: the key “saved” is missing", "1: the key “wallpaper” is missing",
      "1: the key “inaccessible” is missing", "1: the key “later” is missing",
      "1: the key “done” is missing", "1: the key “understood” is missing",
      "1: the key “howToAllow” is missing", "1: the key “howToSetWallpaper” is missing",
      "1: the key “openSettings” is missing",
      "1: the key “between” is missing", "6: unknown key “laters”; did you mean “later”?",
    ] {
      #expect(messages.contains { $0.hasPrefix(expected) }, "\(expected) in \(messages)")
    }
    #expect(messages.count == 17, "\(messages)")
  }

  @Test("S38: a file that is named after no language, or has other than three steps after a denial")
  func shape() throws {
    let directory = try ConfigurationDirectory()
    try directory.write("etc/guides/german language.yaml", try builtIn("en.yaml"))
    #expect(directory.found().first?.message.contains("expected a language") == true)
    let other = try ConfigurationDirectory()
    let step = "    - \"Find {app}: the settings open at what it may do.\"\n"
    let text = try builtIn("en.yaml").replacing(step, with: "")
    try other.write("etc/guides/en.yaml", text)
    #expect(other.found().first?.message == "expected three steps in “denied”")
  }
}
