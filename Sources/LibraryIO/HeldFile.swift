internal import Glibc
internal import Linux
internal import Synchronization

/// An open file of a file system that may not answer: closing it may wait (flush, fuse(4)), and is done on a thread that
/// nobody waits for.
final class HeldFile: Sendable {
  private let held: Mutex<CInt?>

  init(_ descriptor: consuming OwnedDescriptor) { held = Mutex(descriptor.take()) }

  /// The number, for a system call made while this lives and nobody has taken it.
  var number: CInt { held.withLock { $0 ?? -1 } }

  deinit {
    guard let number = held.withLock({ $0.take() }) else { return }
    ThreadReserve.shared.run { _ = close(number) }
  }

  /// Gives the file to the caller, who closes it where that may wait.
  func take() -> OwnedDescriptor? { held.withLock { $0.take() }.map { OwnedDescriptor(owning: $0) } }
}
