internal import CLinux
internal import Glibc
internal import Synchronization

/// A value that one thread gives and another waits for, not longer than it likes.
public final class Answer<Value: Sendable>: Sendable {
  private let value = Mutex<Value?>(nil)
  /// Unsafe only in that it is a pointer: sem_post(3) and sem_clockwait(3) may be called from any thread, and it is freed
  /// when nobody has it any more.
  private nonisolated(unsafe) let signal = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  /// None yet.
  public init() { sem_init(signal, 0, 0) }

  deinit {
    sem_destroy(signal)
    signal.deallocate()
  }

  /// Gives it, once.
  public func give(_ new: Value) {
    value.withLock { $0 = new }
    sem_post(signal)
  }

  /// Waits for it.
  ///
  /// - Parameter deadline: by ``Clock/monotonic``, in microseconds.
  /// - Returns: nil when it has not come by then.
  public func take(until deadline: UInt64) -> Value? {
    while linux_wait_until(signal, deadline) != 0, errno == EINTR {}
    return value.withLock { $0 }
  }
}
