internal import Synchronization

/// Whether anybody still waits for a job on a root's thread: one that is given up does nothing more once its file system
/// answers, and takes back what it can.
package final class Attention: Sendable {
  private struct State {
    var hasBegun = false
    var isLost = false
    var isDone = false
  }

  private let state = Mutex(State())

  /// Somebody waits.
  package init() {}

  /// Begins the job.
  ///
  /// - Returns: false when nobody waits any more.
  package func begin() -> Bool {
    state.withLock { state in
      state.hasBegun = !state.isLost
      return state.hasBegun
    }
  }

  /// It is done: who gives up from here on is told so.
  ///
  /// - Returns: false when nobody waits any more.
  func finish() -> Bool {
    state.withLock { state in
      state.isDone = !state.isLost
      return state.isDone
    }
  }

  /// Nobody waits any more, unless it is done.
  ///
  /// - Returns: whether the job had begun, and may have done something.
  @discardableResult
  package func giveUp() -> Bool {
    state.withLock { state in
      state.isLost = !state.isDone
      return state.hasBegun
    }
  }

  /// Whether nobody waits any more.
  var isLost: Bool { state.withLock { $0.isLost } }
}
