import Authorization
import Testing

@Suite("Texts and patterns")
struct TextTests {
  @Test(
    "S14: the text in the owner's language",
    arguments: [
      (["zh_CN.UTF-8"], "简"), (["zh-Hans"], "简"), (["zh"], "简"), (["zh-SG"], "简"), (["zh_TW.UTF-8"], "繁"),
      (["zh-Hant-HK"], "繁"), (["en-GB"], "colour"), (["en_US.UTF-8"], "color"), (["en"], "color"),
      (["fr_FR@euro", "zh_CN"], "简"), (["C.UTF-8"], "color"), (["POSIX"], "color"), ([], "color"),
      (["de_AT"], "Farbe"), (["xx", ""], "color"),
    ])
  func bestMatch(languages: [String], expected: String) throws {
    let text = try #require(
      LocalizedText(["zh-Hans": "简", "zh-Hant": "繁", "en": "color", "en-GB": "colour", "de": "Farbe"]))
    #expect(text.text(for: languages) == expected)
  }

  @Test("S14: without English, the first by tag; traditional is not simplified")
  func fallback() throws {
    let text = try #require(LocalizedText(["fr": "f", "de": "d", "zh-TW": "t"]))
    #expect(text.text(for: ["it"]) == "d")
    #expect(text.text(for: ["zh-CN"]) == "d")
    #expect(LocalizedText([:]) == nil)
  }

  @Test(
    "S37: patterns",
    arguments: [
      ("*", "", true), ("*", "/usr/bin/x", true), ("org.example.*", "org.example.App", true),
      ("org.example.*", "org.example", false), ("a*b*c", "axxbyyc", true), ("a*b*c", "axxbyy", false),
      ("*.service", "x.service", true), ("abc", "abcd", false), ("", "", true), ("?", "x", false),
      ("a*a*a*a*a*a*b", String(repeating: "a", count: 5000), false),
    ])
  func globs(pattern: String, text: String, matches: Bool) {
    #expect(Glob(pattern).matches(text) == matches)
  }

  @Test(
    "Patterns overlap when some text matches both",
    arguments: [
      ("a*", "*b", true), ("a*", "b*", false), ("abc", "a*c", true), ("*", "", true), ("a*c", "ab", false),
      ("", "a", false), ("x*y*z", "*q*", true),
    ])
  func overlap(left: String, right: String, overlaps: Bool) {
    #expect(Glob(left).overlaps(Glob(right)) == overlaps)
    #expect(Glob(right).overlaps(Glob(left)) == overlaps)
  }

  @Test("Time does not overflow")
  func time() {
    #expect(Timestamp(seconds: .max) == Timestamp(microseconds: .max))
    #expect(Timestamp(microseconds: .min).adding(seconds: -1) == Timestamp(microseconds: .min))
    #expect(Timestamp(microseconds: 0).seconds(until: Timestamp(microseconds: 1)) == 1)
    #expect(Timestamp(microseconds: .min).seconds(until: Timestamp(microseconds: .max)) > 0)
    #expect(Timestamp(seconds: 2).seconds(until: Timestamp(seconds: 1)) == 0)
  }
}

/// Every sentence names where it stands, and has every place.
private func guideText(_ language: String) -> GuideText {
  func levels(_ what: String) -> [AccessLevel: String] {
    Dictionary(
      uniqueKeysWithValues: AccessLevel.allCases.map {
        ($0, "\(language) \(what) \($0.rawValue) {app} {policy}")
      })
  }
  func refusal(_ what: String) -> GuideText.Refusal {
    .init(title: levels("\(what) title"), message: levels("\(what) message"), steps: ["{command}", "b", "c"])
  }
  func notice(_ what: String) -> GuideText.Notice {
    .init(
      title: "\(language) \(what)", one: "one {album}", other: "{count} {album}", steps: ["{app}"],
      desktops: [.kde: ["kde {album}"]])
  }
  let labels = GuideText.Labels(
    howToAllow: "\(language) allow", howToSetWallpaper: "\(language) set",
    openSettings: "\(language) settings",
    later: "\(language) later", done: "\(language) done", understood: "\(language) understood")
  return GuideText(
    denied: refusal("denied"), restricted: refusal("restricted"), notAsked: refusal("notAsked"),
    saved: notice("saved"), wallpaper: notice("wallpaper"), inaccessible: notice("inaccessible"),
    labels: labels, between: " | ")
}

@Suite("Guides")
struct GuideTests {
  private let catalogue: GuideCatalogue
  private let denied = EffectiveStatus(.decision(Decision(.denied, decidedAt: noon)))

  init() throws {
    catalogue = try #require(GuideCatalogue(["en": guideText("en"), "zh-Hans": guideText("zh")]))
  }

  private func reader(_ languages: String..., app: String = "org.example.W", name: String = "W")
    -> Guide.Reader
  {
    Guide.Reader(appID: app, appName: name, languages: languages)
  }

  @Test("S15: a denial says what, three steps, the settings command, and how to leave it")
  func denial() throws {
    let guide = try #require(Guide(denied, level: .readWrite, for: reader("en_GB.UTF-8"), in: catalogue))
    #expect(guide.title == "en denied title readWrite W ")
    #expect(guide.message == "en denied message readWrite W ")
    #expect(guide.steps == ["albumctl settings org.example.W", "b", "c"])
    #expect(guide.settingsCommand == "albumctl settings org.example.W")
    #expect(guide.later == "en later")
    #expect(guide.heading == "en allow" && guide.openSettings == "en settings")
    let adding = try #require(Guide(denied, level: .addOnly, for: reader(), in: catalogue))
    #expect(adding.title == "en denied title addOnly W ")
  }

  @Test("S15: the page's address is in the guides that lead to the app's settings, and in no other")
  func settingsAddress() throws {
    let reader = Guide.Reader(appID: "a", appName: "A", languages: [], settingsAddress: "albumd:settings/a")
    #expect(
      Guide(denied, level: .readWrite, for: reader, in: catalogue)?.settingsAddress == "albumd:settings/a")
    #expect(Guide(inaccessible: 1, for: reader, in: catalogue)?.settingsAddress == "albumd:settings/a")
    let restricted = EffectiveStatus(.policy(policy("p", .restrict)))
    #expect(Guide(restricted, level: .readWrite, for: reader, in: catalogue)?.settingsAddress == nil)
    #expect(Guide(notAsked: .readWrite, for: reader, in: catalogue)?.settingsAddress == nil)
    let wallpaper = Guide(saved: 1, to: "S", for: .wallpaper, reader, desktop: .kde, in: catalogue)
    #expect(wallpaper?.settingsCommand != nil && wallpaper?.settingsAddress == nil)
  }

  @Test("S6, S15, S37: a policy's guide says who manages it and why, and offers no settings")
  func restriction() throws {
    let reason = LocalizedText(["en": "Parents.", "zh-Hans": "家长。"])
    let status = EffectiveStatus(.policy(policy("children", .restrict, reason: reason)))
    let guide = try #require(Guide(status, level: .readWrite, for: reader("zh_CN.UTF-8"), in: catalogue))
    #expect(guide.message == "zh restricted message readWrite W children | 家长。")
    #expect(guide.settingsCommand == nil && guide.openSettings == nil && guide.heading == nil)
    let bare = EffectiveStatus(.policy(policy("p", .restrict)))
    #expect(
      Guide(bare, level: .readWrite, for: reader(), in: catalogue)?.message
        == "en restricted message readWrite W p")
  }

  @Test("S15: what was not refused has no guide")
  func none() {
    for origin: EffectiveStatus.Origin in [
      .undecided, .decision(Decision(.limited, decidedAt: noon)), .policy(policy("p", .authorize)),
    ] {
      #expect(Guide(EffectiveStatus(origin), level: .readWrite, for: reader(), in: catalogue) == nil)
    }
  }

  @Test("S15: names are text, not places to fill in or shell")
  func quoting() throws {
    let odd = reader(app: "/opt/it's here", name: "{command}")
    let guide = try #require(Guide(denied, level: .addOnly, for: odd, in: catalogue))
    #expect(guide.title == "en denied title addOnly {command} ")
    #expect(guide.settingsCommand == #"albumctl settings '/opt/it'\''s here'"#)
  }

  @Test(
    "the language that serves best; English when none does",
    arguments: [
      ("zh-Hans-CN", "zh later"), ("zh", "zh later"), ("zh-TW", "en later"), ("de", "en later"),
      ("", "en later"), ("C", "en later"),
    ])
  func languages(wanted: String, said: String) throws {
    #expect(Guide(denied, level: .addOnly, for: reader(wanted), in: catalogue)?.later == said)
  }

  @Test("S73: saved pictures are counted, and become a wallpaper where that is what they are for")
  func saved() throws {
    let one = try #require(Guide(saved: 1, to: "Saved", for: .keep, reader(), in: catalogue))
    #expect(one.title == "en saved")
    #expect(one.message == "one Saved")
    #expect(one.settingsCommand == nil)
    let many = try #require(Guide(saved: 3, to: "Saved", for: .wallpaper, reader(), in: catalogue))
    #expect(many.title == "en wallpaper")
    #expect(many.message == "3 Saved")
    #expect(many.steps == ["W"] && many.heading == "en set")
    #expect(one.later == "en done" && many.later == "en understood")
    #expect(many.settingsCommand == nil && many.openSettings == nil)
    let kde = try #require(
      Guide(saved: 1, to: "Saved", for: .wallpaper, reader(), desktop: .kde, in: catalogue))
    #expect(kde.steps == ["kde Saved"] && kde.openSettings == "en settings")
    #expect(kde.settingsCommand == "systemsettings kcm_wallpaper")
    // Of a desktop without a text of its own: what is true everywhere.
    let xfce = Guide(saved: 1, to: "Saved", for: .wallpaper, reader(), desktop: .xfce, in: catalogue)
    #expect(xfce?.steps == ["W"] && xfce?.settingsCommand == "xfdesktop-settings")
  }

  @Test(
    "S73: a desktop is known by the names that it gives itself",
    arguments: [
      ("GNOME", Desktop.gnome), ("ubuntu:GNOME", .gnome), ("KDE", .kde), ("XFCE", .xfce), ("X-Cinnamon", nil),
      ("", nil), (":::", nil), (String(repeating: "g", count: 100_000), nil),
    ])
  func desktops(names: String, desktop: Desktop?) { #expect(Desktop(named: names) == desktop) }

  @Test("S23: what could not be handed over is counted")
  func inaccessible() throws {
    let guide = try #require(Guide(inaccessible: 3, for: reader(), in: catalogue))
    #expect(guide.message == "3 ")
    #expect(guide.settingsCommand != nil)
    #expect(Guide(inaccessible: 0, for: reader(), in: catalogue) == nil)
  }

  @Test("nobody was asked yet")
  func notAsked() throws {
    let guide = try #require(Guide(notAsked: .addOnly, for: reader(), in: catalogue))
    #expect(guide.message == "en notAsked message addOnly W ")
  }
}
