/// A sentence in several languages.
public struct LocalizedText: Hashable, Sendable {
  /// The text by language tag, as written in the file.
  public let texts: [String: String]

  /// Nil when there is no text at all.
  public init?(_ texts: [String: String]) {
    if texts.isEmpty { return nil }
    self.texts = texts
  }

  /// One text, in English.
  public init(english text: String) {
    texts = ["en": text]
  }

  /// The text for somebody who prefers these languages, best first. They may be written as tags
  /// (`zh-Hans`) or as locales (`zh_CN.UTF-8`). Falls back on English, then on the first by tag.
  public func text(for languages: [String]) -> String {
    bestMatch(for: languages, among: texts) ?? ""
  }
}

/// The value whose language serves best; nil only when there are no values.
func bestMatch<Value>(for languages: [String], among values: [String: Value]) -> Value? {
  let offered = values.keys.sorted().compactMap { key in LanguageTag(key).map { (key: key, tag: $0) } }
  for wanted in languages.lazy.compactMap(LanguageTag.init) + [LanguageTag("en")].compactMap({ $0 }) {
    var best: (key: String, points: Int)?
    for (key, tag) in offered {
      guard let points = tag.closeness(to: wanted) else { continue }
      if best.map({ points > $0.points }) ?? true { best = (key, points) }
    }
    if let best { return values[best.key] }
  }
  return values.keys.min().flatMap { values[$0] }
}
