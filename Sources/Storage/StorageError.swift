internal import Glibc

/// A database that could not be opened, read or written.
package struct StorageError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What kind of failure it is.
  package enum Code: String, Hashable, Sendable {
    /// The disk is full (SQLITE_FULL).
    case full
    /// The file or its file system cannot be written (SQLITE_READONLY).
    case readOnly
    /// The disk failed (SQLITE_IOERR).
    case inputOutput
    /// The file is not a database, or damaged (SQLITE_CORRUPT, SQLITE_NOTADB).
    case corrupt
    /// Another process has it open (SQLITE_BUSY).
    case busy
    /// It cannot be opened or made (SQLITE_CANTOPEN).
    case cannotOpen
    /// A newer version of this program wrote it.
    case newerSchema
    /// Anything else.
    case failed
  }

  /// What kind of failure it is.
  package let code: Code
  /// What happened, in one sentence.
  package let message: String
  /// The database file.
  package let path: String
  /// What to do about it.
  package let advice: String

  /// An error.
  package init(code: Code, message: String, path: String, advice: String) {
    self.code = code
    self.message = message
    self.path = path
    self.advice = advice
  }

  /// What the kernel said about a file of ours that SQLite does not know.
  init(errno code: CInt, _ what: String, path: String) {
    let (kind, advice): (Code, String) =
      switch code {
      case ENOSPC, EDQUOT: (.full, "make room on its file system")
      case EROFS, EACCES, EPERM: (.readOnly, "make the file and its directory writable for the daemon")
      case EIO: (.inputOutput, "check the disk; the kernel's log says more")
      default: (.cannotOpen, "check that its directory exists and belongs to the daemon")
      }
    self.init(code: kind, message: "\(what): \(String(cString: strerror(code)))", path: path, advice: advice)
  }

  /// One line for a log.
  package var description: String { "\(path): \(message) (\(advice))" }
}
