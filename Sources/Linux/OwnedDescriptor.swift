internal import Glibc

/// A file descriptor with exactly one owner: closed when the owner goes, never twice, never leaked.
///
/// Descriptors that must live in an array or dictionary go into a ``DescriptorBatch`` or are kept by a
/// class of their own.
public struct OwnedDescriptor: ~Copyable, Sendable {
  /// The number, for a system call made while the owner lives. It must not be kept or closed.
  public let number: CInt

  /// Takes ownership of an open descriptor.
  public init(owning number: CInt) {
    self.number = number
  }

  /// Takes ownership of what a system call returned.
  ///
  /// - Throws: ``SystemError`` with `errno` when `result` is negative.
  public init(_ result: CInt, call: StaticString, subject: String = "") throws(SystemError) {
    guard result >= 0 else { throw SystemError(call, subject: subject) }
    number = result
  }

  deinit {
    // close(2): on Linux the descriptor is gone whatever is returned; trying again would be wrong.
    _ = close(number)
  }

  /// Gives the number and the duty to close it to the caller.
  public consuming func take() -> CInt {
    let taken = number
    discard self
    return taken
  }

  /// Lets no call on it wait (O_NONBLOCK, fcntl(2)). What a service manager hands over may not have it.
  public borrowing func makeNonBlocking() throws(SystemError) {
    let flags = try retryingInterrupts("fcntl(F_GETFL)") { fcntl(number, F_GETFL) }
    try retryingInterrupts("fcntl(F_SETFL)") { fcntl(number, F_SETFL, flags | O_NONBLOCK) }
  }
}
