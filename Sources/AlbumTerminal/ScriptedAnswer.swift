public import AlbumAPI

/// The answer that a script gives to every prompt (`albumctl agent --answer`).
public struct ScriptedAnswer: Hashable, Sendable {
  /// Why a command line makes no answer.
  public struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was expected.
    public let description: String
  }

  /// The answer to every authorization prompt that offers it.
  public let answer: AgentInterface.Answer
  /// What is picked in pickers, with allow and limited.
  private let picked: [String]

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
    case .allow:
      guard albums.isEmpty else { throw Problem(description: "--albums goes with --answer limited") }
    case .deny, .notNow:
      guard assets.isEmpty, albums.isEmpty else {
        throw Problem(description: "--assets goes with --answer allow and limited, --albums with limited")
      }
    }
    picked = assets
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

  /// What to answer. A prompt that does not offer the answer, or to which it does not fit, is put off, which
  /// denies nothing (S11).
  public func answer(to prompt: AgentInterface.Prompt) -> AgentInterface.Answer {
    let notNow = AgentInterface.Answer(decision: .notNow)
    switch (prompt.kind, answer.decision) {
    case (.authorization, _): return prompt.choices.contains(answer.decision) ? answer : notNow
    case (.limitedPicker, .limited):
      return .init(decision: .limited, assets: answer.assets, albums: answer.albums)
    case (.picker, .allow), (.picker, .limited):
      return picked.isEmpty ? notNow : .init(decision: .allow, assets: picked)
    case (.photoAccess, .limited):
      let asked = Set(prompt.assets ?? [])
      return .init(decision: .limited, assets: picked.filter(asked.contains))
    case (.limitedPicker, _), (.picker, _), (.photoAccess, _), (.deletion, _), (.replacement, _):
      // Only a grant lasts for a time.
      return prompt.choices.contains(answer.decision) ? .init(decision: answer.decision) : notNow
    }
  }
}
