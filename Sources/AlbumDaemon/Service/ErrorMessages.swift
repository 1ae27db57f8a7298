internal import DaemonConfiguration
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
    ErrorRewording(parameters: ["language", "languages"]) { [self] error, call in
      languages(of: call).flatMap { telling(error, calling: call.call.method, in: $0) }
    }
  }

  /// What a caller is told of an error that no interface names, and that it is to know no more of.
  func notServed(_ call: ServerCall) -> String {
    (languages(of: call).map(words) ?? .english)[.errNotServed]
  }

  /// The error with its sentence; nil where there is no field for one.
  private func telling(_ error: any VarlinkError, calling method: String, in languages: [String])
    -> RemoteError?
  {
    guard let remote = try? RemoteError(error) else { return nil }
    let isNotStored = error as? SystemFailure == .notStored
    guard let sentence = isNotStored ? Sentence(.errNotStored) : Sentence(remote, calling: method) else {
      return nil
    }
    var fields = remote.parameters
    fields["message"] = .string(sentence.text(in: words(for: languages), quoting: Self.longestValue))
    return RemoteError(name: remote.name, parameters: fields)
  }

  private func words(for languages: [String]) -> Words {
    configuration.current.translations.words(for: languages)
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

extension SystemFailure {
  /// What an app is told of a decision that the disk does not take. Why is in the log: it names the daemon's files.
  static let notStored = SystemFailure(message: Words.english[.errNotStored])
}
