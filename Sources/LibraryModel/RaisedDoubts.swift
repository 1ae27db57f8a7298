/// Names in doubt that wait until all is taken in that was told before they were noticed
/// (docs/decisions/0015-identity.md).
///
/// Where more is always being told, that is not when nothing more is to come, but when so much has been taken in as the
/// kernel had kept then. So those that wait for that are two heaps: while one waits, what arises is the next. None
/// waits for more than two times what the kernel keeps before it is its heap's turn, of which some are decided at a time, and
/// there are no more of them than names that were looked at meanwhile.
package struct RaisedDoubts: Sendable {
  private var raised = Doubts()
  private var older = Doubts()
  /// How much is to be taken in before `older` can be decided.
  private var mark: UInt64 = 0

  /// None.
  package init() {}

  /// How many wait.
  package var count: Int { raised.count + older.count }

  /// Whether a condition is true of any.
  package func contains(where condition: (Doubt) -> Bool) -> Bool {
    older.contains(where: condition) || raised.contains(where: condition)
  }

  /// Adds some that were noticed just now.
  package mutating func append(_ doubts: Doubts) { raised.append(doubts) }

  /// Takes those that were noticed before what was taken in by now was told; so many at most, the others next time: when
  /// what was told meanwhile is taken in as well.
  ///
  /// - Parameters:
  ///   - limit: how many.
  ///   - taken: how much was taken in since the start, in any unit.
  ///   - more: how much there is beyond that by now.
  package mutating func takeRipe(atMost limit: Int, taken: UInt64, more: UInt64) -> Doubts {
    if more == 0 {
      older.append(raised)
      raised = Doubts()
      mark = taken
    }
    let ripe = taken >= mark ? older.takeFirst(limit) : Doubts()
    if older.count == 0 {
      swap(&older, &raised)
      mark = taken + more
    }
    return ripe
  }
}
