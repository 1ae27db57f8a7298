package import EventLoop

/// Who asked for an edit, and what decides whether it may begin, when it does: whoever asked may have waited for the edits before
/// it, and what was decided meanwhile counts (S29, docs/decisions/0144-decided-when-it-begins.md).
@EventLoopActor
package struct MayBegin: Sendable {
  /// Whose turn it takes where edits wait, and what it asks of a file system before.
  package nonisolated let user: UInt32
  private nonisolated let decide: @EventLoopActor () throws -> Void

  /// - Parameters:
  ///   - user: whose turn it takes where edits wait, and against whose places it counts.
  ///   - decide: throws what refuses it.
  package nonisolated init(by user: UInt32, _ decide: @escaping @EventLoopActor () throws -> Void) {
    (self.user, self.decide) = (user, decide)
  }

  /// What somebody asked for of which nothing is to be decided: to find something that is there.
  nonisolated static func always(by user: UInt32) -> MayBegin { MayBegin(by: user) {} }

  /// - Throws: what refuses it.
  package func callAsFunction() throws { try decide() }
}

/// For what the daemon does by itself, or ends that was begun: nobody asked, and nothing is left to be decided.
package let nobodyAsked = MayBegin.always(by: noUser)

/// Whose turn what the daemon does by itself takes: no user has that id (setreuid(2)).
let noUser = UInt32.max
