public import AlbumAPI

/// The answer that a script gives to every prompt (`albumctl agent --answer`).
public struct ScriptedAnswer: Hashable, Sendable {
  /// Why a command line makes no answer.
  public struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was expected.
    public let description: String
  }

  /// The answer to every prompt that offers it.
  public let answer: AgentInterface.Answer

  /// - Parameters:
  ///   - duration: `always`, `untilExit` or a time (``AlbumAPI/Instant/init(argument:now:)``).
  ///   - now: from which spans of time are counted.
  public init(
    _ decision: AgentInterface.Decision, assets: [String] = [], albums: [String] = [],
    duration: String? = nil, now: Instant
  ) throws(Problem) {
    var answer = AgentInterface.Answer(decision: decision)
    switch decision {
    case .limited:
      answer.assets = assets
      answer.albums = albums
    case .allow, .deny, .notNow:
      guard assets.isEmpty, albums.isEmpty else {
        throw Problem(description: "--assets and --albums go with --answer limited")
      }
    }
    switch (decision, duration) {
    case (_, nil): break
    case (.deny, _), (.notNow, _): throw Problem(description: "--duration goes with allow and limited")
    case (_, "always"): answer.duration = .always
    case (_, "untilExit"): answer.duration = .untilExit
    case (_, let text?):
      guard let expires = Instant(argument: text, now: now) else {
        throw Problem(description: "--duration is always, untilExit, or a time such as 2h or 2026-12-31")
      }
      answer.duration = .until
      answer.expires = expires
    }
    self.answer = answer
  }

  /// What to answer. A prompt that does not offer the answer is put off, which denies nothing (S11).
  public func answer(to prompt: AgentInterface.Prompt) -> AgentInterface.Answer {
    prompt.choices.contains(answer.decision) ? answer : AgentInterface.Answer(decision: .notNow)
  }
}
