internal import Authorization
internal import CLinux
internal import Glibc
internal import Linux
internal import VarlinkTransport

/// A process about which evidence was read: whether it still is what it was then.
final class KnownProcess: Sendable {
  enum Look {
    case same
    /// It has become another program (execve(2)).
    case another
    case ended
  }

  let credentials: PeerCredentials
  /// Its directory in /proc, which is never that of another process.
  private let directory: OwnedDescriptor
  /// What it ran when the evidence was read; nil when that could not be seen.
  private let program: ProgramFile?

  init(_ credentials: PeerCredentials, directory: consuming OwnedDescriptor, program: ProgramFile?) {
    self.credentials = credentials
    self.directory = directory
    self.program = program
  }

  /// Looks again. One system call, which asks no file system.
  func look() -> Look {
    var facts = linux_facts()
    guard linux_look_at_program(directory.number, &facts) == 0 else {
      // A process without a directory or without a program has ended; what could not be seen then cannot be now.
      return errno == ESRCH || errno == ENOENT ? .ended : program == nil ? .same : .another
    }
    return ProgramFile(facts) == program ? .same : .another
  }
}
