package import Words

/// A file of `words` that translators or the administrator have installed.
package struct Translation: Hashable, Sendable {
  /// Its path.
  package let path: String
  /// The language, by which it is named; nil when it is named after none.
  package let language: String?
  /// What it says; nil when it cannot be read.
  package let file: WordsFile?

  /// One that was read.
  package init(path: String, language: String?, file: WordsFile?) {
    self.path = path
    self.language = language
    self.file = file
  }

  /// Those beside the configuration file and in the vendor directory; of two with the same name that beside counts.
  ///
  /// Nothing that is wrong with them keeps the daemon from its work: what they do not say is said in English.
  package static func installed(beside file: String, vendorDirectory: String) -> [Translation] {
    let directories = [vendorDirectory, Configuration.directory(of: file)].map { "\($0)/words" }
    var errors = FoundErrors()
    return filesByName(in: directories, &errors).map { path in
      let stem = Document.stem(of: path)
      let bytes = try? Document.contents(of: path)
      return Translation(
        path: path, language: isLanguage(stem) ? stem : nil, file: bytes.map { WordsFile(parsing: $0) })
    }
  }
}

extension [Translation] {
  /// The words for somebody who prefers these languages, best first.
  package func words(for languages: [String]) -> Words {
    let files = Dictionary(
      compactMap { translation in translation.language.map { ($0, translation.file) } },
      uniquingKeysWith: { $1 })
    return Words.matching(languages, installed: [String](files.keys)) { files[$0] ?? nil }
  }
}
