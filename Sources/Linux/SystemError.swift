internal import Glibc

/// A system call that failed: which, on what, and why.
///
/// Its description is one sentence for a log or a person; what to *do* is said by whoever made the
/// call, who knows what it was for.
public struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The error number, errno(3).
  public let code: CInt
  /// The call's name as in section 2 of the manual.
  public let call: String
  /// The path or object that the call was about; empty when there is none.
  public let subject: String

  /// An error with a known number.
  public init(_ call: StaticString, code: CInt, subject: String = "") {
    self.code = code
    self.call = call.description
    self.subject = subject
  }

  /// The failure that `errno` reports at this moment.
  public init(_ call: StaticString, subject: String = "") {
    self.init(call, code: errno, subject: subject)
  }

  /// The message of strerror(3).
  public var reason: String { String(cString: strerror(code)) }

  /// Subject, reason and call in one line.
  public var description: String {
    subject.isEmpty ? "\(reason) (\(call))" : "\(subject): \(reason) (\(call))"
  }
}

/// Repeats a call that a signal interrupted (EINTR, signal(7)) and throws what else goes wrong.
///
/// - Returns: the call's result, zero or more.
@discardableResult
public func retryingInterrupts<Result: BinaryInteger>(
  _ call: StaticString, subject: @autoclosure () -> String = "", _ body: () -> Result
) throws(SystemError) -> Result {
  while true {
    let result = body()
    if result >= 0 { return result }
    let code = errno
    if code != EINTR { throw SystemError(call, code: code, subject: subject()) }
  }
}
