internal import Glibc
public import Linux

/// The two ends of a pipe; neither waits for the other.
public final class Pipe {
  private let near: OwnedDescriptor
  private var far: CInt?

  /// An empty one.
  public init() throws {
    var numbers: [CInt] = [-1, -1]
    guard pipe(&numbers) == 0 else { throw SystemError("pipe") }
    for number in numbers {
      _ = fcntl(number, F_SETFL, O_NONBLOCK)
      _ = fcntl(number, F_SETFD, FD_CLOEXEC)
    }
    near = OwnedDescriptor(owning: numbers[0])
    far = numbers[1]
  }

  deinit { closeWriting() }

  /// The end to read from; it stays the pipe's.
  public var reading: CInt { near.number }

  /// Writes a byte.
  ///
  /// - Returns: whether the pipe took it.
  public func put(_ byte: UInt8) -> Bool {
    var byte = byte
    return far.map { write($0, &byte, 1) } == 1
  }

  /// Reads a byte; `nil` where there is none.
  public func take() -> UInt8? {
    var byte: UInt8 = 0
    return read(reading, &byte, 1) == 1 ? byte : nil
  }

  /// A copy of the end that is written to.
  public func writing() throws -> OwnedDescriptor {
    try OwnedDescriptor(dup(far ?? -1), call: "dup")
  }

  /// Closes the pipe's own end to write to.
  public func closeWriting() {
    if let far { close(far) }
    far = nil
  }

  /// Whether every copy of the end that is written to is closed, and all was read.
  public var hasNoWriter: Bool {
    var byte: UInt8 = 0
    return read(reading, &byte, 1) == 0
  }
}
