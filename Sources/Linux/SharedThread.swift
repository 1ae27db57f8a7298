import Synchronization

/// Runs blocks one at a time on a thread that several users share, and takes what they have given in turn: whoever gives
/// much waits for it, and each other one for a single block of it.
///
/// The thread lives only while there is something to do, as that of ``SerialThread``.
public final class SharedThread: Sendable {
  private struct State {
    var waiting = UserTurns<@Sendable () -> Void>()
    var isRunning = false
  }

  private let state = Mutex(State())

  /// A thread that has nothing to do, and so is not there.
  public init() {}

  /// Runs `block` after all that this user gave before it, and in turn with what others have given.
  public func async(for user: UInt32, _ block: @escaping @Sendable () -> Void) {
    let starts = state.withLock { state in
      state.waiting.append(block, of: user)
      defer { state.isRunning = true }
      return !state.isRunning
    }
    if starts { ThreadReserve.shared.run { [self] in work() } }
  }

  private func work() {
    while let block = next() { block() }
  }

  private func next() -> (@Sendable () -> Void)? {
    state.withLock { state in
      let block = state.waiting.popFirst()
      if block == nil { state.isRunning = false }
      return block
    }
  }
}
