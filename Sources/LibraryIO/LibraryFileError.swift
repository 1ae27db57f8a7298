internal import Glibc
package import Linux

/// A file of the library that could not be opened or added.
package struct LibraryFileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What kind of failure it is.
  package enum Code: String, Hashable, Sendable {
    /// The file is no longer there; a change will say so.
    case gone
    /// Another file is there now; a change will say so (S43).
    case replaced
    /// It is not a regular file.
    case notRegular
    /// Its root is offline (S41).
    case offline
    /// As many of the same user's wait for its root as may, or what it waits for there takes too long.
    case busy
    /// The disk is full, or a quota is used up.
    case noSpace
    /// It is longer than allowed.
    case tooLarge
    /// Its content is neither a photo nor a video.
    case notMedia
    /// The source cannot be read.
    case unreadableSource
    /// The suggested name cannot be a file's.
    case invalidName
    /// It would have to be on the same file system as something that it is not with (EXDEV).
    case otherFileSystem
    /// It has no other name, and without this one it would be gone.
    case onlyName
    /// The file system cannot be written (EROFS).
    case readOnly
    /// Its file system, or the file, keeps no such attribute (xattr(7)).
    case noAttributes
    /// Any other system call that failed.
    case system
  }

  /// What kind of failure it is.
  package let code: Code
  /// The system call behind it, if one failed.
  package let cause: SystemError?
  /// What it is about.
  package let subject: String
  /// Whether it may have been done all the same, or may be later: its file system has not answered, and when it does, what
  /// became of it is found by looking.
  package private(set) var isUndecided = false

  /// An error.
  package init(_ code: Code, subject: String, cause: SystemError? = nil) {
    self.code = code
    self.subject = subject
    self.cause = cause
  }

  /// A file system has stopped answering while this was done.
  static func undecided(_ subject: String) -> LibraryFileError {
    var error = LibraryFileError(.offline, subject: subject)
    error.isUndecided = true
    return error
  }

  /// The failure that `errno` reports, of a call that makes, links, renames or fills a file: open(2), link(2),
  /// rename(2), write(2), fsync(2).
  init(_ call: StaticString, _ subject: String) {
    let cause = SystemError(call)
    let code: Code =
      switch cause.code {
      case ENOSPC, EDQUOT: .noSpace
      case EFBIG: .tooLarge
      case EXDEV: .otherFileSystem
      case EROFS: .readOnly
      case ENOENT, ENOTDIR, ESTALE: .gone
      default: .system
      }
    self.init(code, subject: subject, cause: cause)
  }

  /// One line for a log.
  package var description: String {
    let reason =
      switch code {
      case .gone: "is no longer there"
      case .replaced: "is another file now"
      case .notRegular: "is not a regular file"
      case .offline: "its root is offline"
      case .busy: "too much waits for its root already"
      case .noSpace: "there is no room for it"
      case .tooLarge: "is larger than allowed"
      case .notMedia: "is neither a photo nor a video"
      case .unreadableSource: "cannot be read"
      case .invalidName: "is no name for a file"
      case .otherFileSystem: "is on another file system"
      case .onlyName: "has no other name"
      case .readOnly: "its file system is read-only"
      case .noAttributes: "cannot be marked"
      case .system: "failed"
      }
    return "\(subject): \(reason)" + (cause.map { " (\($0))" } ?? "")
  }
}
