internal import Glibc
internal import Linux
public import Varlink

/// A failure that no interface foresees, in the form that systemd's services use: `io.systemd.System`.
public struct SystemFailure: VarlinkError, Hashable {
  /// The error's name on the wire.
  public static let name = "io.systemd.System"
  /// Whose numbers `errno` are.
  public let origin: String
  /// errno(3).
  public let errno: Int
  /// What happened, for a person to read.
  public let message: String

  /// A failure with a reason of its own.
  public init(message: String) {
    self.init(code: EIO, message: message)
  }

  private init(code: CInt, message: String) {
    origin = "linux"
    errno = Int(code)
    self.message = message
  }

  /// Any error: that of a system call with its number, every other as EIO.
  init(_ error: any Error, message: String) {
    self.init(code: (error as? SystemError)?.code ?? EIO, message: message)
  }
}
