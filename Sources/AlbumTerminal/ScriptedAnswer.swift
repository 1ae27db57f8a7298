package import AlbumAPI

/// The answer that a script gives to every prompt (`albumctl agent --answer`).
package struct ScriptedAnswer: Hashable, Sendable {
  /// Why a command line makes no answer.
  package struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was expected.
    package let description: String
  }

  /// How long a grant holds.
  private enum Duration: Hashable {
    case always
    case untilExit
    case until(GivenTime)
  }

  private let decision: AgentInterface.Decision
  private let assets: [String]
  private let albums: [String]
  private let duration: Duration?
  private let includesLocation: Bool

  /// - Parameters:
  ///   - duration: `always`, `untilExit` or a time to come (``GivenTime``). A span counts from each answer.
  ///   - includesLocation: whether apps that say what for learn where photos were taken.
  ///   - now: what is to come.
  package init(
    _ decision: AgentInterface.Decision, assets: [String] = [], albums: [String] = [],
    duration: String? = nil, includesLocation: Bool = false, now: Instant
  ) throws(Problem) {
    switch decision {
    case .limited: break
    case .allow:
      guard albums.isEmpty else { throw Problem(description: "--albums goes with --answer limited") }
    case .deny, .notNow:
      guard assets.isEmpty, albums.isEmpty else {
        throw Problem(description: "--assets goes with --answer allow and limited, --albums with limited")
      }
    }
    if includesLocation, decision == .deny || decision == .notNow {
      throw Problem(description: "--location goes with allow and limited")
    }
    self.decision = decision
    self.includesLocation = includesLocation
    self.assets = assets
    self.albums = albums
    switch (decision, duration) {
    case (_, nil): self.duration = nil
    case (.deny, _), (.notNow, _): throw Problem(description: "--duration goes with allow and limited")
    case (_, "always"): self.duration = .always
    case (_, "untilExit"): self.duration = .untilExit
    case (_, let text?):
      guard let time = GivenTime(text) else {
        throw Problem(description: "--duration is always, untilExit, or a time such as 2h or 2026-12-31")
      }
      guard time.instant(from: now) > now else {
        throw Problem(description: "--duration is a time to come; \(text) is over")
      }
      self.duration = .until(time)
    }
  }

  /// What to answer. A prompt that does not offer the answer, or to which it does not fit, is put off, which
  /// denies nothing (S11).
  ///
  /// - Parameter now: from which a span of time is counted.
  package func answer(to prompt: AgentInterface.Prompt, now: Instant) -> AgentInterface.Answer {
    var answer = withoutLocation(to: prompt, now: now)
    if includesLocation, prompt.locationUsageDescription != nil, answer.givesPhotos { answer.location = true }
    return answer
  }

  private func withoutLocation(
    to prompt: AgentInterface.Prompt, now: Instant
  ) -> AgentInterface.Answer {
    let notNow = AgentInterface.Answer(decision: .notNow)
    switch (prompt.kind, decision) {
    case (.authorization, _):
      return (prompt.choices.contains(decision) ? grant(now) : nil) ?? notNow
    case (.limitedPicker, .limited):
      // Nothing to select is no wish to see nothing: what is selected stays.
      guard !assets.isEmpty || !albums.isEmpty else { return notNow }
      return .init(decision: .limited, assets: assets, albums: albums)
    case (.picker, .allow), (.picker, .limited):
      return assets.count < max(1, prompt.minimum ?? 0) ? notNow : .init(decision: .allow, assets: assets)
    case (.photoAccess, .limited):
      let asked = Set(prompt.assets ?? [])
      return .init(decision: .limited, assets: assets.filter(asked.contains))
    case (.limitedPicker, _), (.picker, _), (.photoAccess, _), (.deletion, _), (.replacement, _),
      (.reversion, _):
      // Only a grant lasts for a time.
      return prompt.choices.contains(decision) ? .init(decision: decision) : notNow
    }
  }

  /// The answer to an authorization prompt; nil when the time that it should hold until is over.
  private func grant(_ now: Instant) -> AgentInterface.Answer? {
    var answer = AgentInterface.Answer(decision: decision)
    if decision == .limited {
      answer.assets = assets
      answer.albums = albums
    }
    switch duration {
    case nil: break
    case .always?: answer.duration = .always
    case .untilExit?: answer.duration = .untilExit
    case .until(let time)?:
      let expires = time.instant(from: now)
      guard expires > now else { return nil }
      answer.duration = .until
      answer.expires = expires
    }
    return answer
  }
}
