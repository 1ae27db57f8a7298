internal import AlbumAPI
internal import Words

/// A sentence for a person, in whichever language it is asked for; or a text that has none, such as what a program
/// quotes.
struct Sentence: Hashable, Sendable {
  private enum Content: Hashable, Sendable {
    case phrase(Phrase, [String: String])
    case text(String)
  }

  private let content: Content

  /// - Parameter values: of its places. A level or a status is said in words.
  init(_ phrase: Phrase, _ values: [String: String] = [:]) {
    content = .phrase(phrase, values)
  }

  /// A text as it is.
  init(text: String) {
    content = .text(text)
  }

  func text(in words: Words) -> String {
    switch content {
    case .text(let text): text
    case .phrase(let phrase, let values):
      words[phrase, words.language == "en" ? values : values.mapValues { Self.said($0, words) }]
    }
  }

  /// The names of levels and statuses are English words that programs know.
  private static func said(_ value: String, _ words: Words) -> String {
    let isName =
      AccessLevel(rawValue: value) != nil || AuthorizationStatus(rawValue: value) != nil
    return isName ? Phrase(rawValue: value).map { words[$0] } ?? value : value
  }
}

extension Sentence: ExpressibleByStringInterpolation {
  init(stringLiteral value: String) { self.init(text: value) }
}
