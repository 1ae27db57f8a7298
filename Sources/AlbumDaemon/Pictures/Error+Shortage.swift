internal import Glibc
internal import LibraryIO
internal import Linux

extension Error {
  /// Whether this process, or the machine, can open no more files: that says nothing about the one that was to be opened.
  var isShortage: Bool {
    let code: CInt? =
      switch self {
      case let error as LibraryFileError: error.cause?.code
      case let error as SystemError: error.code
      default: nil
      }
    return code.map { [EMFILE, ENFILE, ENOMEM].contains($0) } ?? false
  }
}
