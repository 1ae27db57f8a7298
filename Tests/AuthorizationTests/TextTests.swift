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

@Suite("Guides")
struct GuideTests {
  let key = app().record(.readWrite)

  @Test("S15: a denial: what happened, the steps, the command")
  func denied() throws {
    let denied = EffectiveStatus(.decision(Decision(.denied, decidedAt: noon)))
    let guide = try #require(Guide(denied, for: key, appName: "Wallpapers", languages: ["en_GB.UTF-8"]))
    #expect(guide.title == "Wallpapers has no access to your photos")
    #expect(guide.settingsCommand == "albumctl settings org.example.App")
    #expect(guide.steps.contains("Run: albumctl settings org.example.App"))
    #expect(guide.settingsURI == nil)
  }

  @Test("S15: a restriction: who manages it, and why; nothing for the owner to do")
  func restricted() throws {
    let reason = try #require(LocalizedText(["en": "Managed by your parents.", "zh-Hans": "由家长管理。"]))
    let status = EffectiveStatus(.policy(policy("children", .restrict, reason: reason)))
    let guide = try #require(Guide(status, for: key, appName: "W", languages: []))
    #expect(guide.message.contains("“children”"))
    #expect(guide.message.hasSuffix(" Managed by your parents."))
    #expect(guide.settingsCommand == nil)
    let chinese = try #require(Guide(status, for: key, appName: "壁纸", languages: ["zh_CN.UTF-8"]))
    #expect(chinese.message.contains("“children”") && chinese.message.hasSuffix("。由家长管理。"))
    #expect(chinese.title == "“壁纸”无法访问你的照片")
  }

  @Test("S15: what was not refused has no guide")
  func none() {
    for origin: EffectiveStatus.Origin in [
      .undecided, .decision(Decision(.limited, decidedAt: noon)), .policy(policy("p", .authorize)),
    ] {
      #expect(Guide(EffectiveStatus(origin), for: key, appName: "W", languages: []) == nil)
    }
  }

  @Test("S15: names are text, not places to fill in or shell")
  func quoting() throws {
    let odd = RecordKey(uid: 1, appID: "/opt/it's here", accessLevel: .addOnly)
    let denied = EffectiveStatus(.decision(Decision(.denied, decidedAt: noon)))
    let guide = try #require(Guide(denied, for: odd, appName: "{command}", languages: []))
    #expect(guide.title == "{command} cannot add to your photos")
    #expect(guide.settingsCommand == #"albumctl settings '/opt/it'\''s here'"#)
  }

  @Test("S15: every language says something for every place", arguments: ["en", "zh-Hans"])
  func complete(language: String) throws {
    for level in AccessLevel.allCases {
      let key = app().record(level)
      for origin: EffectiveStatus.Origin in [
        .decision(Decision(.denied, decidedAt: noon)), .policy(policy("p", .restrict)),
      ] {
        let guide = try #require(
          Guide(EffectiveStatus(origin), for: key, appName: "W", languages: [language]))
        let texts = [guide.title, guide.message] + guide.steps
        #expect(guide.steps.count >= 2)
        #expect(texts.allSatisfy { !$0.isEmpty && !$0.contains("{") })
      }
    }
  }
}
