/// What is said to people, in one language.
///
/// English and Simplified Chinese come with the program; translators add files (``WordsFile``).
package struct Words: Sendable {
  /// Which language, by its tag.
  package private(set) var language = "en"
  private var builtIn = BuiltInCatalogue.english
  /// What an installed file says instead.
  private var installed: [Phrase: String] = [:]

  /// In English.
  package static let english = Words()

  /// Whether this is a file of those that come with the program: then nothing in it is news.
  package static func haveComeWithProgram(_ file: [UInt8]) -> Bool {
    BuiltInCatalogue.all.values.contains { $0.bytes == file }
  }

  /// The words for somebody who prefers these languages, best first (``PreferredLanguages``).
  ///
  /// - Parameters:
  ///   - installed: the languages of the files that there are.
  ///   - read: the file of a language. What it does not say is said as without it, or in English.
  package static func matching(
    _ languages: [String], installed: [String] = [], read: (String) -> WordsFile? = { _ in nil }
  ) -> Words {
    let tags = Set(installed).union(BuiltInCatalogue.all.keys).map { ($0, $0) }
    let language = bestMatch(for: languages, among: Dictionary(uniqueKeysWithValues: tags))
    guard let language else { return english }
    var words = english
    words.language = language
    if let builtIn = BuiltInCatalogue.all[language] { words.builtIn = builtIn }
    if installed.contains(language), let file = read(language) { words.installed = file.texts }
    return words
  }

  /// A text with its places filled in.
  package subscript(phrase: Phrase, values: [String: String] = [:]) -> String {
    let text = installed[phrase] ?? builtIn[phrase] ?? BuiltInCatalogue.english[phrase]
    // English says everything, which its test holds.
    return Places.fill(text ?? phrase.rawValue) { values[$0] }
  }

  /// The same, but that some things are said as others are.
  package func saying(_ others: [Phrase: Phrase]) -> Words {
    var words = self
    for (phrase, other) in others { words.installed[phrase] = self[other] }
    return words
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
