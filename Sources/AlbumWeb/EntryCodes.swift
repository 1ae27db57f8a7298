/// The codes by which a browser gets in (S61): each works once, and for two minutes.
package struct EntryCodes: Sendable {
  /// How long a code works, in microseconds.
  package static let lifetime: Int64 = 120_000_000
  /// How long whoever shows a wrong code waits for the answer, in microseconds.
  package static let penalty: Int64 = 1_000_000
  /// Codes that are kept: whoever asks for more makes the oldest void.
  static let limit = 16
  /// Wrong codes that wait for their answer at a time; more are refused at once, unlooked at.
  static let waitingLimit = 8

  /// What comes of a code.
  package enum Outcome: Hashable, Sendable {
    /// It is one, and is none from now on.
    case welcome
    /// It is none: say so after ``EntryCodes/penalty``, then call ``EntryCodes/answered()``.
    case wrong
    /// Too many wrong ones wait.
    case busy
  }

  private var codes: [(code: Secret, expires: Int64)] = []
  private var waiting = 0

  /// None that works.
  package init() {}

  /// A new code.
  ///
  /// - Parameter now: microseconds of a clock that nobody sets (CLOCK_BOOTTIME).
  package mutating func issue(now: Int64, using source: inout some RandomNumberGenerator) -> Secret {
    forget(now)
    if codes.count == Self.limit { codes.removeFirst() }
    let code = Secret(using: &source)
    codes.append((code, now + Self.lifetime))
    return code
  }

  /// Somebody shows a code.
  package mutating func redeem(_ text: String, now: Int64) -> Outcome {
    forget(now)
    // Looked at before anything else, so that those who guess keep nobody out who knows.
    if let claim = Secret(text), let index = codes.firstIndex(where: { $0.code.isSame(as: claim) }) {
      codes.remove(at: index)
      return .welcome
    }
    guard waiting < Self.waitingLimit else { return .busy }
    waiting += 1
    return .wrong
  }

  /// Somebody shows a code who is in already: it works no more.
  package mutating func burn(_ text: String) {
    guard let claim = Secret(text) else { return }
    codes.removeAll { $0.code.isSame(as: claim) }
  }

  /// Somebody was told that their code is wrong.
  package mutating func answered() { waiting = max(0, waiting - 1) }

  private mutating func forget(_ now: Int64) { codes.removeAll { $0.expires <= now } }
}
