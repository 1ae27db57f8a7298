internal import CLinux
internal import Glibc
internal import Linux

/// Wakes a thread that waits in poll(2): an eventfd(2).
final class WakeSignal: Sendable {
  private let signal: OwnedDescriptor

  /// - Throws: ``Linux/SystemError``: EMFILE and ENFILE when descriptors have run out.
  init() throws(SystemError) {
    signal = try OwnedDescriptor(linux_eventfd(), call: "eventfd")
  }

  /// Readable from ``wake()`` until ``acknowledge()``.
  var descriptor: CInt { signal.number }

  func wake() {
    var one: UInt64 = 1
    // Fails only when the counter is full, and then it is readable already (eventfd(2)).
    _ = write(signal.number, &one, MemoryLayout<UInt64>.size)
  }

  func acknowledge() {
    var count: UInt64 = 0
    _ = read(signal.number, &count, MemoryLayout<UInt64>.size)
  }
}
