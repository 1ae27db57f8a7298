internal import Glibc
internal import Synchronization

/// Runs blocks one after another on a thread of its own, which lives only while there are any: for work that
/// waits for a disk.
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
    if starts { runDetached { [self] in work() } }
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

/// Runs `body` on a thread that ends with it; here, slowly, where the user may have no more threads
/// (pthread_create(3), EAGAIN).
public func runDetached(_ body: @escaping @Sendable () -> Void) {
  final class Box {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
  var thread = pthread_t()
  let box = Unmanaged.passRetained(Box(body))
  let result = pthread_create(
    &thread, nil,
    { argument in
      guard let argument else { return nil }
      Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().body()
      return nil
    }, box.toOpaque())
  guard result == 0 else { return box.takeRetainedValue().body() }
  pthread_detach(thread)
}
