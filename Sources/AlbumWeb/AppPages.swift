/// Since when each session is shown what an app may do, and may change it there (S64).
///
/// An app may open that page (S15), beneath a click that is under way: for half a second nothing counts, as for a prompt
/// (``PromptBoard``). Only who was shown one just now is remembered.
package struct AppPages: Sendable {
  private var shown: [String: Int64] = [:]

  /// Nobody was shown anything.
  package init() {}

  /// A session is shown an app's page.
  ///
  /// - Parameter now: microseconds of a clock that nobody sets.
  package mutating func shown(to session: Session, now: Int64) {
    shown = shown.filter { now - $0.value < PromptBoard.settling }
    shown[session.name] = now
  }

  /// Whether what a session sends from there is meant for it.
  package func isSettled(for session: Session, now: Int64) -> Bool {
    shown[session.name].map { now - $0 >= PromptBoard.settling } ?? true
  }

  /// How many are remembered.
  var count: Int { shown.count }
}
