internal import Words

/// A sentence in several languages.
package struct LocalizedText: Hashable, Sendable {
  /// The text by language tag, as written in the file.
  package let texts: [String: String]

  /// Nil when there is no text at all.
  package init?(_ texts: [String: String]) {
    if texts.isEmpty { return nil }
    self.texts = texts
  }

  /// One text, in English.
  package init(english text: String) {
    texts = ["en": text]
  }

  /// The text for somebody who prefers these languages, best first. They may be written as tags
  /// (`zh-Hans`) or as locales (`zh_CN.UTF-8`). Falls back on English, then on the first by tag.
  package func text(for languages: [String]) -> String {
    bestMatch(for: languages, among: texts) ?? ""
  }
}
