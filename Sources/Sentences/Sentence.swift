internal import AlbumAPI
internal import Varlink
package import Words

/// A sentence for a person, in whichever language it is asked for; or a text that has none, such as what a program
/// quotes.
package struct Sentence: Hashable, Sendable {
  private enum Content: Hashable, Sendable {
    case phrase(Phrase, [String: String])
    case text(String)
  }

  private let content: Content

  /// - Parameter values: of its places. A level or a status is said in words.
  package init(_ phrase: Phrase, _ values: [String: String] = [:]) {
    content = .phrase(phrase, values)
  }

  /// A text as it is.
  package init(text: String) {
    content = .text(text)
  }

  /// - Parameter limit: bytes of each value that are quoted, without what controls a terminal; nil for all as they are,
  ///   where what shows them sees to that.
  package func text(in words: Words, quoting limit: Int? = nil) -> String {
    let quoted = { (value: String) in limit.map { Quoted(value, byteLimit: $0).description } ?? value }
    switch content {
    case .text(let text): return quoted(text)
    case .phrase(let phrase, let values):
      return words[
        phrase, Dictionary(uniqueKeysWithValues: values.map { ($0, quoted(Self.said($1, at: $0, words))) })]
    }
  }

  /// The names of levels and statuses are English words that programs know, and so are the reasons of the system.
  private static func said(_ value: String, at place: String, _ words: Words) -> String {
    guard words.language != "en" else { return value }
    if place == "reason" { return words.sayingReasons(value) }
    let isName =
      switch place {
      case "level": AuthorizationInterface.AccessLevel(rawValue: value) != nil
      case "status": AuthorizationInterface.AuthorizationStatus(rawValue: value) != nil
      default: false
      }
    return isName ? Phrase(rawValue: value).map { words[$0] } ?? value : value
  }
}

extension Sentence: ExpressibleByStringInterpolation {
  package init(stringLiteral value: String) { self.init(text: value) }
}
