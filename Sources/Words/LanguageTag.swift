/// A language as people and systems write it: `zh-Hans`, `en-GB`, `zh_CN.UTF-8`.
struct LanguageTag: Hashable {
  let language: String
  /// Written, or known from the region where a language has two scripts.
  let script: String?
  let region: String?

  /// The most bytes of a tag; RFC 5646 asks for 35, and a locale has a codeset besides.
  static let byteLimit = 64

  /// Nil for what names no language: the empty text, `C`, `POSIX`, and what is longer than any does.
  init?(_ text: String) {
    guard text.utf8.count <= Self.byteLimit else { return nil }
    // A locale's codeset and modifier say nothing about the language, locale(7).
    let name = text.prefix { $0 != "." && $0 != "@" }
    let parts = name.split { $0 == "-" || $0 == "_" }.map(String.init)
    guard let first = parts.first, (2...3).contains(first.utf8.count) else { return nil }
    language = first.lowercased()
    let region = parts.dropFirst().first { $0.utf8.count == 2 || $0.allSatisfy(\.isNumber) }?.uppercased()
    self.region = region
    let script = parts.dropFirst().first { $0.utf8.count == 4 && $0.allSatisfy(\.isLetter) }?.lowercased()
    self.script = script ?? (language == "zh" ? chineseScript(of: region) : nil)
  }

  /// How well a text in this language serves who prefers `wanted`: nil for not at all.
  func closeness(to wanted: LanguageTag) -> Int? {
    guard language == wanted.language else { return nil }
    if let script, let other = wanted.script, script != other { return nil }
    var points = 0
    if region == wanted.region { points += 4 } else if region == nil { points += 2 }
    if script == wanted.script { points += 1 }
    return points
  }
}

/// Simplified or traditional: the region tells, and plain `zh` is simplified, as in CLDR's likely subtags.
private func chineseScript(of region: String?) -> String {
  switch region {
  case "TW", "HK", "MO": "hant"
  case .some, .none: "hans"
  }
}
