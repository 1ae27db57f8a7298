internal import CLinux
internal import Glibc

/// Wakes a thread that waits in poll(2), or a loop: an eventfd(2).
package final class WakeSignal: Sendable {
  private let signal: OwnedDescriptor

  /// A signal that nobody has given yet.
  ///
  /// - Throws: EMFILE and ENFILE when descriptors have run out.
  package init() throws(SystemError) {
    signal = try OwnedDescriptor(linux_eventfd(), call: "eventfd")
  }

  /// Readable from ``wake()`` until ``acknowledge()``.
  package var descriptor: CInt { signal.number }

  /// Gives it. Any thread may, and waits for nothing.
  package func wake() {
    var one: UInt64 = 1
    // Fails only when the counter is full, and then it is readable already (eventfd(2)).
    _ = write(signal.number, &one, MemoryLayout<UInt64>.size)
  }

  /// Takes it back, however often it was given; where it was not, nothing happens.
  package func acknowledge() {
    var count: UInt64 = 0
    _ = read(signal.number, &count, MemoryLayout<UInt64>.size)
  }

  /// Waits until it is given.
  package func wait() {
    var request = pollfd(fd: signal.number, events: Int16(POLLIN), revents: 0)
    poll(&request, 1, -1)
    acknowledge()
  }
}
