import Glibc
import Linux

/// Where a thread waits until it is let through.
final class Gate: Sendable {
  private nonisolated(unsafe) let reached = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
  private nonisolated(unsafe) let opened = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  init() {
    sem_init(reached, 0, 0)
    sem_init(opened, 0, 0)
  }

  deinit {
    reached.deallocate()
    opened.deallocate()
  }

  /// Says that it is here, on the thread.
  func reach() { sem_post(reached) }

  /// Says so, and waits.
  func wait() {
    reach()
    while sem_wait(opened) != 0 {}
  }

  func open() { sem_post(opened) }

  /// Waits until a thread is here: on a thread, so that neither the loop nor the pool is held up.
  func untilReached() async {
    await withCheckedContinuation { continuation in
      ThreadReserve.shared.run { [self] in
        while sem_wait(reached) != 0 {}
        continuation.resume()
      }
    }
  }
}
