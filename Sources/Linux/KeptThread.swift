internal import Glibc
internal import Synchronization

/// Runs blocks one after another on a thread that is there from the beginning: for what has to go on where no thread is to
/// be had.
public final class KeptThread: Sendable {
  private let blocks = Mutex<[@Sendable () -> Void]>([])
  /// Posted once for each block. Unsafe only in that it is a pointer: sem_post(3) and sem_wait(3) may be called from any
  /// thread, and it is never freed.
  private nonisolated(unsafe) let signal = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  /// A thread for the rest of the process's life; as soon as there is one.
  public init() {
    sem_init(signal, 0, 0)
    ThreadReserve.shared.run { [self] in work() }
  }

  /// Runs `block` after all that were given before it.
  public func async(_ block: @escaping @Sendable () -> Void) {
    blocks.withLock { $0.append(block) }
    sem_post(signal)
  }

  private func work() {
    while true {
      while sem_wait(signal) != 0 {}
      blocks.withLock { $0.removeFirst() }()
    }
  }
}
