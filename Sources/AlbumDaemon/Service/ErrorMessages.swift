internal import Configuration
internal import EventLoop
internal import Sentences
internal import Varlink
internal import VarlinkServer
internal import Words

/// What errors say to a person, to a caller who has named a language (S89). Who has named none is told what it always was,
/// and costs nothing more.
@EventLoopActor
final class ErrorMessages {
  private let configuration: ConfigurationInForce
  /// Bytes of each value that a sentence quotes: most come from the caller.
  static let longestValue = 256
  /// Languages of a list that are looked at.
  static let mostLanguages = 8

  init(_ configuration: ConfigurationInForce) {
    self.configuration = configuration
  }

  /// For the server.
  nonisolated var rewording: ErrorRewording {
    // An agent names several; a list in a long message is not kept, and is no list of a person's.
    ErrorRewording(parameters: ["language"]) { [self] error, call in
      languages(of: call).flatMap { telling(error, calling: call.call.method, in: $0) }
    }
  }

  /// The error with its sentence; nil where the interfaces define no field for one.
  private func telling(_ error: any VarlinkError, calling method: String, in languages: [String])
    -> RemoteError?
  {
    guard let error = try? RemoteError(error), let sentence = Sentence(error, calling: method) else {
      return nil
    }
    var fields = error.parameters
    let words = configuration.current.translations.words(for: languages)
    fields["message"] = .string(sentence.text(in: words, quoting: Self.longestValue))
    return RemoteError(name: error.name, parameters: fields)
  }

  /// Those that the call names, else that of its connection; nil for none.
  private func languages(of call: ServerCall) -> [String]? {
    let parameters = call.call.parameters
    if case .string(let own)? = parameters["language"], PersonLanguage.canBe(own) { return [own] }
    if case .array(let named)? = parameters["languages"] {
      let own = named.prefix(Self.mostLanguages).compactMap { language -> String? in
        if case .string(let text) = language, PersonLanguage.canBe(text) { text } else { nil }
      }
      if !own.isEmpty { return own }
    }
    return call.session.language.map { [$0] }
  }
}
