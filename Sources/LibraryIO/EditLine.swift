internal import Linux

/// Those who wait for the one edit that is under way beneath a root: users take turns, so that whoever asks for many waits for
/// them, and each other one for a single edit of it (docs/decisions/0149-edits-in-turn.md). Without IO.
struct EditLine<Waiting> {
  private(set) var isBusy = false
  private var waiting = UserTurns<Waiting>()

  /// How many edits of a user may wait for the one that is under way, where its root may not answer.
  static var mostOfUser: Int { 64 }

  /// What becomes of an edit.
  enum Place {
    /// It is its turn.
    case first
    /// It waits until ``leave()`` returns it.
    case waits
    /// As many of its user's wait as may.
    case refused
  }

  /// - Parameters:
  ///   - user: whose turn it takes.
  ///   - isBounded: whether what is under way may take long, so that it may be refused.
  ///   - keepsOthers: whether it keeps those of another line waiting meanwhile. Then it is the next of its user's: they wait
  ///     for one edit of each user, and not for all of this one's.
  mutating func enter(_ new: Waiting, of user: UInt32, isBounded: Bool, keepsOthers: Bool) -> Place {
    guard isBusy else {
      isBusy = true
      return .first
    }
    if keepsOthers {
      waiting.prepend(new, of: user)
      return .waits
    }
    guard !isBounded || waiting.count(of: user) < Self.mostOfUser else { return .refused }
    waiting.append(new, of: user)
    return .waits
  }

  /// The one that was under way is over.
  ///
  /// - Returns: whose turn it is; nil where nobody waits.
  mutating func leave() -> Waiting? {
    let next = waiting.popFirst()
    // Whoever is done hands it on: it stays busy.
    isBusy = next != nil
    return next
  }
}
