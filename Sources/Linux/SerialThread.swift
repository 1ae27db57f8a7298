internal import Glibc
internal import Synchronization

/// Runs blocks one after another on a thread of its own, which lives only while there are any: for work that
/// waits for a disk. Where no thread is to be had they wait for one (``ThreadReserve``).
///
/// Not a dispatch queue: once libdispatch's pool was used, its monitor wakes up every second for the rest of
/// the process's life, and a daemon that has nothing to do must sleep.
public final class SerialThread: Sendable {
  private struct State {
    var blocks: [@Sendable () -> Void] = []
    var isRunning = false
  }

  private let state = Mutex(State())

  /// A thread that has nothing to do, and so is not there.
  public init() {}

  /// Runs `block` after all that were given before it.
  public func async(_ block: @escaping @Sendable () -> Void) {
    let starts = state.withLock { state in
      state.blocks.append(block)
      defer { state.isRunning = true }
      return !state.isRunning
    }
    if starts { ThreadReserve.shared.run { [self] in work() } }
  }

  /// Waits until everything that was given so far is done: for the end of a program.
  public func finish() {
    let done = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
    sem_init(done, 0, 0)
    defer {
      sem_destroy(done)
      done.deallocate()
    }
    // Used on the other thread only until it has posted, and here only after that.
    nonisolated(unsafe) let signal = done
    async { sem_post(signal) }
    while sem_wait(done) != 0 {}
  }

  private func work() {
    while true {
      let blocks = state.withLock { state in
        defer { state.blocks = [] }
        if state.blocks.isEmpty { state.isRunning = false }
        return state.blocks
      }
      if blocks.isEmpty { return }
      for block in blocks { block() }
    }
  }
}
