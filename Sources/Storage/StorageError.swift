/// A database that could not be opened, read or written.
public struct StorageError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What kind of failure it is.
  public enum Code: String, Hashable, Sendable {
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
  public let code: Code
  /// What happened, in one sentence.
  public let message: String
  /// The database file.
  public let path: String
  /// What to do about it.
  public let advice: String

  /// An error.
  public init(code: Code, message: String, path: String, advice: String) {
    self.code = code
    self.message = message
    self.path = path
    self.advice = advice
  }

  /// One line for a log.
  public var description: String { "\(path): \(message) (\(advice))" }
}
