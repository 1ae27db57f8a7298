/// The name of one prompt. The caller makes it so that nobody can guess it (rule S46).
package struct PromptID: Hashable, Sendable, CustomStringConvertible {
  /// As it goes to the agent.
  package let value: String

  /// A name made by the caller.
  package init(_ value: String) {
    self.value = value
  }

  /// As it goes to the agent.
  package var description: String { value }
}

/// What a prompt other than for authorization asks: a picker, a deletion. Its own module knows what an
/// answer looks like.
package protocol PromptQuestion: Sendable {
  /// What an agent may answer.
  associatedtype Answer: Sendable
  /// Throws when an answer does not fit, to the question or the app; the prompt then stays open.
  func check(_ answer: Answer, of app: PeerIdentity) throws(InvalidAnswer)
  /// Whether an answer says no, or not now: an app that asks on is made to wait (rule S13).
  func isRefused(by answer: Answer) -> Bool
}

/// What an owner is asked.
package struct Prompt<Question: PromptQuestion>: Sendable {
  /// What it is about.
  package enum Subject: Sendable {
    /// Access at this level, for the reason in the app's manifest (rules S10, S14).
    case authorization(AccessLevel, usage: LocalizedText)
    /// Anything else.
    case question(Question)
  }

  /// Its name.
  package let id: PromptID
  /// Which app asks, for which user.
  package let app: PeerIdentity
  /// What it is about.
  package let subject: Subject

  /// The record that an answer decides; nil for a question.
  package var record: RecordKey? {
    switch subject {
    case .authorization(let level, _): app.record(level)
    case .question: nil
    }
  }
}

/// Why an agent should take a prompt away.
package enum WithdrawalReason: String, Hashable, Sendable, CaseIterable {
  /// Everyone who asked has disconnected (rule S12).
  case requesterGone
  /// It was decided elsewhere: in settings, or by a policy.
  case decidedElsewhere
  /// A prompt of the agent's own user comes first; this one returns.
  case ownFirst
  /// Another prompt comes in its place: what the configuration says of the app is something else by now.
  case restated
  /// The agent's user is no owner any more.
  case notAnOwner
}

/// An agent's answer does not fit its prompt, which stays open.
package struct InvalidAnswer: Error, Hashable, Sendable, CustomStringConvertible {
  /// What does not fit, and what would.
  package let reason: String

  /// A refusal for that reason.
  package init(reason: String) {
    self.reason = reason
  }

  /// The reason.
  package var description: String { reason }
}
