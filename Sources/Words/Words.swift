/// What is said to people, in one language.
///
/// English and Simplified Chinese come with the program; translators add files (``WordsFile``).
package struct Words: Sendable {
  /// Which language, by its tag.
  package private(set) var language = "en"
  private var texts: [Phrase: String]

  /// In English.
  package static let english = Words(texts: WordsFile.english.texts)

  /// What comes with the program, by language.
  static let builtIn = ["en": PackageResources.en_yaml, "zh-Hans": PackageResources.zh_Hans_yaml]

  /// The same, read: once, and only when somebody does not prefer English.
  private static let translated = Dictionary(
    uniqueKeysWithValues: builtIn.lazy.filter { $0.key != "en" }.map { language, bytes in
      var words = english
      words.language = language
      words.take(WordsFile(parsing: bytes))
      return (language, words)
    })

  /// The words for somebody who prefers these languages, best first (``PreferredLanguages``).
  ///
  /// - Parameters:
  ///   - installed: the languages of the files that there are.
  ///   - read: the file of a language. What it does not say is said as without it, or in English.
  package static func matching(
    _ languages: [String], installed: [String] = [], read: (String) -> WordsFile? = { _ in nil }
  ) -> Words {
    let tags = Set(installed).union(builtIn.keys).map { ($0, $0) }
    let language = bestMatch(for: languages, among: Dictionary(uniqueKeysWithValues: tags))
    guard let language else { return english }
    var words = language == "en" ? english : translated[language] ?? english
    words.language = language
    if installed.contains(language), let file = read(language) { words.take(file) }
    return words
  }

  private mutating func take(_ file: WordsFile) { texts.merge(file.texts) { $1 } }

  /// A text with its places filled in.
  package subscript(phrase: Phrase, values: [String: String] = [:]) -> String {
    // English says everything, which its test holds.
    Places.fill(texts[phrase] ?? phrase.rawValue) { values[$0] }
  }

  /// A text about a number of things, which is `{count}` in it.
  package func counting(
    _ count: Int, _ one: Phrase, _ other: Phrase, _ values: [String: String] = [:]
  ) -> String {
    self[count == 1 ? one : other, values.merging(["count": "\(count)"]) { $1 }]
  }

  /// The parts of a list, those that are there.
  package func list(_ parts: String?...) -> String { list(parts) }

  /// The parts of a list, those that are there.
  package func list(_ parts: [String?]) -> String {
    parts.compactMap(\.self).joined(separator: self[.comma])
  }
}
